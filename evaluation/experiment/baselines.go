package experiment

import (
	"slices"

	"sml/data"
	"sml/evaluation/baseline"
	"sml/evaluation/measure"
	"sml/graph"
)

// Baseline has the predictions of rows by a simple method that every model should beat.
type Baseline struct {
	Name        string                // one of baseline.Names
	TargetNames []string              // names of the targets
	Predictions []baseline.Prediction // predictions of each target, in its own unit
}

// Columns returns the predictions of each target.
func (b Baseline) Columns() []*measure.Column {
	var columns []*measure.Column
	for _, p := range b.Predictions {
		columns = append(columns, p.Column)
	}
	return columns
}

// TableRows are some rows of a table.
type TableRows struct {
	Read     *data.Table // the table as it was read
	Prepared *data.Table // the table as prepared for a model
	Numbers  []int       // numbers of the rows; nil for all rows
}

// Baselines fits simple methods to training rows and predicts the rows to judge, of the same table or of another
// one with the same columns and preparation. classes is the number of classes of every target, 0 for numbers.
func Baselines(train, judged TableRows, classes int) ([]Baseline, error) {
	var baselines []Baseline
	for target := range train.Read.Targets {
		trainTarget := train.selectTarget(target)
		trainTarget.Classes = classes
		predictions, err := baseline.Predict(trainTarget, judged.selectTarget(target))
		if err != nil {
			return nil, err
		}
		for i, p := range predictions {
			if target == 0 {
				baselines = append(baselines, Baseline{Name: p.Name, TargetNames: train.Read.Targets})
			}
			baselines[i].Predictions = append(baselines[i].Predictions, p)
		}
	}
	return baselines, nil
}

// selectTarget returns the rows in which a target is known, with this target.
func (r TableRows) selectTarget(target int) baseline.Rows {
	numbers := r.Read.KnownTargets(target, r.Numbers)
	rows := baseline.Rows{
		X:       r.Prepared.X,
		Inputs:  len(r.Prepared.Columns),
		Numbers: numbers,
		Weights: r.Read.WeightsOf(numbers),
	}
	targets := len(r.Read.Targets)
	for _, number := range numbers {
		rows.Y = append(rows.Y, r.Read.Y[number*targets+target])
	}
	return rows
}

// Baselines fits simple methods to the rows of r.KnownRows and predicts the rows with these numbers.
func (e *Experiment) Baselines(judged []int) ([]Baseline, error) {
	rows := func(numbers []int) TableRows {
		return TableRows{Read: e.table.Table, Prepared: e.prepared, Numbers: numbers}
	}
	return Baselines(rows(e.Rows.KnownRows(judged)), rows(judged), e.Spec.Architecture.Classes)
}

// KnownRows returns the rows that a method which predicts the judged rows may know: the training and calibration
// rows, without calibration rows that are judged. Judged training rows stay: a model that is judged on them knows
// them, too. judged is ascending.
func (r Rows) KnownRows(judged []int) []int {
	known := slices.Clone(r.Train)
	for _, row := range r.Calibration {
		_, isJudged := slices.BinarySearch(judged, row)
		if !isJudged {
			known = append(known, row)
		}
	}
	slices.Sort(known)
	return known
}

// BaselineScores has the scores of a baseline.
type BaselineScores struct {
	Name    string           `json:"name"`    // one of baseline.Names
	Targets []BaselineTarget `json:"targets"` // in the order of the model's targets
}

// BaselineTarget has the scores of a baseline for one target.
type BaselineTarget struct {
	Name        string         `json:"name"`                   // name of the target
	Original    measure.Scores `json:"original"`               // in the target's unit
	SampledRows int            `json:"sampled_rows,omitempty"` // number of training rows that it was fitted to, if there were too many to use all (baseline.Prediction); 0 otherwise
}

// ScoreBaselines returns the scores of baselines by the named measures, as far as they have a score.
func ScoreBaselines(baselines []Baseline, names []string) (all []BaselineScores, err error) {
	defer graph.Recover(&err, "a measure of the baselines")
	measures, err := measure.Select(names)
	if err != nil {
		return nil, err
	}
	for _, b := range baselines {
		scored := BaselineScores{Name: b.Name}
		for target, p := range b.Predictions {
			scored.Targets = append(scored.Targets, BaselineTarget{
				Name:        b.TargetNames[target],
				Original:    p.Column.Score(measures),
				SampledRows: p.SampledRows,
			})
		}
		all = append(all, scored)
	}
	return all, nil
}
