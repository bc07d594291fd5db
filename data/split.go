package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"sml/data/portable"
)

// Folds is the number of folds of a random, pca or label split.
const Folds = 10

// Split says which rows a network is trained on and which it is tested on.
type Split struct {
	Train, Test []int // row numbers, ascending; no row is in both, none is in neither
}

// ErrEmptyFold is wrapped by the error of a fold that no row, or every row, falls
// in, as happens where many rows share one label.
var ErrEmptyFold = errors.New("empty fold")

var kinds = []string{"random", "pca", "label", "single-random", "single-pca", "single-label"}

// Kinds returns the kinds of split that Table.Split makes.
func Kinds() []string { return slices.Clone(kinds) }

// Extrapolation says whether a fold tests outside what it is trained on: the
// outermost folds of pca and label splits do.
func Extrapolation(kind string, fold int) bool {
	return (kind == "pca" || kind == "label") && (fold == 0 || fold == Folds-1)
}

// Split returns one fold of a split.
//
//   - random: 10 folds of one permutation, which follows from the seed. Paper protocol
//     makes all folds ⌊n/10⌋ rows long and never tests on the n mod 10 rows left
//     over; the sound protocol tests on every row once.
//   - label: fold k tests on rows between the quantiles k/10 and (k+1)/10 of the
//     target. Paper protocol includes both ends, so that a row on an edge is tested
//     twice; the sound protocol leaves the upper end to the next fold.
//   - pca: as label, by the inputs' first principal component. That is fitted on
//     the standardised inputs of all rows in both modes, as it defines the split.
//   - single-random: trains on 80 % of the same permutation. The fold must be 0, as
//     for the other single kinds.
//   - single-label, single-pca: train at or below the median, test above it.
//
// Quantiles are interpolated linearly. The projection of a pca split is found
// once for all folds. The error wraps ErrEmptyFold where one side of the split
// would have no rows, and ctx's where that ended before the projection was found.
func (t *Table) Split(ctx context.Context, kind string, fold int, protocol Protocol, seed uint64) (Split, error) {
	fail := func(format string, args ...any) (Split, error) {
		return Split{}, fmt.Errorf("%s split of %s: %w", kind, t.Name, fmt.Errorf(format, args...))
	}
	if !slices.Contains(kinds, kind) {
		return Split{}, fmt.Errorf("unknown split %q: there is %s", kind, strings.Join(kinds, ", "))
	}
	if _, err := ParseProtocol(string(protocol)); err != nil {
		return fail("%w", err)
	}
	by, single := strings.CutPrefix(kind, "single-")
	folds, fewest := Folds, Folds
	if single {
		folds, fewest = 1, 2
	}
	if fold < 0 || fold >= folds {
		return fail("there is no fold %d; folds are 0 to %d", fold, folds-1)
	}
	if err := ctx.Err(); err != nil {
		return fail("%w", err)
	}
	n := t.Rows()
	if n < fewest {
		return fail("%d rows are too few; at least %d are needed", n, fewest)
	}

	var test []bool
	if by == "random" {
		from, to := fold*(n/Folds), (fold+1)*(n/Folds)
		if single {
			from, to = n*4/5, n
		} else if protocol == Sound {
			from, to = fold*n/Folds, (fold+1)*n/Folds
		}
		test = make([]bool, n)
		for _, r := range portable.Perm(rand.New(rand.NewPCG(seed, splitStream)), n)[from:to] {
			test[r] = true
		}
	} else {
		values := t.Y
		if by == "pca" {
			var err error
			if values, err = t.project(ctx); err != nil {
				return fail("%w", err)
			}
		} else if len(t.Targets) != 1 {
			return fail("the table has %d targets (%s); splitting by the label needs exactly one",
				len(t.Targets), list(t.Targets))
		}
		if single {
			test = aboveMedian(values)
		} else {
			test = inBin(values, fold, protocol)
		}
	}

	var s Split
	for r, tested := range test {
		if tested {
			s.Test = append(s.Test, r)
		} else {
			s.Train = append(s.Train, r)
		}
	}
	if len(s.Test) == 0 || len(s.Train) == 0 {
		return fail("fold %d trains on %d rows and tests on %d, as too many rows share one value: %w",
			fold, len(s.Train), len(s.Test), ErrEmptyFold)
	}
	return s, nil
}

func aboveMedian(values []float64) []bool {
	median := quantile(slices.Sorted(slices.Values(values)), 0.5)
	test := make([]bool, len(values))
	for r, v := range values {
		test[r] = v > median
	}
	return test
}

// inBin marks the values between the quantiles fold/10 and (fold+1)/10.
func inBin(values []float64, fold int, protocol Protocol) []bool {
	sorted := slices.Sorted(slices.Values(values))
	low := quantile(sorted, float64(fold)/Folds)
	high := quantile(sorted, float64(fold+1)/Folds)
	closed := protocol == Paper || fold == Folds-1 // the last bin has no next one
	test := make([]bool, len(values))
	for r, v := range values {
		test[r] = low <= v && (v < high || closed && v == high)
	}
	return test
}

// quantile interpolates linearly in sorted values, operation by operation as
// numpy.quantile does: a value on a fold's edge must fall on the same side of it.
// The conversions keep compilers from fusing, which would round differently.
func quantile(sorted []float64, q float64) float64 {
	at := float64(float64(len(sorted)-1) * q)
	below := math.Floor(at)
	i := int(below)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	a, b, t := sorted[i], sorted[i+1], at-below
	if t >= 0.5 {
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}
