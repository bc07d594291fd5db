package distribution_test

import (
	"fmt"
	"math"

	"sml/models/distribution"
)

// A normal distribution gives an interval for the target, and the CRPS scores it against the value
// that was measured.
func ExampleNewNormal() {
	predicted := distribution.NewNormal(10, 2)
	fmt.Printf("90 %% interval: %.2f to %.2f\n", predicted.Quantile(0.05), predicted.Quantile(0.95))
	fmt.Printf("CRPS of 11: %.2f, of 20: %.2f\n", predicted.CRPS(11), predicted.CRPS(20))
	// Output:
	// 90 % interval: 6.71 to 13.29
	// CRPS of 11: 0.66, of 20: 8.87
}

// The parameters of a family are a slice in the order of Family.Parameters.
func ExampleFamily() {
	family := distribution.NormalMixture(2)
	fmt.Printf("%q\n", family.Parameters)
	mixture := family.New([]float64{math.Log(0.25), math.Log(0.75), -4, 4, 1, 1})
	fmt.Printf("mean %.1f, standard deviation %.2f\n", mixture.Mean(), mixture.Std())
	// Output:
	// ["log weight 1" "log weight 2" "mean 1" "mean 2" "std 1" "std 2"]
	// mean 2.0, standard deviation 3.61
}

// Between and beyond the predicted quantiles the family interpolates and extrapolates.
func ExampleQuantiles() {
	family := distribution.Quantiles(0.1, 0.5, 0.9)
	d := family.New([]float64{1, 2, 4})
	fmt.Printf("median %.1f, 25 %% quantile %.3f, 99 %% quantile %.2f\n", d.Quantile(0.5), d.Quantile(0.25), d.Quantile(0.99))
	// Output: median 2.0, 25 % quantile 1.375, 99 % quantile 5.15
}
