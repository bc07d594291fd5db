package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

// untrained is a model with random weights, of columns a and b.
func untrained(t *testing.T, method string, members int) *models.Model {
	t.Helper()
	s := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{3}, Activation: "relu", Dropout: 0.25}))
	m := &models.Model{Spec: s, Inputs: data.Scalers{{Name: "a", Mean: 1, Std: 2}, {Name: "b", Std: 1}}, Targets: data.Scalers{{Name: "y", Mean: 10, Std: 2}}}
	for k := range members {
		p := expect.Must(s.NewParams(uint64(k)))
		m.Members = append(m.Members, p)
	}
	return m
}

func decoded(t *testing.T, m *models.Model) *experiment.Model {
	t.Helper()
	return expect.Must(experiment.Decode(m))
}

func export(t *testing.T, m *models.Model, o Options) []byte {
	t.Helper()
	file := expect.Must(ONNX(decoded(t, m), o))
	again, err := ONNX(decoded(t, m), o)
	if err != nil || !bytes.Equal(file, again) {
		t.Errorf("a second file is another one: %v", err)
	}
	return file
}

// fields are those of a message that have a number.
func fields(t *testing.T, message []byte, number protowire.Number) (values [][]byte) {
	t.Helper()
	for len(message) > 0 {
		n, typ, tag := protowire.ConsumeTag(message)
		size := protowire.ConsumeFieldValue(n, typ, message[max(tag, 0):])
		if tag < 0 || size < 0 {
			t.Fatal("the file is no message of Protocol Buffers")
		}
		if value := message[tag : tag+size]; n == number {
			if typ == protowire.BytesType {
				value, _ = protowire.ConsumeBytes(value)
			}
			values = append(values, value)
		}
		message = message[tag+size:]
	}
	return values
}

// structure lists inputs, operations and outputs of a file.
func structure(t *testing.T, file []byte) string {
	t.Helper()
	g := fields(t, file, 7)[0]
	names := func(number protowire.Number) string {
		var list []string
		for _, v := range fields(t, g, number) {
			list = append(list, string(fields(t, v, 1)[0]))
		}
		return strings.Join(list, " ")
	}
	var ops []string
	for _, n := range fields(t, g, 1) {
		ops = append(ops, string(fields(t, n, 4)[0]))
	}
	return fmt.Sprintf("%s\n%s\n%s", names(11), strings.Join(ops, " "), names(12))
}

func TestStructure(t *testing.T) {
	const (
		prepared = "Unsqueeze Unsqueeze Concat Sub Div Cast "
		network  = "MatMul Add Relu MatMul Add "
		finite   = "Abs LessOrEqual Cast ReduceSum Equal Abs LessOrEqual And " // of the inputs, and of the output
	)
	for _, c := range []struct {
		model *models.Model
		o     Options
		want  string
	}{
		{untrained(t, "de", 1), Options{}, "a b\n" + prepared + network + "Cast Slice Slice Squeeze Mul Add " + finite + "Where Identity\nmean"},
		{untrained(t, "sml", 1), Options{Masks: masksNone}, "a b\n" + prepared + network + "Cast Slice Slice Squeeze Mul Add " + finite + "Where Identity\nmean"},
		{untrained(t, "mc", 1), Options{Network: true, Masks: masksGiven}, "a b members.0.mask.0\n" + prepared + network + "Scan Identity Identity\nmembers.0.outputs members.0.draws"},
		{untrained(t, "mc", 1), Options{Network: true}, "a b\n" + prepared + "ConstantOfShape RandomUniformLike Slice Less Where Reshape " + network + "Scan Identity Identity\nmembers.0.outputs members.0.draws"},
	} {
		if got := structure(t, export(t, c.model, c.o)); got != c.want {
			t.Errorf("%s %+v is\n%s\nwant\n%s", c.model.Method, c.o, got, c.want)
		}
	}
	for method, want := range map[string]string{
		"sml": "mean median std dropout_std dropout_offset lower upper", "mc-pu": "mean median std aleatoric epistemic lower upper", "pu": "mean median std lower upper",
		"student-t": "mean median std lower upper", "mdn": "mean median std lower upper", "evidential": "mean median std aleatoric epistemic lower upper",
		"quantiles": "q0.025 q0.05 q0.25 q0.5 q0.75 q0.95 q0.975 mean median std lower upper",
	} {
		lines := strings.Split(structure(t, export(t, untrained(t, method, 1), Options{Masks: masksGiven})), "\n")
		if lines[2] != want {
			t.Errorf("%s has the outputs %s, want %s", method, lines[2], want)
		}
	}
}

