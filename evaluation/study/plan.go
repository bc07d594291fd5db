package study

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sml/data"
	"sml/data/safefile"
	"sml/data/strict"
	"sml/evaluation/experiment"
	"sml/models"
)

// format is the version of a study's files and of what its numbers mean: it
// is raised when the same settings would give other numbers.
const format = 3

// Cell is one experiment: all that its result depends on, but for the table's
// values, which its checksum identifies.
type Cell struct {
	Label string `json:"method"` // as the configuration has it, with hyperparameters
	experiment.Settings
	Keep     string `json:"keep,omitempty"`     // format in which predictions of the test rows are kept
	Pictures bool   `json:"pictures,omitempty"` // what figures of single rows need is kept as well
}

// Planned is a cell of a plan.
type Planned struct {
	Name string  `json:"name"` // of its file: readable, and unique by the hash
	Hash string  `json:"hash"` // of the format and all fields of the cell
	Cost float64 `json:"cost"` // estimate, in seconds on one core
	Cell
}

// Plan is a study that is to be run.
type Plan struct {
	Format  int       `json:"format"`
	Version string    `json:"version"` // of the program; cells of another are not mixed in
	Config  Config    `json:"config"`  // resolved
	Absent  []string  `json:"absent"`  // data sets left out because their files are not there
	Sum     string    `json:"sha256"`  // of the plan without this field
	Cells   []Planned `json:"cells"`
}

// Bounds of a plan.
const (
	maxCells = 100_000   // a study of all sets, methods, splits and folds has less than 3000 for a seed
	maxPlan  = 512 << 20 // bytes of its file: as many cells, of 5 KiB
)

func (p *Plan) sum() (string, error) {
	bare := *p
	bare.Sum = ""
	text, err := json.Marshal(bare)
	return safefile.Sum(text), err
}

// Source reads the table of a data set or toy set by its name.
type Source func(ctx context.Context, name string, protocol data.Protocol) (*data.Table, error)

// ErrAbsent is wrapped by a Source's error for a data set whose file is not
// there, and by NewPlan's.
var ErrAbsent = errors.New("absent")

