package measure

// RowLoss has the loss of each row by a measure whose score follows from the mean over the rows.
type RowLoss struct {
	Measure string    // name of the measure
	Values  []float64 // losses of the rows
	IsRoot  bool      // whether the score is the square root of the mean loss, as for rmse; otherwise it is the mean
}

// RowLosses returns the losses of all rows by rmse, crps, interval-score90, coverage90, width90, log-loss, brier and
// accuracy, in this order. It leaves out a measure that needs a part which the predictions do not have. A row's
// coverage and accuracy are 0 or 1, where 1 is better.
func (c *Column) RowLosses() []RowLoss {
	const coverage = float64(defaultPercent) / 100
	var losses []RowLoss
	add := func(m Measure, loss func(row int) float64) {
		if !m.applies(c) {
			return
		}
		values := make([]float64, len(c.Y))
		for row := range values {
			values[row] = loss(row)
		}
		losses = append(losses, RowLoss{Measure: m.Name, Values: values, IsRoot: m.Name == rmse.Name})
	}
	add(rmse, func(row int) float64 {
		difference := c.Mean[row] - c.Y[row]
		return difference * difference
	})
	add(crps, c.rowCRPS)
	add(newIntervalScore(defaultPercent), c.rowIntervalScore(coverage))
	add(newCoverage(defaultPercent), c.rowCoveredBy(coverage))
	add(newWidth(defaultPercent), c.rowWidth(coverage))
	add(logLoss, c.rowLogLoss)
	add(brier, c.rowBrier)
	add(accuracy, c.rowAccuracy)
	return losses
}
