// Package draw draws computation graphs as pictures that people can read: an objective's graph
// of a hundred Gorgonia nodes becomes a few dozen boxes. Start reading at Picture, whose methods
// SVG and DOT return the two formats. The package does not draw the instructions of compiled
// programs, and it needs no other program.
//
// A picture is made in these stages:
//
//	fold      graph nodes are combined into the boxes of the picture: a
//	          product and its bias, a ReLU, a mean, a sum of terms   (fold.go, label.go)
//	cluster   boxes are grouped by pass of the network and by term   (cluster.go)
//	backward  gradients, if requested, become boxes of their own     (backward.go)
//	dot       the boxes are written for Graphviz                     (dot.go)
//	layout    or they are placed in columns, from inputs to loss     (layout.go, stack.go)
//	svg       and written as SVG                                     (svg.go, dark.go)
package draw
