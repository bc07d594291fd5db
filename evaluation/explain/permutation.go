// Package explain measures how much the mean and the standard deviation that a model predicts
// depend on each column of a table.
package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/portable"
	"sml/internal/statistics"
	"sml/internal/strict"
	"sml/models"
	"sml/models/distribution"
)

// Part names a part of a prediction. An importance takes this part from the permuted rows, and
// the other parts from the original rows.
type Part string

const (
	Mean  Part = "mean"  // μ; the original rows give σ, quantiles and probabilities
	Std   Part = "std"   // σ; the original rows give μ
	Whole Part = "whole" // the whole prediction
)

// Change is the name of an importance for σ that needs no targets: the weighted mean over the
// rows of |σ′ − σ|/σ, in units of the standardised target. Rows with σ = 0 are left out.
const Change = "change"

// Aspect is a part of a prediction and the measure that judges it.
type Aspect struct {
	Part    Part   `json:"part"`
	Measure string `json:"measure"` // name of a measure, or Change
}

// Importance says how much worse a model's predictions become if the values of a column are
// permuted among the rows, as the mean and sample standard deviation over the repeats. It is
// negative if the predictions become better.
type Importance struct {
	Target string `json:"target"`
	Column string `json:"column"`
	Aspect
	Mean strict.Number `json:"mean"`
	Std  strict.Number `json:"std"`
}

// Baseline is the score of a target on the original rows.
type Baseline struct {
	Target  string        `json:"target"`
	Measure string        `json:"measure"`
	Score   strict.Number `json:"score"` // in the target's unit
}

// Permutation is the permutation importance of all columns.
type Permutation struct {
	Rows        int          `json:"rows"`
	Samples     int          `json:"samples"` // number of sub-networks of each row
	Repeats     int          `json:"repeats"`
	Measure     string       `json:"measure"` // name of the measure that judges more than the mean
	Baseline    []Baseline   `json:"baseline"`
	Importances []Importance `json:"importances"` // by target, then by column
}

// Options control a permutation. The zero value is ready to use.
type Options struct {
	Repeats  int    // permutations of each column; default 10
	Measure  string // measure that judges more than the mean; default crps, or, for predictions without σ, pinball, log-loss or rmse
	Sampling evaluation.Sampling

	Calibrate func(*evaluation.Predictions) *evaluation.Predictions // see experiment.Model.Calibrator; nil for no calibration
	Progress  func(done, total int)                                 // called with the number of predicted rows, by one goroutine at a time; may be nil
}

// DefaultRepeats is the default of Options.Repeats.
const DefaultRepeats = 10

// Repeats is the range of Options.Repeats. A single repeat would have no standard deviation.
var Repeats = models.Range{Min: 2, Max: 1000}

// permutationStream separates the random numbers of permutations from others of the same seed.
const permutationStream = 0x7065726d

// PermuteColumns permutes each column of a table in turn and returns how much worse the
// predictions of m become. The rows are inputs of m, prepared. The inputs that a preparation
// makes from one column (indicators of a category, parts of a date) are permuted together,
// which is the same as permuting the column before the preparation.
//
// For a loss L, baseline predictions (μᵢ, σᵢ) of rows i = 1 … n, and permutations π₁ … π_R
// of the rows, (μ′ᵢ, σ′ᵢ) are the predictions of row i with the column's value of row
// π_r(i); row i has the same dropout masks in all of them. Importances are mean and
// sample standard deviation over r of
//
//	Mean:  L(μ′, σ; y) − L(μ, σ; y), by the RMSE and by the measure
//	Std:   L(μ, σ′; y) − L(μ, σ; y), by the measure if it depends on σ; and Change
//	Whole: L(μ′, σ′; y) − L(μ, σ; y), by the measure
//
// in the target's unit, where L is measure.Measure.Badness of the score. The permutations are the
// same for all columns and depend only on the seed of the sampling.
//
// The importance of correlated columns is underestimated: if one is permuted, the network still
// has the other. Permuting one also creates rows that cannot occur, such as a winter's day at
// 30 °C, on which the network was not trained.
//
// Source: Breiman (2001), Random forests, section 10; Fisher, Rudin & Dominici (2019),
// All models are wrong, but many are useful, section 3, "model reliance" as a difference.
// Permuting for σ alone was introduced here.
func PermuteColumns(ctx context.Context, m *experiment.Model, rows data.Subset, t evaluation.Truth, protocol data.Protocol, o Options) (*Permutation, error) {
	o.Repeats = cmp.Or(o.Repeats, DefaultRepeats)
	if err := Repeats.Check("the number of repeats", o.Repeats); err != nil {
		return nil, err
	}
	columns := inputColumns(m)
	numbers := rows.RowNumbers(m.Architecture.Inputs)
	if len(numbers) < 2 {
		return nil, errors.New("there is one row, and to permute takes two")
	}
	base, err := evaluation.Predict(ctx, m.Model, rows, o.Sampling)
	if err != nil {
		return nil, err
	}
	if o.Calibrate != nil {
		base = o.Calibrate(base)
	}
	j := &scorer{base: base, truth: t, protocol: protocol}
	if err := j.chooseAspects(m.Method, o.Measure); err != nil {
		return nil, err
	}
	p := &permuter{model: m.Model, rows: rows, numbers: numbers, scorer: j, options: o}
	found := make([][][]float64, len(columns)) // of each column and repeat, by target and aspect
	for i := range found {
		found[i] = make([][]float64, o.Repeats)
	}
	if err := p.permuteAll(ctx, columns, found); err != nil {
		return nil, err
	}
	out := &Permutation{Rows: len(numbers), Samples: base.Samples, Repeats: o.Repeats, Measure: j.measure.Name, Baseline: j.baselineScores()}
	for target, c := range t.Columns {
		for i, column := range columns {
			for k, aspect := range j.aspects {
				values := make([]float64, o.Repeats)
				for r := range values {
					values[r] = found[i][r][target*len(j.aspects)+k]
				}
				mean, std := meanStd(values)
				out.Importances = append(out.Importances, Importance{c.Name, column.name, aspect, strict.Number(mean), strict.Number(std)})
			}
		}
	}
	return out, nil
}

