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
	base   Cell              // settings that all cells of the table have in common

	// prepared is an architecture with the table's inputs after a preparation that is fitted on all rows. Its Embeddings
	// are the columns that a network may embed, and its Indicators the inputs that bins never encode.
	prepared models.Architecture
}

// planTable returns the cells of one table. It returns an error if there are more than maxCount.
func planTable(ctx context.Context, c Config, entry tableEntry, t *data.Table, maxCount int) ([]PlannedCell, error) {
	preset, _ := c.preset() // resolve has found it
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
	_, err = kind.Rows(ctx, p.read, split.Options{ // a trial, for its error
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

// findBase sets p.prepared, and p.base from the configuration and the table.
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
	var err error
	p.prepared, err = p.prepareAllRows(ctx)
	if err != nil {
		return fmt.Errorf("table %s: %w", p.entry.name, err)
	}
	p.base.Spec.Architecture.Inputs = p.prepared.Inputs
	return nil
}

// prepareAllRows returns the value of p.prepared. A cell may have fewer inputs, since its training rows may lack a
// category. It returns an error if the table cannot be prepared.
//
// It prepares an experiment that no cell trains, with settings that leave no row and no column out.
func (p *tablePlanner) prepareAllRows(ctx context.Context) (models.Architecture, error) {
	settings := p.base.Settings
	needsPreparation := settings.Table.Prepared() || settings.Table.Transform != "" || settings.Table.Support != ""
	if !needsPreparation {
		return models.Architecture{Inputs: len(p.table.Columns)}, nil
	}
	settings.Training.Inner.Folds = 0 // without folds and splits, all rows are training rows
	if settings.Table.Test != nil {
		settings.Training.Split = split.TestFile // the only split for a table with a test file
	}
	settings.Spec.Architecture.EmbeddingWidth = 1 // the smallest width embeds all columns that any width embeds
	settings.Spec.Architecture.Bins = 1           // any number of bins encodes the same inputs
	label, _ := parseLabel(p.config.Methods[0])   // resolve has checked it
	var err error
	settings.Spec, err = models.NewSpec(label.method.Name, label.hyperparameters, settings.Spec.Architecture)
	if err != nil {
		return models.Architecture{}, err
	}
	e, err := experiment.Prepare(ctx, settings, p.table)
	if err != nil {
		return models.Architecture{}, err
	}
	return e.Spec.Architecture, nil
}

// planMethod returns the cells of one method: all variants of its settings at all places. It returns an error
// if two variants have the same settings, so that one training would appear under two labels.
func (p *tablePlanner) planMethod(label string) ([]PlannedCell, error) {
	parsed, _ := parseLabel(label) // resolve has checked it
	axes := p.config.methodConfig(parsed).axes()
	labelOf := make(map[string]string) // label of each variant, by its resolved settings
	var cells []PlannedCell
	for _, values := range product(axes) {
		variant := p.base
		variant.Label = variantLabel(label, axes, values)
		var err error
		variant.Settings, err = p.variantSettings(parsed, axes, values)
		if err != nil {
			return nil, err
		}
		resolved, err := variant.Settings.Resolve()
		if err != nil {
			return nil, err
		}
		key := string(mustJSON(resolved))
		if other := labelOf[key]; other != "" {
			return nil, fmt.Errorf("%q and %q are the same training: two values of a setting mean the same to %s; remove one of them", other, variant.Label, label)
		}
		labelOf[key] = variant.Label
		variant.FrozenSum, _ = resolved.Spec.FrozenSum() // training reports a missing model
		atPlaces, err := p.planPlaces(variant)
		if err != nil {
			return nil, err
		}
		cells = append(cells, atPlaces...)
	}
	return cells, nil
}

// planPlaces returns the cells of one variant of a method: one for each place. The settings are resolved at each place,
// since defaults depend on the split.
func (p *tablePlanner) planPlaces(variant Cell) ([]PlannedCell, error) {
	var cells []PlannedCell
	for _, place := range p.places() {
		cell := variant
		cell.setPlace(place)
		var err error
		cell.Settings, err = cell.Settings.Resolve()
		if err != nil {
			return nil, err
		}
		cells = append(cells, cell.plan())
	}
	return cells, nil
}

// variantSettings returns the settings of a variant of a method: one value per axis, the method with its hyperparameters,
// and the recipe's defaults for the rest.
func (p *tablePlanner) variantSettings(label parsedLabel, axes []axis, values []string) (experiment.Settings, error) {
	settings := p.base.Settings
	settings.Training.Split = p.entry.splits[0] // any split will do: setPlace sets it for each cell
	settings.Training.TestFraction = p.entry.splitTestFraction(p.entry.splits[0])
	settings, err := label.completeSettings(settings, p.recipe, axes, values)
	if err != nil {
		return settings, err
	}
	p.setInputKinds(&settings.Spec.Architecture)
	if p.preset.PredictBy != nil {
		settings.Prediction.Mode = p.preset.PredictBy(settings.Spec, settings.Training.Protocol)
	}
	return settings, nil
}

// setInputKinds sets the columns that the network embeds and the inputs that it does not encode. The cost of a cell
// follows from them; a training sets them again, from its own rows.
func (p *tablePlanner) setInputKinds(a *models.Architecture) {
	for _, column := range p.prepared.Embeddings {
		if a.Embeds(column.Categories) {
			a.Embeddings = append(a.Embeddings, column)
		}
	}
	if a.EncodesNumbers() {
		a.Indicators = p.prepared.Indicators
	}
}

// places returns the splits, folds, seeds and inner folds of the table in the plan's order. One cell of each method on a
// registered data set keeps the files for figures of single rows: the first of the random split.
func (p *tablePlanner) places() []place {
	isRegistered := p.base.Alias == ""
	var places []place
	for _, split := range p.entry.splits {
		at := place{Split: split, TestFraction: p.entry.splitTestFraction(split)}
		for i, fold := range p.folds[split] {
			at.Fold = fold
			for j, seed := range p.config.Seeds {
				at.Seed = seed
				isFirst := i == 0 && j == 0 && p.config.Inner == 0
				at.KeepPictures = isFirst && isRegistered && split == "random"
				places = append(places, at.innerPlaces(p.config.Inner)...)
			}
		}
	}
	return places
}