// A file with analytic moments draws nothing, has no loop over sub-networks, and has all outputs.
func TestAnalyticStructure(t *testing.T) {
	analytic := Options{Moments: evaluation.AnalyticMoments}
	lines := strings.Split(structure(t, export(t, untrained(t, "sml-de", 2), analytic)), "\n")
	if lines[0] != "a b" || strings.Contains(lines[1], "Random") || strings.Contains(lines[1], "Scan") {
		t.Errorf("the inputs are %s and the operations %s; want a, b and nothing drawn", lines[0], lines[1])
	}
	if want := "mean median std dropout_std dropout_offset lower upper"; lines[2] != want {
		t.Errorf("the outputs are %s; want %s", lines[2], want)
	}
	analytic.Network = true
	lines = strings.Split(structure(t, export(t, untrained(t, "mc", 1), analytic)), "\n")
	if want := "members.0.outputs members.0.mean members.0.variance"; lines[2] != want {
		t.Errorf("the outputs of the network are %s; want %s", lines[2], want)
	}
}

// Of a name that both a column and an output have, the column keeps it.
func TestNames(t *testing.T) {
	m := untrained(t, "pu", 1)
	m.Inputs[0].Name = "std"
	if got, want := structure(t, export(t, m, Options{})), "mean median y_std lower upper"; !strings.HasSuffix(got, "\n"+want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	m.Inputs[1].Name = "y_std"
	expect.Error(t, expect.ErrorOf(ONNX(decoded(t, m), Options{})), `named "y_std"`)
}

// A preparation with empty lists of transforms and bounds is one without them.
func TestEmptyTransforms(t *testing.T) {
	m := untrained(t, "mdn", 1)
	columns := `{"columns": [{"name": "a", "kind": "number"}, {"name": "b", "kind": "number"}]`
	m.Preparation = []byte(columns + "}")
	want := export(t, m, Options{})
	m.Preparation = []byte(columns + `, "targets": [], "supports": []}`)
	if !bytes.Equal(export(t, m, Options{}), want) {
		t.Error("the file differs from one without lists")
	}
}

func TestWhatCannotBeExported(t *testing.T) {
	of := func(method string) models.Method {
		return expect.Must(models.Lookup(method))
	}
	draws, empirical := of("mc-pu"), of("pu")
	draws.Name, draws.Predict = "draws", func(b *graph.Builder, m models.Moments) models.PredictionNodes {
		return methods.Point(b.MeanOf(m.ForEachDraw(func(draw []*graph.Node) *graph.Node { return draw[0] })...))
	}
	empirical.Name, empirical.Predict = "empirical", func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
		return models.PredictionNodes{Family: distribution.Empirical(2), Parameters: m.Full}
	}
	models.Register(draws)
	models.Register(empirical)
	for want, m := range map[string]*models.Model{
		"the method uses each draw of its sub-networks":        untrained(t, "draws", 1),
		"the quantiles of family empirical cannot be computed": untrained(t, "empirical", 1),
	} {
		expect.Error(t, expect.ErrorOf(ONNX(decoded(t, m), Options{})), want)
	}
	analytic := Options{Moments: evaluation.AnalyticMoments}
	_, err := ONNX(decoded(t, untrained(t, "mc-pu", 1)), analytic)
	expect.Error(t, err, "method mc-pu uses the outputs of each sub-network")
	if file := export(t, untrained(t, "draws", 1), Options{Network: true}); !slices.Contains(strings.Fields(structure(t, file)), "members.0.draws") {
		t.Error("the network of a method whose predictor cannot be exported is not exported")
	}
}
