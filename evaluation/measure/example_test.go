package measure_test

import (
	"fmt"
	"math"

	"sml/data"
	"sml/evaluation/measure"
)

// Predictions with standard deviations are judged by measures of the list.
func Example() {
	mean, std := []float64{1, 2, 3, 4}, []float64{0.5, 0.5, 1, 1}
	targets := []float64{1.2, 1.7, 3.9, 3.8}
	column, err := measure.NewColumn(mean, std, targets, data.Sound)
	if err != nil {
		fmt.Println(err)
		return
	}
	measures, err := measure.Select([]string{"rmse", "nll", "coverage90"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, score := range column.Score(measures) {
		fmt.Printf("%s %.3f\n", score.Measure, score.Score)
	}
	// Output:
	// rmse 0.495
	// nll -0.175
	// coverage90 1.000
}

// A measure of your own. In an init function, measure.Register(worst) adds it to every
// table of scores, where it is found by its name.
func ExampleRegister() {
	worst := measure.Measure{
		Name:    "worst",
		Title:   "worst",
		Summary: "largest error of the mean",
		Formula: "max |μ − y|",
		Source:  "scikit-learn, max_error",
		Unit:    measure.Target,
		Needs:   []measure.Part{measure.Mean},
		Compute: func(c *measure.Column) float64 {
			worst := 0.0
			for i, y := range c.Y {
				worst = max(worst, math.Abs(c.Mean[i]-y))
			}
			return worst
		},
	}
	column, err := measure.NewColumn([]float64{1, 2, 3}, nil, []float64{1.5, 2, 0.5}, data.Sound)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(column.Score([]measure.Measure{worst}).Get("worst"))
	// Output: 2.5
}
