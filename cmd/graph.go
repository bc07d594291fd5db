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
	"sml/internal/safefile"
	"sml/models"
)

// graphCommand returns the command "sml graph".
func graphCommand() *cli.Command {
	return withHelp(&cli.Command{
		Name:      "graph",
		Usage:     "draw the computation graph of a method, or list the instructions of its compiled program",
		UsageText: "sml graph METHOD [--out FILE.svg|FILE.dot] [--gradients] [options]\nsml graph METHOD --program [--json] [options]",
		Description: "Frames show the terms of the objective and the passes of the network; dropout masks, stop-gradients and\n" +
			"shared weights have their own colours. An SVG needs no other program. Without --out the graph is printed\n" +
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

// drawGraph draws the graph of a method's loss to --out, or lists the instructions of its program.
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
	out := c.String("out") // "" for standard output
	extension := strings.ToLower(filepath.Ext(out))
	if out != "" && extension != ".svg" && extension != ".dot" {
		return usageErrorf("--out %s: want a name that ends in .svg or .dot", out)
	}
	if c.Bool("json") {
		return usageErrorf("--json needs --program, whose result it prints")
	}
	if err := flagFile(c, "out").check(c); err != nil {
		return err
	}
	text, err := await(c.Context, func() (string, error) {
		picture, err := lossPicture(spec, c.Int("batch"), c.Bool("gradients"))
		if err != nil {
			return "", err
		}
		if extension == ".svg" {
			return picture.SVG()
		}
		return picture.DOT()
	})
	if err != nil {
		return err
	}
	return flagFile(c, "out").write(c, safefile.WriteBytes([]byte(text)))
}

// graphSpec returns the method with the hyperparameters and the network that the flags choose. It returns an
// error if the method's objective cannot be built with them.
func graphSpec(c *cli.Context, method string) (models.Spec, error) {
	s := experiment.DefaultSettings()
	if err := chooseSettings(c, &s, "network"); err != nil {
		return models.Spec{}, err
	}
	architecture := s.Spec.Architecture
	hyperparameters, err := chosenHyperparameters(c, method, architecture.Network)
	if err != nil {
		return models.Spec{}, err
	}
	if err := checkNetwork(method, architecture); err != nil {
		return models.Spec{}, err
	}
	architecture.Inputs = c.Int("inputs")
	architecture.Targets = c.Int("targets")
	spec, err := models.NewSpec(method, hyperparameters, architecture)
	if err == nil {
		const members = 1
		err = spec.Architecture.Check(members, c.Int("batch"))
	}
	if err != nil {
		return spec, usageError{err}
	}
	const anySeed = 0
	_, err = spec.NewParams(anySeed) // builds the objective once: its mistakes become errors here
	return spec, err
}

// lossPicture returns a picture of a method's loss over a batch, with the gradients of the loss by its parameters if
// gradients is true.
func lossPicture(spec models.Spec, batch int, gradients bool) (draw.Picture, error) {
	method, _ := models.Lookup(spec.Method) // graphSpec has found it
	params := new(graph.Params)
	builder := graph.New(graph.Float32, params)
	var recorder passRecorder
	loss, err := spec.LossWithNetwork(builder, batch, recorder.wrap)
	if err != nil {
		return draw.Picture{}, err
	}
	picture := draw.Picture{
		Graph:  builder,
		Title:  fmt.Sprintf("%s: %s", method.Title, method.Summary),
		Loss:   loss,
		Passes: recorder.passes,
	}
	if gradients {
		picture.Gradients = builder.Gradients(loss)
		for _, param := range params.List() { // in the order of the gradients
			picture.Names = append(picture.Names, param.Name)
		}
	}
	return picture, nil
}

// passRecorder records the forward passes of a network that an objective asks for, with their outputs, so that a
// picture can frame them.
type passRecorder struct {
	passes []draw.Pass // each once, in the order in which the objective asks for them
}

// wrap returns a function that computes the same passes as forward and records them.
func (r *passRecorder) wrap(_ *graph.Node, forward models.Forward) models.Forward {
	return func(pass graph.Pass) *graph.Node {
		output := forward(pass)
		name := passName(pass)
		// An objective may ask for the same pass several times, and gets the same output.
		isRecorded := slices.ContainsFunc(r.passes, func(recorded draw.Pass) bool { return recorded.Name == name })
		if !isRecorded {
			r.passes = append(r.passes, draw.Pass{Name: name, Output: output})
		}
		return output
	}
}

// passName returns the name of a forward pass in the picture: of the full network, or of a sub-network, in which
// dropout leaves out units.
func passName(pass graph.Pass) string {
	if pass == graph.Full {
		return "full network"
	}
	number := pass - graph.Drop(0) // dropout passes follow Drop(0)
	return fmt.Sprintf("sub-network %d", number)
}

// program is the result of "sml graph --program".
type program struct {
	Method    string        `json:"method"`
	Batch     int           `json:"batch"`     // rows of a batch
	Values    int           `json:"values"`    // values that the instructions compute
	Bytes     int           `json:"bytes"`     // memory of all values; values that are not used at the same time share it
	Fallbacks []string      `json:"fallbacks"` // operations without a fast kernel
	Steps     []programStep `json:"steps"`

	total time.Duration // sum of the times of the steps
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
// time of each instruction on random weights.
func profile(spec models.Spec, batch int) (*program, error) {
	const seed = 1 // any: the times do not depend on it
	params, err := spec.NewParams(seed)
	if err != nil {
		return nil, err
	}
	step, err := spec.NewStep(graph.Compiled, params, batch)
	if err != nil {
		return nil, err
	}
	defer step.Close()
	for _, name := range step.Inputs() {
		values := step.Input(name)
		for i := range values { // NaN, as in a new step, may take another time than numbers
			values[i] = float32(spec.TypicalInput(name, i, 0))
		}
	}
	step.SampleMasks(graph.MaskKey{Seed: seed})
	compiled := step.Program()
	instructions, err := compiled.Profile(profileRuns)
	if err != nil {
		return nil, err
	}
	p := &program{
		Method:    spec.Method,
		Batch:     batch,
		Fallbacks: append([]string{}, compiled.Fallbacks()...), // not nil, which JSON would write as null
	}
	p.Values, p.Bytes = compiled.Arena()
	for _, i := range instructions {
		p.total += i.Time
	}
	for _, i := range instructions {
		p.Steps = append(p.Steps, programStep{
			Instruction:  i,
			Microseconds: microseconds(i.Time),
			Fraction:     float64(i.Time) / float64(max(1, p.total)), // not by 0 if the clock is too coarse
		})
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

// print writes the program for people: a line for each step, and a summary.
func (p *program) print(w io.Writer) {
	const firstNumberColumn = 4 // "BYTES", counted from 1; numbers are aligned to the right
	t := terminal.NewTable(firstNumberColumn, "STEP", "KERNEL", "SIZE", "BYTES", "OFFSET", "TIME", "FRACTION")
	for i, s := range p.Steps {
		t.AppendRow(table.Row{
			i + 1,
			s.Kernel,
			s.Size,
			s.Bytes,
			s.Offset,
			fmt.Sprintf("%.1f µs", s.Microseconds),
			fmt.Sprintf("%.1f%%", 100*s.Fraction),
		})
	}
	fmt.Fprintln(w, t.Render())
	fmt.Fprintf(w, "%d steps, %d values in one block of %d bytes, %.0f µs for loss and gradients of %d rows\n", len(p.Steps), p.Values, p.Bytes, microseconds(p.total), p.Batch)
	if len(p.Fallbacks) > 0 {
		fmt.Fprintf(w, "without a fast kernel: %s\n", strings.Join(p.Fallbacks, ", "))
	}
}
