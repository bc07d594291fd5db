package cmd

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation/experiment"
	"sml/evaluation/export/onnx/ort"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// exported is a model, and rows of a table that it is exported for.
type exported struct {
	*testing.T
	model, rows string // paths
	samples     int    // 0 for analytic moments
}

func (e *exported) sml(args ...string) []byte {
	e.Helper()
	return runSML(e, nil, args...)
}

func (e *exported) load() *experiment.Model {
	e.Helper()
	m := expect.Must(experiment.Open(e.model))
	return m
}

// run exports the model and runs it on the rows, as users do: with the texts of the
// file, its numbers, and its dates as seconds.
func (e *exported) run(more map[string]ort.Tensor, flags ...string) map[string]ort.Tensor {
	e.Helper()
	file := filepath.Join(e.TempDir(), "m.onnx")
	e.sml(append([]string{"export", e.model, "--onnx", file}, flags...)...)
	feeds := e.columns()
	for name, v := range more {
		feeds[name] = v
	}
	return ort.Run(e, readFile(e, file), feeds)
}

// runWithMasks runs the model with the masks that the program draws, if the method uses sub-networks.
func (e *exported) runWithMasks() map[string]ort.Tensor {
	e.Helper()
	if !lookup(e.T, e.load().Method).UsesSubNetworks() {
		return e.run(nil)
	}
	return e.run(e.masks(), "--masks", "given")
}

func (e *exported) table() (names []string, rows [][]string) {
	e.Helper()
	rows = readCSV(e, readFile(e, e.rows))
	return rows[0], rows[1:]
}

func (e *exported) columns() map[string]ort.Tensor {
	e.Helper()
	m := e.load()
	p := m.Preparation
	if p == nil {
		p = new(preparation.Preparation)
		for _, c := range m.Inputs {
			p.Columns = append(p.Columns, preparation.Column{Name: c.Name, Field: data.Field{Kind: data.Number}})
		}
	}
	names, rows := e.table()
	feeds := make(map[string]ort.Tensor)
	for _, c := range p.Columns {
		if c.Dropped != "" {
			continue
		}
		v := ort.Tensor{Type: "float64", Dims: []int{len(rows)}}
		if c.Kind == data.Category {
			v.Type = "string"
		}
		for _, row := range rows {
			cell := row[slices.Index(names, c.Name)]
			switch c.Kind {
			case data.Category:
				v.Texts = append(v.Texts, cell)
			case data.Date:
				at, err := time.Parse(c.Layout, cell)
				if seconds := float64(at.Unix()); err == nil {
					v.Numbers = append(v.Numbers, seconds)
				} else {
					v.Numbers = append(v.Numbers, math.NaN())
				}
			default:
				x, err := strconv.ParseFloat(cell, 64)
				if err != nil {
					x = math.NaN()
				}
				v.Numbers = append(v.Numbers, x)
			}
		}
		feeds[c.Name] = v
	}
	return feeds
}

// masks are those that predict draws.
func (e *exported) masks() map[string]ort.Tensor {
	e.Helper()
	m := e.load()
	_, rows := e.table()
	feeds := make(map[string]ort.Tensor)
	for k, params := range m.Members {
		b := graph.New(graph.Float32, params)
		graph.Inspect(b).OneDraw = true
		f := expect.Must(m.Forward(b, len(rows)))
		f(m.SubNetworks(k).Pass())
		draws := graph.Inspect(b).Draws()
		var outputs graph.Nodes
		for _, d := range draws {
			outputs = append(outputs, b.Shift(d.Node, 0))
		}
		if len(draws) == 0 {
			continue
		}
		r := expect.Must(graph.NewRunner(graph.Compiled, b, outputs...))
		r.Input(models.InputX)
		values := make([][]float64, len(draws))
		for step := range e.samples {
			r.SampleMasks(graph.MaskKey{Seed: m.MaskSeed(m.Sampling.Seed, k), Step: uint32(step)})
			expect.NoError(e, r.Run())
			for i := range draws {
				for _, v := range r.Output(i) {
					values[i] = append(values[i], float64(v))
				}
			}
		}
		r.Close()
		for i, d := range draws {
			kind := "noise"
			if d.Kind == "dropout" {
				kind = "mask"
			}
			feeds[fmt.Sprintf("members.%d.%s.%d", k, kind, d.Layer)] = ort.Tensor{
				Type: "float32", Dims: append([]int{e.samples}, d.Node.Shape()...), Numbers: values[i]}
		}
	}
	return feeds
}

