package models

import (
	"fmt"
	"slices"

	"sml/graph"
)

// Forward returns the network on an input named InputX with the given number of rows, for any method:
// see Spec.Forward.
func (n Network) Forward(b *graph.Builder, rows int, a Architecture) (Forward, error) {
	forward, _, err := n.forwardOnInput(b, rows, a, nil, nil)
	return forward, err
}

// forwardOnInput returns the network on an input named InputX with the given number of rows, and the
// input. See forwardAt for the other parameters.
func (n Network) forwardOnInput(b *graph.Builder, rows int, a Architecture, m *Method, penalties *passPenalties) (Forward, *graph.Node, error) {
	x := b.Input(InputX, rows, a.Inputs)
	forward := n.forwardAt(b, x, a, m, penalties)
	return forward, x, b.Err()
}

// forwardAt returns the network on inputs x [rows, a.Inputs] or, with inputs for each copy,
// [rows, a.Copies·a.Inputs]. It builds no pass yet: the result adds a pass to the graph when it is called, and
// checks the outputs. Errors make the builder fail. m is the method for which the network runs, nil for any. The
// penalties of each pass are added to penalties, which may be nil.
func (n Network) forwardAt(b *graph.Builder, x *graph.Node, a Architecture, m *Method, penalties *passPenalties) Forward {
	c := &checkedNetwork{
		b:            b,
		method:       m,
		name:         "network " + n.Name,
		architecture: a,
		x:            x,
		penalties:    penalties,
	}
	if m != nil {
		c.name += " of method " + m.Name
	}
	if b.Err() == nil {
		c.rows = x.Shape()[0]
		b.Fail(c.tryBuild(n))
	}
	return c.run // returns a stand-in if the builder has failed
}

// checkedNetwork runs a network on one input and checks its outputs.
type checkedNetwork struct {
	b            *graph.Builder
	method       *Method // method for which the network runs; nil for any
	name         string  // name of the network for errors
	architecture Architecture
	x            *graph.Node // inputs of the network
	rows         int         // rows of x
	forward      Forward     // result of Network.Build; nil if it failed
	penalties    *passPenalties
}

// tryBuild sets c.forward to the result of the network's Build. It turns a panic into an error.
func (c *checkedNetwork) tryBuild(n Network) (err error) {
	defer graph.Recover(&err, c.name)
	a := c.architecture
	a.Hyperparameters, err = n.Choose(a.Hyperparameters)
	if err != nil {
		return err
	}
	a.Hidden = slices.Clone(a.Hidden) // a network that changes the slice must not change the spec
	x := a.encodeCopies(c.b, c.x)
	a.Inputs = a.FirstLayerInputs()
	a = a.withoutEncoding() // x no longer has the inputs that are encoded
	c.forward = n.Build(c.b, x, a)
	return nil
}

// run returns the outputs of a pass. If the builder has failed it returns a stand-in.
func (c *checkedNetwork) run(pass graph.Pass) *graph.Node {
	outputs, err := c.tryRun(pass)
	c.b.Fail(err)
	if outputs == nil {
		return c.b.Const(0)
	}
	return outputs
}

// tryRun returns the outputs of a pass after checking them, and turns a panic into an error.
func (c *checkedNetwork) tryRun(pass graph.Pass) (outputs *graph.Node, err error) {
	defer graph.Recover(&err, c.name)
	if c.forward == nil {
		return nil, fmt.Errorf("%s is nil", c.name)
	}
	inspection := graph.Inspect(c.b)
	penaltiesBefore := len(inspection.Penalties)
	layersBefore := len(inspection.Layers)
	inspection.RunPass(func() { outputs = c.forward(pass) })
	var changed graph.Nodes // nodes that an objective put in the place of layers
	for _, l := range inspection.Layers[layersBefore:] {
		if l.Changed != nil {
			changed = append(changed, l.Changed)
		}
	}
	c.checkOutputs(pass, outputs, changed)
	c.penalties.add(inspection.Penalties[penaltiesBefore:])
	return outputs, nil
}

// checkOutputs makes the builder fail unless the outputs of a pass have the right shape, use the random
// numbers of this pass only, and follow from the changed layers, which may have random numbers of their own.
func (c *checkedNetwork) checkOutputs(pass graph.Pass, outputs *graph.Node, changed graph.Nodes) {
	want := []int{c.rows, c.architecture.OutputColumns()}
	switch {
	case c.b.Err() != nil:
		return
	case outputs == nil:
		c.b.Fail(fmt.Errorf("%s returned nil, want %v: [rows outputs]", c.name, want))
		return
	case outputs.Graph() != c.b.Graph():
		c.b.Fail(fmt.Errorf("%s returned a node of another graph", c.name))
		return
	case !slices.Equal([]int(outputs.Shape()), want):
		c.b.Fail(fmt.Errorf("%s returned %v, want %v: [rows outputs], of which its Architecture.Outputs has %d", c.name, []int(outputs.Shape()), want, want[1]))
		return
	}
	inspection := graph.Inspect(c.b)
	for _, layer := range changed {
		if !inspection.Uses(outputs, layer) {
			c.b.Fail(fmt.Errorf("%s does not continue from the result of Builder.Layer: want h = b.Layer(name, h)", c.name))
		}
	}
	draws := inspection.DrawsUsedBy(outputs, append(changed, c.x)...)
	for _, d := range draws {
		c.b.Fail(c.checkDraw(d, pass))
	}
	if pass != graph.Full && draws == nil {
		c.failWithoutDropout()
	}
}

// checkDraw returns an error unless a node of random numbers may be used in the given pass.
func (c *checkedNetwork) checkDraw(d graph.Draw, pass graph.Pass) error {
	isPerRow := d.Rows == 0 || d.Rows == c.rows || c.b.Training()
	switch {
	case d.Pass == graph.Full:
		return fmt.Errorf("%s draws noise in the full network: give Builder.Normal and Uniform the pass of the Forward, and draw none if it is graph.Full", c.name)
	case d.Pass != pass:
		return fmt.Errorf("%s uses the dropout masks of another pass: give Builder.Dropout and Noise the pass of the Forward", c.name)
	case !isPerRow:
		return fmt.Errorf("%s draws %v random numbers (%s) for %d rows, so that predictions would depend on other rows: drop units of a node [rows …], after b.Reshape; for weights compare b.Uniform, of graph.Noise{Shared: true}, with the rate",
			c.name, []int{d.Rows, d.Node.Shape()[1]}, d.Kind, c.rows)
	}
	return nil
}

// failWithoutDropout makes the builder fail because a sub-network drops no unit, unless the user chose
// so (a rate of 0, no layers to drop units in, no hidden layers), or the method adds sub-networks
// with other weights after the training.
func (c *checkedNetwork) failWithoutDropout() {
	a := c.architecture
	switch {
	case c.method != nil && c.method.AfterTraining != nil: // it may add sub-networks
	case a.Drop == NoLayers && c.method != nil && c.method.DropLayers == NoLayers:
		c.b.Fail(fmt.Errorf("method %s uses a dropout sub-network, and drops no units: set Method.DropLayers, for instance to models.AllLayers", c.method.Name))
	case a.Drop != NoLayers && len(a.Hidden) > 0 && graph.DropsUnits(a.Dropout):
		c.b.Fail(fmt.Errorf("%s drops no units in a sub-network: it has to call Builder.Dropout with the pass of the Forward and the rate Architecture.Dropout", c.name))
	}
}
