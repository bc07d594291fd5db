package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/expect"
)

// readFile reads the table in a file.
func readFile(ctx context.Context, s experiment.Source, protocol data.Protocol) (*data.Table, error) {
	return s.Read(ctx, "", protocol)
}

// rawTable writes a table with a category, a number with missing values and a weight. Only its last
// rows have the category d. Its target is linear in the number, with a constant for each category.
func rawTable(t *testing.T, name string) string {
	t.Helper()
	text := "colour,x,hole,count,y\n"
	for i := range 60 {
		hole := fmt.Sprint(i % 7)
		if i%5 == 0 {
			hole = ""
		}
		text += fmt.Sprintf("%s,%d,%s,%d,%v\n", []string{"red", "green", "blue"}[i%3], i*i%31, hole, 1+i%2, float64(i*i%31)/10+float64(i%3))
	}
	path := filepath.Join(t.TempDir(), name)
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// ownTableConfig returns a study of the user's own table that runs in less than a second.
func ownTableConfig(t *testing.T) Config {
	return Config{
		Tables:  []Table{{Data: rawTable(t, "mine.csv"), ReadOptions: experiment.ReadOptions{Target: []string{"y"}, Weight: "count"}}},
		Methods: []string{"sml", "pu", "pu-de"}, Fold: []int{0, 1}, Settings: Settings{"epochs": {"2"}, "width": {"6"}, "samples": {"5"}},
	}
}

func runFiles(t *testing.T, c Config) Directory {
	t.Helper()
	p := expect.Must(NewPlan(t.Context(), c, testVersion, readFile, false))
	dir := writePlan(t, p)
	p = expect.Must(ReadPlan(dir))
	if s, err := Run(t.Context(), dir, p, testVersion, readFile, Options{}); err != nil || s.Done != s.Cells {
		t.Fatalf("%+v, %v", s, err)
	}
	return Directory{dir, p}
}

// In each fold, a prepared table has the inputs that follow from the fold's training rows. The
// protocol is the sound one, and rows have their weights.
func TestTablesOfOnesOwn(t *testing.T) {
	c := ownTableConfig(t)
	s := runFiles(t, c)
	cell := s.Plan.Cells[0]
	if cell.datasetName() != "mine" || !strings.HasPrefix(cell.Name, "mine--sml--random-0--seed-1--") || cell.Training.Protocol != data.Sound || !cell.Spec.Weighted || cell.KeepPictures {
		t.Errorf("%+v", cell)
	}
	if inputs := cell.Spec.Architecture.Inputs; inputs != 6 { // three levels, x, hole and whether it is missing
		t.Errorf("%d inputs", inputs)
	}
	expect.NoError(t, os.WriteFile(c.Tables[0].Data, []byte("x,count,y\n1,1,2\n2,1,3\n3,1,5\n"), 0o666))
	expect.NoError(t, os.Remove(s.Plan.cellPath(s.Dir, cell.Name)))
	_, err := Run(t.Context(), s.Dir, s.Plan, testVersion, readFile, Options{})
	expect.Error(t, err, "mine.csv has changed since the study was planned")
}

// The labels of cells have the settings with several values, and no others.
func TestVariants(t *testing.T) {
	c := Config{
		Preset: "few", Datasets: []string{"aa"}, Methods: []string{"mc", "sml beta=0.25"}, Splits: []string{"random"}, Fold: []int{0},
		Settings: Settings{"epochs": {"1", "2"}, "hidden": {"8, 4", ""}, "dropout": {"0.05"}, "optimizer": {"adam", "sgd  momentum=0.5"}, "weight-decay": {"0"}},
	}
	p := newTestPlan(t, c)
	want := []string{
		"mc hidden=8,4 epochs=1", "mc hidden=8,4 epochs=1 by sgd momentum=0.5", "mc hidden=8,4 epochs=2", "mc hidden=8,4 epochs=2 by sgd momentum=0.5",
		"mc hidden=none epochs=1", "mc hidden=none epochs=1 by sgd momentum=0.5", "mc hidden=none epochs=2", "mc hidden=none epochs=2 by sgd momentum=0.5",
	}
	for _, label := range slices.Clone(want) {
		want = append(want, strings.Replace(label, "mc", "sml beta=0.25", 1))
	}
	var got []string
	for _, c := range p.Cells {
		got = append(got, c.Label)
	}
	if !slices.Equal(got, want) || len(p.Cells) != 16 {
		t.Errorf("%d cells of %q; want %q", len(p.Cells), got, want)
	}
	last := p.Cells[15]
	if a := last.Spec.Architecture; len(a.Hidden) != 0 || a.Dropout != 0.05 || last.Training.Epochs != 2 || last.Training.Optimizer != "sgd" || last.Name[:60] != "aa--sml-beta0.25-hiddennone-epochs2-by-sgd-momentum0.5--rand" {
		t.Errorf("%+v", last)
	}
	if title := MethodTitle(last.Label); title != "SML beta=0.25 hidden=none epochs=2 by sgd momentum=0.5" {
		t.Errorf("it is called %q", title)
	}
	if _, err := decodePlan(mustJSON(encodePlan(p))); err != nil {
		t.Error(err)
	}
}

// A table can name a column of groups, which is not an input, a column of times, or a file of test rows for
// its splits.
func TestTablesOfOwnSplits(t *testing.T) {
	raw := rawTable(t, "raw.csv")
	c := Config{
		Tables: []Table{
			{Data: raw, Name: "grouped", ReadOptions: experiment.ReadOptions{Group: "colour"}, Splits: []string{"group", "random"}}, {Data: raw, Name: "timed", ReadOptions: experiment.ReadOptions{Time: "x", TestFraction: 0.5}},
			{Data: raw, Name: "filed", ReadOptions: experiment.ReadOptions{Test: rawTable(t, "later.csv")}}, {Data: raw, Name: "plain"},
		},
		Methods: []string{"sml"}, Settings: Settings{"epochs": {"1"}, "samples": {"5"}},
	}
	s := runFiles(t, c)
	found := make(map[string]int)
	for _, c := range s.Plan.Cells {
		a := c.Spec.Architecture
		found[fmt.Sprint(c.datasetName(), " ", c.Training.Split, " ", c.Training.TestFraction, " ", a.Inputs)]++
	}
	want := map[string]int{"grouped group 0 4": 3, "grouped random 0 4": 10, "timed time 0.5 7": 1, "filed file 0 7": 1, "plain random 0 7": 10}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("%v; want %v", found, want)
	}
	if _, _, err := Collect([]Directory{s, s}); err != nil {
		t.Error(err)
	}
	c.Tables[1].TestFraction = 0.3
	if _, _, err := Collect([]Directory{s, runFiles(t, c)}); err == nil || !strings.Contains(err.Error(), "the time split of timed holds out a fraction of 0.3 of the rows in") {
		t.Errorf("of another share: %v", err)
	}
	expect.NoError(t, os.Truncate(c.Tables[2].Test, 300))
	for _, cell := range s.Plan.Cells {
		os.Remove(s.Plan.cellPath(s.Dir, cell.Name))
	}
	expect.Error(t, expect.ErrorOf(Run(t.Context(), s.Dir, s.Plan, testVersion, readFile, Options{})), "later.csv")
}