// spread returns the mean and the sample standard deviation. Equal values, even infinite ones,
// have the standard deviation 0.
func meanStd(values []float64) (mean, std float64) {
	if slices.Max(values) == slices.Min(values) {
		return values[0], 0
	}
	return statistics.MeanStd(values)
}

// permuter predicts permuted rows.
type permuter struct {
	model   *models.Model
	rows    data.Subset
	numbers []int32 // of the rows
	scorer  *scorer
	options Options

	lock sync.Mutex
	done int // rows predicted
}

// all permutes every column as often as there are repeats. Permutations are predicted
// side by side, each by one goroutine.
func (p *permuter) permuteAll(ctx context.Context, columns []column, found [][][]float64) error {
	workers := p.options.Sampling.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	s := p.options.Sampling
	s.Workers, s.Progress = 1, nil
	free := make(chan *evaluation.Predictor, workers)
	defer func() {
		for len(free) > 0 {
			(<-free).Close()
		}
	}()
	for range min(workers, len(columns)*p.options.Repeats) {
		one, err := evaluation.NewPredictor(p.model, s)
		if err != nil {
			return err
		}
		free <- one
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for r := range p.options.Repeats {
		for i, c := range columns {
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				one := <-free
				defer func() { free <- one }()
				permuted, err := p.predictPermuted(ctx, one, c, r, len(columns)*p.options.Repeats)
				if err == nil {
					found[i][r], err = p.scorer.increases(permuted)
				}
				if err != nil {
					return fmt.Errorf("with %s permuted: %w", c.name, err)
				}
				return nil
			})
		}
	}
	return group.Wait()
}

// predict predicts the rows with a column permuted.
func (p *permuter) predictPermuted(ctx context.Context, one *evaluation.Predictor, c column, repeat, of int) (*evaluation.Predictions, error) {
	n, inputs := len(p.numbers), p.model.Architecture.Inputs
	order := portable.Perm(rand.New(rand.NewPCG(p.options.Sampling.Seed, permutationStream+uint64(repeat))), n)
	all := *p.scorer.base
	all.Values = make([]models.Prediction, 0, len(p.scorer.base.Values))
	x := make([]float64, min(n, one.RowsAtOnce())*inputs)
	for from := 0; from < n; from += one.RowsAtOnce() {
		part := p.numbers[from:min(from+one.RowsAtOnce(), n)]
		for i, number := range part {
			row, other := x[i*inputs:(i+1)*inputs], int(p.numbers[order[from+i]])*inputs
			copy(row, p.rows.X[int(number)*inputs:])
			copy(row[c.from:c.to], p.rows.X[other+c.from:other+c.to])
		}
		found, err := one.Predict(ctx, data.Subset{X: x[:len(part)*inputs], XScale: p.rows.XScale}, from)
		if err != nil {
			return nil, err
		}
		all.Values = append(all.Values, found.Values...)
		p.reportProgress(len(part), n*of)
	}
	if p.options.Calibrate != nil {
		return p.options.Calibrate(&all), nil
	}
	return &all, nil
}

func (p *permuter) reportProgress(rows, of int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.done += rows
	if p.options.Progress != nil {
		p.options.Progress(p.done, of)
	}
}

// judge compares predictions of permuted rows with those of the rows as they are.
type scorer struct {
	base     *evaluation.Predictions
	truth    evaluation.Truth
	protocol data.Protocol
	measure  measure.Measure
	aspects  []Aspect
	scores   [][]float64 // of the baseline: of each target, by the measures of aspects
}

