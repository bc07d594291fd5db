package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
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
	name   string  // as it is called, without the package
	shapes [][]int // of its operands
	offset float64 // of their values, which are spread over (−1, 1) around it
	build  func(b *graph.Builder, x graph.Nodes) (*graph.Node, error)
	is     func(x [][]float64) []float64 // its definition; nil where it is not tried
	note   string                        // beside what was found
}

// outcome has the verdicts on a function on one engine in one number type; "" means right.
type outcome struct {
	value, gradient string
	second          string // gradient of the gradient
	fallbacks       []string
}

const notBuilt = "error"

// evaluate runs a function, its gradient and its second derivative, and returns the verdicts.
func (f gorgoniaFunction) evaluate(engine graph.Engine, dtype tensor.Dtype) (r outcome) {
	tolerance := 1e-7
	if dtype == graph.Float32 {
		tolerance = 1e-3
	}
	values := f.values()
	want := f.is(values)
	weights := make([]float64, len(want))
	for i := range weights {
		weights[i] = math.Cos(float64(3*i + 1))
	}
	r.value, r.fallbacks = f.run(engine, dtype, values, nil, [][]float64{want}, tolerance)
	if r.value == notBuilt {
		return r
	}
	var fallbacks []string
	r.gradient, fallbacks = f.run(engine, dtype, values, weights, f.differences(values, func() float64 { return f.loss(values, weights) }), tolerance)
	r.fallbacks = append(r.fallbacks, fallbacks...)
	if engine == graph.Compiled && dtype == graph.Float64 && r.gradient == "" {
		r.second = f.checkSecondDerivatives(weights)
	}
	return r
}

// checkSecondDerivatives compares the gradient of the squared gradient with finite differences.
func (f gorgoniaFunction) checkSecondDerivatives(weights []float64) (verdict string) {
	defer func() {
		if recover() != nil {
			verdict = notBuilt
		}
	}()
	gradients, err := gradcheck.Check(func(b builder) node {
		var x nodes
		for i, shape := range f.shapes {
			p := b.Param(fmt.Sprint("x", i), 1, tensor.Shape(shape).TotalSize(), graph.Uniform(0.95))
			x = append(x, b.Reshape(b.Shift(p, f.offset), shape...))
		}
		loss, err := f.weightedSum(b, x, weights)
		b.Fail(err)
		terms := b.Const(0)
		for i, g := range b.Grad(loss, x...) {
			// The sum gives linear functions, whose second derivative is 0, a gradient to compare.
			terms = b.Add(terms, b.Add(b.Sum(b.Square(g)), b.Sum(x[i])))
		}
		return terms
	}, gradcheck.Settings{Engine: graph.Compiled})
	if err != nil {
		return notBuilt
	}
	for _, g := range gradients {
		if !(g.Error <= 1e-6) {
			return "wrong"
		}
	}
	return ""
}

// values returns operands without equal numbers.
func (f gorgoniaFunction) values() [][]float64 {
	random := rand.New(rand.NewPCG(5, 6))
	values := make([][]float64, len(f.shapes))
	for i, shape := range f.shapes {
		values[i] = make([]float64, tensor.Shape(shape).TotalSize())
		for j := range values[i] {
			values[i][j] = float64(float32(f.offset + 1.9*random.Float64() - 0.95))
		}
	}
	return values
}

func (f gorgoniaFunction) loss(values [][]float64, weights []float64) float64 {
	sum := 0.0
	for i, v := range f.is(values) {
		sum += weights[i] * v
	}
	return sum
}

// differences returns the derivatives of loss with respect to values, by finite differences.
func (f gorgoniaFunction) differences(values [][]float64, loss func() float64) [][]float64 {
	all := make([][]float64, len(values))
	for i, v := range values {
		for j, at := range v {
			const h = 1e-4
			sum := 0.0
			for _, p := range [][2]float64{{2, -1}, {1, 8}, {-1, -8}, {-2, 1}} {
				v[j] = at + p[0]*h
				sum += p[1] * loss()
			}
			v[j] = at
			all[i] = append(all[i], sum/(12*h))
		}
	}
	return all
}

// denseOf returns a tensor of values for a constant or an operand.
func denseOf(dtype tensor.Dtype, shape []int, values []float64) *tensor.Dense {
	if dtype == graph.Float64 {
		return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(slices.Clone(values)))
	}
	single := make([]float32, len(values))
	for i, v := range values {
		single[i] = float32(v)
	}
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(single))
}