// With several seeds, each seed has the scores of a study with that seed alone, without the scores
// of which a training has not ended.
func TestCollectStudiesBySeed(t *testing.T) {
	c := small
	c.Datasets, c.Splits, c.Seeds = []string{"aa"}, []string{"random"}, []uint64{2, 1}
	dir, p, _ := runNewStudy(t, c, Options{Jobs: 2})
	both, _, err := Collect([]Directory{{dir, p}})
	expect.NoError(t, err)
	if len(both[0].Seeds) != 2 {
		t.Fatalf("%d seeds; want 1 and 2", len(both[0].Seeds))
	}
	for i, seed := range []uint64{1, 2} {
		c.Seeds = []uint64{seed}
		own, q, _ := runNewStudy(t, c, Options{Jobs: 2})
		alone, _, err := Collect([]Directory{{own, q}})
		expect.NoError(t, err)
		if got := both[0].Seeds[i]; got.Seed != seed || fmt.Sprint(got.Scores) != fmt.Sprint(alone[0].Scores) || len(alone[0].Seeds) != 0 {
			t.Errorf("%+v\nof the study of that seed alone %+v", got, alone[0])
		}
	}
	expect.NoError(t, os.Remove(p.cellPath(dir, p.Cells[0].Name)))
	both, _, err = Collect([]Directory{{dir, p}})
	expect.NoError(t, err)
	for i, want := range []bool{true, false} {
		has := slices.ContainsFunc(both[0].Seeds[i].Scores, func(s measure.Score) bool { return s.Method == "sml" })
		if has != want || len(both[0].Seeds[i].Scores) == 0 {
			t.Errorf("seed %d has scores of sml: %v; want %v", i+1, has, want)
		}
	}
}

