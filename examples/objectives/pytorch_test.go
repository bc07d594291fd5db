package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
)

var update = flag.Bool("update", false, "write testdata/drawn.json, for bench/objectives_examples.py")

// Losses and gradients of the objectives, and of the networks with the second-moment
// loss, are to 1e-10 those of PyTorch's autograd on both engines, which
// bench/objectives_examples.py wrote. After a change of what is drawn, go test -run
// PyTorch -update writes that for the script.
func TestPyTorch(t *testing.T) {
	var file struct {
		Cases map[string]gradcheck.Reference
	}
	text, err := os.ReadFile("testdata/pytorch.json")
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	expect.NoError(t, err)
	drawn := make(map[string]map[string][]float64)
	for _, c := range []struct {
		name, method, network string
		targets               int
		hidden                []int
		chosen                models.Hyperparameters // so that no term is too small to be seen
	}{
		{"smooth", "smooth", "", 2, []int{5, 4}, models.Hyperparameters{"penalty": 0.5}},
		{"tobit", "tobit", "", 2, []int{5, 4}, nil},
		{"classes", "three-classes", "", 1, []int{5, 4}, nil},
		{"counts", "poisson", "", 2, []int{5, 4}, nil},
		{"student", "student", "", 2, []int{5, 4}, models.Hyperparameters{"teacher": teacher(t, file.Cases["teacher"])}},
		{"vicreg", "vicreg", "", 1, []int{5, 4}, models.Hyperparameters{"weight": 1}},
		{"sam", "sam", "", 2, []int{5, 4}, models.Hyperparameters{"rho": 0.5}},
		{"layer-norm", "sml", "layer-norm", 2, []int{5, 5, 4}, nil},
		{"conv1d", "sml", "conv1d", 2, []int{5, 4}, nil},
	} {
		f := lossOf(t, expect.Must(models.NewSpec(c.method, c.chosen, models.Architecture{
			Network: c.network, Inputs: 3, Targets: c.targets, Hidden: c.hidden, Activation: "tanh", Dropout: 0.3,
		})), 7)
		if drawn[c.name], err = gradcheck.DrawMasks(f, gradcheck.Settings{}); err != nil {
			t.Fatal(err)
		}
		for _, engine := range graph.Engines() {
			found, err := gradcheck.CheckReference(f, file.Cases[c.name], gradcheck.Settings{Engine: engine})
			if err != nil {
				t.Errorf("%s, %s engine: %v", c.name, engine, err)
			}
			for _, g := range found {
				if !(g.Error <= 1e-10) {
					t.Errorf("%s, %s engine: %s[%d] is %v, and %v in PyTorch", c.name, engine, g.Name, g.Index, g.Backward, g.Numeric)
				}
			}
		}
	}
	given(t, drawn)
}

// given holds testdata/drawn.json, which the script reads, to what is drawn.
func given(t *testing.T, drawn map[string]map[string][]float64) {
	t.Helper()
	const file = "testdata/drawn.json"
	want := expect.Must(json.Marshal(drawn))
	if *update {
		expect.NoError(t, os.WriteFile(file, want, 0o644))
	}
	if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, want) {
		t.Errorf("%s is not what is drawn: after go test -run PyTorch -update, the script is to be run again (%v)", file, err)
	}
}

// teacher saves a model of the reference's weights.
func teacher(t *testing.T, of gradcheck.Reference) string {
	t.Helper()
	s := expect.Must(models.NewSpec("mc", nil, models.Architecture{Inputs: 3, Targets: 2, Hidden: []int{4}, Activation: "tanh"}))
	params := expect.Must(s.NewParams(0))
	for i, p := range params.List() {
		for j, v := range of.Parameters[p.Name] {
			graph.ParamValues(params, params.Float32s(), i)[j] = float32(v)
		}
	}
	m := &models.Model{
		Spec: s, Members: []*graph.Params{params},
		Inputs:  data.Scalers{{Name: "x0", Std: 1}, {Name: "x1", Std: 1}, {Name: "x2", Std: 1}},
		Targets: data.Scalers{{Name: "y0", Std: 1}, {Name: "y1", Std: 1}},
	}
	dir := filepath.Join(t.TempDir(), "teacher")
	expect.NoError(t, m.Save(dir, false))
	return dir
}
