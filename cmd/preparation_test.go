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
			preparation.Column{Name: fmt.Sprint("t", i), Field: data.Field{Kind: data.Category, Levels: []string{"a", "b"}}, Other: i},
			preparation.Column{Name: fmt.Sprint("c", i), Field: data.Field{Kind: data.Number}, Dropped: "constant"})
	}
	var out strings.Builder
	tellPreparation(&out, &data.Table{Unlabelled: 1}, p)
	want := `sml: 1 row has no target and is left out
sml: n0, n1, n2, n3, n4, n5 and 294 more: marked where missing, and filled in
sml: t0, t1, t2, t3, t4, t5 and 294 more: one-hot
sml: c0, c1, c2, c3, c4, c5 and 294 more: constant, left out; --numeric c0 keeps c0
sml: 900 columns become 1499 inputs of the network
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}
