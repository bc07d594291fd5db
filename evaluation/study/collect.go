package study

import (
	"math"

	"sml/data"
)

// Score is one measure of one method on one data set under one kind of
// split, over folds and seeds.
type Score struct {
	Dataset, Method, Split, Measure string

	Mean, Std float64 // std is the sample's (n−1), 0 for one fold
	Folds     int     // that have a score
	Failed    int     // that have none
}

// Collected is what a study found so far.
type Collected struct {
	Scores  []Score
	Shares  []Share
	Summary Summary
}

// Share is the mean part of σ_drop in σ_total.
type Share struct {
	Dataset, Method, Split string
	Drop                   float64
	Folds                  int // that it is the mean of
}

// Collect reads the results of all cells. Cells without a result are counted
// in the summary; those that failed also in each score that they would be part of.
func Collect(dir string, p *Plan) (Collected, error) {
	type key struct{ dataset, method, split, measure string }
	values := make(map[key][]float64)
	failed := make(map[key]int)
	shares := make(map[key][]float64)
	for _, c := range p.Cells {
		r, state, _ := load(dir, p.Version, c)
		switch state {
		case Failed:
			for _, split := range reportedSplits(c.Cell) {
				for _, m := range Measures {
					failed[key{c.Dataset, c.Label, split, m}]++
				}
			}
			continue
		case Done:
		default:
			continue
		}
		for i, split := range reportedSplits(c.Cell) {
			part := r.Test
			if i > 0 {
				part = r.Train
			}
			if part == nil {
				continue
			}
			for _, m := range Measures {
				k := key{c.Dataset, c.Label, split, m}
				values[k] = append(values[k], float64(part.Scores[m]))
			}
			if part.DropShare != nil {
				k := key{c.Dataset, c.Label, split, ""}
				shares[k] = append(shares[k], float64(*part.DropShare))
			}
		}
	}
	var collected Collected
	for _, dataset := range p.Config.Datasets {
		for _, method := range p.Config.Methods {
			for _, split := range data.ReportedSplits() {
				for _, m := range Measures {
					k := key{dataset, method, split, m}
					if len(values[k])+failed[k] == 0 {
						continue
					}
					mean, std := meanAndStd(values[k])
					collected.Scores = append(collected.Scores, Score{dataset, method, split, m, mean, std, len(values[k]), failed[k]})
				}
				if v := shares[key{dataset, method, split, ""}]; len(v) > 0 {
					mean, _ := meanAndStd(v)
					collected.Shares = append(collected.Shares, Share{dataset, method, split, mean, len(v)})
				}
			}
		}
	}
	var err error
	collected.Summary, err = Status(dir, p)
	return collected, err
}

// reportedSplits says which rows a cell has scores of: its test rows, then
// its training rows if those are reported.
func reportedSplits(c Cell) []string {
	kind := kindOf(c.Split)
	if kind.Train == "" {
		return []string{kind.Reported(c.Fold)}
	}
	return []string{kind.Reported(c.Fold), kind.Train}
}

// meanAndStd returns the mean and the sample standard deviation. A mean with
// an infinite value is infinite.
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
