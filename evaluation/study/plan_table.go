package study

import (
	"context"
	"fmt"

	"sml/data"
	"sml/data/split"
	"sml/evaluation/experiment"
	"sml/models"
)

// tablePlanner lists the cells of one table.
type tablePlanner struct {
	config Config // resolved
	preset Preset
	entry  tableEntry
	source experiment.Source // the entry's source, identified
	read   *data.Table       // the table as it was read, which is split
	table  *experiment.Table
	recipe experiment.Recipe // default training settings of the table
	folds  map[string][]int  // indices of the folds to hold out, by split
	base   Cell              // cell with the settings that all cells of the table have in common

	// prepared has the inputs of a network if the preparation is fitted on all rows, all columns that any width of
	// embeddings embeds, and the inputs that no network encodes by bins.
	prepared models.Architecture
}

// planTable returns the cells of one table. It returns an error if there are more than maxCount.
func planTable(ctx context.Context, c Config, entry tableEntry, t *data.Table, maxCount int) ([]PlannedCell, error) {
	preset, err := c.preset()
	if err != nil {
		return nil, err
	}
	source, err := entry.source.Identify(ctx, t)
	if err != nil {
		return nil, err
	}
	source.Layout = nil // the checksum identifies the columns
	p := &tablePlanner{
		config: c,
		preset: preset,
		entry:  entry,
		source: source,
		read:   t,
		table:  experiment.NewTable(t),
		recipe: preset.recipeFor(source.Name, source.WeightedRows()),
		folds:  make(map[string][]int),
	}
	for _, name := range entry.splits {
		if err := p.findFolds(ctx, name); err != nil {
			return nil, err
		}
	}
	if p.countCells() > float64(maxCount) {
		return nil, fmt.Errorf("the study has more than %d cells: divide it into several", maxCells)
	}
	if err := p.findBase(ctx); err != nil {
		return nil, err
	}
	var cells []PlannedCell
	for _, label := range c.Methods {
		ofMethod, err := p.planMethod(label)
		if err != nil {
			return nil, err
		}
		cells = append(cells, ofMethod...)
	}
	return cells, nil
}

// findFolds sets the folds of a split that the study holds out: the configuration's, if it has any and the split has
// several folds, otherwise the recipe's. It returns an error if the table lacks a fold, or if the column that the split
// reads cannot divide its rows.
func (p *tablePlanner) findFolds(ctx context.Context, name string) error {
	kind := splitKind(name)
	count, err := kind.CountFolds(p.read)
	if err != nil {
		return fmt.Errorf("%s split of %s: %w", name, p.entry.name, err)
	}
	folds := p.recipe.StudyFolds(count)
	if len(p.config.Fold) > 0 && count > 1 {
		folds = p.config.Fold
	}
	for _, fold := range folds {
		if err := split.CheckFold(fold, count); err != nil {
			return fmt.Errorf("%s split of %s: %w", name, p.entry.name, err)
		}
	}
	p.folds[name] = folds
	if kind.Column == "" {
		return nil
	}
	_, err = kind.Rows(ctx, p.read, split.Options{
		Fold:         folds[0],
		TestFraction: p.entry.splitTestFraction(name),
		Protocol:     data.Protocol(p.config.Protocol),
		Seed:         p.config.Seeds[0],
	})
	return err
}

// countCells returns the number of cells of the table before they are listed. It is a float64 since an int could
// overflow.
func (p *tablePlanner) countCells() float64 {
	trainings := 0.0 // trainings of one variant of one method
	for _, folds := range p.folds {
		trainings += float64(len(folds) * len(p.config.Seeds) * max(1, p.config.Inner))
	}
	variants := float64(float64(len(p.config.Methods)) * productSize(p.config.axes()))
	return float64(trainings * variants)
}

// findBase sets p.base, which all cells of the table have in common.
func (p *tablePlanner) findBase(ctx context.Context) error {
	p.base = Cell{
		Settings:         initialSettings(len(p.table.Targets), len(p.table.Columns)),
		PredictionFormat: p.config.Predictions,
	}
	if p.entry.name != p.source.Name {
		p.base.Alias = p.entry.name
	}
	p.base.Table = p.source
	p.base.Spec.Architecture.Classes = p.table.CountClasses()
	p.base.Training.Protocol = data.Protocol(p.config.Protocol)
	p.base.Training.Inner.Folds = p.config.Inner
	p.base.SplitSeed = p.config.SplitSeed
	p.base.Prediction.Measures = p.config.Measures
	if err := p.findInputs(ctx); err != nil {
		return fmt.Errorf("table %s: %w", p.entry.name, err)
	}
	p.base.Spec.Architecture.Inputs = p.prepared.Inputs
	return nil
}

