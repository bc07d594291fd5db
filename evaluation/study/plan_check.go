package study

import (
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
	isTaken := make(map[string]bool) // by name
	for _, c := range p.Cells {
		if c.Name != filepath.Base(c.Name) {
			return fmt.Errorf("the name of cell %q is not a file name", c.Name)
		}
		if isTaken[c.Name] {
			return fmt.Errorf("two cells are called %s", c.Name)
		}
		isTaken[c.Name] = true
		if err := c.check(); err != nil {
			return fmt.Errorf("cell %s: %w", c.Name, err)
		}
		if !index.has(c.Cell) {
			return fmt.Errorf("cell %s does not follow from the plan's configuration", c.Name)
		}
	}
	return nil
}

// check returns an error if no plan can have the cell, whose network plannedCells has checked. A method that this
// program does not know is accepted, since its results can still be reported; only the split of its cell is checked.
func (c PlannedCell) check() error {
	isCostValid := c.Cost >= 0 && c.Cost <= maxCost // false for NaN
	if !isCostValid {
		return fmt.Errorf("the cost is %v seconds; want 0 to %v", c.Cost, maxCost)
	}
	if _, err := models.Lookup(c.Spec.Method); err == nil {
		_, err := c.Resolve()
		return err
	}
	kind, err := split.Lookup(c.Training.Split)
	if err != nil {
		return err
	}
	return kind.CheckFold(c.Training.Fold)
}

// configIndex is a configuration with maps for looking up its cells.
type configIndex struct {
	Config
	samples map[string][]string // texts of the numbers of samples, by label with variant; empty for the default number
	splits  map[string][]string // splits, by name of the data set or table
	seeds   map[uint64]bool
}

// index returns the index of a resolved configuration. It returns an error if the configuration has more labels than a
// plan has cells.
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

// has reports whether the configuration asks for a cell. A report would not find another cell. Folds are not compared,
// since their number depends on the table.
func (x configIndex) has(c Cell) bool {
	t := c.Training
	samples, isKnown := x.samples[c.Label]
	hasDefaultSamples := isKnown && len(samples) == 0
	return (hasDefaultSamples || slices.Contains(samples, strconv.Itoa(c.Prediction.Samples))) &&
		slices.Contains(x.splits[c.datasetName()], t.Split) &&
		x.seeds[t.Seed] &&
		t.Inner.Folds == x.Inner &&
		c.PredictionFormat == x.Predictions &&
		slices.Equal(c.Prediction.Measures, x.Measures) &&
		string(t.Protocol) == x.Protocol
}
