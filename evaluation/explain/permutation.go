// Package explain measures how much the predicted mean and the predicted standard deviation depend
// on each column of a table. Start with PermuteColumns. It does not explain single predictions.
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

// Part names a part of a prediction. The importance of a part takes this part from the permuted
// rows, and the other parts from the original rows.
type Part string

const (
	Mean  Part = "mean"  // μ; σ, quantiles and probabilities are of the original rows
	Std   Part = "std"   // σ; μ is of the original rows
	Whole Part = "whole" // the whole prediction
)

// Change is the name of an importance for σ that needs no targets: the weighted mean over the rows
// of |σ′ − σ|/σ, with σ of the original and σ′ of the permuted rows. Rows with σ = 0 are left out.
const Change = "change"

// Aspect is a part of a prediction and the measure that scores it.
type Aspect struct {
	Part    Part   `json:"part"`
	Measure string `json:"measure"` // name of a measure, or Change
}

// Importance says how much worse the predictions become if the values of a column are permuted
// among the rows: the mean and the sample standard deviation over the repeats, in the target's
// unit. It is negative if the predictions become better.
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

// Permutation holds the permutation importances of all columns.
type Permutation struct {
	Rows        int          `json:"rows"`
	Samples     int          `json:"samples"` // sub-networks of each row; 0 if the method draws none
	Repeats     int          `json:"repeats"`
	Measure     string       `json:"measure"` // name of the measure that scores σ and whole predictions
	Baseline    []Baseline   `json:"baseline"`
	Importances []Importance `json:"importances"` // by target, then by column
}

// Options control a permutation. The zero value is ready to use.
type Options struct {
	Repeats  int    // permutations of each column; default 10
	Measure  string // name of the measure that scores σ and whole predictions; default crps, or, for predictions without σ, log-loss for classes and rmse for numbers
	Sampling evaluation.Sampling

	Calibrate func(*evaluation.Predictions) *evaluation.Predictions // see experiment.Model.Calibrator; nil for no calibration
	Progress  func(done, total int)                                 // called with the number of predicted rows, by one goroutine at a time; may be nil
}

// DefaultRepeats is the default of Options.Repeats.
const DefaultRepeats = 10

// Repeats is the range of Options.Repeats. A single repeat would have no standard deviation.
var Repeats = models.Range{Min: 2, Max: 1000}

// permutationStream separates the random numbers of permutations from others with the same seed. It
// spells "perm".
const permutationStream = 0x7065726d

// PermuteColumns permutes each column of a table in turn and returns how much worse the
// predictions of m become. rows has prepared inputs of m. The inputs that a preparation makes from
// one column (indicators of a category, parts of a date) are permuted together, which is the same
// as permuting the column before the preparation.
//
// For a loss L, baseline predictions (μᵢ, σᵢ) of rows i = 1 … n, and permutations π₁ … π_R
// of the rows, (μ′ᵢ, σ′ᵢ) are the predictions of row i with the column's value of row
// π_r(i); row i has the same dropout masks in all of them. Importances are the mean and the
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
// PermuteColumns returns an error if there are fewer than two rows, if the number of repeats is
// out of range, or if the measure cannot score the predictions.
//
// Source: Breiman (2001), Random forests, section 10; Fisher, Rudin & Dominici (2019),
// All models are wrong, but many are useful, section 3, "model reliance" as a difference.
// Permuting for σ alone was introduced here.
func PermuteColumns(ctx context.Context, m *experiment.Model, rows data.Subset, t evaluation.Truth, protocol data.Protocol, o Options) (*Permutation, error) {
	o.Repeats = cmp.Or(o.Repeats, DefaultRepeats)
	if err := Repeats.Check("the number of repeats", o.Repeats); err != nil {
		return nil, err
	}
	numbers := rows.RowNumbers(m.Architecture.Inputs)
	if len(numbers) < 2 {
		return nil, errors.New("there is one row; a permutation needs at least two")
	}
	base, err := evaluation.Predict(ctx, m.Model, rows, o.Sampling)
	if err != nil {
		return nil, err
	}
	if o.Calibrate != nil {
		base = o.Calibrate(base)
	}
	s := &scorer{base: base, truth: t, protocol: protocol}
	if err := s.chooseAspects(m.Method, o.Measure); err != nil {
		return nil, err
	}
	columns := inputColumns(m)
	p := &permuter{
		model:   m.Model,
		rows:    rows,
		numbers: numbers,
		columns: columns,
		scorer:  s,
		options: o,
	}
	increases, err := p.permuteAll(ctx)
	if err != nil {
		return nil, err
	}
	return &Permutation{
		Rows:        len(numbers),
		Samples:     base.Samples,
		Repeats:     o.Repeats,
		Measure:     s.measure.Name,
		Baseline:    s.baselineScores(),
		Importances: s.importances(columns, increases),
	}, nil
}