func (f gorgoniaFunction) operands(dtype tensor.Dtype, values [][]float64) (b *graph.Builder, x graph.Nodes) {
	b = graph.New(dtype, new(graph.Params))
	for i, shape := range f.shapes {
		x = append(x, gorgonia.NewTensor(b.Graph(), dtype, len(shape), gorgonia.WithShape(shape...), gorgonia.WithName(fmt.Sprintf("x%d", i)),
			gorgonia.WithValue(denseOf(dtype, shape, values[i]))))
	}
	return b, x
}

// weightedSum returns the weighted sum of the elements of the function's value.
func (f gorgoniaFunction) weightedSum(b *graph.Builder, x graph.Nodes, weights []float64) (*graph.Node, error) {
	y, err := f.build(b, x)
	if err != nil || y.IsScalar() {
		return b.Mul(y, b.Const(weights[0])), err
	}
	return b.Sum(expect.Must(gorgonia.HadamardProd(y, gorgonia.NewConstant(denseOf(b.Dtype(), y.Shape(), weights))))), nil
}

// run compares the function's value, or with weights its gradients, with the expected numbers.
func (f gorgoniaFunction) run(engine graph.Engine, dtype tensor.Dtype, values [][]float64, weights []float64, want [][]float64, tolerance float64) (verdict string, fallbacks []string) {
	defer func() {
		if recover() != nil {
			verdict = notBuilt
		}
	}()
	b, x := f.operands(dtype, values)
	var outputs graph.Nodes
	if weights == nil {
		y, err := f.build(b, x)
		if err != nil {
			return notBuilt, nil
		}
		outputs = graph.Nodes{y}
	} else {
		loss, err := f.weightedSum(b, x, weights)
		if err != nil {
			return notBuilt, nil
		}
		outputs = b.Grad(loss, x...)
	}
	r, err := graph.NewRunner(engine, b, outputs...)
	if err != nil {
		return notBuilt, nil
	}
	defer r.Close()
	for range 2 { // the second run meets what the first has left
		if r.Run() != nil {
			return notBuilt, nil
		}
	}
	for i := range outputs {
		if !areNear(outputOf(r, i), want[i], tolerance) {
			return "wrong", nil
		}
	}
	if engine == graph.Compiled {
		fallbacks = r.Program().Fallbacks()
	}
	return "", fallbacks
}

// The page of Gorgonia's functions agrees with the verdicts. After a change, go test ./graph -run
// TestGorgoniaPage -update writes the page.
func TestGorgoniaPage(t *testing.T) {
	var plain []string     // names of functions that are right everywhere and have no note
	var rows []gorgoniaRow // the other functions, in the order of the list
	for _, f := range gorgoniaFunctions() {
		row := gorgoniaRow{note: f.note}
		row.training, row.second, row.tape = f.verdicts()
		if row.training == "wrong" && !strings.Contains(f.note, "no error reports it") || row.second == "wrong" {
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

// verdicts returns the verdicts on both number types together: of first and second derivatives on
// the compiled engine, and on the tape machine.
func (f gorgoniaFunction) verdicts() (training, second, tape string) {
	if f.is == nil {
		return f.checkRefusal(), "–", "–"
	}
	engines := make(map[graph.Engine]outcome)
	for _, engine := range graph.Engines() {
		double, single := f.evaluate(engine, graph.Float64), f.evaluate(engine, graph.Float32)
		if double.value == "" && double.gradient == "" {
			single.second = double.second
			double = single
		}
		engines[engine] = double
	}
	c, p := engines[graph.Compiled], engines[graph.Tape]
	switch {
	case c.value == notBuilt:
		training = "refused"
	case c.value != "" || c.gradient == "wrong":
		training = "wrong"
	case c.gradient == notBuilt:
		training = "value only"
	case len(c.fallbacks) > 0:
		training = "slow"
	default:
		training = "safe"
	}
	switch {
	case c.value != "" || c.gradient != "":
		second = "–"
	case c.second == notBuilt:
		second = "refused"
	case c.second == "":
		second = "right"
	default:
		second = c.second
	}
	switch {
	case c.value == notBuilt:
		tape = "–"
	case p.value == notBuilt:
		tape = "fails"
	case p.value != "":
		tape = "wrong value"
	case p.gradient == notBuilt && c.gradient == "":
		tape = "gradient fails"
	case p.gradient == "wrong":
		tape = "wrong gradient"
	default:
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
	y, err := f.build(b, graph.Nodes{b.Param("p", f.shapes[0][0], f.shapes[0][1], graph.Uniform(1))})
	if err != nil || graph.Inspect(b).CheckTrainable(b.Sum(y)) != nil {
		return "refused"
	}
	if _, err := graph.NewRunner(graph.Compiled, b, b.Sum(y)); err != nil {
		return "refused"
	}
	return "wrong"
}
