package data

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/internal/expect"
)

// NumPy 1.24.2: s = (z - z.mean(0))/z.std(0); w = svd(s)[2][0], turned so that its
// largest element is positive; s @ w.
func TestPrincipal(t *testing.T) {
	table := &Table{Columns: []string{"a", "b", "c"}, X: []float64{
		1, 2, 0.5, 2, 1, 0.7, 3, 5, 0.1, 4, 3, 0.9, 5, 6, 0.2, 6, 8, 0.4, 7, 7, 0.3, 8, 9, 0.8, 9, 11, 0.05, 10, 10, 0.6,
	}}
	want := []float64{
		-1.9747516907576281, -2.1682702494813437, -0.45693059598868163, -1.4929464281770273, 0.11014127393043209,
		0.5560551359677931, 0.6772131438495458, 0.808450439281438, 2.25084009556945, 1.6901988758060207,
	}
	checkProjection(t, table, want)

	// The sign follows from the largest loading, b, alone: turning the others' signs
	// leaves the projection as it is, turning b's turns it.
	flip := func(column int) *Table {
		out := &Table{Columns: table.Columns, X: slices.Clone(table.X)}
		for i := column; i < len(out.X); i += 3 {
			out.X[i] = -out.X[i]
		}
		return out
	}
	checkProjection(t, flip(0), want)
	checkProjection(t, flip(2), want)
	for i := range want {
		want[i] = -want[i]
	}
	checkProjection(t, flip(1), want)
}

func checkProjection(t *testing.T, table *Table, want []float64) {
	t.Helper()
	got := expect.Must(table.PrincipalComponent(ctx))
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("row %d: %v, want %v", i, got[i], want[i])
		}
	}
}

// The first component of data along one line is that line, whatever the number of
// rows in the last block. Both loadings are √½ by symmetry; a constant input adds nothing.
func TestPrincipalOfALine(t *testing.T) {
	for _, rows := range []int{2, 1024, 1025, 3000} {
		table := &Table{Columns: []string{"a", "b", "constant"}}
		rng := rand.New(rand.NewPCG(1, 1))
		var along []float64
		for range rows {
			v := rng.NormFloat64()
			along = append(along, v)
			table.X = append(table.X, 3*v+1, -0.01*v, 0.998)
		}
		want := make([]float64, rows)
		s := FitScalers(along, []string{"along"}, nil)
		for i, v := range along {
			want[i] = math.Sqrt2 * (v - s[0].Mean) / s[0].Std
		}
		checkProjection(t, table, want)
	}
}

// Equal rows must project equally to the last bit, in every place of the table, with few and with many columns.
func TestPrincipalOfEqualRows(t *testing.T) {
	for _, table := range []*Table{Friedman(50, 1), factorTable(50, maxMatrixColumns+40, 2, 5)} {
		table.X = slices.Repeat(table.X, 43)
		got := expect.Must(table.PrincipalComponent(ctx))
		for i := range got {
			if got[i] != got[i%50] {
				t.Fatalf("%s: rows %d and %d: %v, %v", table.Name, i%50, i, got[i%50], got[i])
			}
		}
	}
}

// A projection that was interrupted is computed by the next call.
func TestInterruptedProjection(t *testing.T) {
	ended, cancel := context.WithCancel(ctx)
	cancel()
	table := Friedman(200, 1)
	if _, err := table.PrincipalComponent(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := table.PrincipalComponent(ctx); err != nil {
		t.Error(err)
	}
}
