package cmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/internal/strict"
	"sml/models"
)

// againstFlag returns the flag --against. compareWithOthers reads it.
func againstFlag() cli.Flag {
	return &cli.StringFlag{Name: "against", Usage: "compare σ with the σ of other `ROWS`, and test whether predictions are as wrong as there: train, calibration, test or all rows of the table that the model was trained on, or a FILE"}
}

// againstResult compares the judged rows with other rows.
type againstResult struct {
	Data string `json:"data"` // name of the other rows' table
	On   string `json:"on"`   // part of the split with the other rows: see splitParts
	Rows int    `json:"rows"` // number of other rows

	*stdComparison                         // nil if the other rows are known only by their scores
	Exchangeability *exchangeabilityResult `json:"exchangeability,omitempty"` // nil if the model was trained on some of the rows
}

// stdComparison compares σ of the judged rows with σ of other rows, as means over the targets.
type stdComparison struct {
	// Area under the ROC curve of σ, with the other rows as negatives: the fraction of pairs of a judged row and
	// another row in which the judged row has the larger σ.
	AUROC  strict.Number `json:"auroc"`
	Std    strict.Number `json:"std"`           // mean σ of the judged rows, standardised
	Others strict.Number `json:"std_of_others"` // mean σ of the other rows, standardised
}

// predictedRows are judged rows with their predictions, not calibrated.
type predictedRows struct {
	judgedRows
	predictions *evaluation.Predictions
}

// compareWithOthers compares the judged rows with the rows of --against. It returns nil without the flag.
//
// A larger σ than on the other rows shows that the model recognises unlike rows as unlike. Exchangeable errors show that a
// calibration on the other rows holds for the judged rows.
func (e *evaluator) compareWithOthers(c *cli.Context, predicted *evaluation.Predictions) (*againstResult, error) {
	if !c.IsSet("against") {
		return nil, nil
	}
	choice, err := chosenOthers(c.String("against"))
	if err != nil {
		return nil, err
	}
	if !predicted.HasStd() {
		return nil, fmt.Errorf("--against: the predictions of method %s have no standard deviation", e.model.Method)
	}
	judged := predictedRows{judgedRows: e.rows, predictions: predicted}
	if choice.splitPart == calibrationRows && e.model.Settings.Training.Calibrate == 0 {
		return e.compareWithKept(judged)
	}
	others, err := e.predictOthers(c, choice)
	if err != nil {
		return nil, err
	}
	result := &againstResult{
		Data:          others.name,
		On:            others.splitPart,
		Rows:          others.count(),
		stdComparison: newStdComparison(judged, others),
	}
	if others.hasTrainingRows() || judged.hasTrainingRows() {
		return result, nil
	}
	reference, err := others.nonconformity(e.model)
	if err != nil {
		return nil, err
	}
	result.Exchangeability, err = e.testExchangeability(reference, judged)
	return result, err
}

// predictOthers reads and predicts the rows of a choice. It returns a usage error if they are the judged rows.
func (e *evaluator) predictOthers(c *cli.Context, choice rowChoice) (predictedRows, error) {
	rows, err := chooseRows(c, e.model, choice)
	if err != nil {
		return predictedRows{}, err
	}
	sameTable := rows.isTrainingTable && e.rows.isTrainingTable
	if sameTable && rows.splitPart == e.rows.splitPart {
		return predictedRows{}, usageErrorf("--against %s: these are the rows that are judged; name others with --data or --on", c.String("against"))
	}
	predictions, err := rows.predict(c, e.model, e.sampling)
	return predictedRows{judgedRows: rows, predictions: predictions}, err
}

// compareWithKept tests whether the judged rows are exchangeable with the calibration rows in the model's directory. It
// returns an error if the model keeps no calibration rows.
func (e *evaluator) compareWithKept(judged predictedRows) (*againstResult, error) {
	kept, err := models.LoadCalibrationRows(e.dir)
	if err != nil {
		return nil, err
	}
	reference, err := e.model.CalibrationNonconformity(kept)
	if err != nil {
		return nil, fmt.Errorf("--against calibration: the training kept no rows to calibrate on, and the rows of the calibration cannot be used: %w", err)
	}
	result := &againstResult{Data: "the calibration rows", On: calibrationRows, Rows: kept.Rows()}
	if !judged.hasTrainingRows() {
		result.Exchangeability, err = e.testExchangeability(reference, judged)
	}
	return result, err
}

// chosenOthers returns the choice of rows in the value of --against: a part of the training table, or else all
// rows of another table.
func chosenOthers(value string) (rowChoice, error) {
	choice := rowChoice{partFlag: "against", tableFlag: "against"}
	switch {
	case value == "" || value == "-":
		return choice, usageErrorf("--against %q: name %s, or a file", value, joinChoices(splitParts))
	case slices.Contains(splitParts, value):
		choice.splitPart = value
	default:
		choice.table = value
	}
	return choice, nil
}

// newStdComparison compares σ of the judged rows with σ of other rows. It weights the rows as their tables do,
// and the targets of a row equally.
func newStdComparison(judged, others predictedRows) *stdComparison {
	weights := judged.targets.WeightsOf(judged.indices)
	otherWeights := others.targets.WeightsOf(others.indices)
	var result stdComparison
	targets := others.predictions.Targets
	targetWeight := 1 / float64(targets)
	for target := range targets {
		mean, std := judged.predictions.Column(target)
		otherMean, otherStd := others.predictions.Column(target)
		// The conversions to float64 round each product before it is added, so that all CPUs have the same sums.
		result.AUROC += strict.Number(float64(targetWeight * measure.AUROC(otherStd, std, otherWeights, weights)))
		result.Std += strict.Number(float64(targetWeight * meanStd(mean, std, weights)))
		result.Others += strict.Number(float64(targetWeight * meanStd(otherMean, otherStd, otherWeights)))
	}
	return &result
}

// meanStd returns the weighted mean of std over the rows. mean has the rows' predicted means: a measure.Column
// must have them and targets, although this average uses neither.
func meanStd(mean, std, weights []float64) float64 {
	column := measure.Column{
		Mean:    mean,
		Std:     std,
		Y:       mean,
		Weights: weights,
	}
	return column.Average(func(row int) float64 { return std[row] })
}

// print writes the comparison for people.
func (r *againstResult) print(w io.Writer) {
	if s := r.stdComparison; s != nil {
		auroc := float64(s.AUROC)
		fmt.Fprintf(w, "σ against the σ of %d rows of %s (%s): larger in %.0f%% of pairs (AUROC %.3f; 0.5 is chance), mean %.4g against %.4g, standardised\n",
			r.Rows, r.Data, r.On, 100*auroc, auroc, float64(s.Std), float64(s.Others))
	}
	if r.Exchangeability != nil {
		r.Exchangeability.print(w, r)
	}
}
