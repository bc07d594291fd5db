package shift

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"sml/internal/portable"
)

// PValues returns the conformal p-value of each score: the fraction of the rows so far, the reference rows, the rows
// before it and itself, whose score is larger. Of rows with an equal score, itself included, a random part counts as
// larger. If the reference rows and the rows are exchangeable, p-values are independent and uniform between 0 and 1.
//
// Source: Vovk, Nouretdinov & Gammerman (2003), Testing exchangeability on-line.
func PValues(reference, scores []float64, random *rand.Rand) []float64 {
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

// counts counts scores by their values, in time logarithmic in their number (Fenwick 1994).
type counts struct {
	values []float64 // all values that scores can have, ascending
	sums   []int     // item i has the number of scores with the values i − (i & −i) to i − 1
}

// newCounts returns counts without scores, for the scores of both lists.
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

// countUpTo returns the number of scores up to the n-th distinct value.
func (c *counts) countUpTo(n int) int {
	sum := 0
	for i := n; i > 0; i -= i & -i {
		sum += c.sums[i]
	}
	return sum
}

// compare returns the numbers of scores that are smaller than, and equal to, a score.
func (c *counts) compare(score float64) (smaller, equal int) {
	place := sort.SearchFloat64s(c.values, score)
	smaller = c.countUpTo(place)
	return smaller, c.countUpTo(place+1) - smaller
}

// Martingale tests whether rows are exchangeable or become less wrong, by their p-values in the order of the rows. It is the capital,
// at first 1, of somebody who bets against that: if it holds, the capital ever reaches c with a probability of at
// most 1/c (Ville 1939). It is the simple jumper of Vovk et al. (2021), Retrain or not retrain, algorithm 1, without
// the bet on large p-values: the bound then also holds if later rows are less wrong than the reference rows, as after
// a cross-validation, and only larger errors, which intervals do not cover, are a reason for an alarm.
type Martingale struct {
	logCapital float64
	shares     []float64 // share of the capital that each of bets has; their sum is 1
}

// bets are the slopes of the betting functions 1 + slope·(p − 1/2): on small p-values, which large errors have, and on
// none.
var bets = []float64{-1, 0}

// jumpRate is the fraction of the capital that is redistributed among the bets before each row.
const jumpRate = 0.01

// NewMartingale returns a martingale before the first row.
func NewMartingale() *Martingale {
	m := &Martingale{}
	for range bets {
		m.shares = append(m.shares, 1/float64(len(bets)))
	}
	return m
}

// Step takes the p-value of the next row, and returns the natural logarithm of the capital after it.
func (m *Martingale) Step(p float64) (logCapital float64) {
	gain := 0.0 // factor by which the capital grows
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

// Exchangeability is the result of a test whether rows are exchangeable with reference rows.
type Exchangeability struct {
	Rows       int     // number of rows
	LogMax     float64 // natural logarithm of the largest capital, at least 0
	MaxRow     int     // position, from 0, of the row after which the capital was largest; −1 before the first row
	CrossedRow int     // position of the first row after which the capital was at least AlarmCapital; −1 if it never was
}

// AlarmCapital is the capital from which on rows do not count as exchangeable: they have it with a probability of at
// most 1 %.
const AlarmCapital = 100

// TestExchangeability tests whether rows are exchangeable with reference rows and with each other. Both have scores
// of each target, which say how wrong the prediction was: [targets][rows]. The capital is the mean over the targets.
// Random numbers, from the seed, decide between equal scores.
func TestExchangeability(reference, scores [][]float64, seed uint64) Exchangeability {
	var martingales []*Martingale
	var p [][]float64 // by target
	for target := range scores {
		random := rand.New(rand.NewPCG(seed, uint64(target)))
		p = append(p, PValues(reference[target], scores[target], random))
		martingales = append(martingales, NewMartingale())
	}
	result := Exchangeability{Rows: len(scores[0]), MaxRow: -1, CrossedRow: -1}
	logs := make([]float64, len(scores))
	for row := range result.Rows {
		for target, m := range martingales {
			logs[target] = m.Step(p[target][row])
		}
		logCapital := logMean(logs)
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

// logMean returns the logarithm of the mean of numbers with the given logarithms.
func logMean(logs []float64) float64 {
	largest := slices.MaxFunc(logs, cmp.Compare[float64])
	sum := 0.0
	for _, l := range logs {
		sum += portable.Exp(l - largest)
	}
	return largest + portable.Log(sum/float64(len(logs)))
}

// PValue returns the p-value of the test: the largest probability of so large a capital if the rows are exchangeable.
func (e Exchangeability) PValue() float64 { return math.Min(1, portable.Exp(-e.LogMax)) }
