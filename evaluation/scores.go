// Package evaluation samples predictions and judges them: how far the mean
// is from the target, and how honest the standard deviation beside it is.
package evaluation

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// Scores are all measures of one prediction of one target column. All but
// R2 are better when smaller. With r = (mean−y)/std and Φ the distribution
// function of N(0,1):
//
//   - RMSE, MAE and R2 compare the means with the targets.
//   - NLL is the mean of ½·log(std²+1e-10) + (y−mean)²/(2·std²+1e-10); the
//     constant ½·log 2π is left out.
//   - ECE is Σ|share of Φ(r) in bin j − 1/20| over 20 equal bins of [0, 1].
//   - WS is the Wasserstein-1 distance between the r and N(0,1), exact.
//   - KS is the Kolmogorov–Smirnov distance between the r and N(0,1).
//
// Source: RMSE, NLL, ECE and WS as in the second-moment loss paper (Sicking et
// al.), appendix "Evaluation measures", NLL and ECE with the details of its
// notebook.
type Scores struct {
	RMSE, NLL, ECE, WS, KS, R2, MAE float64
}

// Measure judges the predictions mean ± std of the targets y. The three
// slices have one element per row, in the same unit.
//
// Under data.Paper r is (mean−y)/(std+1e-10), and for the ECE Φ(r) is
// rounded to two decimals and binned by edges from −0.0001 to 1.0001, all as in
// the paper's notebook; the slices are then in units of the standardised target.
// data.Sound takes r and Φ(r) as they are.
//
// A row with std = 0 has r = ±Inf under the sound protocol, or r = 0 if its mean is exact; an
// infinite r makes WS = +Inf and leaves the other scores finite. R2 is NaN for a
// single row. It is an error if there are no rows, if the lengths differ, if
// a value is not finite, if a std is negative or if the protocol is unknown.
func Measure(mean, std, y []float64, protocol data.Protocol) (Scores, error) {
	if _, err := data.ParseProtocol(string(protocol)); err != nil {
		return Scores{}, fmt.Errorf("evaluation: %w", err)
	}
	if err := check(mean, std, y); err != nil {
		return Scores{}, err
	}
	r := residuals(mean, std, y, protocol)
	slices.Sort(r) // ECE, WS and KS see the residuals as a set
	return Scores{
		RMSE: rmse(mean, y),
		NLL:  nll(mean, std, y),
		ECE:  ece(quantiles(r), protocol),
		WS:   wasserstein(r),
		KS:   kolmogorov(r),
		R2:   rSquared(mean, y),
		MAE:  mae(mean, y),
	}, nil
}

func check(mean, std, y []float64) error {
	if len(mean) != len(y) || len(std) != len(y) {
		return fmt.Errorf("evaluation: %d means, %d standard deviations and %d targets; want one of each per row", len(mean), len(std), len(y))
	}
	if len(y) == 0 {
		return fmt.Errorf("evaluation: no rows to measure; want at least one")
	}
	columns := []struct {
		name   string
		values []float64
	}{{"mean", mean}, {"standard deviation", std}, {"target", y}}
	for row := range y {
		for _, c := range columns {
			if v := c.values[row]; math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("evaluation: row %d: %s is %v; want a finite number", row, c.name, v)
			}
		}
		if std[row] < 0 {
			return fmt.Errorf("evaluation: row %d: standard deviation is %v; want zero or more", row, std[row])
		}
	}
	return nil
}
