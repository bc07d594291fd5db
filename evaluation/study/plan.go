package study

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/internal/safefile"
	"sml/models"
	"sml/trainers"
)

// meaning is the version of what a study's numbers mean: it is raised when the same
// settings would give other numbers.
const meaning = 3

// Cell is one experiment: all that its result depends on, but for the table's
// values, which its checksum identifies.
type Cell struct {
	Label string `json:"method"`       // as the configuration has it, with hyperparameters and what else varies
	As    string `json:"as,omitempty"` // what its table is called; default Table.Name
	experiment.Settings
	Keep     string `json:"keep,omitempty"`     // format in which predictions of the test rows are kept
	Pictures bool   `json:"pictures,omitempty"` // what figures of single rows need is kept as well
	Frozen   string `json:"frozen,omitempty"`   // models.Spec.FrozenSum when the study was planned
}

// Dataset is what the cell's table is called in reports.
func (c Cell) Dataset() string { return cmp.Or(c.As, c.Table.Name) }

// Planned is a cell of a plan.
type Planned struct {
	Name string  // name of the cell's file: readable, and unique by the hash
	Hash string  // hash of the meaning and all fields of the cell
	Cost float64 // estimate, in seconds on one core
	Cell
}

// Plan is a study that is to be run.
type Plan struct {
	Version string    // of the program; cells of another are not mixed in
	Config  Config    // resolved
	Absent  []string  // data sets left out because their files are not there
	Sum     string    // SHA-256 of the plan's file without this field
	Cells   []Planned // in the order of the grid
}

// maxCells bounds a plan: a study of all sets, methods, splits and folds has less than
// 3000 for a seed.
const maxCells = 100_000

// Reader reads the table of a source, as experiment.Source.Read does.
type Reader func(ctx context.Context, s experiment.Source, protocol data.Protocol) (*data.Table, error)

// ErrAbsent is wrapped by a Reader's error for a data set whose file is not
// there, and by NewPlan's.
var ErrAbsent = errors.New("absent")

