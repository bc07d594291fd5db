// Package draw makes pictures of computation graphs that people can read.
//
// Gorgonia's graph of a small objective has a hundred nodes, most of them
// bookkeeping. The way to a picture:
//
//	fold      many nodes become one: a product and its bias, a ReLU,
//	          a mean, a sum of weighted terms                     (fold.go, label.go)
//	cluster   which pass of the network, or which term, each belongs to (cluster.go)
//	backward  gradients, on request, as a second picture below   (backward.go)
//	dot       for Graphviz                                       (dot.go)
//	layout    columns from inputs to loss, clusters as boxes     (layout.go, stack.go)
//	svg       the picture itself, which needs nothing installed  (svg.go)
package draw