// choose finds what can be asked of the predictions by the measure of that name.
func (j *scorer) chooseAspects(method, name string) (err error) {
	if j.measure, err = measure.Lookup(cmp.Or(name, j.defaultMeasure())); err != nil {
		return err
	}
	if name = j.measure.Name; j.measure.Undirected {
		return fmt.Errorf("the measure %s says of no score that it is better than another: want one that judges", name)
	}
	j.aspects = []Aspect{{Mean, "rmse"}}
	needs := func(parts ...measure.Part) bool {
		return slices.ContainsFunc(parts, func(p measure.Part) bool { return slices.Contains(j.measure.Needs, p) })
	}
	if needs(measure.Mean, measure.CDF, measure.Density) && name != "rmse" {
		j.aspects = append(j.aspects, Aspect{Mean, name})
	}
	if j.base.HasStd() {
		if needs(measure.Std, measure.CDF, measure.Density) {
			j.aspects = append(j.aspects, Aspect{Std, name})
		}
		j.aspects = append(j.aspects, Aspect{Std, Change})
	}
	if name != "rmse" {
		j.aspects = append(j.aspects, Aspect{Whole, name})
	}
	e, err := j.score(j.base, name)
	if err != nil {
		return err
	}
	if !e[0].Has(name) {
		return fmt.Errorf("the measure %s needs more than the predictions of %s have: %v", name, method, j.measure.Needs)
	}
	j.scores = make([][]float64, j.base.Targets)
	for target := range j.scores {
		for _, a := range j.aspects {
			j.scores[target] = append(j.scores[target], e[target].Of(a.Measure))
		}
	}
	return nil
}

// usual is the measure that judges where none is chosen.
func (j *scorer) defaultMeasure() string {
	switch {
	case j.base.HasStd():
		return "crps"
	case j.base.Family.Classes > 0:
		return "log-loss"
	}
	return "rmse"
}

// evaluate returns the scores of every target, in its own unit, by the RMSE and a
// measure.
func (j *scorer) score(p *evaluation.Predictions, name string) ([]measure.Scores, error) {
	names := []string{"rmse"}
	if name != "rmse" {
		names = append(names, name)
	}
	e, err := evaluation.Evaluate(p, j.truth, j.protocol, names)
	if err != nil {
		return nil, err
	}
	if e.Columns == nil {
		return []measure.Scores{e.Original}, nil
	}
	var list []measure.Scores
	for _, c := range e.Columns {
		list = append(list, c.Original)
	}
	return list, nil
}

// rises is how much worse the predictions are than the baseline, by target and aspect.
func (j *scorer) increases(permuted *evaluation.Predictions) ([]float64, error) {
	list := make([]float64, len(j.aspects)*j.base.Targets)
	for _, which := range []Part{Mean, Std, Whole} {
		if !slices.ContainsFunc(j.aspects, func(a Aspect) bool { return a.Part == which && a.Measure != Change }) {
			continue
		}
		scores, err := j.score(replacePart(j.base, permuted, which), j.measure.Name)
		if err != nil {
			return nil, err
		}
		for target := range j.base.Targets {
			for k, a := range j.aspects {
				if a.Part != which || a.Measure == Change {
					continue
				}
				score, before := scores[target].Of(a.Measure), j.scores[target][k]
				if a.Measure == j.measure.Name {
					score, before = j.measure.Badness(score), j.measure.Badness(before)
				}
				list[target*len(j.aspects)+k] = score - before
			}
		}
	}
	if k := slices.Index(j.aspects, Aspect{Std, Change}); k >= 0 {
		for target := range j.base.Targets {
			list[target*len(j.aspects)+k] = j.stdChange(permuted, target)
		}
	}
	return list, nil
}

// mixed returns the predictions p with one part, mean or standard deviation, of others.
func replacePart(p, others *evaluation.Predictions, which Part) *evaluation.Predictions {
	if which == Whole {
		return others
	}
	out := *p
	out.Values = slices.Clone(p.Values)
	for i, other := range others.Values {
		d := out.Values[i].Distribution
		switch {
		case distribution.IsPoint(d):
			d = other.Distribution // which is a mean alone
		case which == Mean:
			d = distribution.WithMoments(d, other.Mean(), d.Std())
		default:
			d = distribution.WithMoments(d, d.Mean(), other.Std())
		}
		out.Values[i].Distribution = d
	}
	return &out
}

// change is Change of a target.
func (j *scorer) stdChange(permuted *evaluation.Predictions, target int) float64 {
	sum, count := 0.0, 0.0
	for r := range len(j.base.Values) / j.base.Targets {
		weight := 1.0
		if j.truth.Weights != nil {
			weight = j.truth.Weights[r]
		}
		was, is := j.base.Values[r*j.base.Targets+target].Std(), permuted.Values[r*j.base.Targets+target].Std()
		if was > 0 && weight > 0 {
			sum += float64(weight * (math.Abs(is-was) / was))
			count += weight
		}
	}
	return sum / count
}

func (j *scorer) baselineScores() []Baseline {
	var list []Baseline
	for target, c := range j.truth.Columns {
		for k, a := range j.aspects {
			if same := func(b Baseline) bool { return b.Target == c.Name && b.Measure == a.Measure }; a.Measure != Change && !slices.ContainsFunc(list, same) {
				list = append(list, Baseline{c.Name, a.Measure, strict.Number(j.scores[target][k])})
			}
		}
	}
	return list
}
