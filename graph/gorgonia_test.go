package graph_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/internal/page"
)

// gorgoniaFunction is a function of Gorgonia on the page docs/explanation/gorgonia.md.
type gorgoniaFunction struct {
	name    string    // as it is called, without the package
	shapes  [][]int   // of its operands
	others  [][][]int // further shapes of its operands
	offset  float64   // of their values, which are spread over (−1, 1) around it
	build   func(b *graph.Builder, x graph.Nodes) (*graph.Node, error)
	note    string // beside what was found
	refused bool   // it is not evaluated: an objective with it is an error
	isWrong bool   // Gorgonia's own result is not what the name says
}

// operands returns parameters for the operands, in the shapes that they have.
func (f gorgoniaFunction) operands(b builder) (x nodes) {
	for i, shape := range f.shapes {
		p := b.Param(fmt.Sprint("x", i), 1, tensor.Shape(shape).TotalSize(), graph.Uniform(0.95))
		if len(shape) == 0 {
			p = b.Sum(p)
		} else {
			p = b.Reshape(p, shape...)
		}
		x = append(x, b.Shift(p, f.offset))
	}
	return x
}

// weightedSum returns the weighted sum of the elements of y.
func weightedSum(b builder, y node) node {
	weights := make([]float64, y.Shape().TotalSize())
	for i := range weights {
		weights[i] = math.Cos(float64(3*i + 1))
	}
	if y.IsScalar() {
		return b.Scale(weights[0], y)
	}
	return b.Sum(b.Mul(b.Reshape(y, 1, len(weights)), b.Constant(1, len(weights), weights)))
}

// run evaluates the function, or with gradient the gradients of its weighted sum, twice. want is the function's value as the
// operations give it that are called one after another. ok is false if this is an error.
func (f gorgoniaFunction) run(engine graph.Engine, dtype tensor.Dtype, gradient bool) (values [][]float64, want []float64, fallbacks []string, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	params := new(graph.Params)
	b := graph.New(dtype, params)
	x := f.operands(b)
	y, err := f.build(b, x)
	b.Fail(err)
	outputs := nodes{y}
	if gradient {
		outputs = b.Grad(weightedSum(b, y), x...)
	}
	r := expect.Must(graph.NewRunner(engine, b, outputs...))
	defer r.Close()
	params.Initialise(5)
	for range 2 { // the second run meets what the first has left
		if r.Run() != nil {
			return nil, nil, nil, false
		}
	}
	if engine == graph.Compiled {
		fallbacks = r.Program().Fallbacks()
	}
	return allOutputs(r, len(outputs)), plainValue(y), fallbacks, true
}

func toleranceOf(dtype tensor.Dtype) float64 {
	if dtype == graph.Float32 {
		return 1e-3
	}
	return 1e-7
}

// plainValue returns the numbers of n: each operation is applied to copies of its operands. The tape machine overwrites
// memory while a view of it is still needed.
func plainValue(n node) []float64 {
	var value func(n node) gorgonia.Value
	value = func(n node) gorgonia.Value {
		if n.Op() == nil {
			return n.Value()
		}
		var operands []gorgonia.Value
		for _, x := range graph.Operands(n) {
			operands = append(operands, expect.Must(gorgonia.CloneValue(value(x))))
		}
		v := expect.Must(n.Op().Do(operands...))
		if view, ok := v.(*tensor.Dense); ok {
			return view.Materialize().(*tensor.Dense)
		}
		return v
	}
	return numbersOf(value(n))
}

// numbersOf returns the numbers of a value of either number type.
func numbersOf(v gorgonia.Value) (numbers []float64) {
	switch data := v.Data().(type) {
	case float32:
		return []float64{float64(data)}
	case float64:
		return []float64{data}
	case []float32:
		for _, x := range data {
			numbers = append(numbers, float64(x))
		}
	case []float64:
		return data
	}
	return numbers
}

// evaluate returns the verdict on the value and its gradients on an engine, in both number types together, and on the second
// derivatives.
func (f gorgoniaFunction) evaluate(engine graph.Engine) (first, second string) {
	var fallbacks []string
	for _, dtype := range []tensor.Dtype{graph.Float64, graph.Float32} {
		values, want, list, ok := f.run(engine, dtype, false)
		if !ok {
			return "refused", "–"
		}
		if !areNear(values[0], want, toleranceOf(dtype)) {
			return "wrong value", "–"
		}
		fallbacks = list
	}
	double, _, list, okDouble := f.run(engine, graph.Float64, true)
	single, _, _, okSingle := f.run(engine, graph.Float32, true)
	if !okDouble || !okSingle {
		return "value only", "–"
	}
	for i := range double {
		if !areNear(single[i], double[i], toleranceOf(graph.Float32)) {
			return "wrong gradient", "–"
		}
	}
	if f.checkDerivative(engine, 1) != "right" {
		return "wrong gradient", "–"
	}
	if engine == graph.Compiled {
		second = f.checkDerivative(engine, 2)
	}
	if len(fallbacks)+len(list) > 0 {
		return "slow", second
	}
	return "safe", second
}

