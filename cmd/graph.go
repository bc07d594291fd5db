package cmd

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/graph/draw"
	"sml/models"
)

// graphCommand returns the command "sml graph".
func graphCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "graph",
		Usage:     "draw the computation graph of a method, or list the instructions of its compiled program",
		UsageText: "sml graph METHOD [--out FILE.svg|FILE.dot] [--gradients] [options]\nsml graph METHOD --program [--json] [options]",
		Description: "Frames show the terms of the objective and the passes of the network; dropout masks, stop-gradients and\n" +
			"shared weights have their own shapes. An SVG needs no other program. Without --out the graph is printed\n" +
			"as DOT, the language of Graphviz.",
		Action: argumentAction("the name of a method", drawGraph),
	}, []string{
		"sml graph sml --out sml.svg",
		"sml graph sml --program",
	}, optionGroup{"Output", []cli.Flag{
		&cli.StringFlag{Name: "out", Usage: "draw to `FILE`, .svg or .dot", DefaultText: "DOT to standard output"},
		forceFlag("out"),
		&cli.BoolFlag{Name: "gradients", Usage: "draw the gradients, too"},
		&cli.BoolFlag{Name: "program", Usage: "list the instructions of the compiled training program, with their sizes and fractions of the time"},
		jsonFlag(),
	}}, optionGroup{"Network", slices.Concat([]cli.Flag{
		setFlag(),
		&cli.IntFlag{Name: "inputs", Value: 13, Usage: "assume this `NUMBER` of features"},
		&cli.IntFlag{Name: "targets", Value: 1, Usage: "assume this `NUMBER` of targets"},
		&cli.IntFlag{Name: "batch", Value: 100, Usage: "assume batches of this `NUMBER` of rows"},
	}, settingFlags("network"))})
}

// drawGraph draws the graph of a method's loss, or lists the instructions of its program.
func drawGraph(c *cli.Context, method string) error {
	spec, err := graphSpec(c, method)
	if err != nil {
		return err
	}
	if c.Bool("program") {
		if c.IsSet("out") || c.Bool("gradients") {
			return usageErrorf("--program lists steps and draws nothing: leave out --out and --gradients")
		}
		return listProgram(c, spec)
	}
	out := c.String("out")
	kind := strings.ToLower(filepath.Ext(out))
	if out != "" && kind != ".svg" && kind != ".dot" {
		return usageErrorf("--out %s: want a name that ends in .svg or .dot", out)
	}
	if c.Bool("json") {
		return usageErrorf("--json needs --program, whose result it prints")
	}
	if err := checkFileFlag(c, "out"); err != nil {
		return err
	}
	text, err := await(c.Context, func() (string, error) {
		p, err := lossPicture(spec, c.Int("batch"), c.Bool("gradients"))
		switch {
		case err != nil:
			return "", err
		case kind == ".svg":
			return p.SVG()
		}
		return p.DOT()
	})
	if err != nil {
		return err
	}
	return writeFileFlag(c, "out", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// graphSpec returns the method with the hyperparameters and the network that the flags choose. It returns an
// error if the method's objective cannot be built with them.
func graphSpec(c *cli.Context, method string) (models.Spec, error) {
	s := experiment.DefaultSettings()
	if err := chooseSettings(c, &s, "network"); err != nil {
		return models.Spec{}, err
	}
	a := s.Spec.Architecture
	chosen, err := chosenHyperparameters(c, method, a.Network)
	if err != nil {
		return models.Spec{}, err
	}
	if err := checkNetwork(method, a); err != nil {
		return models.Spec{}, err
	}
	a.Inputs, a.Targets = c.Int("inputs"), c.Int("targets")
	spec, err := models.NewSpec(method, chosen, a)
	if err == nil {
		err = spec.Architecture.Check(1, c.Int("batch"))
	}
	if err != nil {
		return spec, usageError{err}
	}
	_, err = spec.NewParams(0) // builds the objective once: its mistakes become errors here
	return spec, err
}

// lossPicture returns a picture of a method's loss over a batch, with its gradients if asked.
func lossPicture(spec models.Spec, batch int, gradients bool) (p draw.Picture, err error) {
	m, err := models.Lookup(spec.Method)
	if err != nil {
		return p, err
	}
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	p = draw.Picture{Graph: b, Title: fmt.Sprintf("%s: %s", m.Title, m.Summary)}
	// Record the output of each forward pass when the objective asks for it. An objective may ask for the
	// same pass several times.
	recordPasses := func(_ *graph.Node, forward models.Forward) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			out := forward(pass)
			name := passName(pass)
			if !slices.ContainsFunc(p.Passes, func(recorded draw.Pass) bool { return recorded.Name == name }) {
				p.Passes = append(p.Passes, draw.Pass{Name: name, Output: out})
			}
			return out
		}
	}
	p.Loss, err = spec.LossWithNetwork(b, batch, recordPasses)
	if err != nil {
		return p, err
	}
	if gradients {
		p.Gradients = b.Gradients(p.Loss)
		for _, param := range params.List() {
			p.Names = append(p.Names, param.Name)
		}
	}
	return p, nil
}