// importances returns the mean and the standard deviation over the repeats. increases has, for each
// column and repeat, the result of scorer.increases.
func (s *scorer) importances(columns []column, increases [][][]float64) []Importance {
	var importances []Importance
	for target, scaler := range s.truth.Columns {
		for i, column := range columns {
			for k, aspect := range s.aspects {
				values := make([]float64, len(increases[i]))
				for repeat := range values {
					values[repeat] = increases[i][repeat][target*len(s.aspects)+k]
				}
				mean, std := meanStd(values)
				importances = append(importances, Importance{
					Target: scaler.Name,
					Column: column.name,
					Aspect: aspect,
					Mean:   strict.Number(mean),
					Std:    strict.Number(std),
				})
			}
		}
	}
	return importances
}

// meanStd returns the mean and the sample standard deviation. Equal values, even infinite ones,
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
	numbers []int32 // numbers of the rows to predict
	columns []column
	scorer  *scorer
	options Options

	lock sync.Mutex
	done int // rows predicted
}

// permuteAll permutes every column as often as there are repeats. It returns, for each column and
// repeat, the result of scorer.increases. Permutations are predicted at the same time, each by one
// goroutine.
func (p *permuter) permuteAll(ctx context.Context) ([][][]float64, error) {
	workers := p.options.Sampling.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	predictors, err := p.openPredictors(min(workers, len(p.columns)*p.options.Repeats))
	defer closePredictors(predictors)
	if err != nil {
		return nil, err
	}
	increases := make([][][]float64, len(p.columns))
	for i := range increases {
		increases[i] = make([][]float64, p.options.Repeats)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for repeat := range p.options.Repeats {
		for i, column := range p.columns {
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				predictor := <-predictors
				defer func() { predictors <- predictor }()
				permuted, err := p.predictPermuted(ctx, predictor, column, repeat)
				if err == nil {
					increases[i][repeat], err = p.scorer.increases(permuted)
				}
				if err != nil {
					return fmt.Errorf("with %s permuted: %w", column.name, err)
				}
				return nil
			})
		}
	}
	return increases, group.Wait()
}

// openPredictors returns a channel that holds n predictors of one worker each. On an error it holds
// the predictors that were opened before.
func (p *permuter) openPredictors(n int) (chan *evaluation.Predictor, error) {
	sampling := p.options.Sampling
	sampling.Workers = 1
	sampling.Progress = nil
	predictors := make(chan *evaluation.Predictor, n)
	for range n {
		predictor, err := evaluation.NewPredictor(p.model, sampling)
		if err != nil {
			return predictors, err
		}
		predictors <- predictor
	}
	return predictors, nil
}

// closePredictors closes all predictors in the channel.
func closePredictors(predictors chan *evaluation.Predictor) {
	for len(predictors) > 0 {
		(<-predictors).Close()
	}
}