// NewPlan lists the cells of a study, data set by data set in the order of
// the configuration. Data sets that are absent are an error that names them
// all, unless skipMissing leaves them out. When ctx ends the error is ctx's.
func NewPlan(ctx context.Context, c Config, version string, source Source, skipMissing bool) (*Plan, error) {
	c, err := c.resolve()
	if err != nil {
		return nil, err
	}
	p := &Plan{Format: format, Version: version, Config: c, Absent: []string{}}
	var reasons []string
	for _, name := range c.Datasets {
		t, err := source(ctx, name, data.Protocol(c.Protocol))
		if errors.Is(err, ErrAbsent) {
			p.Absent = append(p.Absent, name)
			reasons = append(reasons, err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := p.add(ctx, name, t); err != nil {
			return nil, err
		}
	}
	if len(p.Absent) > 0 && !skipMissing {
		return nil, fmt.Errorf("%d data sets are %w:\n%s", len(p.Absent), ErrAbsent, strings.Join(reasons, "\n"))
	}
	if len(p.Cells) == 0 {
		return nil, errors.New("the study has no cells")
	}
	p.Sum, err = p.sum()
	return p, err
}

// add appends the cells of one data set.
func (p *Plan) add(ctx context.Context, name string, t *data.Table) error {
	c := p.Config
	known := experiment.RecipeFor(name, t.Rows())
	cells := 0.0
	foldsOf := make(map[string][]int)
	for _, split := range c.Splits {
		folds, err := c.foldsOf(split, t, known)
		if err != nil {
			return fmt.Errorf("%s split of %s: %w", split, name, err)
		}
		foldsOf[split] = folds
		cells += float64(len(folds) * len(c.Seeds))
	}
	if float64(len(p.Cells))+float64(cells*float64(len(c.Methods))) > maxCells {
		return fmt.Errorf("the study has more than %d cells: cut it into several", maxCells)
	}
	table, err := experiment.Source{Name: name}.Found(ctx, t)
	if err != nil {
		return err
	}
	table.Layout = nil            // a name has one
	preset, _ := preset(c.Preset) // these names are checked
	for _, label := range c.Methods {
		method, chosen, _ := parseMethod(label)
		spec, err := models.NewSpec(method.Name, chosen, models.Architecture{
			Inputs: len(t.Columns), Targets: len(t.Targets), Hidden: []int{c.Width, c.Width}, Dropout: 0.1,
		})
		if err != nil {
			return err
		}
		settings := experiment.Settings{Table: table, Spec: spec}
		settings.Training, _ = c.training() // it is checked
		settings.Training.Epochs, settings.Training.Batch = cmp.Or(c.Epochs, known.Epochs), cmp.Or(c.Batch, known.Batch)
		settings.Training.Protocol = data.Protocol(c.Protocol)
		if preset.Prediction != nil {
			settings.Prediction = preset.Prediction(spec, settings.Training.Protocol)
		}
		settings.Prediction.Samples = c.Samples
		for _, split := range c.Splits {
			for i, fold := range foldsOf[split] {
				for j, seed := range c.Seeds {
					settings.Training.Seed, settings.Training.Split, settings.Training.Fold = seed, split, fold
					resolved, err := settings.Resolve()
					if err != nil {
						return err
					}
					p.append(Cell{Label: label, Settings: resolved, Keep: c.Predictions, Pictures: split == "random" && i == 0 && j == 0}, t)
				}
			}
		}
	}
	return nil
}

// foldsOf are the folds asked for, where a split has several, or the recipe's.
func (c Config) foldsOf(split string, t *data.Table, known experiment.Recipe) ([]int, error) {
	folds, err := kindOf(split).FoldsOf(t)
	if err != nil || len(c.Folds) == 0 || folds == 1 {
		return known.FoldsOf(folds), err
	}
	for _, f := range c.Folds {
		if err := data.CheckFold(f, folds); err != nil {
			return nil, err
		}
	}
	return c.Folds, nil
}

// kindOf returns the kind of split of a cell: it is known, as plans are checked.
func kindOf(split string) data.SplitKind {
	kind, _ := data.LookupSplit(split)
	return kind
}

func (p *Plan) append(c Cell, t *data.Table) {
	hash := c.hash()
	method := strings.NewReplacer(" ", "-", "=", "").Replace(c.Label)
	method = strings.ToValidUTF8(method[:min(len(method), maxMethodName)], "")
	name := fmt.Sprintf("%s--%s--%s-%d--seed-%d--%s", c.Table.Name, method, c.Training.Split, c.Training.Fold, c.Training.Seed, hash[:10])
	p.Cells = append(p.Cells, Planned{Name: name, Hash: hash, Cost: c.cost(t.Rows()), Cell: c})
}

// maxMethodName is in bytes: file systems take names of 255.
const maxMethodName = 100

// hash identifies everything that decides a cell's result.
func (c Cell) hash() string {
	text, err := json.Marshal(struct {
		Format int
		Cell
	}{format, c})
	if err != nil {
		panic(err) // a cell holds nothing that JSON cannot
	}
	return safefile.Sum(text)
}

// has tells whether a report of the configuration looks for a cell, but for its seed.
func (c Config) has(cell Cell) bool {
	t := cell.Training
	return slices.Contains(c.Datasets, cell.Table.Name) && slices.Contains(c.Methods, cell.Label) && slices.Contains(c.Splits, t.Split) &&
		cell.Prediction.Samples == c.Samples && cell.Keep == c.Predictions && string(t.Protocol) == c.Protocol
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

// cost estimates the seconds of a cell on one core from the multiplications
// of its training steps and of its sub-networks.
func (c Cell) cost(rows int) float64 {
	const (
		perMultiplication = 2.2e-11 // seconds
		perStep           = 1e-5
		perSample         = 5e-8 // of a row, beside its multiplications
	)
	width := float64(c.Spec.Architecture.Hidden[0])
	weights := float64(float64(c.Spec.Architecture.Inputs)*width) + float64(width*width)
	method, err := models.Lookup(c.Spec.Method)
	if err != nil {
		return 0
	}
	passes := 1.0
	if method.Stochastic && c.Spec.Architecture.Dropout > 0 && method.Name != "mc" && method.Name != "mc-ll" {
		passes = 1.8
	}
	train := float64(rows) * 0.9
	steps := float64(c.Training.Epochs*c.Training.Members) * train / float64(c.Training.Batch)
	seconds := float64(steps * (perStep + float64(3*passes*weights*float64(c.Training.Batch)*perMultiplication)))
	if method.Stochastic {
		judged := float64(rows)
		if kindOf(c.Training.Split).Train == "" {
			judged *= 0.1
		}
		seconds += float64(judged * float64(c.Prediction.Samples) * (perSample + float64(width*width*perMultiplication)))
	}
	return min(seconds, maxCost)
}

const planFile = "plan.json"

// Write makes the study's directory with its plan. A directory that has
// another plan is an error wrapping fs.ErrExist; the same plan again is none.
func (p *Plan) Write(dir string) error {
	text, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if len(text) > maxPlan {
		return fmt.Errorf("the plan would have %d bytes, and at most %d are read: cut the study into several", len(text), maxPlan)
	}
	path := filepath.Join(dir, planFile)
	if err := os.MkdirAll(filepath.Join(dir, cellsDir), 0o777); err != nil {
		return err
	}
	if err = safefile.Vacant(path); err == nil {
		err = safefile.Create(path, safefile.Content(text)) // and not over a plan that comes there meanwhile
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	have, unread := safefile.Read(path, maxPlan)
	switch {
	case errors.Is(unread, fs.ErrNotExist): // a link to nothing
		return err
	case unread == nil && !bytes.Equal(have, text):
		return fmt.Errorf("%s has another plan: %w; plan into another directory", dir, fs.ErrExist)
	}
	return unread
}

// ReadPlan reads the plan of a study's directory and checks that it is whole.
func ReadPlan(dir string) (*Plan, error) {
	path := filepath.Join(dir, planFile)
	text, err := safefile.Read(path, maxPlan)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a study: %w; plan one there first", dir, err)
	}
	if err != nil {
		return nil, err
	}
	p, err := decodePlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func decodePlan(text []byte) (*Plan, error) {
	var version struct{ Format int }
	if err := json.Unmarshal(text, &version); err == nil && version.Format != format {
		return nil, fmt.Errorf("the plan has format %d, and this program knows format %d: plan anew, into another directory", version.Format, format)
	}
	var p Plan
	if err := strict.Unmarshal(text, &p); err != nil {
		return nil, err
	}
	if sum, err := p.sum(); err != nil || sum != p.Sum {
		return nil, errors.New("the plan has been changed since it was written: plan into another directory")
	}
	if len(p.Cells) > maxCells {
		return nil, fmt.Errorf("the plan has %d cells: want at most %d", len(p.Cells), maxCells)
	}
	if len(p.Cells) == 0 {
		return nil, errors.New("the plan has no cells")
	}
	if err := p.Config.checkTwice(); err != nil {
		return nil, fmt.Errorf("the plan's configuration: %w", err)
	}
	names := make(map[string]bool)
	seeds := make(map[uint64]bool)
	for _, seed := range p.Config.Seeds {
		seeds[seed] = true
	}
	for _, c := range p.Cells {
		if c.Hash != c.Cell.hash() {
			return nil, fmt.Errorf("cell %s has been changed since it was planned", c.Name)
		}
		if c.Name != filepath.Base(c.Name) || names[c.Name] {
			return nil, fmt.Errorf("cell %q has no name of its own", c.Name)
		}
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.Name, err)
		}
		if !p.Config.has(c.Cell) || !seeds[c.Training.Seed] {
			return nil, fmt.Errorf("cell %s is none of the plan's configuration", c.Name)
		}
		names[c.Name] = true
	}
	return &p, nil
}