// passName returns the name of a forward pass in the picture.
func passName(pass graph.Pass) string {
	if pass == graph.Full {
		return "full network"
	}
	return fmt.Sprintf("sub-network %d", pass-graph.Drop(0)) // dropout passes are numbered from Drop(0) on
}

// program is the result of "sml graph --program".
type program struct {
	Method    string        `json:"method"`
	Batch     int           `json:"batch"`     // rows of a batch
	Values    int           `json:"values"`    // values that the instructions compute
	Bytes     int           `json:"bytes"`     // memory of all values; values that are not used at the same time share it
	Fallbacks []string      `json:"fallbacks"` // operations without a fast kernel
	Steps     []programStep `json:"steps"`
	total     time.Duration // sum of the times of the steps
}

// programStep is an instruction of a program with its time.
type programStep struct {
	graph.Instruction
	Microseconds float64 `json:"microseconds"` // shortest of profileRuns times
	Fraction     float64 `json:"fraction"`     // fraction of the time of all steps
}

// profileRuns is how often each step is timed; the shortest time counts.
const profileRuns = 300

// profile compiles the training program of a method for batches of a number of rows, and measures the
// time of each instruction.
func profile(spec models.Spec, batch int) (*program, error) {
	params, err := spec.NewParams(1)
	if err != nil {
		return nil, err
	}
	run, err := spec.NewStep(graph.Compiled, params, batch)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	run.SampleMasks(graph.MaskKey{Seed: 1})
	steps, err := run.Program().Profile(profileRuns)
	if err != nil {
		return nil, err
	}
	p := &program{Method: spec.Method, Batch: batch, Fallbacks: append([]string{}, run.Program().Fallbacks()...)}
	p.Values, p.Bytes = run.Program().Arena()
	for _, s := range steps {
		p.total += s.Time
	}
	for _, s := range steps {
		fraction := float64(s.Time) / float64(max(1, p.total)) // not by 0 if the clock is too coarse
		p.Steps = append(p.Steps, programStep{s, microseconds(s.Time), fraction})
	}
	return p, nil
}

// microseconds returns a duration in microseconds.
func microseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

// listProgram prints the instructions of a method's training program, with their sizes and times.
func listProgram(c *cli.Context, spec models.Spec) error {
	p, err := await(c.Context, func() (*program, error) { return profile(spec, c.Int("batch")) })
	if err != nil {
		return err
	}
	return printResult(c, p, p.print)
}

// print writes the program for people.
func (p *program) print(w io.Writer) error {
	t := terminal.NewTable(4, "step", "kernel", "size", "bytes", "offset", "time", "fraction")
	for i, s := range p.Steps {
		t.AppendRow(table.Row{i + 1, s.Kernel, s.Size, s.Bytes, s.Offset, fmt.Sprintf("%.1f µs", s.Microseconds), fmt.Sprintf("%.1f%%", 100*s.Fraction)})
	}
	fmt.Fprintln(w, t.Render())
	fmt.Fprintf(w, "%d steps, %d values in one block of %d bytes, %.0f µs for loss and gradients of %d rows\n", len(p.Steps), p.Values, p.Bytes, microseconds(p.total), p.Batch)
	if len(p.Fallbacks) > 0 {
		fmt.Fprintf(w, "without a fast kernel: %s\n", strings.Join(p.Fallbacks, ", "))
	}
	return nil
}