// predictPermuted returns the predictions of all rows with the values of a column permuted, and
// calibrated if the options say so. The permutation depends on the seed and the repeat.
func (p *permuter) predictPermuted(ctx context.Context, predictor *evaluation.Predictor, c column, repeat int) (*evaluation.Predictions, error) {
	n := len(p.numbers)
	inputs := p.model.Architecture.Inputs
	random := rand.New(rand.NewPCG(p.options.Sampling.Seed, permutationStream+uint64(repeat)))
	order := portable.Perm(random, n)
	permuted := *p.scorer.base
	permuted.Values = make([]models.Prediction, 0, len(p.scorer.base.Values))
	rowsAtOnce := predictor.RowsAtOnce()
	x := make([]float64, min(n, rowsAtOnce)*inputs)
	for from := 0; from < n; from += rowsAtOnce {
		to := min(from+rowsAtOnce, n)
		for i, number := range p.numbers[from:to] {
			row := x[i*inputs : (i+1)*inputs]
			other := int(p.numbers[order[from+i]]) * inputs
			copy(row, p.rows.X[int(number)*inputs:])
			copy(row[c.from:c.to], p.rows.X[other+c.from:other+c.to])
		}
		predictions, err := predictor.Predict(ctx, data.Subset{X: x[:(to-from)*inputs], XScale: p.rows.XScale}, from)
		if err != nil {
			return nil, err
		}
		permuted.Values = append(permuted.Values, predictions.Values...)
		p.reportProgress(to - from)
	}
	if p.options.Calibrate != nil {
		return p.options.Calibrate(&permuted), nil
	}
	return &permuted, nil
}

// reportProgress adds rows to the predicted rows and reports their number.
func (p *permuter) reportProgress(rows int) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.done += rows
	if p.options.Progress != nil {
		total := len(p.numbers) * len(p.columns) * p.options.Repeats
		p.options.Progress(p.done, total)
	}
}

// scorer compares predictions of permuted rows with predictions of the original rows, the baseline.
type scorer struct {
	base     *evaluation.Predictions
	truth    evaluation.Truth
	protocol data.Protocol
	measure  measure.Measure
	aspects  []Aspect
	scores   [][]float64 // score of the baseline by target and aspect
}

// chooseAspects sets the measure, the aspects that it can score, and the scores of the baseline. An
// empty name stands for the default measure. It returns an error if the measure is unknown, does
// not order scores, or needs parts that the predictions of the method do not have.
func (s *scorer) chooseAspects(method, name string) error {
	m, err := measure.Lookup(cmp.Or(name, s.defaultMeasure()))
	if err != nil {
		return err
	}
	s.measure = m
	if m.Undirected {
		return fmt.Errorf("by the measure %s no score is better than another; choose a measure such as rmse or crps", m.Name)
	}
	s.aspects = aspectsFor(m, s.base.HasStd())
	baseline, err := s.score(s.base)
	if err != nil {
		return err
	}
	if !baseline[0].Has(m.Name) {
		return fmt.Errorf("the measure %s needs more than the predictions of %s have: %v", m.Name, method, m.Needs)
	}
	s.scores = make([][]float64, s.base.Targets)
	for target := range s.scores {
		for _, aspect := range s.aspects {
			s.scores[target] = append(s.scores[target], baseline[target].Get(aspect.Measure))
		}
	}
	return nil
}

// aspectsFor returns the aspects of predictions that are scored with a measure. hasStd says whether
// the predictions have standard deviations.
func aspectsFor(m measure.Measure, hasStd bool) []Aspect {
	needsAny := func(parts ...measure.Part) bool {
		return slices.ContainsFunc(parts, func(p measure.Part) bool { return slices.Contains(m.Needs, p) })
	}
	aspects := []Aspect{{Part: Mean, Measure: "rmse"}}
	if m.Name != "rmse" && needsAny(measure.Mean, measure.CDF, measure.Density) {
		aspects = append(aspects, Aspect{Part: Mean, Measure: m.Name})
	}
	if hasStd && needsAny(measure.Std, measure.CDF, measure.Density) {
		aspects = append(aspects, Aspect{Part: Std, Measure: m.Name})
	}
	if hasStd {
		aspects = append(aspects, Aspect{Part: Std, Measure: Change})
	}
	if m.Name != "rmse" {
		aspects = append(aspects, Aspect{Part: Whole, Measure: m.Name})
	}
	return aspects
}

// defaultMeasure returns the name of the measure that is used unless the user chooses one.
func (s *scorer) defaultMeasure() string {
	switch {
	case s.base.HasStd():
		return "crps"
	case s.base.Family.Classes > 0:
		return "log-loss"
	}
	return "rmse"
}

