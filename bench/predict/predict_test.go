package main

import (
	"errors"
	"testing"
)

// minShare is the least share of a core's peak for products of 50 columns and wider.
const minShare = 0.8

// TestPredictedShares holds the predictions for wide products against minShare, where LLVM is installed.
func TestPredictedShares(t *testing.T) {
	l, err := findLLVM()
	if errors.Is(err, errNoLLVM) {
		t.Skip(err)
	}
	cores, missing, err := l.usableCores()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range missing {
		t.Logf("%s has no model of %s", l.version, c.name)
	}
	if len(cores) == 0 {
		t.Skipf("%s has no model of any core: install version 17 or later", l.version)
	}
	products, err := predictProducts(l, cores, "../../"+kernelsFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range products {
		for i, c := range cores {
			share := min(p.rows.shares[i], p.transposed.shares[i])
			if p.columns >= 50 && share < minShare {
				t.Errorf("%d columns: %.2f of the peak of %s, want at least %.2f", p.columns, share, c.name, minShare)
			}
		}
	}
}
