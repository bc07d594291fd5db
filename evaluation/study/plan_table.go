package study

import (
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
	source experiment.Source // the entry's source, identified
	read   *data.Table       // the table as it was read, which is split
	table  *experiment.Table
	recipe experiment.Recipe // default training settings of the table
	preset Preset
	folds  map[string][]int // indices of the folds to hold out, by split
	base   Cell             // cell with the settings that all cells of the table have in common
	cells  []PlannedCell    // cells listed so far

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
		entry:  entry,
		source: source,
		read:   t,
		table:  experiment.NewTable(t),
		recipe: preset.recipeFor(source.Name, source.WeightedRows()),
		preset: preset,
	}
	if err := p.findFolds(ctx); err != nil {
		return nil, err
	}
	if p.countCells() > float64(maxCount) {
		return nil, fmt.Errorf("the study has more than %d cells: divide it into several", maxCells)
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

// findFolds sets p.folds. It returns an error if the table lacks a fold of the configuration, or if the column that a
// split reads cannot divide its rows.
func (p *tablePlanner) findFolds(ctx context.Context) error {
	p.folds = make(map[string][]int)
	for _, name := range p.entry.splits {
		folds, err := p.tableFolds(name)
		if err != nil {
			return fmt.Errorf("%s split of %s: %w", name, p.entry.name, err)
		}
		p.folds[name] = folds
		if err := p.checkSplitColumn(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// checkSplitColumn returns an error if a split reads a column of the table, such as a date, and cannot divide the rows
// by it. It divides them once, for the first fold and seed.
func (p *tablePlanner) checkSplitColumn(ctx context.Context, name string) error {
	kind := splitKind(name)
	if kind.Column == "" {
		return nil
	}
	options := split.Options{
		Fold:         p.folds[name][0],
		TestFraction: p.entry.splitTestFraction(name),
		Protocol:     data.Protocol(p.config.Protocol),
		Seed:         p.config.Seeds[0],
	}
	_, err := kind.Rows(ctx, p.read, options)
	return err
}

// tableFolds returns the folds of a split that the study holds out: the configuration's, if it has any and the split
// has several folds, otherwise the recipe's.
func (p *tablePlanner) tableFolds(name string) ([]int, error) {
	folds, err := splitKind(name).CountFolds(p.read)
	if err != nil {
		return nil, err
	}
	if len(p.config.Fold) == 0 || folds == 1 {
		return p.recipe.StudyFolds(folds), nil
	}
	for _, fold := range p.config.Fold {
		if err := split.CheckFold(fold, folds); err != nil {
			return nil, err
		}
	}
	return p.config.Fold, nil
}

// countCells returns the number of cells of the table before they are listed. It is a float64 since an int could
// overflow.
func (p *tablePlanner) countCells() float64 {
	c := p.config
	trainings := 0.0 // trainings of one variant of one method
	for _, folds := range p.folds {
		trainings += float64(len(folds) * len(c.Seeds) * max(1, c.Inner))
	}
	variants := float64(float64(len(c.Methods)) * c.countVariants())
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
	settings.Spec.Architecture.EmbeddingWidth = 1 // the smallest width embeds all columns that any width embeds
	settings.Spec.Architecture.Bins = 1           // any number of bins skips the same inputs
	if settings.Table.Test != nil {
		settings.Training.Split = split.TestFile
	}
	label, _ := parseLabel(p.config.Methods[0]) // resolve has checked it
	settings, err := setMethod(settings, label.method, label.hyperparameters)
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

// describeInputs sets the columns that a network embeds, and the inputs that it does not encode. The cost of
// a cell follows from them; a training sets them again.
func (p *tablePlanner) describeInputs(a *models.Architecture) {
	for _, column := range p.prepared.Embeddings {
		if a.Embeds(column.Categories) {
			a.Embeddings = append(a.Embeddings, column)
		}
	}
	if a.EncodesNumbers() {
		a.Indicators = p.prepared.Indicators
	}
}

// addMethod adds the cells of one method: all variants of its settings. It returns an error
// if two variants have the same settings, so that one training would appear under two labels.
func (p *tablePlanner) addMethod(label string) error {
	parsed, _ := parseLabel(label) // resolve has checked it
	config := p.config.methodConfig(label)
	labelOf := make(map[string]string) // label of each variant, by its resolved settings
	for _, v := range config.variants() {
		settings, err := p.variantSettings(config, parsed, v)
		if err != nil {
			return err
		}
		resolved, err := settings.Resolve()
		if err != nil {
			return err
		}
		variantLabel := label + v.labelSuffix
		key := string(mustJSON(resolved))
		if other := labelOf[key]; other != "" {
			return fmt.Errorf("%q and %q are the same training: two values of a setting mean the same to %s; remove one of them", other, variantLabel, label)
		}
		labelOf[key] = variantLabel
		cell := p.base
		cell.Label = variantLabel
		cell.FrozenSum, _ = resolved.Spec.FrozenSum() // training reports a missing model
		cell.Settings = settings
		if err := p.addTrainings(cell); err != nil {
			return err
		}
	}
	return nil
}

// variantSettings returns the settings of a variant of a method: the variant's values, the method with its
// hyperparameters, and the recipe's defaults for the rest.
func (p *tablePlanner) variantSettings(config Config, label parsedLabel, v variant) (experiment.Settings, error) {
	settings := p.base.Settings
	firstSplit := p.entry.splits[0] // any split will do: setPlace sets it for each cell
	settings.Training.Split = firstSplit
	settings.Training.TestFraction = p.entry.splitTestFraction(firstSplit)
	settings.Spec.Method = label.method.Name
	settings.Spec.Hyperparameters = label.hyperparameters
	if err := v.apply(&settings); err != nil {
		return settings, err
	}
	isChosen := func(key string) bool { return len(config.Settings[key]) > 0 }
	settings, _, err := p.recipe.Complete(settings, isChosen)
	if err != nil {
		return settings, err
	}
	settings, err = setMethod(settings, label.method, label.hyperparameters)
	if err != nil {
		return settings, err
	}
	p.describeInputs(&settings.Spec.Architecture)
	if p.preset.PredictBy != nil {
		settings.Prediction.Mode = p.preset.PredictBy(settings.Spec, settings.Training.Protocol)
	}
	return settings, nil
}

// addTrainings adds copies of a cell with each split, fold, seed and inner fold.
func (p *tablePlanner) addTrainings(cell Cell) error {
	for _, place := range p.places() {
		training := cell
		training.Training.Inner = trainers.Inner{Folds: p.config.Inner}
		training.setPlace(place)
		resolved, err := training.Settings.Resolve()
		if err != nil {
			return err
		}
		training.Settings = resolved
		p.cells = append(p.cells, training.plan())
	}
	return nil
}

// places returns the splits, folds, seeds and inner folds of the table in the plan's order.
func (p *tablePlanner) places() []place {
	var places []place
	for _, split := range p.entry.splits {
		for _, fold := range p.folds[split] {
			for _, seed := range p.config.Seeds {
				places = append(places, p.innerPlaces(split, fold, seed)...)
			}
		}
	}
	return places
}

// innerPlaces returns the places of one split, fold and seed: one for each inner fold, or a single one without an inner
// cross-validation.
func (p *tablePlanner) innerPlaces(split string, fold int, seed uint64) []place {
	var places []place
	for inner := range max(1, p.config.Inner) {
		places = append(places, place{
			Split:        split,
			TestFraction: p.entry.splitTestFraction(split),
			Fold:         fold,
			Inner:        inner,
			Seed:         seed,
			KeepPictures: p.keepsPictures(split, fold, seed),
		})
	}
	return places
}

// keepsPictures reports whether a cell keeps the files for figures of single rows: one cell of each method does, with
// the first fold and seed of the random split of a registered data set. Neither folds nor seeds repeat.
func (p *tablePlanner) keepsPictures(split string, fold int, seed uint64) bool {
	isFirst := fold == p.folds[split][0] && seed == p.config.Seeds[0]
	isDataset := p.base.Alias == ""
	return isFirst && isDataset && split == "random" && p.config.Inner == 0
}
