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
// measure that none of its cells has.
func Collect(dir string, p *Plan) Collected {
	type key struct{ dataset, method, split string }
	scores := make(map[key][]measure.Scores) // of each training
	shares := make(map[key][]float64)
	failed := make(map[key]int)
	var measures []string
	of := make(map[string][]string) // by method
	collected := Collected{Summary: noCells()}
	for _, c := range p.Cells {
		r, state := collected.Summary.load(dir, p, c)
		for i, split := range reportedSplits(c.Cell) {
			k, part := key{c.Table.Name, c.Label, split}, []*RowScores{r.Test, r.Train}[i]
			if state == Failed {
				failed[k]++
			}
			if state != Done || part == nil {
				continue
			}
			scores[k] = append(scores[k], part.Scores)
			for _, name := range part.Scores.Names() {
				if !slices.Contains(measures, name) {
					measures = append(measures, name)
				}
				if !slices.Contains(of[c.Label], name) {
					of[c.Label] = append(of[c.Label], name)
				}
			}
			if part.DropShare != nil {
				shares[k] = append(shares[k], float64(*part.DropShare))
			}
		}
	}
	if measures == nil { // everything failed
		measures = measure.Names()
	}
	for _, dataset := range p.Config.Datasets {
		for _, method := range p.Config.Methods {
			for _, split := range data.ReportedSplits() {
				k := key{dataset, method, split}
				if len(scores[k])+failed[k] == 0 {
					continue
				}
				for _, m := range measures {
					if of[method] != nil && !slices.Contains(of[method], m) {
						continue
					}
					var values []float64
					for _, s := range scores[k] {
						values = append(values, s.Of(m))
					}
					mean, std := meanAndStd(values)
					collected.Scores = append(collected.Scores, measure.Score{
						Dataset: dataset, Method: method, Split: split, Measure: m,
						Mean: mean, Std: std, Folds: len(values) + failed[k], Failed: failed[k],
					})
				}
				if v := shares[k]; len(v) > 0 {
					mean, _ := meanAndStd(v)
					collected.Shares = append(collected.Shares, Share{dataset, method, split, mean, len(v)})
				}
			}
		}
	}
	return collected
}

// reportedSplits names the rows that a cell has scores of: test, then training.
func reportedSplits(c Cell) []string {
	kind := kindOf(c.Training.Split)
	names := []string{kind.Reported(c.Training.Fold), kind.Train}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// meanAndStd are the mean, infinite with an infinite value, and the sample
// standard deviation.
func meanAndStd(values []float64) (mean, std float64) {
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