// Several studies of different folds and seeds have the same scores as one study of all folds and seeds.
func TestCollectStudies(t *testing.T) {
	c := ownTableConfig(t)
	c.Methods, c.Seeds = []string{"sml"}, []uint64{1, 2, 3}
	whole := runFiles(t, c)
	c.Seeds = []uint64{1, 2}
	a := runFiles(t, c)
	c.Seeds = []uint64{2, 3}
	text := expect.Must(os.ReadFile(c.Tables[0].Data))
	c.Tables[0].Data = filepath.Join(t.TempDir(), "mine.csv") // the table in another place
	expect.NoError(t, os.WriteFile(c.Tables[0].Data, text, 0o666))
	b := runFiles(t, c)
	both, notes, err := Collect([]Directory{a, b})
	expect.NoError(t, err)
	want := collectOne(t, whole.Dir, whole.Plan).Scores
	if fmt.Sprint(both[0].Scores) != fmt.Sprint(want) || len(both[1].Scores) != 0 { // as texts, since some are NaN
		t.Errorf("together %+v\nas one %+v", both, want)
	}
	if len(notes) != 1 || notes[0] != b.Dir+": 2 of its trainings count once, since "+a.Dir+" has them, too" {
		t.Errorf("%q", notes)
	}
	if both[1].Summary.Done != 4 {
		t.Errorf("%+v", both[1].Summary)
	}
	// A training that one study has not run yet comes from the other.
	expect.NoError(t, os.Remove(a.Plan.cellPath(a.Dir, a.Plan.Cells[1].Name)))
	again, notes, err := Collect([]Directory{a, b})
	if err != nil || again[0].Scores[0].Folds != 6 {
		t.Errorf("%+v, %v", again, err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], ": 1 of its trainings count once") { // only results are counted
		t.Errorf("%q", notes)
	}

	for want, edit := range map[string]func(*Plan){
		"sml on mine was computed by version 2 of the program in b, and by ver": func(p *Plan) { p.Version = "2" },
		"sml on mine has weight nothing in b, and count in ":                    func(p *Plan) { p.Cells[0].Table.Weight = "" },
	} {
		other := expect.Must(ReadPlan(b.Dir))
		edit(other)
		_, _, err = Collect([]Directory{a, {"b", other}})
		expect.Error(t, err, want)
	}
}

// The default name of a table is its file's name, with a number if another table or a data set has that name.
func TestNamesOfTables(t *testing.T) {
	c := Config{Tables: []Table{
		{Data: "a/mpg.csv"}, {Data: "b/mpg.csv.gz"}, {Data: "concrete.csv"}, {Data: "yacht"}, {Data: "boston", ReadOptions: experiment.ReadOptions{Transform: "log"}},
		{Data: "x", Name: "mpg-2"}, {Data: "Größe (m²), neu.csv"}, {Data: ".csv"}, {Data: "/"}, {Data: strings.Repeat("n", 100)},
	}}
	resolved := expect.Must(c.resolve())
	var names []string
	for _, in := range resolved.tables() {
		names = append(names, in.name)
	}
	want := []string{"mpg", "mpg-3", "concrete-2", "yacht", "boston-2", "mpg-2", "Größe-m-neu", "csv", "table", strings.Repeat("n", 56)}
	if !slices.Equal(names, want) {
		t.Errorf("%q; want %q", names, want)
	}
	again, err := resolved.resolve()
	if err != nil || fmt.Sprint(again.Tables) != fmt.Sprint(resolved.Tables) {
		t.Errorf("resolved again: %v, %v", again.Tables, err)
	}
}

