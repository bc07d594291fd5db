// Package graph adds to Gorgonia what training objectives need and Gorgonia
// lacks: a Builder whose first error sticks and says where it happened,
// dropout masks as inputs drawn from a counter-based generator, a
// stop-gradient, parameters kept in one contiguous block, and a Runner that
// evaluates a finished graph on either of two engines.
//
// The way through the package is
//
//	b := graph.New(graph.Float32, params)      // an empty graph over shared parameters
//	x := b.Input("x", 100, 13)                 // buffers that the caller fills
//	loss := b.Mean(b.Square(b.Linear(x, …)))   // any Gorgonia or Builder operation
//	grads := b.Gradients(loss)                 // one node for each parameter
//	run, err := graph.Open(graph.Tape, b, append(graph.Nodes{loss}, grads...)...)
//
// Nodes are Gorgonia's own: whatever a Builder method offers can be written
// with plain gorgonia functions instead, and both can be mixed.
package graph
