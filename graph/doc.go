// Package graph builds and runs the computation graphs of networks and training objectives.
// Start with Builder, whose methods are the operations, and with NewRunner, which makes a graph
// ready to run; the examples of both are complete programs. The package does not train: package
// trainers moves the parameters along the gradients that a graph computes.
//
// A program that computes a loss and its gradients:
//
//	params := new(graph.Params)                // parameters, which several graphs may share
//	b := graph.New(graph.Float32, params)      // builder of an empty graph
//	x := b.Input("x", 100, 13)                 // matrix of 100 rows and 13 columns, to be filled
//	w := b.Param("w", 13, 1, graph.Uniform(0.3))
//	bias := b.Param("bias", 1, 1, graph.Uniform(0.3))
//	loss := b.Mean(b.Square(b.Linear(x, w, bias)))
//	gradients := b.Gradients(loss)             // one node for each parameter
//	r, err := graph.NewRunner(graph.Compiled, b, append(graph.Nodes{loss}, gradients...)...)
//	params.Initialise(1)                       // random values that follow from the seed 1
//	copy(r.Input("x"), values)                 // 1300 numbers, row by row
//	r.SampleMasks(graph.MaskKey{Seed: 1})      // random numbers of dropout and noise
//	err = r.Run()
//	fmt.Println(r.Output(0)[0])                // the loss; outputs 1 and 2 are the gradients
//
// Nodes are Gorgonia's own, so Builder methods and gorgonia functions can be mixed. The package
// adds to Gorgonia errors that name the line of a mistake, dropout masks that follow from a seed, a
// stop-gradient, correct gradients of any order, parameters in one block of memory, and a faster
// engine. Several goroutines may build graphs at the same time, each with its own Builder.
//
// Programs that check, draw, export or run graphs which others have built use Inspect.
package graph