// predicted are the columns that predict writes.
func (e *exported) predicted() (names []string, columns map[string][]float64) {
	e.Helper()
	var flags []string
	if lookup(e.T, e.load().Method).UsesSubNetworks() {
		flags = []string{"--samples", strconv.Itoa(e.samples)}
	}
	if e.samples == 0 {
		flags = []string{"--moments", "analytic"}
	}
	text := e.sml(append([]string{"predict", e.model, "--in", e.rows, "--quiet"}, flags...)...)
	lines := readCSV(e, text)
	columns = make(map[string][]float64)
	for j, name := range lines[0] {
		for _, line := range lines[1:] {
			if line[j] != "" {
				v, _ := strconv.ParseFloat(line[j], 64)
				columns[name] = append(columns[name], v)
			}
		}
	}
	return lines[0], columns
}

// spread is the standard deviation of a column of the table, and 1 of a column of texts.
func (e *exported) spread(name string) float64 {
	names, rows := e.table()
	var values []float64
	for _, row := range rows {
		if v, err := strconv.ParseFloat(row[slices.Index(names, name)], 64); err == nil {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return 1
	}
	_, stds := data.Moments(values, 1, nil)
	return stds[0]
}

// checkPredictions fails the test unless the exported model and the program predict the same, to 1e-6 standard
// deviations of the target. Sub-networks get the masks that the program draws.
func (e *exported) checkPredictions() {
	e.Helper()
	if stored := e.load().SubNetworks(0).Len(); stored > 0 {
		e.samples = stored // an exported model uses all of its stored sub-networks
	}
	if worst := e.holds(e.runWithMasks()); worst > 1e-6 {
		e.Errorf("values differ by up to %.2g standard deviations; want 1e-6", worst)
	}
}

// holds fails the test unless outputs are what predict says, to 1e-5 standard deviations
// of the target, and returns the largest difference in these.
func (e *exported) holds(got map[string]ort.Tensor, only ...string) (worst float64) {
	e.Helper()
	names, columns := e.predicted()
	targets := e.load().Targets
	compared := 0
	for _, name := range names {
		want := columns[name]
		have, ok := got[name]
		if len(only) > 0 && !slices.Contains(only, name) {
			if ok {
				e.Errorf("there is %s", name)
			}
			continue
		}
		if !ok && (len(want) == 0 || slices.Max(want) == 0 && slices.Min(want) == 0) {
			continue // a part that the method does not have
		}
		if len(have.Numbers) != len(want) || have.Type != "float64" || len(have.Dims) != 1 {
			e.Errorf("%s: %d numbers of %s %v, want %d", name, len(have.Numbers), have.Type, have.Dims, len(want))
			continue
		}
		unit := 1.0
		for _, c := range targets {
			if len(targets) == 1 || strings.HasPrefix(name, c.Name+"_") {
				unit = e.spread(c.Name)
			}
		}
		compared++
		for i, v := range want {
			if off := math.Abs(have.Numbers[i]-v) / unit; !(off <= 1e-5) {
				e.Errorf("%s of row %d is %v, want %v: %.2g standard deviations apart", name, i+1, have.Numbers[i], v, off)
				break
			} else {
				worst = max(worst, off)
			}
		}
	}
	if compared == 0 {
		e.Errorf("nothing to compare: there is %v", got)
	}
	return worst
}

// made writes a table of all kinds of columns, with the embedded town, and rows with further categories and holes.
func made(t *testing.T, dir string) (table, rows string) {
	t.Helper()
	town := func(i int) string {
		if i%26 == 7 {
			return "" // missing
		}
		return fmt.Sprintf("t%02d", i*i%61) // 31 of them, some in one training row each
	}
	text := "kind,mean,size,when,day,hole,big,y,z,town\n"
	line := func(i int) string {
		return fmt.Sprintf("%s,%s,%s,%s,%s,%s,%d,%.4f,%.4f,%s\n", []string{"a", "b", "\"ä, c\"", "", "d"}[i%5], []string{"0.5", "1", "2.25"}[i*i%3], []string{"small", "large", "middle"}[i*7%3],
			time.Date(1960+i%80, time.Month(1+i*5%12), 1+i*11%28, i*13%24, i*7%60, 0, 0, time.UTC).Format("2006-01-02 15:04"), time.Date(2023, 12, 20+i, 0, 0, 0, 0, time.UTC).Format("02.01.2006"),
			[]string{"", "1.5", "2", "7"}[i*3%4], 1000000+i*i%23, 1+3*math.Abs(math.Sin(float64(i))), math.Cos(float64(i)), town(i))
	}
	for i := range 140 {
		text += line(i)
	}
	table, rows = filepath.Join(dir, "made.csv"), filepath.Join(dir, "rows.csv")
	other := strings.Join(strings.SplitAfter(text, "\n")[:41], "") +
		"never,1,small,1961-12-31 23:59,01.03.2024,3,1000004,2,1,nowhere\nNA,1,NA,2036-02-29 00:00,31.12.1999,nan,1000001,3,2,\nb,2,other,2000-02-29 12:30,29.02.2000,,1000009,1,1,t03\n"
	writeFile(t, table, text)
	writeFile(t, rows, other)
	return table, rows
}

// TestExportedMethods compares every output of an exported model of each method with what predict says of the same masks,
// from texts, dates and holes: to 1e-6 standard deviations. An exported model with several targets calibrates each by the
// groups of its own predicted mean. Sub-networks that SWAG stores for a network with dropout have no masks.
func TestExportedMethods(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table, rows := made(t, dir)
	compare := func(name string, train ...string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &exported{t, filepath.Join(dir, name), rows, 6}
			e.sml(append(train, "--epochs", "3", "--quiet", "--out", e.model)...)
			if len(e.load().Architecture.Embeddings) != 1 {
				t.Errorf("the embedded columns are %v; want town", e.load().Architecture.Embeddings)
			}
			e.checkPredictions()
		})
	}
	training := []string{"train", "--data", table, "--target", "y", "--target", "z", "--hidden", "8,6"}
	for _, m := range shipped {
		compare(m.Name, append(training, "--method", m.Name, "--ordinal", "size=small,middle,large", "--validation", "0")...)
	}
	compare("mean groups", append(training, "--method", "pu", "--validation", "0", "--calibrate", "0.5", "--calibrate-mean-groups", "3")...)
	mc := filepath.Join(dir, "with dropout")
	runSML(t, nil, append(training, "--method", "mc", "--dropout", "0.3", "--epochs", "3", "--quiet", "--out", mc)...)
	compare("swag of dropout", "posthoc", mc, "--kind", "swag")
}

