package split

import (
	"context"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"

	"sml/data"
)

// uciFolds are the divisions on which publications compare regression methods by data sets of the UCI repository:
// random and independent of each other, so that a row can be a test row of several folds. They follow from the number
// of rows alone, and not from Options.Seed.
var uciFolds = Kind{
	Name:          "uci",
	Summary:       "a tenth of the rows, at random: the published divisions of UCI data sets",
	Source:        "Hernández-Lobato and Adams 2015; divisions of Gal and Ghahramani 2016",
	Count:         countUCIFolds,
	IgnoresValues: true,
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
		return markUCIFold(t.Rows(), o.Fold), nil
	},
}

const (
	uciSeed          = 1
	uciTrainFraction = 0.9
)

// countUCIFolds returns the number of folds of a table: 5 for protein, of which five divisions were published, and 20
// for every other table.
func countUCIFolds(t *data.Table) (int, error) {
	if t.Name == "protein" {
		return 5, nil
	}
	return 20, nil
}

// markUCIFold marks the test rows of a fold of n rows. The folds are consecutive permutations by one generator: the
// training rows are the first nine tenths of a permutation, rounded as NumPy rounds, and the others are test rows.
func markUCIFold(n, fold int) []bool {
	generator := prng.NewMT19937()
	generator.Seed(uciSeed)
	var permutation []int
	for range fold + 1 {
		permutation = permuteAsNumPy(generator, n)
	}
	trainRows := int(math.RoundToEven(uciTrainFraction * float64(n)))
	return markNumbers(n, permutation[trainRows:])
}

// permuteAsNumPy returns a random permutation of the numbers from 0 to n−1, as numpy.random.RandomState.permutation
// draws it: from the last position to the second, each position is swapped with itself or an earlier one. To draw a
// position up to i, it keeps as many low bits of a 32-bit number as i has, and draws again while they exceed i.
func permuteAsNumPy(generator *prng.MT19937, n int) []int {
	permutation := make([]int, n)
	for i := range permutation {
		permutation[i] = i
	}
	for i := n - 1; i > 0; i-- {
		mask := uint32(1)<<bits.Len(uint(i)) - 1
		j := generator.Uint32() & mask
		for int(j) > i {
			j = generator.Uint32() & mask
		}
		permutation[i], permutation[j] = permutation[j], permutation[i]
	}
	return permutation
}
