package read_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"sml/data/read"
)

// With Raw, a table may have columns of texts and dates.
func ExampleAll() {
	const houses = `street,sold,rooms,price
Elm,2024-03-01,3,210
Oak,2024-05-17,5,340
Elm,2024-06-02,4,265
`
	table, err := read.All(context.Background(), strings.NewReader(houses), "houses.csv", read.Options{
		Targets:     []string{"price"},
		Categorical: []string{"street"},
		Raw:         true,
	})
	if err != nil {
		log.Fatal(err)
	}
	for i, name := range table.Columns {
		fmt.Println(name, "is a", table.Fields[i].Kind)
	}
	fmt.Println(table.Targets, table.Y)
	// Output:
	// street is a category
	// sold is a date
	// rooms is a number
	// [price] [210 340 265]
}
