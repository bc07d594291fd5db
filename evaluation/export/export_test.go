package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/models"
	_ "sml/models/methods"
)

// untrained is a model with random weights, of columns a and b.
func untrained(t *testing.T, method string, members int) *models.Model {
	t.Helper()
	s, err := models.NewSpec(method, nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{3}, Activation: "relu", Dropout: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	m := &models.Model{Spec: s, Inputs: data.Scalers{{Name: "a", Mean: 1, Std: 2}, {Name: "b", Std: 1}}, Targets: data.Scalers{{Name: "y", Mean: 10, Std: 2}}}
	for k := range members {
		p, err := s.NewParams(uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		m.Members = append(m.Members, p)
	}
	return m
}

func decoded(t *testing.T, m *models.Model) *experiment.Model {
	t.Helper()
	d, err := experiment.Decode(m)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func export(t *testing.T, m *models.Model, o Options) []byte {
	t.Helper()
	file, err := ONNX(decoded(t, m), o)
	if err != nil {
		t.Fatal(err)
	}
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
	)
	for _, c := range []struct {
		model *models.Model
		o     Options
		want  string
	}{
		{untrained(t, "de", 1), Options{}, "a b\n" + prepared + network + "Cast Slice Slice Squeeze Mul Add Identity\nmean"},
		{untrained(t, "sml", 1), Options{Masks: masksNone}, "a b\n" + prepared + network + "Cast Slice Slice Squeeze Mul Add Identity\nmean"},
		{untrained(t, "mc", 1), Options{Network: true, Masks: masksGiven}, "a b members.0.mask.0\n" + prepared + network + "Scan Identity Identity\nmembers.0.outputs members.0.draws"},
		{untrained(t, "mc", 1), Options{Network: true}, "a b\n" + "Shape " + prepared + "Concat ConstantOfShape RandomUniformLike Slice Less Where " + network + "Scan Identity Identity\nmembers.0.outputs members.0.draws"},
	} {
		if got := structure(t, export(t, c.model, c.o)); got != c.want {
			t.Errorf("%s %+v is\n%s\nwant\n%s", c.model.Method, c.o, got, c.want)
		}
	}
	for method, want := range map[string]string{
		"sml": "mean std std_drop offset lower upper", "mc-pu": "mean std std_drop lower upper", "pu": "mean std lower upper",
		"quantiles": "q0.025 q0.05 q0.25 q0.5 q0.75 q0.95 q0.975 lower upper",
	} {
		lines := strings.Split(structure(t, export(t, untrained(t, method, 1), Options{Masks: masksGiven})), "\n")
		if outputs := lines[2]; method == "quantiles" && outputs != "mean "+want || method != "quantiles" && outputs != want {
			t.Errorf("%s has the outputs %s, want %s", method, outputs, want)
		}
	}
}

// Of a name that both a column and an output have, the column keeps it.
func TestNames(t *testing.T) {
	m := untrained(t, "pu", 1)
	m.Inputs[0].Name = "std"
	if got, want := structure(t, export(t, m, Options{})), "mean y_std lower upper"; !strings.HasSuffix(got, "\n"+want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	m.Inputs[1].Name = "y_std"
	if _, err := ONNX(decoded(t, m), Options{}); err == nil || !strings.Contains(err.Error(), `named "y_std"`) {
		t.Errorf("got %v", err)
	}
}

func TestWhatCannotBeExported(t *testing.T) {
	foreign, err := models.Lookup("mc")
	if err != nil {
		t.Fatal(err)
	}
	foreign.Name, foreign.PredictGraph = "foreign", nil
	models.Register(foreign)
	alone, err := models.Lookup("de")
	if err != nil {
		t.Fatal(err)
	}
	alone.Name, alone.CombineGraph = "uncombined", nil
	models.Register(alone)
	for want, c := range map[string]struct {
		model *models.Model
		o     Options
	}{
		"what method foreign predicts is known in Go alone":         {untrained(t, "foreign", 1), Options{}},
		"how method uncombined combines members is known in Go":     {untrained(t, "uncombined", 2), Options{}},
		"an interval of 0.8: the quantiles of method quantiles are": {untrained(t, "quantiles", 1), Options{Coverage: 0.8}},
	} {
		if _, err := ONNX(decoded(t, c.model), c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if file := export(t, untrained(t, "foreign", 1), Options{Network: true}); !slices.Contains(strings.Fields(structure(t, file)), "members.0.draws") {
		t.Error("the network of a method without a graph of its predictor is not exported")
	}
}