// checkDerivative compares the derivative of the given order, 1 or 2, with finite differences.
func (f gorgoniaFunction) checkDerivative(engine graph.Engine, order int) (verdict string) {
	defer func() {
		if recover() != nil {
			verdict = "refused"
		}
	}()
	gradients := expect.Must(gradcheck.Check(func(b builder) node {
		x := f.operands(b)
		y, err := f.build(b, x)
		b.Fail(err)
		loss := weightedSum(b, y)
		if order == 2 {
			terms := b.Const(0)
			for _, g := range b.Grad(loss, x...) {
				terms = b.Add(terms, b.Sum(b.Square(g)))
			}
			loss = terms
		}
		for _, operand := range x { // gives functions without a derivative a gradient to compare
			loss = b.Add(loss, b.Sum(operand))
		}
		return loss
	}, gradcheck.Settings{Engine: engine, MaxElements: 20}))
	for _, g := range gradients {
		if !(g.Error <= 1e-6) {
			return "wrong"
		}
	}
	return "right"
}

// The page of Gorgonia's functions agrees with the verdicts. After a change, go test ./graph -run
// TestGorgoniaPage -update writes the page.
func TestGorgoniaPage(t *testing.T) {
	var plain []string     // names of functions that are right everywhere and have no note
	var rows []gorgoniaRow // the other functions, in the order of the list
	for _, f := range gorgoniaFunctions() {
		row := gorgoniaRow{note: f.note}
		row.training, row.second, row.tape = f.verdicts()
		if strings.HasPrefix(row.training, "wrong") && !strings.Contains(f.note, "no error reports it") || row.second == "wrong" {
			t.Errorf("%s is wrong (%s, second order %s), and no error says so", f.name, row.training, row.second)
		}
		name := "`" + f.name + "`"
		same := slices.IndexFunc(rows, func(r gorgoniaRow) bool { r.names = ""; return r == row })
		switch {
		case row == gorgoniaRow{training: "safe", second: "right", tape: "right"}:
			plain = append(plain, name)
		case same >= 0:
			rows[same].names += ", " + name
		default:
			row.names = name
			rows = append(rows, row)
		}
	}
	section := page.Section{Path: "../docs/explanation/gorgonia.md", Name: "the results"}
	section.Check(t, gorgoniaTable(plain, rows))
}

// gorgoniaRow is a line of the page: functions with the same verdicts and the same note.
type gorgoniaRow struct{ names, training, second, tape, note string }

// remarks returns the verdicts that are not "right", and the note.
func (r gorgoniaRow) remarks() string {
	var remarks []string
	if r.second == "refused" {
		remarks = append(remarks, "second derivative refused")
	}
	if r.tape != "right" && r.tape != "–" {
		remarks = append(remarks, "tape machine: "+r.tape)
	}
	if r.note != "" {
		remarks = append(remarks, r.note)
	}
	return strings.Join(remarks, "; ")
}

// gorgoniaTable returns the generated part of the page: for each verdict the functions, in the order
// of the list.
func gorgoniaTable(plain []string, rows []gorgoniaRow) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\nSafe without a remark: %s.\n", strings.Join(plain, ", "))
	for _, verdict := range []string{"safe", "slow", "value only", "refused", "wrong"} {
		fmt.Fprintf(&text, "\n%s:\n\n", strings.ToUpper(verdict[:1])+verdict[1:])
		for _, r := range rows {
			if r.training != verdict {
				continue
			}
			fmt.Fprintf(&text, "- %s", r.names)
			if remarks := r.remarks(); remarks != "" {
				text.WriteString(": " + remarks)
			}
			text.WriteString("\n")
		}
	}
	text.WriteString("\n")
	return text.String()
}

// verdicts returns the verdicts on the value and its first derivatives, and on the second derivatives, on the compiled
// engine, and on the tape machine.
func (f gorgoniaFunction) verdicts() (training, second, tape string) {
	if f.refused {
		return f.checkRefusal(), "–", "–"
	}
	if f.isWrong {
		return "wrong", "–", "wrong value"
	}
	training, second = f.evaluate(graph.Compiled)
	tape, _ = f.evaluate(graph.Tape)
	switch {
	case training == "refused":
		tape = "–"
	case tape == "refused", tape == "value only" && training != tape:
		tape = "fails"
	case !strings.HasPrefix(tape, "wrong"):
		tape = "right"
	}
	return training, second, tape
}

// checkRefusal returns the verdict on whether an objective with the function is refused.
func (f gorgoniaFunction) checkRefusal() (verdict string) {
	defer func() {
		if recover() != nil {
			verdict = "refused"
		}
	}()
	b := graph.New(graph.Float64, new(graph.Params))
	y, err := f.build(b, graph.Nodes{b.Param("p", 4, 3, graph.Uniform(1))})
	if err != nil || graph.Inspect(b).CheckTrainable(b.Sum(y)) != nil {
		return "refused"
	}
	if _, err := graph.NewRunner(graph.Compiled, b, b.Sum(y)); err != nil {
		return "refused"
	}
	return "wrong"
}

// The compiled engine evaluates functions of scalars, vectors, matrices and tensors of three axes as Gorgonia does, and
// without its help if there are at most two axes. Their derivatives agree with finite differences.
func TestShapesOfGorgoniasFunctions(t *testing.T) {
	for _, f := range append(gorgoniaFunctions(), gorgoniaReductions()...) {
		for _, f.shapes = range f.others {
			verdict, _ := f.evaluate(graph.Compiled)
			hasKernel := !slices.ContainsFunc(f.shapes, func(shape []int) bool { return len(shape) > 2 })
			if verdict != "safe" && (hasKernel || verdict != "slow") {
				t.Errorf("%s of %v is %s", f.name, f.shapes, verdict)
			}
		}
	}
}
