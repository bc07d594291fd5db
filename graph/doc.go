// Package graph builds and runs the computation graphs of networks and training
// objectives. It adds to Gorgonia a Builder whose first error sticks and names its line,
// dropout masks that follow from a seed, a stop-gradient, correct gradients of any order,
// parameters in one block of memory, and a Runner with two engines.
//
// A program goes through these steps:
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
// Nodes are Gorgonia's own, so objectives may mix Builder methods and plain gorgonia
// functions. Goroutines may build graphs at the same time, each with its own Builder.
//
// Objectives and networks call the methods of Builder. Programs that check, draw, export
// or run graphs which others have built call Inspect.
package graph
