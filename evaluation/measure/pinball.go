package measure

import "fmt"

var pinball = Measure{
	Name:       "pinball",
	Title:      "Pinball",
	Summary:    "pinball loss of the predicted quantiles, mean over the method's levels",
	Formula:    "mean max(τ(y − q), (τ − 1)(y − q)), over rows and levels τ with quantile q",
	Convention: "only for learned quantiles. Scores of methods with different levels are not comparable. At the level 1/2 it is half the MAE",
	Source:     "Koenker & Bassett (1978), Regression quantiles; scikit-learn, mean_pinball_loss",
	Unit:       Target,
	Needs:      []Part{Quantiles},
	Compute:    func(c *Column) float64 { return c.meanPinballLoss(c.Levels) },
}

// newPinball returns the measure of the pinball loss of the quantile at a level in percent.
func newPinball(percent float64) Measure {
	level := percent / 100
	return Measure{
		Name:       fmt.Sprintf("pinball%v", percent),
		Title:      fmt.Sprintf("Pinb %v", percent),
		Summary:    fmt.Sprintf("pinball loss of the predicted quantile at %v", level),
		Formula:    "mean max(τ(y − q), (τ − 1)(y − q)), over rows with the quantile q at the level τ",
		Convention: "at the level 1/2 it is half the mean absolute error of the median",
		Source:     pinball.Source,
		Unit:       Target,
		Needs:      []Part{CDF},
		OnRequest:  true,
		Compute:    func(c *Column) float64 { return c.meanPinballLoss([]float64{level}) },
	}
}

// meanPinballLoss returns the mean pinball loss over the rows and the quantiles at the given levels.
func (c *Column) meanPinballLoss(levels []float64) float64 {
	return c.Average(func(row int) float64 {
		d := c.Distribution(row)
		sum := 0.0
		for _, level := range levels {
			sum += pinballLoss(level, c.Y[row], d.Quantile(level))
		}
		return sum / float64(len(levels))
	})
}

// pinballLoss returns the pinball loss of the quantile q at a level for the target y.
func pinballLoss(level, y, q float64) float64 {
	difference := y - q
	return max(float64(level*difference), float64((level-1)*difference))
}