func lookup(t *testing.T, method string) models.Method {
	t.Helper()
	m := expect.Must(models.Lookup(method))
	return m
}

// TestExportedClasses compares the probabilities of an exported model of classes with what
// predict says: to 1e-6, with and without a temperature.
func TestExportedClasses(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table, rows := made(t, dir)
	for name, calibrate := range map[string][]string{"raw": nil, "temperature": {"--calibrate", "0.3"}} {
		e := &exported{t, filepath.Join(dir, name), rows, 6}
		e.sml(append([]string{"train", "--data", table, "--target", "size", "--drop", "z", "--method", "classes",
			"--epochs", "5", "--validation", "0", "--hidden", "8", "--quiet", "--out", e.model}, calibrate...)...)
		outputs := e.run(nil)
		delete(outputs, "class") // has texts
		if worst := e.holds(outputs); worst > 1e-6 {
			t.Errorf("%s: probabilities differ by up to %.2g; want 1e-6", name, worst)
		}
	}
}

// The exported file tells categories apart even if they are equal as numbers.
func TestExportedCategories(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	categories := []string{"01234", "1234", "1.234e3", "1.1", "1.10", "9007199254740993", "9007199254740992"}
	text, rows := "zip,x,y\n", "zip,x\n"
	for i := range 70 {
		text += fmt.Sprintf("%s,%d,%d\n", categories[i%len(categories)], i%3, i%len(categories))
	}
	for _, category := range append(categories, "1234.0", "NA") {
		rows += category + ",1\n"
	}
	table := filepath.Join(dir, "zips.csv")
	e := &exported{t, filepath.Join(dir, "m"), filepath.Join(dir, "rows.csv"), 6}
	writeFile(t, table, text)
	writeFile(t, e.rows, rows)
	e.sml("train", "--data", table, "--categorical", "zip", "--method", "pu", "--epochs", "30", "--validation", "0", "--hidden", "16", "--quiet", "--out", e.model)
	outputs := e.run(nil)
	for name, of := range outputs {
		for i, v := range of.Numbers[:len(categories)] {
			for j, w := range of.Numbers[:i] {
				if name == "mean" && v == w {
					t.Errorf("%s and %s have the same prediction", categories[j], categories[i])
				}
			}
		}
	}
	_, columns := e.predicted()
	for i, v := range columns["mean"] {
		if w := outputs["mean"].Numbers[i]; math.Abs(v-w) > 1e-4 {
			t.Errorf("row %d: predict says %v, the file %v", i+1, v, w)
		}
	}
}

