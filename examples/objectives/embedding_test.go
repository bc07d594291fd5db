package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/cmd"
	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
	"sml/models/networks"
	"sml/trainers/check"
)

// The inputs of a text choose rows of its table, as computed by hand; gradients agree with finite
// differences.
func TestEmbedTexts(t *testing.T) {
	check.TestNetwork(t, "embedding")
	a := models.Architecture{Inputs: 5, Texts: []models.Text{{First: 1, Categories: 3}}}
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	y := networks.EmbedTexts(b, b.Input("x", 3, 5), a, 8)
	run, err := graph.NewRunner(graph.Engines()[0], b, y)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	for i, v := range []float64{1, 2, 3, 4, 5, 6} { // [3 2], as 3 levels have 2 numbers
		params.Float64s()[i] = v
	}
	copy(run.Input64("x"), []float64{7, 0, 1, 0, 8, 9, 0, 0, 1, 10, 11, 0, 0, 0, 12})
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	if want := []float64{7, 8, 3, 4, 9, 10, 5, 6, 11, 12, 0, 0}; !slices.Equal(run.Output64(0), want) {
		t.Errorf("the texts are %v, want %v", run.Output64(0), want)
	}
	gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
		s := spec(t, "sml", "embedding", 5, 1)
		s.Architecture.Activation, s.Architecture.Texts = "tanh", a.Texts
		loss, err := s.Loss(b, 6)
		if err != nil {
			t.Fatal(err)
		}
		return loss
	}, gradcheck.Settings{Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gradients {
		if !(g.Error <= 1e-6) {
			t.Errorf("the gradient of %s is wrong by %.1e", g.Name, g.Error)
		}
	}
}

// The program embeds the texts of a table, and a model of it predicts and is judged.
func TestEmbeddedTable(t *testing.T) {
	defer func(args []string) { os.Args = args }(os.Args)
	dir := t.TempDir()
	table, model := filepath.Join(dir, "t.csv"), filepath.Join(dir, "model")
	text := "colour,size,shape,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%s,%d,%s,%d\n", []string{"red", "blue", "", "green"}[i%4], i*7%13, []string{"round", "square"}[i%2], i%4*10+i%3)
	}
	if err := os.WriteFile(table, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"train --data " + table + " --network embedding --method mc --epochs 3 --quiet --split random --out " + model,
		"evaluate " + model + " --quiet", "predict " + model + " --in " + table + " --quiet --out " + filepath.Join(dir, "p.csv"),
		"train --data " + table + " --network embedding --method mc --epochs 1 --quiet --init-from " + model + " --out " + model + "2",
	} {
		os.Args = append([]string{"sml"}, strings.Fields(args)...)
		if code := cmd.Main(); code != 0 {
			t.Fatalf("sml %s: exit code %d", args, code)
		}
	}
	m, err := models.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	if want := []models.Text{{First: 0, Categories: 3}, {First: 5, Categories: 2}}; !slices.Equal(m.Architecture.Texts, want) {
		t.Errorf("the texts are %v, want %v", m.Architecture.Texts, want)
	}
	first := m.Members[0].List()[0]
	if first.Name != "text1.weight" || first.Rows != 3 || first.Columns != 2 {
		t.Errorf("the first parameter is %+v", first)
	}
}