// score returns the scores of every target, in its own unit, by the RMSE and the measure.
func (s *scorer) score(p *evaluation.Predictions) ([]measure.Scores, error) {
	names := []string{"rmse"}
	if s.measure.Name != "rmse" {
		names = append(names, s.measure.Name)
	}
	e, err := evaluation.Evaluate(p, s.truth, s.protocol, names)
	if err != nil {
		return nil, err
	}
	if e.Columns == nil {
		return []measure.Scores{e.Original}, nil
	}
	var scores []measure.Scores
	for _, c := range e.Columns {
		scores = append(scores, c.Original)
	}
	return scores, nil
}

// increases returns how much worse permuted predictions are than the baseline, [targets, aspects]
// in row-major order.
func (s *scorer) increases(permuted *evaluation.Predictions) ([]float64, error) {
	increases := make([]float64, s.base.Targets*len(s.aspects))
	for _, part := range []Part{Mean, Std, Whole} {
		if err := s.addIncreases(increases, permuted, part); err != nil {
			return nil, err
		}
	}
	change := slices.Index(s.aspects, Aspect{Part: Std, Measure: Change})
	if change >= 0 {
		for target := range s.base.Targets {
			increases[target*len(s.aspects)+change] = s.stdChange(permuted, target)
		}
	}
	return increases, nil
}

// addIncreases sets the elements of increases for the aspects of one part, except for Change.
func (s *scorer) addIncreases(increases []float64, permuted *evaluation.Predictions, part Part) error {
	isScored := func(a Aspect) bool { return a.Part == part && a.Measure != Change }
	if !slices.ContainsFunc(s.aspects, isScored) {
		return nil
	}
	scores, err := s.score(replacePart(s.base, permuted, part))
	if err != nil {
		return err
	}
	for target := range s.base.Targets {
		for k, aspect := range s.aspects {
			if !isScored(aspect) {
				continue
			}
			score := scores[target].Get(aspect.Measure)
			before := s.scores[target][k]
			if aspect.Measure == s.measure.Name {
				score = s.measure.Badness(score)
				before = s.measure.Badness(before)
			}
			increases[target*len(s.aspects)+k] = score - before
		}
	}
	return nil
}

// replacePart returns the predictions p with one part of other predictions.
func replacePart(p, others *evaluation.Predictions, part Part) *evaluation.Predictions {
	if part == Whole {
		return others
	}
	mixed := *p
	mixed.Values = slices.Clone(p.Values)
	for i, other := range others.Values {
		d := mixed.Values[i].Distribution
		switch {
		case distribution.IsPoint(d): // only a mean
			d = other.Distribution
		case part == Mean:
			d = distribution.WithMoments(d, other.Mean(), d.Std())
		default:
			d = distribution.WithMoments(d, d.Mean(), other.Std())
		}
		mixed.Values[i].Distribution = d
	}
	return &mixed
}

// stdChange returns the importance Change of a target.
func (s *scorer) stdChange(permuted *evaluation.Predictions, target int) float64 {
	sum, total := 0.0, 0.0
	for row := range len(s.base.Values) / s.base.Targets {
		weight := 1.0
		if s.truth.Weights != nil {
			weight = s.truth.Weights[row]
		}
		i := row*s.base.Targets + target
		before := s.base.Values[i].Std()
		after := permuted.Values[i].Std()
		if before > 0 && weight > 0 {
			sum += float64(weight * (math.Abs(after-before) / before))
			total += weight
		}
	}
	return sum / total
}

// baselineScores returns the score of each target by each measure of the aspects, each once.
func (s *scorer) baselineScores() []Baseline {
	var baseline []Baseline
	for target, scaler := range s.truth.Columns {
		for k, aspect := range s.aspects {
			isSame := func(b Baseline) bool { return b.Target == scaler.Name && b.Measure == aspect.Measure }
			if aspect.Measure == Change || slices.ContainsFunc(baseline, isSame) {
				continue
			}
			baseline = append(baseline, Baseline{
				Target:  scaler.Name,
				Measure: aspect.Measure,
				Score:   strict.Number(s.scores[target][k]),
			})
		}
	}
	return baseline
}