// Of every transform, too, and of networks that drop nothing, have tanh, or embed texts.
func TestExportedTransforms(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table, rows := made(t, dir)
	for _, flags := range [][]string{
		{"--transform", "log"}, {"--transform", "log1p"}, {"--transform", "sqrt"}, {"--transform", "quantile-normal"},
		{"--method", "quantiles", "--transform", "quantile-normal"}, {"--method", "de", "--transform", "log1p"},
		{"--dropout", "0", "--method", "mc"}, {"--activation", "tanh", "--method", "mc-ll"}, {"--members", "1", "--method", "sml-de"}, {"--drop", "mean", "--missing", "mean"},
		{"--method", "mc-pu", "--calibrate", "0.4", "--calibrate-kind", "scale", "--transform", "sqrt"}, {"--method", "pu", "--calibrate", "0.4", "--calibrate-kind", "isotonic"},
		{"--method", "mc-pu", "--calibrate", "0.4", "--calibrate-kind", "conformal", "--transform", "log"}, {"--method", "quantiles", "--calibrate", "0.4"},
		{"--method", "pu", "--calibrate", "0.5", "--calibrate-mean-groups", "3"}, {"--method", "quantiles", "--calibrate", "0.5", "--calibrate-mean-groups", "3"},
		{"--method", "mc-pu", "--calibrate", "0.5", "--calibrate-kind", "scale", "--calibrate-mean-groups", "4", "--transform", "log"},
		{"--method", "student-t", "--calibrate", "0.4"}, {"--method", "mdn", "--calibrate", "0.4", "--calibrate-kind", "conformal"}, {"--method", "mdn", "--members", "3"},
		{"--method", "student-t", "--transform", "log"}, {"--method", "student-t", "--transform", "quantile-normal", "--calibrate", "0.4"},
		{"--method", "evidential", "--transform", "log1p"}, {"--method", "evidential", "--transform", "sqrt", "--calibrate", "0.4", "--calibrate-kind", "isotonic"},
		{"--method", "mdn", "--transform", "sqrt", "--calibrate", "0.4", "--calibrate-kind", "scale"},
		{"--method", "mdn", "--transform", "log"}, {"--method", "mdn", "--members", "2", "--transform", "log1p"},
		{"--method", "mdn", "--transform", "log", "--calibrate", "0.4", "--calibrate-kind", "scale"},
		{"--method", "mdn", "--transform", "log", "--calibrate", "0.4", "--calibrate-kind", "conformal"},
		{"--method", "mdn", "--members", "2", "--transform", "quantile-normal"}, {"--method", "quantiles", "--transform", "log1p", "--calibrate", "0.4"},
		{"--method", "pu", "--transform", "none", "--support", "positive"}, {"--method", "mc-pu", "--calibrate", "0.4", "--transform", "none", "--support", "1..4"},
		{"--network", "tabm", "--copies", "3", "--method", "sml-de", "--members", "2"}, {"--network", "tabm", "--copies", "3", "--method", "mc-pu"}, {"--network", "tabm", "--copies", "4", "--bins", "3", "--method", "crps"}, {"--network", "tabm", "--copies", "2", "--method", "quantiles"},
		{"--network", "realmlp", "--method", "mc-pu", "--lr", "0.05"}, {"--network", "realmlp", "--activation", "selu", "--bins", "3", "--method", "crps", "--lr", "0.05"}, {"--activation", "mish"},
		{"--periodic", "3", "--method", "mc-pu", "--lr", "0.05"}, {"--periodic", "2", "--bins", "3", "--network", "tabm", "--copies", "2", "--method", "crps"},
		{"--method", "de", "--transform", "none", "--support", "..4"}, {"--method", "quantiles", "--transform", "auto", "--support", "1..4"},
	} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			e := &exported{t, filepath.Join(dir, strings.Join(flags, "")), rows, 6}
			e.sml(append([]string{"train", "--data", table, "--target", "y", "--drop", "z", "--epochs", "3", "--validation", "0", "--hidden", "8", "--split", "none", "--quiet", "--out", e.model}, flags...)...)
			got := e.runWithMasks()
			if mean, ok := got["y_mean"]; ok { // its name in a table with a column mean
				got["mean"] = mean
			}
			e.holds(got)
		})
	}
}

