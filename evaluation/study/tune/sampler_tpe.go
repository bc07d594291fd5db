package tune

import (
	"math/rand/v2"
	"slices"

	"sml/internal/portable"
)

// Sizes of the tree of Parzen estimators.
const (
	startup    = 10 // trials that are drawn by themselves
	batch      = 5  // trials of a round after that: a number that does not depend on the cores
	candidates = 24 // of each value of a trial
	mostBest   = 25 // trials that count as good
)

// parzen draws what is likelier among the best tenth of the trials than among the others:
// of some candidates of the good trials' density the one with the largest ratio of the two,
// each dimension by itself. A density is a mean of normal distributions, truncated to the
// range, around the values seen, each as wide as its neighbours are far, and one as wide as
// the range; of choices it is their frequencies, each seen once more. (A library has one
// whose draws do not follow from their seed.)
var parzen = Sampler{
	Name: "tpe", Summary: "10 trials drawn by themselves, then 5 at a time where good ones are dense", Source: "Bergstra et al. 2011, tree of Parzen estimators",
	Next: func(h *History) []Run {
		left := h.Trials - len(h.Done)
		if len(h.Done) < startup {
			return h.drawn(min(left, startup-len(h.Done)), h.Epochs)
		}
		sorted := best(h.Done)
		good := min((len(sorted)+9)/10, mostBest)
		var runs []Run
		for i := range min(left, batch) {
			n := len(h.Done) + i + 1
			values := make([]string, len(h.Space))
			for j, d := range h.Space {
				values[j] = d.propose(d.random(h.Seed, n), seen(sorted[:good], j), seen(sorted[good:], j))
			}
			runs = append(runs, Run{n, values, h.Epochs})
		}
		return runs
	},
	Work: random.Work,
}

// seen are the values of trials in a dimension, of those that have one.
func seen(trials []Trial, dimension int) []string {
	var list []string
	for _, t := range trials {
		if v := t.Values[dimension]; v != "" {
			list = append(list, v)
		}
	}
	return list
}

func (d Dimension) propose(r *rand.Rand, good, others []string) string {
	if d.Choices != nil {
		l, g := d.frequencies(good), d.frequencies(others)
		likeliest, most := 0, -1.0
		for range candidates {
			at := pickOne(r, l)
			if ratio := l[at] / g[at]; ratio > most {
				likeliest, most = at, ratio
			}
		}
		return d.Choices[likeliest]
	}
	l, g := d.density(good), d.density(others)
	likeliest, most := 0.0, -1.0
	for range candidates {
		x := l.draw(r)
		if ratio := l.at(x) / g.at(x); ratio > most {
			likeliest, most = x, ratio
		}
	}
	return d.at(likeliest)
}

// frequencies are those of the choices, each seen once more than it was.
func (d Dimension) frequencies(values []string) []float64 {
	list := make([]float64, len(d.Choices))
	for i := range list {
		list[i] = 1 / float64(len(values)+len(list))
	}
	for _, v := range values {
		list[d.choice(v)] += 1 / float64(len(values)+len(d.Choices))
	}
	return list
}

// pickOne draws a place by probabilities.
func pickOne(r *rand.Rand, p []float64) int {
	u := r.Float64()
	for i, v := range p {
		if u -= v; u < 0 {
			return i
		}
	}
	return len(p) - 1
}

// mixture is a density over shares from 0 to 1: a mean of truncated normal ones.
type mixture []normal

type normal struct{ mean, std, below, within float64 } // below 0, and between 0 and 1

// density is that of values seen, with one as wide as the range.
func (d Dimension) density(values []string) mixture {
	const middle = 0.5
	means := []float64{middle}
	for _, v := range values {
		means = append(means, d.share(v))
	}
	slices.Sort(means)
	prior := slices.Index(means, middle)
	narrowest := 1 / float64(min(100, 1+len(means)))
	var m mixture
	for i, mean := range means {
		left, right := 0.0, 1.0
		if i > 0 {
			left = means[i-1]
		}
		if i < len(means)-1 {
			right = means[i+1]
		}
		n := normal{mean: mean, std: max(mean-left, right-mean, narrowest)}
		if i == prior {
			n.std = 1
		}
		n.below = portable.NormalCDF(-mean / n.std)
		n.within = portable.NormalCDF((1-mean)/n.std) - n.below
		m = append(m, n)
	}
	return m
}

func (m mixture) draw(r *rand.Rand) float64 {
	n := m[portable.Below(r, uint64(len(m)))]
	z := portable.NormalQuantile(n.below + float64(r.Float64()*n.within))
	return min(max(n.mean+float64(n.std*z), 0), 1)
}

func (m mixture) at(x float64) float64 {
	sum := 0.0
	for _, n := range m {
		sum += portable.NormalPDF((x-n.mean)/n.std) / float64(n.std*n.within)
	}
	return sum / float64(len(m))
}
