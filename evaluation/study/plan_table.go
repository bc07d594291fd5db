package study

import (
	"cmp"
	"context"
	"fmt"

	"sml/data"
	"sml/data/split"
	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
)

// tablePlanner lists the cells of one table.
type tablePlanner struct {
	config Config // resolved
	entry  tableEntry
	table  *data.Table
	recipe experiment.Recipe
	preset Preset
	folds  map[string][]int // by split
	base   Cell             // what all cells of the table have in common
	cells  []PlannedCell
}

// planTable returns the cells of one table. It returns an error if there are more than most.
func planTable(ctx context.Context, c Config, entry tableEntry, t *data.Table, most int) ([]PlannedCell, error) {
	preset, err := c.preset()
	if err != nil {
		return nil, err
	}
	p := &tablePlanner{
		config: c,
		entry:  entry,
		table:  t,
		recipe: experiment.RecipeFor(entry.source.Name, t.Rows()-t.TestRows),
		preset: preset,
		folds:  make(map[string][]int),
	}
	if err := p.findFolds(ctx); err != nil {
		return nil, err
	}
	if p.countCells() > float64(most) {
		return nil, fmt.Errorf("the study has more than %d cells: cut it into several", maxCells)
	}
	if err := p.findBase(ctx); err != nil {
		return nil, err
	}
	for _, label := range c.Methods {
		if err := p.addMethod(label); err != nil {
			return nil, err
		}
	}
	return p.cells, nil
}

// findFolds finds the folds of every split. It returns an error if the table's columns do not
// fit a split.
func (p *tablePlanner) findFolds(ctx context.Context) error {
	for _, name := range p.entry.splits {
		folds, err := p.tableFolds(name)
		if err != nil {
			return fmt.Errorf("%s split of %s: %w", name, p.entry.name, err)
		}
		p.folds[name] = folds
		kind := splitKind(name)
		if kind.Column == "" {
			continue
		}
		options := split.Options{
			Fold:         folds[0],
			TestFraction: p.entry.splitTestFraction(name),
			Protocol:     data.Protocol(p.config.Protocol),
			Seed:         p.config.Seeds[0],
		}
		if _, err := kind.Rows(ctx, p.table, options); err != nil {
			return err
		}
	}
	return nil
}

// tableFolds returns the folds of a split: the configuration's if the split has several folds,
// otherwise the recipe's.
func (p *tablePlanner) tableFolds(name string) ([]int, error) {
	folds, err := splitKind(name).CountFolds(p.table)
	if err != nil {
		return nil, err
	}
	if len(p.config.Fold) == 0 || folds == 1 {
		return p.recipe.StudyFolds(folds), nil
	}
	for _, f := range p.config.Fold {
		if err := split.CheckFold(f, folds); err != nil {
			return nil, err
		}
	}
	return p.config.Fold, nil
}

// countCells returns a float, since the number may be too large for an int.
func (p *tablePlanner) countCells() float64 {
	c := p.config
	trainings := 0.0 // of one variant of one method
	for _, folds := range p.folds {
		trainings += float64(len(folds) * len(c.Seeds) * max(1, c.Inner))
	}
	return float64(trainings * float64(float64(len(c.Methods))*c.countVariants()))
}

// findBase fills in what all cells of the table have in common.
func (p *tablePlanner) findBase(ctx context.Context) error {
	source, err := p.entry.source.Identify(ctx, p.table)
	if err != nil {
		return err
	}
	source.Layout = nil // the checksum identifies the columns
	p.base = Cell{Settings: initialSettings(len(p.table.Targets), len(p.table.Columns)), PredictionFormat: p.config.Predictions}
	if p.entry.name != source.Name {
		p.base.Alias = p.entry.name
	}
	p.base.Table = source
	p.base.Spec.Architecture.Classes = p.table.CountClasses()
	p.base.Training.Protocol = data.Protocol(p.config.Protocol)
	p.base.Prediction.Measures = p.config.Measures
	inputs, err := p.countInputs(ctx)
	if err != nil {
		return fmt.Errorf("table %s: %w", p.entry.name, err)
	}
	p.base.Spec.Architecture.Inputs = inputs
	return nil
}

