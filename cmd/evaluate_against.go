package cmd

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/strict"
)

// againstFlag returns the flag --against. compareStd reads it.
func againstFlag() cli.Flag {
	return &cli.StringFlag{Name: "against", Usage: "compare σ with the σ of other `ROWS`: train, calibration, test or all rows of the table that the model was trained on, or a FILE"}
}

// stdComparison compares σ of the judged rows with σ of other rows.
type stdComparison struct {
	Data   string        `json:"data"`
	On     string        `json:"on"`
	Rows   int           `json:"rows"`
	AUROC  strict.Number `json:"auroc"`         // AUROC of σ, with the other rows as negatives; mean over targets
	Std    strict.Number `json:"std"`           // mean σ of the judged rows, standardised
	Others strict.Number `json:"std_of_others"` // mean σ of the other rows, standardised
}

// compareStd predicts the rows of --against and compares their σ with σ of the judged rows, both
// without a calibration. It returns nil if the flag is not set.
func compareStd(c *cli.Context, m *experiment.Model, j judgedRows, found *evaluation.Predictions, s evaluation.Sampling) (*stdComparison, error) {
	if !c.IsSet("against") {
		return nil, nil
	}
	choice := rowChoice{onFlag: "against", dataFlag: "against"}
	switch name := c.String("against"); {
	case name == "" || name == "-":
		return nil, usageErrorf("--against %q: name %s, or a file", name, joinChoices(rowGroups))
	case slices.Contains(rowGroups, name):
		choice.on = name
	default:
		choice.data = name
	}
	if !found.HasStd() {
		return nil, fmt.Errorf("--against: the predictions of method %s have no standard deviation", m.Method)
	}
	others, err := chooseRows(c, m, "", choice)
	if err != nil {
		return nil, err
	}
	if others.isTrainingTable && j.isTrainingTable && others.on == j.on {
		return nil, usageErrorf("--against %s: these are the rows that are judged; name others with --data or --on", c.String("against"))
	}
	p, err := others.predict(c, m, s)
	if err != nil {
		return nil, err
	}
	weights := j.targets.WeightsOf(j.numbers)
	otherWeights := others.targets.WeightsOf(others.numbers)
	result := stdComparison{Data: others.name, On: others.on, Rows: others.count()}
	targetWeight := 1 / float64(p.Targets) // in the mean over the targets
	for target := range p.Targets {
		mean, std := found.Column(target)
		otherMean, otherStd := p.Column(target)
		result.AUROC += strict.Number(float64(targetWeight * measure.AUROC(otherStd, std, otherWeights, weights)))
		result.Std += strict.Number(float64(targetWeight * meanStd(mean, std, weights)))
		result.Others += strict.Number(float64(targetWeight * meanStd(otherMean, otherStd, otherWeights)))
	}
	return &result, nil
}

// meanStd returns the weighted mean of std over the rows. mean has the rows' predicted means, which a
// measure.Column must have.
func meanStd(mean, std, weights []float64) float64 {
	c := measure.Column{Mean: mean, Std: std, Y: mean, Weights: weights}
	return c.Average(func(row int) float64 { return std[row] })
}

// print writes the comparison for people.
func (a *stdComparison) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "σ against the σ of %d rows of %s (%s): larger in %.0f%% of pairs (AUROC %.3f; 0.5 is chance), mean %.4g against %.4g, standardised\n",
		a.Rows, a.Data, a.On, 100*float64(a.AUROC), float64(a.AUROC), float64(a.Std), float64(a.Others))
	return err
}
