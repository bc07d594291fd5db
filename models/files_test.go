package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sml/graph"
)

func example(t testing.TB) *Model {
	t.Helper()
	s, err := NewSpec("sml", map[string]float64{"beta": 0.25}, Architecture{Inputs: 2, Targets: 1, Hidden: []int{3}, Activation: "relu", Dropout: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{
		Spec: s, Inputs: []Column{{"a", 1, 2}, {"b, or \"so\"", -3, 0.5}}, Targets: []Column{{"y", 0, 1}},
		Training: json.RawMessage(`{"seed":7}`),
		History:  History{Columns: []string{"loss", "validation loss"}, Rows: []Epoch{{0, 1, []float64{0.5, math.NaN()}}, {0, 2, []float64{0.25, 1e-9}}}},
	}
	for seed := range uint64(2) {
		p, err := s.NewParams(seed)
		if err != nil {
			t.Fatal(err)
		}
		m.Members = append(m.Members, p)
	}
	return m
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	content := make(map[string]string)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		content[e.Name()] = string(text)
	}
	return content
}

func TestSaveAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "model")
	m := example(t)
	if err := m.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range m.Members {
		for i, v := range p.Float32s() {
			if got.Members[k].Float32s()[i] != v {
				t.Fatalf("weight %d of member %d is %v, want %v", i, k, got.Members[k].Float32s()[i], v)
			}
		}
	}
	again := filepath.Join(t.TempDir(), "again")
	got.History = m.History
	if err := got.Save(again, false); err != nil {
		t.Fatal(err)
	}
	first, second := files(t, dir), files(t, again)
	if len(first) != 4 {
		t.Errorf("a model has the files %v", first)
	}
	for name := range first {
		if first[name] != second[name] {
			t.Errorf("%s differs after loading and saving:\n%s\n%s", name, first[name], second[name])
		}
	}
	h, err := LoadHistory(dir)
	if err != nil || len(h.Rows) != 2 || h.Columns[1] != "validation loss" || h.Rows[1].Values[1] != 1e-9 || !math.IsNaN(h.Rows[0].Values[1]) {
		t.Errorf("history %+v, %v", h, err)
	}
	if want := "member,epoch,loss,validation loss\n0,1,0.5,\n0,2,0.25,1e-09\n"; first[historyFile] != want {
		t.Errorf("history %q, want %q", first[historyFile], want)
	}
}

func TestSaveDoesNotOverwrite(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "model")
	m := example(t)
	if err := m.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	m.Members[0].Float32s()[0]++
	if err := m.Save(dir, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("saving over a model: %v", err)
	}
	if after := files(t, dir); after[weightsFile] != before[weightsFile] {
		t.Error("the model was changed")
	}
	if err := m.Save(dir, true); err != nil {
		t.Fatal(err)
	}
	if after := files(t, dir); after[weightsFile] == before[weightsFile] {
		t.Error("the model was not replaced")
	}
	m.Training = json.RawMessage("{") // cannot be encoded
	if err := m.Save(filepath.Join(parent, "broken"), false); err == nil {
		t.Error("a broken model was saved")
	}
	if entries, _ := os.ReadDir(parent); len(entries) != 1 {
		t.Errorf("a failed save left something behind: %v", entries)
	}
}

func TestLoadRejects(t *testing.T) {
	text, weights := contents(t, example(t))
	for name, c := range map[string]struct {
		edit func(string) string
		cut  int
		want string
	}{
		"no JSON":        {edit: func(s string) string { return s[1:] }, want: "model.json"},
		"another format": {edit: replace(`"format": 1`, `"format": 2`), want: "format 2"},
		"unknown field":  {edit: replace(`"format": 1`, `"format": 1, "colour": 3`), want: "colour"},
		"unknown method": {edit: replace(`"method": "sml"`, `"method": "lms"`), want: "unknown method"},
		"other hidden layers": {edit: replace(`"hidden": [
      3`, `"hidden": [
      4`), want: "weights"},
		"huge layer": {edit: replace(`"hidden": [
      3`, `"hidden": [
      3000000`), want: "too large"},
		"more members":      {edit: replace(`"members": 2`, `"members": 3`), want: "members"},
		"no members":        {edit: replace(`"members": 2`, `"members": 0`), want: "members"},
		"missing input":     {edit: replace(`"inputs": 2`, `"inputs": 3`), want: "inputs"},
		"zero std":          {edit: replace(`"std": 0.5`, `"std": 0`), want: "std"},
		"missing setting":   {edit: replace(`"alpha": 1,`, ``), want: "hyperparameters"},
		"weights cut short": {cut: 4, want: "weights.safetensors"},
		"no weights":        {cut: len(weights), want: "cut short"},
	} {
		edited := text
		if c.edit != nil {
			edited = []byte(c.edit(string(text)))
			if bytes.Equal(edited, text) {
				t.Fatalf("%s: nothing was edited in\n%s", name, text)
			}
		}
		_, err := decode(edited, weights[:len(weights)-c.cut])
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v does not say %q", name, err, c.want)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("loading nothing: %v", err)
	}
}

