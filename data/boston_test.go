package data_test

import (
	"math"
	"os"
	"testing"

	"sml/data"
	"sml/data/read"
	"sml/internal/expect"
)

// NumPy 1.24.2 as in TestPrincipal, on the file of boston: the first three rows and the last.
func TestPrincipalOfBoston(t *testing.T) {
	if os.Getenv("SML_DATA") == "" {
		t.Skip("SML_DATA is not set to a folder with the data sets' files")
	}
	table := expect.Must(read.Dataset(t.Context(), "boston", "", data.Sound, 1, read.Options{}))
	got := expect.Must(table.PrincipalComponent(t.Context()))
	for row, want := range map[int]float64{
		0: -2.0982974721418124, 1: -1.457251673609423, 2: -2.0745975633872007, 505: -0.12580321582577955,
	} {
		if math.Abs(got[row]-want) > 1e-11 {
			t.Errorf("row %d: %v, want %v", row, got[row], want)
		}
	}
}
