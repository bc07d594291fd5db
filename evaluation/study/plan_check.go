package study

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"sml/data/split"
	"sml/models"
)

// checkCells returns an error unless each cell is valid, has a unique name, and follows from
// the plan's configuration.
func (p *Plan) checkCells() error {
	index, err := p.Config.index()
	if err != nil {
		return err
	}
	names := make(map[string]bool)
	for _, c := range p.Cells {
		if c.Name != filepath.Base(c.Name) || names[c.Name] {
			return fmt.Errorf("cell %q has no name of its own", c.Name)
		}
		if err := c.check(); err != nil {
			return fmt.Errorf("cell %s: %w", c.Name, err)
		}
		if !index.has(c.Cell) {
			return fmt.Errorf("cell %s is none of the plan's configuration", c.Name)
		}
		names[c.Name] = true
	}
	return nil
}

// check returns an error if no plan can have the cell. A method that this program does not
// know is accepted, since its results can still be reported.
func (c PlannedCell) check() error {
	if !(c.Cost >= 0 && c.Cost <= maxCost) {
		return fmt.Errorf("its cost is %v seconds: want 0 to %v", c.Cost, maxCost)
	}
	if _, err := models.Lookup(c.Spec.Method); err == nil {
		_, err := c.Resolve()
		return err
	}
	kind, err := split.Lookup(c.Training.Split)
	if err != nil {
		return err
	}
	return cmp.Or(kind.CheckFold(c.Training.Fold), c.Spec.Architecture.Check(1, 1))
}

// configIndex looks up whether a configuration asks for a cell.
type configIndex struct {
	Config
	samples map[string][]string // numbers of samples, by label
	splits  map[string][]string // by data set or table
	seeds   map[uint64]bool
}

// index returns an error if the configuration has more labels than a plan has cells.
func (c Config) index() (configIndex, error) {
	x := configIndex{
		Config:  c,
		samples: make(map[string][]string),
		splits:  make(map[string][]string),
		seeds:   make(map[uint64]bool),
	}
	if c.countVariants()*float64(len(c.Methods)) > maxCells {
		return x, fmt.Errorf("the plan's configuration has more than %d cells", maxCells)
	}
	for _, label := range c.Methods {
		config := c.methodConfig(label)
		for _, v := range config.variants() {
			x.samples[label+v.labelSuffix] = config.Settings["samples"]
		}
	}
	for _, name := range c.Datasets {
		x.splits[name] = c.Splits
	}
	for _, t := range c.Tables {
		x.splits[t.Name] = c.tableSplits(t)
	}
	for _, seed := range c.Seeds {
		x.seeds[seed] = true
	}
	return x, nil
}

// has reports whether the configuration asks for a cell. A report would not find another cell.
func (x configIndex) has(c Cell) bool {
	t := c.Training
	return slices.Contains(x.samples[c.Label], strconv.Itoa(c.Prediction.Samples)) &&
		slices.Contains(x.splits[c.datasetName()], t.Split) &&
		x.seeds[t.Seed] &&
		t.Inner.Folds == x.Inner &&
		c.PredictionFormat == x.Predictions &&
		slices.Equal(c.Prediction.Measures, x.Measures) &&
		string(t.Protocol) == x.Protocol
}