// NewPlan lists the cells of a study, data set by data set in the order of
// the configuration, then table by table. Data sets that are absent are an error that
// names them all, unless skipMissing leaves them out. When ctx ends the error is ctx's.
func NewPlan(ctx context.Context, c Config, version string, read Reader, skipMissing bool) (*Plan, error) {
	c, err := c.resolve()
	if err != nil {
		return nil, err
	}
	p := &Plan{Version: version, Config: c, Absent: []string{}}
	var reasons []string
	for _, in := range c.tables() {
		t, err := read(ctx, in.source, data.Protocol(c.Protocol))
		if errors.Is(err, ErrAbsent) {
			p.Absent = append(p.Absent, in.name)
			reasons = append(reasons, err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := p.add(ctx, in, t); err != nil {
			return nil, err
		}
	}
	if len(p.Absent) > 0 && !skipMissing {
		return nil, fmt.Errorf("%d data sets are %w:\n%s", len(p.Absent), ErrAbsent, strings.Join(reasons, "\n"))
	}
	if len(p.Cells) == 0 {
		return nil, errors.New("the study has no cells")
	}
	p.Sum, err = p.content().sum()
	return p, err
}

// listed is a table of a study.
type listed struct {
	name   string
	source experiment.Source
	splits []string
	share  float64 // that is tested on, of splits where it may be chosen; 0: theirs
}

func (l listed) shareOf(split string) float64 {
	if kindOf(split).AtShare == nil {
		return 0
	}
	return l.share
}

// tables are the data sets and tables of a resolved configuration.
func (c Config) tables() []listed {
	var list []listed
	for _, name := range c.Datasets {
		list = append(list, listed{name, experiment.Source{Name: name}, c.Splits, 0})
	}
	for _, t := range c.Tables {
		source, _ := t.source() // it is checked
		list = append(list, listed{t.Name, source, c.splitsOf(t), t.TestShare})
	}
	return list
}

// splitsOf are the splits of a table: the study's, unless it has its own.
func (c Config) splitsOf(t Table) []string {
	if len(t.Splits) > 0 {
		return t.Splits
	}
	if needs := t.needs(); len(needs) > 0 {
		return []string{needs[0].kind}
	}
	return c.Splits
}

// add appends the cells of one table.
func (p *Plan) add(ctx context.Context, in listed, t *data.Table) error {
	c := p.Config
	known := experiment.RecipeFor(in.source.Name, t.Rows()-t.Held)
	cells := 0.0
	foldsOf := make(map[string][]int)
	for _, split := range in.splits {
		folds, err := c.foldsOf(split, t, known)
		if err != nil {
			return fmt.Errorf("%s split of %s: %w", split, in.name, err)
		}
		if kind := kindOf(split); kind.Column != "" { // what its column holds is told now
			kind, err := kind.WithShare(in.shareOf(split))
			if err == nil {
				_, err = kind.Split(ctx, t, folds[0], data.Protocol(c.Protocol), c.Seeds[0])
			}
			if err != nil {
				return err
			}
		}
		foldsOf[split] = folds
		cells += float64(len(folds) * len(c.Seeds) * max(1, c.Inner))
	}
	if float64(len(p.Cells))+float64(cells*float64(float64(len(c.Methods))*c.size())) > maxCells {
		return fmt.Errorf("the study has more than %d cells: cut it into several", maxCells)
	}
	table, err := in.source.Found(ctx, t)
	if err != nil {
		return err
	}
	table.Layout = nil // its checksum tells columns
	cell := Cell{Keep: c.Predictions}
	if in.name != table.Name {
		cell.As = in.name
	}
	begin := draft(len(t.Targets), len(t.Columns))
	begin.Table = table
	begin.Training.Protocol = data.Protocol(c.Protocol)
	begin.Prediction.Measures = c.Measures
	if begin.Spec.Architecture.Inputs, err = c.inputs(ctx, begin, t); err != nil {
		return fmt.Errorf("table %s: %w", in.name, err)
	}
	preset, _ := c.preset() // these names are checked
	for _, label := range c.Methods {
		method, chosen, _, _ := parseMethod(label)
		own := c.of(label)
		same := make(map[string]string) // labels by what is trained
		for _, v := range own.variants() {
			settings := begin
			if early := experiment.EarlyStoppingFor(table.Name, method, table.Rows); len(own.Validation) == 0 && early.Validation > 0 {
				settings.Training.Validation = early.Validation
				if len(own.Patience) == 0 {
					settings.Training.Patience = early.Patience
				}
			}
			settings.Training.Split, settings.Training.TestShare = in.splits[0], in.shareOf(in.splits[0])
			v.set(&settings)
			if settings, err = complete(settings, method, chosen); err != nil {
				return err
			}
			settings.Training.Epochs, settings.Training.Batch = cmp.Or(settings.Training.Epochs, known.Epochs), cmp.Or(settings.Training.Batch, known.Batch)
			if preset.Prediction != nil {
				settings.Prediction.By = preset.Prediction(settings.Spec, settings.Training.Protocol).By
			}
			cell.Label = label + v.label
			if resolved, err := settings.Resolve(); err != nil {
				return err
			} else if other := same[string(mustJSON(resolved))]; other != "" {
				return fmt.Errorf("%q and %q are one: two values of a setting mean the same to %s", other, cell.Label, label)
			} else {
				same[string(mustJSON(resolved))] = cell.Label
				cell.Frozen, _ = resolved.Spec.FrozenSum() // that of a model which is not there is told by the training
			}
			for _, split := range in.splits {
				for i, fold := range foldsOf[split] {
					for j, seed := range c.Seeds {
						settings.Training.Seed, settings.Training.Split, settings.Training.Fold = seed, split, fold
						settings.Training.TestShare = in.shareOf(split)
						cell.Pictures = cell.As == "" && split == "random" && i == 0 && j == 0 && c.Inner == 0 // pictures are of data sets
						for inner := range max(1, c.Inner) {
							settings.Training.Inner = trainers.Inner{Folds: c.Inner, Fold: inner}
							if cell.Settings, err = settings.Resolve(); err != nil {
								return err
							}
							p.Cells = append(p.Cells, cell.planned())
						}
					}
				}
			}
		}
	}
	return nil
}

// inputs is how many inputs a network has on the whole table, and about how many on
// the training rows of a fold. The error is that of a table that cannot be prepared.
func (c Config) inputs(ctx context.Context, begin experiment.Settings, t *data.Table) (int, error) {
	if !begin.Table.Prepared() && begin.Table.Transform == "" {
		return len(t.Columns), nil
	}
	method, chosen, _, _ := parseMethod(c.Methods[0])
	if begin.Table.Test != nil {
		begin.Training.Split = data.TestFile
	}
	s, err := complete(begin, method, chosen)
	if err != nil {
		return 0, err
	}
	e, err := experiment.Prepare(ctx, s, experiment.Share(t))
	if err != nil {
		return 0, err
	}
	return e.Spec.Architecture.Inputs, nil
}

// foldsOf are the folds asked for, where a split has several, or the recipe's.
func (c Config) foldsOf(split string, t *data.Table, known experiment.Recipe) ([]int, error) {
	folds, err := kindOf(split).FoldsOf(t)
	if err != nil || len(c.Fold) == 0 || folds == 1 {
		return known.FoldsOf(folds), err
	}
	for _, f := range c.Fold {
		if err := data.CheckFold(f, folds); err != nil {
			return nil, err
		}
	}
	return c.Fold, nil
}

// kindOf returns the kind of split of a cell: it is known, as plans are checked.
func kindOf(split string) data.SplitKind {
	kind, _ := data.LookupSplit(split)
	return kind
}

// planned names a cell and estimates its cost.
func (c Cell) planned() Planned {
	hash := c.hash()
	method := strings.NewReplacer(" ", "-", "=", "", "/", "-").Replace(c.Label)
	method = strings.ToValidUTF8(method[:min(len(method), maxMethodName)], "")
	split := fmt.Sprintf("%s-%d", c.Training.Split, c.Training.Fold)
	if in := c.Training.Inner; in.Folds > 0 {
		split += fmt.Sprintf("-inner-%d", in.Fold)
	}
	name := fmt.Sprintf("%s--%s--%s--seed-%d--%s", c.Dataset(), method, split, c.Training.Seed, hash[:hashInName])
	return Planned{Name: name, Hash: hash, Cost: c.cost(), Cell: c}
}

// hashInName is how many digits of its hash end a cell's name.
const hashInName = 10

// maxMethodName is in bytes: file systems take names of 255.
const maxMethodName = 100

// hash identifies everything that decides a cell's result.
func (c Cell) hash() string {
	return safefile.Sum(mustJSON(struct {
		Format int
		Cell
	}{meaning, c}))
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a cell holds nothing that JSON cannot
	}
	return text
}

// asked is what a configuration asks for, in the form in which cells are held to it.
type asked struct {
	Config
	labels map[string][]int    // of each the numbers of samples
	splits map[string][]string // by data set or table
	seeds  map[uint64]bool
}

// asks returns an error for a configuration of more labels than a plan has cells.
func (c Config) asks() (asked, error) {
	a := asked{c, make(map[string][]int), make(map[string][]string), make(map[uint64]bool)}
	if c.size()*float64(len(c.Methods)) > maxCells {
		return a, fmt.Errorf("the plan's configuration has more than %d cells", maxCells)
	}
	for _, m := range c.Methods {
		own := c.of(m)
		for _, v := range own.variants() {
			a.labels[m+v.label] = own.Samples
		}
	}
	for _, name := range c.Datasets {
		a.splits[name] = c.Splits
	}
	for _, t := range c.Tables {
		a.splits[t.Name] = c.splitsOf(t)
	}
	for _, seed := range c.Seeds {
		a.seeds[seed] = true
	}
	return a, nil
}

// has tells whether a report of the configuration looks for a cell.
func (a asked) has(cell Cell) bool {
	t := cell.Training
	return slices.Contains(a.labels[cell.Label], cell.Prediction.Samples) && t.Inner.Folds == a.Inner && slices.Contains(a.splits[cell.Dataset()], t.Split) && a.seeds[t.Seed] &&
		cell.Keep == a.Predictions && slices.Equal(cell.Prediction.Measures, a.Measures) && string(t.Protocol) == a.Protocol
}

// check holds a planned cell to what can be planned. A method that this
// program does not know can still be reported.
func (c Planned) check() error {
	if !(c.Cost >= 0 && c.Cost <= maxCost) {
		return fmt.Errorf("its cost is %v seconds: want 0 to %v", c.Cost, maxCost)
	}
	if _, err := models.Lookup(c.Spec.Method); err != nil {
		kind, err := data.LookupSplit(c.Training.Split)
		if err != nil {
			return err
		}
		return cmp.Or(kind.CheckFold(c.Training.Fold), c.Spec.Architecture.Check(1, 1))
	}
	_, err := c.Resolve()
	return err
}

// maxCost is in seconds: no one waits as long, and sums of it can be told as a time.
const maxCost = 1e12

// passesOf says how many times the training step of a plain network, such as pu's, one of
// another method takes, as it was measured.
var passesOf = map[string]float64{
	"sml": 1.8, "sml-de": 1.8, "w-dropout": 4.2, "concrete": 3.2, "bayes": 2, "adv-de": 2,
	"evidential": 1.5, "student-t": 1.5, "mdn": 1.3,
}

// cost estimates the seconds of a cell on one core from the multiplications
// of its training steps and of its sub-networks.
func (c Cell) cost() float64 {
	const (
		perMultiplication = 2.2e-11 // seconds
		perStep           = 1e-5
		perSample         = 8e-8 // of a row, beside its multiplications
	)
	rows := c.Table.Rows
	if c.Table.Test != nil {
		rows += c.Table.Test.Rows
	}
	weights, later, before := 0.0, 0.0, float64(c.Spec.Architecture.Inputs) // later: behind the first hidden layer
	for i, units := range c.Spec.Architecture.Hidden {
		layer := float64(before * float64(units))
		if weights += layer; i > 0 {
			later += layer
		}
		before = float64(units)
	}
	if len(c.Spec.Architecture.Hidden) == 0 {
		weights = before
	}
	method, err := models.Lookup(c.Spec.Method)
	if err != nil {
		return 0
	}
	passes := 1.0
	if measured, ok := passesOf[method.Name]; ok {
		passes = measured
	}
	train := float64(rows) * 0.9 * (1 - c.Training.Validation)
	steps := float64(c.Training.Epochs*c.Training.Members) * train / float64(c.Training.Batch)
	seconds := float64(steps * (perStep + float64(3*passes*weights*float64(c.Training.Batch)*perMultiplication)))
	if method.Stochastic {
		judged := float64(rows)
		if kindOf(c.Training.Split).Train == "" {
			judged *= 0.1
		}
		seconds += float64(judged * float64(c.Prediction.Samples) * (perSample + float64(later*perMultiplication)))
	}
	return min(seconds, maxCost)
}