func replace(old, new string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, new, 1) }
}

func contents(t testing.TB, m *Model) (text, weights []byte) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	if err := m.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	var err error
	if text, err = os.ReadFile(filepath.Join(dir, modelFile)); err != nil {
		t.Fatal(err)
	}
	if weights, err = os.ReadFile(filepath.Join(dir, weightsFile)); err != nil {
		t.Fatal(err)
	}
	return text, weights
}

func TestTensorsRoundTrip(t *testing.T) {
	want := []Tensor{{"b", []int{2, 1}, []float32{1, -2}}, {"a \"quoted\"", []int{3}, []float32{0, math.MaxFloat32, math.SmallestNonzeroFloat32}}}
	var file bytes.Buffer
	if err := WriteTensors(&file, want); err != nil {
		t.Fatal(err)
	}
	// The layout by hand: 8 bytes of length, a header that ends on a multiple
	// of 8, 5 floats.
	header := int(file.Bytes()[0]) + int(file.Bytes()[1])<<8
	if header%8 != 0 || file.Len() != 8+header+5*4 {
		t.Errorf("header of %d bytes in a file of %d", header, file.Len())
	}
	got, err := ReadTensors(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i].Name != want[i].Name || len(got[i].Values) != len(want[i].Values) {
			t.Fatalf("tensor %d is %+v, want %+v", i, got[i], want[i])
		}
		for j, v := range want[i].Values {
			if got[i].Values[j] != v {
				t.Errorf("%s[%d] is %v, want %v", want[i].Name, j, got[i].Values[j], v)
			}
		}
	}
}

// Whatever is loaded can be saved and loaded again, and nothing crashes.
func FuzzModel(f *testing.F) {
	text, weights := contents(f, example(f))
	f.Add(text, weights)
	f.Add(text, weights[:len(weights)-1])
	f.Add([]byte(`{"format":1}`), []byte{8, 0, 0, 0, 0, 0, 0, 0, '{', '}', ' ', ' ', ' ', ' ', ' ', ' '})
	f.Fuzz(func(t *testing.T, text, weights []byte) {
		m, err := decode(text, weights)
		if err != nil {
			return
		}
		for _, p := range m.Members {
			for i := range p.List() {
				if len(graph.Slice(p, p.Float32s(), i)) == 0 {
					t.Fatal("an empty parameter was accepted")
				}
			}
		}
		again, errText := contents(t, m)
		if _, err := decode(again, errText); err != nil {
			t.Fatalf("an accepted model cannot be loaded again: %v", err)
		}
	})
}

func FuzzTensors(f *testing.F) {
	var file bytes.Buffer
	if err := WriteTensors(&file, []Tensor{{"a", []int{2, 2}, []float32{1, 2, 3, 4}}, {"b", []int{1}, []float32{5}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := ReadTensors(data)
		if err != nil {
			return
		}
		total := 0
		for _, tensor := range tensors {
			size := 1
			for _, n := range tensor.Shape {
				size *= n
			}
			if size != len(tensor.Values) || size == 0 {
				t.Fatalf("shape %v of %d values", tensor.Shape, len(tensor.Values))
			}
			total += size
		}
		if 4*total > len(data) {
			t.Fatal("more values than bytes")
		}
	})
}

// Whatever history is read can be written and read again.
func FuzzHistory(f *testing.F) {
	f.Add("member,epoch,loss,regression\n0,1,0.5,\n0,2,0.25,1e-09\n")
	f.Add("member,epoch\n")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := readHistory(strings.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := h.write(&again); err != nil {
			t.Fatal(err)
		}
		got, err := readHistory(&again)
		if err != nil || len(got.Rows) != len(h.Rows) {
			t.Fatalf("%d rows became %d, %v", len(h.Rows), len(got.Rows), err)
		}
	})
}
