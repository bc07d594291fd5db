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
//	dot       the boxes are written for Graphviz                     (dot.go, look.go)
//	layout    or they are placed in rows, from inputs to loss        (layout.go)
//	svg       and written as SVG                                     (svg.go, look.go)
package draw
