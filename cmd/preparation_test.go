package cmd

import (
	"fmt"
	"strings"
	"testing"

	"sml/data"
	"sml/data/preparation"
)

// What is done with hundreds of columns is told in a few lines.
func TestPreparationOfAWideTable(t *testing.T) {
	p := new(preparation.Preparation)
	for i := range 300 {
		fill := float64(i)
		p.Columns = append(p.Columns,
			preparation.Column{Name: fmt.Sprint("n", i), Field: data.Field{Kind: data.Number}, Fill: &fill, Indicator: true, MissingRows: i},
			preparation.Column{Name: fmt.Sprint("t", i), Field: data.Field{Kind: data.Category, Categories: []string{"a", "b"}}, OtherRows: i},
			preparation.Column{Name: fmt.Sprint("c", i), Field: data.Field{Kind: data.Number}, Dropped: "constant"})
	}
	got := strings.Join(describePreparation(&data.Table{UnlabelledRows: 1}, p), "\n")
	want := `1 row has no target and is left out
n0, n1, n2, n3, n4, n5 and 294 more: missing values replaced and marked
t0, t1, t2, t3, t4, t5 and 294 more: one-hot
c0, c1, c2, c3, c4, c5 and 294 more: constant, left out; --numeric c0 keeps c0
900 columns become 1499 inputs of the network`
	if got != want {
		t.Errorf("%s", got)
	}
}
