package draw

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	_ "sml/models/methods"
)

// methodPicture is the picture of a method's objective.
func methodPicture(t *testing.T, method string, chosen models.Hyperparameters, hidden []int, gradients bool) *drawing {
	t.Helper()
	s, err := models.NewSpec(method, chosen, models.Architecture{Inputs: 13, Targets: 1, Hidden: hidden, Activation: "relu", Dropout: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	p := Picture{Graph: b, Title: method}
	p.Loss, err = s.LossWithNetwork(b, 100, func(_ *graph.Node, f models.Forward) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			out := f(pass)
			p.Passes = append(p.Passes, Pass{map[bool]string{true: "full network", false: "sub-network 0"}[pass == graph.Full], out})
			return out
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if gradients {
		p.Gradients = b.Gradients(p.Loss)
		for _, param := range params.List() {
			p.Names = append(p.Names, param.Name)
		}
	}
	d := expect.Must(newDrawing(p))
	return d
}

func (d *drawing) labelsOf(kind nodeKind) (labels []string) {
	for _, n := range d.nodes {
		if n.kind == kind {
			labels = append(labels, n.label[0])
		}
	}
	return labels
}

// The picture of equation 1, by hand: the inputs x and y; three layers, of
// which the first is computed once and the others twice; a relu for each hidden
// layer of each pass, the first of them shared; two masks; the stop; and of the
// two terms the differences, absolute values, squares and means.
func TestSecondMomentIsFolded(t *testing.T) {
	d := methodPicture(t, "sml", nil, []int{50, 50}, false)
	for kind, want := range map[nodeKind]string{
		nodeInput: "x, y", nodeWeights: "hidden1", nodeSharedWeights: "hidden2, output",
		nodeDropout: "dropout mask, dropout mask", nodeStop: "stop gradient", nodeLoss: "loss",
	} {
		got := d.labelsOf(kind)
		if strings.Join(got, ", ") != want && !(kind == nodeInput && strings.Join(got, ", ") == "y, x") {
			t.Errorf("kind %d: %v, want %s", kind, got, want)
		}
	}
	count := make(map[string]int)
	for _, label := range d.labelsOf(nodeOperation) {
		count[label]++
	}
	for label, want := range map[string]int{
		"× hidden1 + bias": 1, "× hidden2 + bias": 2, "× output + bias": 2, "relu": 3,
		"full network − y": 1, "y − stopped": 1, "sub-network 0 − stopped": 1, "−": 1, "absolute value": 2, "square": 2, "mean": 2,
	} {
		if count[label] != want {
			t.Errorf("%d boxes %q, want %d", count[label], label, want)
		}
		delete(count, label)
	}
	if len(count) > 0 {
		t.Errorf("and there are %v", count)
	}
	if got, want := strings.Join(d.clusters, "; "), "full network and sub-network 0, computed once; full network; sub-network 0; term: regression; term: second moment"; got != want {
		t.Errorf("clusters %s, want %s", got, want)
	}
	behind := 0
	for _, e := range d.edges {
		if e.kind == edgeStopped {
			behind++
		}
		if e.to.kind == nodeLoss && e.label != "× 1" && e.label != "× 0.5" {
			t.Errorf("a term has weight %q", e.label)
		}
	}
	if behind != 2 {
		t.Errorf("%d lines leave the stop, want 2", behind)
	}
}

func TestWithoutAStopThereIsNone(t *testing.T) {
	if d := methodPicture(t, "sml", models.Hyperparameters{"through": 1}, []int{50}, false); len(d.labelsOf(nodeStop)) > 0 {
		t.Errorf("stops %v", d.labelsOf(nodeStop))
	}
}

func TestFloorIsOneBox(t *testing.T) {
	d := methodPicture(t, "pu", nil, []int{50}, false)
	if labels := strings.Join(d.labelsOf(nodeOperation), ", "); !strings.Contains(labels, "clamp min -100") || strings.Contains(labels, ">") {
		t.Errorf("operations %s", labels)
	}
}

// Every parameter has its gradient in the picture, also one without any.
func TestGradients(t *testing.T) {
	d := methodPicture(t, "sml", nil, []int{50, 50}, true)
	if got := len(d.labelsOf(nodeWeightsGradient)); got != 6 {
		t.Errorf("%d gradients of parameters, want 6: %v", got, d.labelsOf(nodeWeightsGradient))
	}
	b := graph.New(graph.Float32, new(graph.Params))
	p, q := b.Param("p", 2, 2, graph.Uniform(1)), b.Param("q", 2, 2, graph.Uniform(1))
	l := b.Mean(b.Mul(b.Exp(p), b.StopGradient(q)))
	picture := expect.Must(newDrawing(Picture{Graph: b, Loss: l, Gradients: b.Gradients(l), Names: []string{"p", "q"}}))
	if text := picture.dot(); !strings.Contains(text, `∂ q\n0: nothing reaches it`) {
		t.Errorf("%s", text)
	}
}

// Nodes do not overlap each other, or the frames of other clusters, and edges go from row to row.
func TestNothingOverlaps(t *testing.T) {
	for _, method := range []string{"sml", "mc", "pu"} {
		for _, hidden := range [][]int{nil, {50}, {50, 50}, {20, 20, 20, 20}} {
			d := methodPicture(t, method, nil, hidden, true)
			l := newLayout(d)
			for i, a := range l.vertices {
				for _, b := range l.vertices[:i] {
					if a.node != nil && b.node != nil && overlaps(l.bounds(a), l.bounds(b)) {
						t.Errorf("%s %v: %q lies on %q", method, hidden, a.node.label, b.node.label)
					}
				}
				for _, c := range l.blocks {
					if c.title != "" && a.node != nil && a.cluster != c.title && overlaps(l.bounds(a), l.frame(c)) {
						t.Errorf("%s %v: %q lies in the frame of %q", method, hidden, a.node.label, c.title)
					}
				}
			}
			for i, a := range l.blocks {
				for _, b := range l.blocks[:i] {
					if a.title != "" && b.title != "" && overlaps(l.frame(a), l.frame(b)) {
						t.Errorf("%s %v: the frame of %q lies on the frame of %q", method, hidden, a.title, b.title)
					}
				}
			}
			for _, r := range l.routes {
				for i := range r.vertices[1:] {
					if r.vertices[i+1].row != r.vertices[i].row+1 {
						t.Errorf("%s: a line from %q to %q jumps", method, r.edge.from.label, r.edge.to.label)
					}
				}
			}
		}
	}
}

// overlaps reports whether two rectangles have common points.
func overlaps(a, b rect) bool {
	return a.x < b.x+b.width && b.x < a.x+a.width && a.y < b.y+b.height && b.y < a.y+a.height
}

// The files are well formed, and the same every time.
func TestFiles(t *testing.T) {
	for _, gradients := range []bool{false, true} {
		first, second := methodPicture(t, "sml", nil, []int{50, 50}, gradients), methodPicture(t, "sml", nil, []int{50, 50}, gradients)
		svg := svgOf(t, first)
		if svg != svgOf(t, second) || first.dot() != second.dot() {
			t.Error("two pictures of one graph differ")
		}
		for d := xml.NewDecoder(strings.NewReader(svg)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Error("a coordinate is not a number")
		}
		if _, err := dot.ParseString(first.dot()); err != nil {
			t.Error(err)
		}
	}
}

// Nothing about a graph has to be special: names with quotes, and plain
// Gorgonia operations.
func TestOtherGraphs(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Input(`"x" <1>`, 4, 3)
	product := b.MatMul(x, b.Param(`own\`, 3, 2, graph.Uniform(1)))
	l := b.Add(b.Sum(gorgonia.Must(gorgonia.Sin(product))), b.Mean(b.Dropout(product, graph.Drop(1), 0, 0.5)))
	d := expect.Must(newDrawing(Picture{Graph: b, Title: "a < b", Loss: l, Gradients: b.Gradients(l), Names: []string{`own\`}}))
	for _, want := range []string{`\"x\" <1>`, `own\\`, "sin", "matrix product", "dropout mask"} {
		if !strings.Contains(d.dot(), want) {
			t.Errorf("%q is missing in\n%s", want, d.dot())
		}
	}
	if strings.Contains(svgOf(t, d), "<1>") {
		t.Error("a name is not escaped")
	}
}

func TestErrors(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	p := b.Param("p", 2, 2, graph.Uniform(1))
	if _, err := newDrawing(Picture{Graph: b}); err == nil {
		t.Error("there is no loss, and no error")
	}
	if _, err := newDrawing(Picture{Graph: b, Loss: b.Sum(p), Names: []string{"p"}}); err == nil {
		t.Error("there are more names than gradients, and no error")
	}
	b.MatMul(p, nil)
	if _, err := newDrawing(Picture{Graph: b, Loss: p}); err == nil {
		t.Error("the builder has failed, and there is no error")
	}
}