// countInputs returns how many inputs a network has on the whole table; on the training rows
// of a fold it may have fewer. It returns an error if the table cannot be prepared.
func (p *tablePlanner) countInputs(ctx context.Context) (int, error) {
	settings := p.base.Settings
	if !settings.Table.Prepared() && settings.Table.Transform == "" {
		return len(p.table.Columns), nil
	}
	if settings.Table.Test != nil {
		settings.Training.Split = split.TestFile
	}
	label, _ := parseLabel(p.config.Methods[0]) // resolve has checked it
	settings, err := setMethod(settings, label.method, label.hyperparameters)
	if err != nil {
		return 0, err
	}
	e, err := experiment.Prepare(ctx, settings, experiment.NewTable(p.table))
	if err != nil {
		return 0, err
	}
	return e.Spec.Architecture.Inputs, nil
}

// addMethod appends the cells of one method: all variants of its settings. It returns an error
// if two variants are the same training.
func (p *tablePlanner) addMethod(label string) error {
	parsed, _ := parseLabel(label) // resolve has checked it
	config := p.config.methodConfig(label)
	labels := make(map[string]string) // of the variants, by their resolved settings
	for _, v := range config.variants() {
		settings := p.startSettings(config, parsed.method)
		if err := v.apply(&settings); err != nil {
			return err
		}
		settings, err := setMethod(settings, parsed.method, parsed.hyperparameters)
		if err != nil {
			return err
		}
		p.applyRecipe(&settings)
		resolved, err := settings.Resolve()
		if err != nil {
			return err
		}
		cell := p.base
		cell.Label = label + v.labelSuffix
		key := string(mustJSON(resolved))
		if other := labels[key]; other != "" {
			return fmt.Errorf("%q and %q are one: two values of a setting mean the same to %s", other, cell.Label, label)
		}
		labels[key] = cell.Label
		cell.FrozenSum, _ = resolved.Spec.FrozenSum() // training reports a missing model
		cell.Settings = settings
		if err := p.addTrainings(cell); err != nil {
			return err
		}
	}
	return nil
}

// startSettings returns the settings of a method before the values of a variant are set. The
// method stops early if it is known to need that on a table of this size, unless the
// configuration says how it stops.
func (p *tablePlanner) startSettings(config Config, method models.Method) experiment.Settings {
	settings := p.base.Settings
	settings.Training.Split = p.entry.splits[0]
	settings.Training.TestFraction = p.entry.splitTestFraction(p.entry.splits[0])
	validation, patience, _ := experiment.EarlyStoppingFor(settings.Table.Name, method, settings.Table.Rows)
	if len(config.Settings["validation"]) == 0 && validation > 0 {
		settings.Training.Validation = validation
		if len(config.Settings["patience"]) == 0 {
			settings.Training.Patience = patience
		}
	}
	return settings
}

// applyRecipe fills in the epochs, the batch size and the kind of prediction that the study
// does not choose.
func (p *tablePlanner) applyRecipe(s *experiment.Settings) {
	s.Training.Epochs = cmp.Or(s.Training.Epochs, p.recipe.Epochs)
	s.Training.Batch = cmp.Or(s.Training.Batch, p.recipe.Batch)
	if p.preset.PredictBy != nil {
		s.Prediction.Mode = p.preset.PredictBy(s.Spec, s.Training.Protocol)
	}
}

// addTrainings appends a cell for each split, fold, seed and inner fold.
func (p *tablePlanner) addTrainings(cell Cell) error {
	settings := cell.Settings
	for _, at := range p.places() {
		s := settings
		s.Training.Inner = trainers.Inner{Folds: p.config.Inner}
		cell.Settings = s
		cell.setPlace(at)
		var err error
		if cell.Settings, err = cell.Settings.Resolve(); err != nil {
			return err
		}
		p.cells = append(p.cells, cell.plan())
	}
	return nil
}

// places lists the splits, folds, seeds and inner folds of the table in the plan's order. The
// first fold and seed of the random split of a data set keep pictures.
func (p *tablePlanner) places() []place {
	var list []place
	for _, split := range p.entry.splits {
		for i, fold := range p.folds[split] {
			for j, seed := range p.config.Seeds {
				first := i == 0 && j == 0
				for inner := range max(1, p.config.Inner) {
					list = append(list, place{
						Split:        split,
						TestFraction: p.entry.splitTestFraction(split),
						Fold:         fold,
						Inner:        inner,
						Seed:         seed,
						KeepPictures: first && p.base.Alias == "" && split == "random" && p.config.Inner == 0,
					})
				}
			}
		}
	}
	return list
}