func TestTablesAreChecked(t *testing.T) {
	raw := rawTable(t, "raw.csv")
	of := func(edit func(*Table)) Config {
		table := Table{Data: raw}
		edit(&table)
		return Config{Tables: []Table{table}}
	}
	many := of(func(*Table) {})
	many.Methods, many.Seeds = []string{"sml"}, manySeeds(100)
	for i := range 101 {
		many.Settings = many.Settings.merge(Settings{"dropout": append(slices.Clone(many.Settings["dropout"]), fmt.Sprint(float64(i)/1000))})
	}
	equal := of(func(*Table) {})
	equal.Methods, equal.Settings = []string{"sml"}, Settings{"network": {"mlp", "mlp "}}
	own := of(func(*Table) {})
	own.Settings = Settings{"network": {"none"}, "activation": {"tanh"}}
	for want, c := range map[string]Config{
		"the data has no name":                 of(func(t *Table) { t.Data = "" }),
		`header "maybe": want auto, yes or no`: of(func(t *Table) { t.Header = "maybe" }),
		`table raw: the order of column "size" cannot be used: there is no such input`: of(func(t *Table) { t.Ordinal = []string{"size=S,M"} }),
		`the name "a/b": want at most 60 letters`:                                      of(func(t *Table) { t.Name = "a/b" }),
		"a data set is called concrete":                                                of(func(t *Table) { t.Name = "concrete" }),
		"the split file needs a file of test rows: choose it with test":                of(func(t *Table) { t.Splits = []string{"file"} }),
		"test: all other rows are trained on, and it cannot be split by random":        of(func(t *Table) { t.Test, t.Splits = raw, []string{"file", "random"} }),
		`column "colour" holds texts, such as "blue"`:                                  of(func(t *Table) { t.Time, t.Splits = "colour", []string{"time"} }),
		"dropout lists 0.1 twice":                                                      {Tables: equal.Tables, Settings: Settings{"dropout": {"0.1", "0.10"}}},
		"standard input is read once: name a file":                                     of(func(t *Table) { t.Data = "-" }),
		"two tables are called m":                                                      {Tables: []Table{{Data: raw, Name: "m"}, {Data: "other", Name: "m"}}},
		"yacht is listed among the data sets and among the tables":                     {Datasets: []string{"yacht"}, Tables: []Table{{Data: "yacht"}}},
		`unknown network "mlp "`:                                                       equal,
		"more than 100000 cells: divide it into several":                               many,
	} {
		expect.Error(t, expect.ErrorOf(NewPlan(t.Context(), c, testVersion, readFile, false)), want)
	}
}

// A table of a configuration is the path of a file, or has keys.
func TestReadTables(t *testing.T) {
	c, err := ReadConfig(strings.NewReader(`
tables:
- a.csv
- data: b.csv
  target: [u, v]
  drop: id
  ordinal: "cut=Fair,Good"
  header: no
  splits: label
  name: bee
dropout: 0
hidden: ["50,50", "", 100]
lr: [0.1, 0.01]
optimizer: sgd momentum=0.5
`))
	want := Config{
		Tables:   []Table{{Data: "a.csv"}, {Data: "b.csv", Name: "bee", ReadOptions: experiment.ReadOptions{Target: []string{"u", "v"}, Drop: []string{"id"}, Ordinal: []string{"cut=Fair,Good"}, Header: "no"}, Splits: []string{"label"}}},
		Settings: Settings{"dropout": {"0"}, "hidden": {"50,50", "", "100"}, "lr": {"0.1", "0.01"}, "optimizer": {"sgd momentum=0.5"}},
	}
	if err != nil || fmt.Sprintf("%#v", c) != fmt.Sprintf("%#v", want) {
		t.Errorf("%#v, %v; want %#v", c, err, want)
	}
}

// The planned cost of a training follows from the inputs of its first layer: a column of many categories has as many
// inputs as its embedding has numbers, if it is embedded, and bins are inputs.
func TestCostOfInputs(t *testing.T) {
	const categories = 60
	text := "place,x,y\n"
	for i := range 10 * categories {
		text += fmt.Sprintf("p%d,%d,%d\n", i%categories, i*i%31, i*i%17)
	}
	path := filepath.Join(t.TempDir(), "places.csv")
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	p := expect.Must(NewPlan(t.Context(), Config{
		Tables:   []Table{{Data: path, ReadOptions: experiment.ReadOptions{Target: []string{"y"}}}},
		Methods:  []string{"pu"},
		Fold:     []int{0},
		Settings: Settings{"epochs": {"2"}, "hidden": {"50"}, "embedding-width": {"0", "5", "20"}, "bins": {"0", "8"}},
	}, testVersion, readFile, false))
	for _, c := range p.Cells {
		a := c.Spec.Architecture
		want := 1 + categories + a.Bins // inputs of the first layer: x, its bins, and the categories
		embedding := 0
		if a.EmbeddingWidth > 0 {
			want = 1 + a.EmbeddingWidth + a.Bins
			embedding = categories * a.EmbeddingWidth
		}
		got, afterFirst := c.countProducts()
		if wantProducts := float64(embedding + 50*want); got != wantProducts || afterFirst != 0 {
			t.Errorf("%s: %v multiplications and %v after the first layer; want %v and 0", c.Label, got, afterFirst, wantProducts)
		}
	}
	if len(p.Cells) != 6 {
		t.Errorf("there are %d cells; want 6", len(p.Cells))
	}
}