// A heavy-tailed target leaves a network unsure over many orders of magnitude: the file
// predicts the same finite mean as predict does, and no interval below 0. Numbers are
// compared by their ratios, which differ by 1e-6 if the transformed targets do.
func TestExportedHeavyTail(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table := writeHeavyTail(t, dir)
	for _, flags := range [][]string{{"--method", "pu"}, {"--method", "pu-de"}, {"--method", "quantiles"}, {"--method", "mc-pu", "--calibrate", "0.4"}, {"--method", "mdn"}, {"--method", "student-t"}} {
		t.Run(flags[1], func(t *testing.T) {
			t.Parallel()
			e := &exported{t, filepath.Join(dir, flags[1]), table, 6}
			e.sml(append([]string{"train", "--data", table, "--transform", "log1p", "--epochs", "40", "--validation", "0", "--hidden", "8", "--split", "none", "--quiet", "--out", e.model}, flags...)...)
			e.checkRatios(1e-5, math.Inf(1))
		})
	}
}

// checkRatios compares predictions of the exported model and the program for a target of 0 or more: to 1e-4 of the values,
// and to rounding near 0. No value is above maximum.
func (e *exported) checkRatios(rounding, maximum float64) {
	e.Helper()
	got := e.runWithMasks()
	_, want := e.predicted()
	for _, name := range []string{"mean", "std", "lower", "upper"} {
		if len(got[name].Numbers) != len(want[name]) {
			e.Fatalf("%s: %d numbers, want %d", name, len(got[name].Numbers), len(want[name]))
		}
		for i, v := range want[name] {
			have := got[name].Numbers[i]
			if !(math.Abs(have-v) <= 1e-4*v+rounding) || !(have >= 0) || !(v >= 0) || v > maximum || math.IsInf(v, 0) {
				e.Fatalf("%s of row %d is %v, and %v in the file; the maximum is %v", name, i+1, v, have, maximum)
			}
		}
	}
}