// findInputs sets p.prepared. A cell may have fewer inputs, since its training rows may lack a category. It returns an
// error if the table cannot be prepared.
func (p *tablePlanner) findInputs(ctx context.Context) error {
	settings := p.base.Settings
	if !settings.Table.Prepared() && settings.Table.Transform == "" && settings.Table.Support == "" {
		p.prepared.Inputs = len(p.table.Columns)
		return nil
	}
	settings.Training.Inner.Folds = 0
	settings.Spec.Architecture.EmbeddingWidth = 1 // the smallest width embeds all columns that any width embeds
	settings.Spec.Architecture.Bins = 1           // any number of bins skips the same inputs
	if settings.Table.Test != nil {
		settings.Training.Split = split.TestFile
	}
	label, _ := parseLabel(p.config.Methods[0]) // resolve has checked it
	settings, err := label.setMethod(settings)
	if err != nil {
		return err
	}
	e, err := experiment.Prepare(ctx, settings, p.table)
	if err != nil {
		return err
	}
	p.prepared = e.Spec.Architecture
	return nil
}

// planMethod returns the cells of one method: all variants of its settings at all places. It returns an error
// if two variants have the same settings, so that one training would appear under two labels.
func (p *tablePlanner) planMethod(label string) ([]PlannedCell, error) {
	parsed, _ := parseLabel(label) // resolve has checked it
	axes := p.config.methodConfig(parsed).axes()
	labelOf := make(map[string]string) // label of each variant, by its resolved settings
	var cells []PlannedCell
	for _, values := range product(axes) {
		cell := p.base
		cell.Label = variantLabel(label, axes, values)
		var err error
		cell.Settings, err = p.variantSettings(parsed, axes, values)
		if err != nil {
			return nil, err
		}
		resolved, err := cell.Settings.Resolve()
		if err != nil {
			return nil, err
		}
		key := string(mustJSON(resolved))
		if other := labelOf[key]; other != "" {
			return nil, fmt.Errorf("%q and %q are the same training: two values of a setting mean the same to %s; remove one of them", other, cell.Label, label)
		}
		labelOf[key] = cell.Label
		cell.FrozenSum, _ = resolved.Spec.FrozenSum() // training reports a missing model
		for _, place := range p.places() {
			cell := cell
			cell.setPlace(place)
			cell.Settings, err = cell.Settings.Resolve()
			if err != nil {
				return nil, err
			}
			cells = append(cells, cell.plan())
		}
	}
	return cells, nil
}

// variantSettings returns the settings of a variant of a method: one value per axis, the method with its hyperparameters,
// and the recipe's defaults for the rest.
func (p *tablePlanner) variantSettings(label parsedLabel, axes []axis, values []string) (experiment.Settings, error) {
	settings := p.base.Settings
	settings.Training.Split = p.entry.splits[0] // any split will do: setPlace sets it for each cell
	settings.Training.TestFraction = p.entry.splitTestFraction(p.entry.splits[0])
	settings.Spec.Method = label.method.Name
	settings.Spec.Hyperparameters = label.hyperparameters
	if err := setValues(&settings, axes, values); err != nil {
		return settings, err
	}
	chosen := make(map[string]bool)
	for _, a := range axes {
		chosen[a.Key] = true
	}
	settings, _, err := p.recipe.Complete(settings, func(key string) bool { return chosen[key] })
	if err != nil {
		return settings, err
	}
	settings, err = label.setMethod(settings)
	if err != nil {
		return settings, err
	}
	// The columns that the network embeds, and the inputs that it does not encode: the cost of a cell follows from them, and
	// a training sets them again.
	a := &settings.Spec.Architecture
	for _, column := range p.prepared.Embeddings {
		if a.Embeds(column.Categories) {
			a.Embeddings = append(a.Embeddings, column)
		}
	}
	if a.EncodesNumbers() {
		a.Indicators = p.prepared.Indicators
	}
	if p.preset.PredictBy != nil {
		settings.Prediction.Mode = p.preset.PredictBy(settings.Spec, settings.Training.Protocol)
	}
	return settings, nil
}

// places returns the splits, folds, seeds and inner folds of the table in the plan's order.
func (p *tablePlanner) places() []place {
	var places []place
	for _, split := range p.entry.splits {
		at := place{Split: split, TestFraction: p.entry.splitTestFraction(split)}
		for i, fold := range p.folds[split] {
			at.Fold = fold
			for j, seed := range p.config.Seeds {
				at.Seed = seed
				// One cell of each method on a registered data set keeps the files for figures of single rows.
				at.KeepPictures = i == 0 && j == 0 && split == "random" && p.base.Alias == "" && p.config.Inner == 0
				places = append(places, at.innerPlaces(p.config.Inner)...)
			}
		}
	}
	return places
}
