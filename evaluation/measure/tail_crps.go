package measure

import "fmt"

// newTailCRPS returns a function that returns the measure of the predictions of targets beyond a threshold.
func newTailCRPS(above bool) func(threshold float64) Measure {
	return func(threshold float64) Measure {
		word, symbol := "below", "≤"
		if above {
			word, symbol = "above", "≥"
		}
		return Measure{
			Name:       fmt.Sprintf("crps-%s%v", word, threshold),
			Title:      fmt.Sprintf("CRPS%s%v", symbol, threshold),
			Summary:    fmt.Sprintf("threshold-weighted CRPS: how good the predicted distribution is %s %v", word, threshold),
			Formula:    fmt.Sprintf("mean ∫ (F(x) − 1[x ≥ y])² dx over x %s %v", symbol, threshold),
			Convention: "in the target's own unit only. Computed from 1,000 quantiles beyond the threshold",
			Source:     "Gneiting & Ranjan (2011), Comparing density forecasts using threshold- and quantile-weighted scoring rules; scoringRules, twcrps",
			Unit:       OwnUnit,
			Needs:      []Part{CDF},
			OnRequest:  true,
			Compute: func(c *Column) float64 {
				return c.Average(func(row int) float64 { return c.rowTailCRPS(row, threshold, above) })
			},
		}
	}
}

// tailLevels is the number of quantile levels beyond the threshold.
const tailLevels = 1000

// rowTailCRPS returns the integral of (F(x) − 1[x ≥ y])² over x beyond the threshold. It is twice the integral over the
// levels of the pinball loss of the quantiles and the target, after the threshold has replaced those that are not beyond
// it. The levels whose quantiles are replaced have a common loss; the others have a midpoint rule.
func (c *Column) rowTailCRPS(row int, threshold float64, above bool) float64 {
	d := c.Distribution(row)
	replaced := d.CDF(threshold) // probability of the replaced quantiles, from the lowest level on
	clip := func(x float64) float64 { return max(x, threshold) }
	if !above {
		replaced = 1 - replaced
		clip = func(x float64) float64 { return min(x, threshold) }
	}
	y := clip(c.Y[row])
	distance := max(y-threshold, threshold-y)
	sum := float64(replaced * replaced * distance) // 2 ∫ level·distance, from level 0 to replaced
	step := (1 - replaced) / tailLevels
	for i := range tailLevels {
		level := replaced + float64((float64(i)+0.5)*step)
		if !above {
			level = 1 - level
		}
		if level <= 0 || level >= 1 { // rounding leaves no probability beyond the threshold
			continue
		}
		sum += float64(2 * step * pinballLoss(level, y, clip(d.Quantile(level))))
	}
	return sum
}