// TestExportedAutomaticLogarithm compares the predictions of a file with those of predict for a target that is transformed by the
// logarithm by default: for training rows, and for rows so far outside that the ceiling limits them.
func TestExportedAutomaticLogarithm(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table := filepath.Join(dir, "table.csv")
	rows := filepath.Join(dir, "rows.csv")
	training := "x,y\n"
	for i := range 1100 {
		x := float64(i%100)/25 - 2
		training += fmt.Sprintf("%v,%.6g\n", x, math.Exp(2*x+math.Sin(float64(i))))
	}
	writeFile(t, table, training)
	writeFile(t, rows, "x\n-2\n0.5\n1.9\n40\n-40\n")
	e := &exported{t, filepath.Join(dir, "m"), rows, 6}
	e.sml("train", "--data", table, "--method", "pu", "--epochs", "20", "--validation", "0", "--hidden", "8", "--split", "none", "--quiet", "--out", e.model)
	m := e.load()
	ceiling := m.Preparation.Targets[0].Ceiling
	if ceiling == nil {
		t.Fatalf("the target has the transform %+v; want log with a ceiling", m.Preparation.Targets[0])
	}
	e.checkRatios(1e-9, *ceiling*(1+1e-12))
}

// TestExportedRefusedRows runs files on rows that predict refuses: all outputs of such a row are NaN, and other rows
// have the outputs that they have alone, whatever a network or a transform makes of NaN.
func TestExportedRefusedRows(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table, rows := made(t, dir)
	lines := strings.SplitAfter(string(readFile(t, rows)), "\n")
	good := lines[0] + lines[2] + lines[3] // rows without a missing value
	bad := []string{
		"b,NaN,small,2000-02-29 12:30,29.02.2000,2,1000009,1,1,t03\n",
		"b,1e300,small,2000-02-29 12:30,29.02.2000,2,1000009,1,1,t03\n",
		"b,-1e300,small,2000-02-29 12:30,29.02.2000,2,1000009,1,1,t03\n",
		"b,1,small,,29.02.2000,2,1000009,1,1,t03\n",
		"b,1,NA,2000-02-29 12:30,29.02.2000,2,1000009,1,1,t03\n",
	}
	writeFile(t, filepath.Join(dir, "good.csv"), good)
	writeFile(t, filepath.Join(dir, "mixed.csv"), good+strings.Join(bad, "")+lines[2])
	for _, flags := range [][]string{
		{"--method", "pu", "--transform", "quantile-normal"}, {"--method", "quantiles", "--transform", "quantile-normal"},
		{"--method", "mdn", "--transform", "quantile-normal", "--calibrate", "0.4"}, {"--method", "de", "--support", "1..4"},
		{"--method", "crps", "--bins", "3", "--support", "positive"}, {"--method", "pu", "--activation", "tanh", "--calibrate", "0.5", "--calibrate-mean-groups", "2"},
		{"--method", "student-t", "--network", "realmlp", "--transform", "log"}, {"--method", "pu", "--embedding-width", "2"},
		{"--method", "classes", "--target", "kind", "--drop", "y"},
	} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			model := filepath.Join(dir, strings.Join(flags, ""))
			if !slices.Contains(flags, "--target") {
				flags = append(flags, "--target", "y")
			}
			e := &exported{t, model, filepath.Join(dir, "good.csv"), 6}
			e.sml(append([]string{"train", "--data", table, "--drop", "z", "--missing", "drop", "--categorical", "size", "--epochs", "2", "--validation", "0", "--hidden", "8", "--quiet", "--out", model}, flags...)...)
			alone := e.run(nil)
			e.rows = filepath.Join(dir, "mixed.csv")
			for name, v := range e.run(nil) {
				for i, got := range v.Numbers {
					isBad := i >= 2 && i < 2+len(bad)
					want := alone[name].Numbers[0]
					if i == 1 {
						want = alone[name].Numbers[1]
					}
					if isBad != math.IsNaN(got) || !isBad && math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
						t.Errorf("%s of row %d is %v; want %v, and NaN for rows 2 to 6", name, i, got, want)
					}
				}
			}
		})
	}
}

