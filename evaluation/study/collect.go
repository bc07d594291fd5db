package study

import (
	"math"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
)

// Collected is what a study found so far.
type Collected struct {
	Scores  []measure.Score
	Shares  []Share
	Summary Summary

	Seeds []SeedScores // of Together, where there are several: each by itself
}

// Share is the mean part of σ_drop in σ_total.
type Share struct {
	Dataset, Method, Split string
	Drop                   float64
	Trainings              int // that it is the mean of
}

// Collect reads the results of all cells. Those without a result are counted in
// the summary, those that failed also in each score that they would be part of.
// Measures are those that the cells have, registered or not; a method has no score by a
// measure, on the rows of a kind of split, that none of its cells has.
func Collect(dir string, p *Plan) Collected {
	collected := Collected{Summary: noCells()}
	f := newFound()
	for c, o := range loaded(dir, p, p.Cells) {
		collected.Summary.add(c, o)
		f.add(c.Cell, o.Result, o.State)
	}
	f.tell(&collected, p)
	return collected
}

// found is what cells came to, by what it is reported as.
type found struct {
	scores   map[reported][]measure.Scores // of each training
	shares   map[reported][]float64
	failed   map[reported]int
	measures []string
	of       map[reported][]string // measures, by method and split, and by method alone
}

// reported is what a training is reported as a part of.
type reported struct{ dataset, method, split string }

func newFound() *found {
	return &found{make(map[reported][]measure.Scores), make(map[reported][]float64), make(map[reported]int), nil, make(map[reported][]string)}
}

func (f *found) add(c Cell, r Result, state State) {
	for i, split := range reportedSplits(c) {
		k, part := reported{c.Dataset(), c.Label, split}, []*RowScores{r.Test, r.Train}[i]
		if state == Failed {
			f.failed[k]++
		}
		if state != Done || part == nil {
			continue
		}
		f.scores[k] = append(f.scores[k], part.Scores)
		for _, name := range part.Scores.Names() {
			if !slices.Contains(f.measures, name) {
				f.measures = append(f.measures, name)
			}
			for _, of := range []reported{{method: c.Label, split: split}, {method: c.Label}} {
				if !slices.Contains(f.of[of], name) {
					f.of[of] = append(f.of[of], name)
				}
			}
		}
		if part.DropShare != nil {
			f.shares[k] = append(f.shares[k], float64(*part.DropShare))
		}
	}
}

// tell appends the scores and shares of all data sets and methods of a plan's cells,
// in their order, and forgets them.
func (f *found) tell(to *Collected, p *Plan) {
	measures := f.measures
	if measures == nil { // everything failed
		would, _ := measure.Named(p.Config.Measures) // they are checked
		for _, m := range would {
			measures = append(measures, m.Name)
		}
	}
	datasets := distinct(p.Cells, func(c Planned) string { return c.Dataset() })
	methods := distinct(p.Cells, func(c Planned) string { return c.Label })
	for _, dataset := range datasets {
		for _, method := range methods {
			for _, split := range data.ReportedSplits() {
				k := reported{dataset, method, split}
				if len(f.scores[k])+f.failed[k] == 0 {
					continue
				}
				of := f.of[reported{method: method, split: split}]
				if of == nil { // everything failed there
					of = f.of[reported{method: method}]
				}
				for _, m := range measures {
					if of != nil && !slices.Contains(of, m) {
						continue
					}
					var values []float64
					for _, s := range f.scores[k] {
						values = append(values, s.Of(m))
					}
					mean, std := MeanAndStd(values)
					to.Scores = append(to.Scores, measure.Score{
						Dataset: dataset, Method: method, Split: split, Measure: m,
						Mean: mean, Std: std, Folds: len(values) + f.failed[k], Failed: f.failed[k],
					})
				}
				if v := f.shares[k]; len(v) > 0 {
					mean, _ := MeanAndStd(v)
					to.Shares = append(to.Shares, Share{dataset, method, split, mean, len(v)})
				}
				delete(f.scores, k)
				delete(f.failed, k)
				delete(f.shares, k)
			}
		}
	}
}

// distinct lists what of says of cells, each once, in the order of first appearance.
func distinct(cells []Planned, of func(Planned) string) []string {
	seen := make(map[string]bool)
	var names []string
	for _, c := range cells {
		if name := of(c); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// reportedSplits names the rows that a cell has scores of: test, then training.
func reportedSplits(c Cell) []string {
	kind := kindOf(c.Training.Split)
	if c.judgesTraining() {
		return []string{kind.Reported(c.Training.Fold), kind.Train}
	}
	return []string{kind.Reported(c.Training.Fold)}
}

// MeanAndStd are the mean, infinite with an infinite value, and the sample
// standard deviation.
func MeanAndStd(values []float64) (mean, std float64) {
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if len(values) == 1 {
		return mean, 0
	}
	for _, v := range values {
		std += float64((v-mean)*(v-mean)) / (n - 1)
	}
	return mean, math.Sqrt(std)
}
