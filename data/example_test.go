package data_test

import (
	"fmt"

	"sml/data"
)

// Scalers are fitted on training rows only; here the last row is a test row.
func ExampleFitScalers() {
	values := []float64{
		1, 10,
		3, 30,
		9, 90,
	}
	scalers := data.FitScalers(values, []string{"a", "b"}, []int{0, 1})
	for _, s := range scalers {
		fmt.Println(s.Name, s.Mean, s.Std)
	}
	// Output:
	// a 2 1
	// b 20 10
}