// writeHeavyTail writes a table whose target y is 0 in four rows of ten and reaches 1e10
// in the others.
func writeHeavyTail(t *testing.T, dir string) string {
	t.Helper()
	text := "x,y\n"
	for i := range 200 {
		x := math.Sin(float64(i))
		y := math.Exp(12 + 4*x + 6*math.Sin(float64(7*i*i)))
		if i*i%10 < 4 {
			y = 0
		}
		text += fmt.Sprintf("%.6f,%.6g\n", x, y)
	}
	path := filepath.Join(dir, "heavy.csv")
	writeFile(t, path, text)
	return path
}

// Of real tables too: all rows of each, with what is missing in them.
func TestExportedTables(t *testing.T) {
	ort.RequireRuntime(t)
	tables, sets := rawTables(), os.Getenv("SML_DATA")
	if tables == "" || sets == "" {
		t.Skip("SKIPPED: there are no raw tables and data sets: set SML_TABLES and SML_DATA")
	}
	dir := t.TempDir()
	for i, c := range []struct{ table, target, method string }{
		{filepath.Join(sets, "yacht.csv"), "residuary_resistance", "sml"},
		{filepath.Join(tables, "penguins.csv"), "Body Mass (g)", "sml"},
		{filepath.Join(tables, "penguins.csv"), "Body Mass (g)", "sml-de"},
		{filepath.Join(tables, "seattle_weather.csv"), "temp_max", "mc"},
		{filepath.Join(tables, "seattle_weather.csv"), "temp_max", "pu-de"},
		{filepath.Join(tables, "mpg.csv"), "hwy", "sml"},
		{filepath.Join(tables, "mpg.csv"), "hwy", "bayes"},
		{filepath.Join(tables, "airquality.csv"), "Ozone", "concrete"},
		{filepath.Join(tables, "msleep.csv"), "sleep_total", "mdn"},
		{filepath.Join(tables, "flights_5k.csv"), "delay", "quantiles"},
		{filepath.Join(tables, "chickweight.csv"), "weight", "w-dropout"},
		{filepath.Join(tables, "quakes.csv"), "mag", "student-t"},
	} {
		name, _, _ := strings.Cut(filepath.Base(c.table), ".")
		t.Run(name+" "+c.method, func(t *testing.T) {
			t.Parallel()
			e := &exported{t, filepath.Join(dir, strconv.Itoa(i)), c.table, 10}
			e.sml("train", "--data", c.table, "--target", c.target, "--method", c.method, "--epochs", "20", "--split", "random", "--quiet", "--out", e.model)
			worst := e.holds(e.runWithMasks())
			_, rows := e.table()
			t.Logf("%d rows: at most %.1g standard deviations of the target apart", len(rows), worst)
		})
	}
}

// A file with analytic moments draws nothing and predicts what the program does.
func TestExportedMoments(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table := filepath.Join(dir, "friedman.csv")
	runSML(t, nil, "data", "toy", "friedman", "--out", table)
	for name, flags := range map[string][]string{
		"one layer":  {"--method", "mc-ll"},
		"two layers": {"--method", "sml", "--calibrate", "0.2"},
		"mish":       {"--method", "w-dropout", "--activation", "mish"},
		"ensemble":   {"--method", "sml-de", "--members", "2"},
		"copies":     {"--method", "sml", "--network", "tabm", "--copies", "2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &exported{t, filepath.Join(dir, name), table, 0}
			e.sml(append([]string{"train", "--data", table, "--target", "y", "--epochs", "3", "--hidden", "20,10", "--quiet", "--out", e.model}, flags...)...)
			worst := e.holds(e.run(nil, "--moments", "analytic"))
			t.Logf("at most %.1g standard deviations of the target apart", worst)
		})
	}
}

