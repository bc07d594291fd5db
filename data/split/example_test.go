package split_test

import (
	"context"
	"fmt"
	"log"

	"sml/data"
	"sml/data/split"
)

// The second of ten random folds is tested on a tenth of the rows.
func ExampleKind_Rows() {
	table := data.Friedman(30, 1)
	kind, err := split.Lookup("random")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := kind.Rows(context.Background(), table, split.Options{Fold: 1, Protocol: data.Sound, Seed: 7})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(rows.Train), "training rows")
	fmt.Println("test rows", rows.Test)
	// Output:
	// 27 training rows
	// test rows [0 9 19]
}
