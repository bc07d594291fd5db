package trainers

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/internal/portable"
)

// errBootstrapTime is the error of a bootstrap of rows that are held out by their time.
var errBootstrapTime = errors.New("a bootstrap draws rows of any time, and would validate a member on rows before some of its training rows: choose a cross-validation or a fraction of validation rows, which hold out the latest")

// OutOfBagRows returns the rows, given by their indices, that each member of a bootstrap does not draw, ascending. It
// returns an error if there are too few rows or groups, or if rows are held out by their time.
func (s Settings) OutOfBagRows(separation data.Separation, indices []int32) ([][]int32, error) {
	outOfBag := make([][]int32, s.Members)
	for i := range outOfBag {
		var err error
		outOfBag[i], _, err = drawBootstrap(separation, indices, memberSeed(s.FoldSeed(), i))
		if err != nil {
			return nil, err
		}
		slices.Sort(outOfBag[i])
	}
	return outOfBag, nil
}

// drawBootstrap draws as many rows as are given by their indices, with replacement: drawn has a row as often as it was
// drawn, and outOfBag the rows that were not drawn, both in random order. Rows of one group are drawn together, as many
// groups as there are. If every row is drawn, all are drawn again. It returns an error if there are fewer than two rows
// or groups, or if rows are held out by their time.
func drawBootstrap(separation data.Separation, indices []int32, seed uint64) (outOfBag, drawn []int32, err error) {
	if separation.Values != nil && separation.ByLatest {
		return nil, nil, errBootstrapTime
	}
	unitOf, units := unitsOf(separation, indices)
	if units < 2 {
		return nil, nil, fmt.Errorf("a bootstrap needs two rows or groups to draw from: there are %d", units)
	}
	r := rand.New(rand.NewPCG(seed, bootstrapStream))
	counts := drawCounts(r, units)
	for !slices.Contains(counts, 0) {
		counts = drawCounts(r, units)
	}
	for _, i := range permute(seed, validationStream, len(indices)) {
		count := counts[unitOf[i]]
		if count == 0 {
			outOfBag = append(outOfBag, indices[i])
		}
		drawn = append(drawn, slices.Repeat(indices[i:i+1], count)...)
	}
	return outOfBag, drawn, nil
}

// drawCounts draws as many units as there are, with replacement, and returns how often it drew each.
func drawCounts(r *rand.Rand, units int) []int {
	counts := make([]int, units)
	for range units {
		counts[portable.UintN(r, uint64(units))]++
	}
	return counts
}