// A file that draws its own sub-networks has other ones than predict, and the same
// distribution: over all rows, what it says is as far from predict as another seed's is.
// A file without sub-networks has the mean of the network, which a symmetric calibration keeps.
func TestExportedDraws(t *testing.T) {
	ort.RequireRuntime(t)
	dir := t.TempDir()
	table := filepath.Join(dir, "friedman.csv")
	runSML(t, nil, "data", "toy", "friedman", "--out", table)
	writeFile(t, filepath.Join(dir, "rows.csv"), strings.Join(strings.SplitAfter(string(readFile(t, table)), "\n")[:301], ""))
	for method, flags := range map[string][]string{"sml": {"--dropout", "0.2"}, "sml-de": {"--dropout", "0.2", "--calibrate-kind", "conformal"}, "bayes": nil, "concrete": {"--dropout", "0.2"}} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			e := &exported{t, filepath.Join(dir, method), filepath.Join(dir, "rows.csv"), 200}
			e.sml(append([]string{"train", "--data", table, "--target", "y", "--method", method, "--epochs", "30", "--quiet", "--out", e.model}, flags...)...)
			got := e.run(nil, "--samples", "200", "--seed", "7")
			_, want := e.predicted()
			for _, name := range []string{"mean", "std"} {
				ratio, off := 0.0, 0.0
				for i, v := range want["std"] {
					if name == "std" {
						ratio += got[name].Numbers[i] / v / float64(len(want["std"]))
						continue
					}
					off = max(off, math.Abs(got[name].Numbers[i]-want[name][i])/v)
				}
				limit := 0.02
				if method == "bayes" { // a std of 200 draws has a relative error of 1/√400 in a row; Bayes draws one network for all rows
					limit = 0.15
				}
				if name == "std" && !(math.Abs(ratio-1) < limit) || !(off < 6/math.Sqrt(200)) {
					t.Errorf("%s: ratio %v, difference %v", name, ratio, off)
				}
				t.Logf("%s: ratio %.4f, largest difference %.3g std", name, ratio, off)
			}
			again := e.run(nil, "--samples", "200", "--seed", "7")
			other := e.run(nil, "--samples", "200", "--seed", "8")
			if !slices.Equal(got["std"].Numbers, again["std"].Numbers) || slices.Equal(got["std"].Numbers, other["std"].Numbers) {
				t.Error("what is drawn does not follow from the seed")
			}
			alone := e.run(nil, "--masks", "none")
			if len(alone) != 1 {
				t.Errorf("without sub-networks there is %v", alone)
			}
			if strings.HasPrefix(method, "sml") {
				e.holds(alone, "mean")
			}
		})
	}
}

// The Python of docs/howto/read-weights.md, which reads the files of a model, predicts what predict
// does.
func TestPythonReadsWeights(t *testing.T) {
	skipIfShort(t)
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			python = name
			break
		}
	}
	if python == "" {
		t.Skip("SKIPPED: there is no Python with numpy")
	}
	_, program, _ := strings.Cut(readPage(t, "docs/howto/read-weights.md"), "```python predict.py\n")
	program, _, _ = strings.Cut(program, "```")
	dir := t.TempDir()
	e := &exported{t, filepath.Join(dir, "model"), filepath.Join(dir, "friedman.csv"), 200}
	e.sml("data", "toy", "friedman", "--out", e.rows)
	e.sml("train", "--data", e.rows, "--target", "y", "--method", "sml", "--hidden", "50,50", "--bins", "0", "--epochs", "20", "--split", "none", "--quiet", "--out", e.model)
	out, err := exec.Command(python, "-c", program, e.model, e.rows).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, want := e.predicted()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(want["mean"]) {
		t.Fatalf("%d lines, want %d", len(lines), len(want["mean"]))
	}
	ratio, unit := 0.0, e.spread("y")
	for i, line := range lines {
		var mean, std float64
		expect.Must(fmt.Sscan(line, &mean, &std))
		if !(math.Abs(mean-want["mean"][i]) <= 1e-5*unit) {
			t.Fatalf("the mean of row %d is %v, want %v", i+1, mean, want["mean"][i])
		}
		ratio += std / want["std"][i] / float64(len(lines))
	}
	if !(math.Abs(ratio-1) < 0.02) { // other draws: 1/√400 in a row
		t.Errorf("standard deviations are %v times those of predict", ratio)
	}
}
