// Package graph adds to Gorgonia what training objectives need and Gorgonia
// lacks: a Builder whose first error sticks and says where it happened,
// dropout masks as inputs drawn from a counter-based generator, a
// stop-gradient, parameters kept in one contiguous block, and a Runner that
// evaluates a finished graph on either of two engines.
//
// The way through the package is
//
//	params := new(graph.Params)
//	b := graph.New(graph.Float32, params) // an empty graph over parameters that graphs may share
//	x := b.Input("x", 100, 13)            // a buffer that the caller fills
//	w, bias := b.Param("w", 13, 1, graph.Uniform(0.3)), b.Param("bias", 1, 1, graph.Uniform(0.3))
//	loss := b.Mean(b.Square(b.Linear(x, w, bias)))
//	grads := b.Gradients(loss)            // one node for each parameter
//	run, err := graph.NewRunner(graph.Compiled, b, append(graph.Nodes{loss}, grads...)...)
//	params.Initialise(1)                  // until here all are 0
//	copy(run.Input("x"), values)
//	run.SampleMasks(graph.MaskKey{Seed: 1}) // dropout masks, if there are any
//	err = run.Run()
//	run.Output(0)[0]                      // the loss; outputs 1, 2, … are the gradients
//
// Nodes are Gorgonia's own: whatever a Builder method offers can be written
// with plain gorgonia functions instead, and both can be mixed.
package graph
