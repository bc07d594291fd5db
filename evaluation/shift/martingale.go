package shift

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"sml/internal/portable"
)

// pValues returns the conformal p-value of each score: the fraction of larger scores among the reference scores, the
// scores before it and the score itself. A random part of the equal scores, the score itself included, counts as larger.
// If the rows of all scores are exchangeable, the p-values are independent and uniform between 0 and 1.
//
// Source: Vovk, Nouretdinov & Gammerman (2003), Testing exchangeability on-line.
func pValues(reference, scores []float64, random *rand.Rand) []float64 {
	counts := newCounts(reference, scores)
	for _, s := range reference {
		counts.add(s)
	}
	p := make([]float64, len(scores))
	for i, s := range scores {
		counts.add(s)
		smaller, equal := counts.compare(s)
		all := len(reference) + i + 1
		larger := float64(all - smaller - equal)
		p[i] = (larger + float64(random.Float64()*float64(equal))) / float64(all)
	}
	return p
}

// counts counts scores by their values. It is a Fenwick tree (1994): adding a score, and counting the scores up to a value,
// takes time logarithmic in the number of values.
type counts struct {
	values []float64 // all values that scores can have, ascending
	sums   []int     // sums[i] is the number of scores whose values have indices from i − (i & −i) to i − 1
}

// newCounts returns counts to which no score is added yet, with the values of both lists.
func newCounts(a, b []float64) *counts {
	values := slices.Concat(a, b)
	slices.Sort(values)
	values = slices.Compact(values)
	return &counts{values: values, sums: make([]int, len(values)+1)}
}

// add counts a score.
func (c *counts) add(score float64) {
	place := sort.SearchFloat64s(c.values, score)
	for i := place + 1; i < len(c.sums); i += i & -i {
		c.sums[i]++
	}
}

// countFirst returns the number of scores that have one of the n smallest values.
func (c *counts) countFirst(n int) int {
	sum := 0
	for i := n; i > 0; i -= i & -i {
		sum += c.sums[i]
	}
	return sum
}

// compare returns the number of smaller scores, and the number of equal scores.
func (c *counts) compare(score float64) (smaller, equal int) {
	place := sort.SearchFloat64s(c.values, score)
	smaller = c.countFirst(place)
	return smaller, c.countFirst(place+1) - smaller
}

// martingale tests whether the errors of rows have become larger, by the rows' p-values in the order of time. It is the
// capital of a gambler who begins with 1 and bets, row after row, on small p-values. If the rows are exchangeable with the
// reference rows, or their errors smaller, the probability that the capital ever reaches c is at most 1/c (Ville 1939).
//
// The bets are the simple jumper of Vovk et al. (2021), Retrain or not retrain, algorithm 1, without the bet on large
// p-values. Large p-values come from small errors, which are usual after a cross-validation and which intervals cover: they
// are no reason for an alarm.
type martingale struct {
	logCapital float64
	shares     []float64 // fraction of the capital on each of bets; the sum is 1
}

// bets are the slopes of the betting functions 1 + slope·(p − 1/2), by which a p-value multiplies the capital on a bet:
// a bet on small p-values, and one that keeps its capital.
var bets = []float64{-1, 0}

// jumpRate is the fraction of the capital that is divided equally among the bets before each row.
const jumpRate = 0.01

// newMartingale returns a martingale before the first row.
func newMartingale() *martingale {
	m := &martingale{}
	for range bets {
		m.shares = append(m.shares, 1/float64(len(bets)))
	}
	return m
}

// Step takes the p-value of the next row, and returns the natural logarithm of the capital after it.
func (m *martingale) Step(p float64) (logCapital float64) {
	gain := 0.0 // new capital divided by the old
	for i, slope := range bets {
		share := float64((1-jumpRate)*m.shares[i]) + jumpRate/float64(len(bets))
		m.shares[i] = share * (1 + float64(slope*(p-0.5)))
		gain += m.shares[i]
	}
	for i := range m.shares {
		m.shares[i] /= gain
	}
	m.logCapital += portable.Log(gain)
	return m.logCapital
}

// Exchangeability is the result of a test whether rows are exchangeable with reference rows: see TestExchangeability.
type Exchangeability struct {
	Rows       int     // number of rows
	LogMax     float64 // natural logarithm of the largest capital, at least 0
	MaxRow     int     // index of the row after which the capital was largest; −1 if it never exceeded 1
	CrossedRow int     // index of the first row after which the capital was at least AlarmCapital; −1 if it never was
}

// AlarmCapital is the capital that refutes exchangeability: exchangeable rows reach it with a probability of at most 1 %.
const AlarmCapital = 100

// TestExchangeability tests whether rows are exchangeable with reference rows and with each other. reference and scores
// have the scores of each target, [targets][rows], which say how wrong a prediction was. The result is about the capital
// of a gambler who begins with 1 and bets, row after row, that scores are larger than the reference rows' scores. With
// several targets, it is the mean of the targets' capitals. seed decides the order of equal scores.
func TestExchangeability(reference, scores [][]float64, seed uint64) Exchangeability {
	result := Exchangeability{Rows: len(scores[0]), MaxRow: -1, CrossedRow: -1}
	for row, logCapital := range logCapitals(reference, scores, seed) {
		if logCapital > result.LogMax {
			result.LogMax = logCapital
			result.MaxRow = row
		}
		if result.CrossedRow < 0 && logCapital >= portable.Log(AlarmCapital) {
			result.CrossedRow = row
		}
	}
	return result
}

// logCapitals returns the logarithm of the capital after each row, as TestExchangeability computes it.
func logCapitals(reference, scores [][]float64, seed uint64) []float64 {
	targetLogs := make([][]float64, len(scores[0])) // of each row, for each target
	for target := range scores {
		random := rand.New(rand.NewPCG(seed, uint64(target)))
		m := newMartingale()
		for row, p := range pValues(reference[target], scores[target], random) {
			targetLogs[row] = append(targetLogs[row], m.Step(p))
		}
	}
	var logs []float64
	for _, l := range targetLogs {
		logs = append(logs, logMean(l))
	}
	return logs
}

// logMean returns the logarithm of the mean of the numbers whose logarithms are given.
func logMean(logs []float64) float64 {
	largest := slices.MaxFunc(logs, cmp.Compare[float64])
	sum := 0.0
	for _, l := range logs {
		sum += portable.Exp(l - largest)
	}
	return largest + portable.Log(sum/float64(len(logs)))
}

// PValue returns the p-value of the test: a bound on the probability that exchangeable rows reach so large a capital.
func (e Exchangeability) PValue() float64 { return math.Min(1, portable.Exp(-e.LogMax)) }
