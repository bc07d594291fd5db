// Package explain measures how much the predicted mean and the predicted standard deviation depend
// on each column of a table. Start with PermuteColumns, and with PartialDependence for one column. It does not explain
// single predictions.
package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

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
	Mean  Part = "mean"  // μ of the permuted rows; σ, quantiles and probabilities of the original rows
	Std   Part = "std"   // σ of the permuted rows; μ of the original rows
	Whole Part = "whole" // the whole prediction of the permuted rows
)

// Change is the name of an importance for σ that needs no targets: the weighted mean over the rows
// of |σ′ − σ|/σ, where σ belongs to the original and σ′ to the permuted row. Rows with σ = 0 are left out.
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

// Permutation has the permutation importances of all columns.
//
// Row i has the prediction (μ, σ) with its own values, and (μ′, σ′) with the column's value of another row, by the same
// dropout masks. An importance is the mean, over the permutations of the rows, of the increase of a loss L
// (measure.Measure.Badness of a score), in the target's unit. There are three kinds:
//
//   - of the mean, L(μ′, σ) − L(μ, σ), where L is the RMSE or the chosen measure
//   - of the standard deviation, L(μ, σ′) − L(μ, σ), where L is the chosen measure, if this depends on σ
//   - of the whole prediction, L(μ′, σ′) − L(μ, σ), where L is the chosen measure
//
// The importance of correlated columns is underestimated: if one is permuted, the network still has the other. Permuting
// one also creates rows that cannot occur, such as a winter's day at 30 °C, on which the network was not trained.
//
// Source: Breiman (2001), Random forests, section 10; Fisher, Rudin and Dominici (2019), All models are wrong, but many are
// useful, section 3, "model reliance" as a difference. Permuting for the standard deviation alone is new here.
type Permutation struct {
	Rows        int          `json:"rows"`    // number of rows
	Samples     int          `json:"samples"` // number of sub-networks; 0 if the method draws none
	Repeats     int          `json:"repeats"` // permutations of each column
	Measure     string       `json:"measure"` // name of the measure that scores σ and whole predictions
	Baseline    []Baseline   `json:"baseline"`
	Importances []Importance `json:"importances"` // by target, then by column
}

// Options control a permutation. The zero value is ready to use.
type Options struct {
	Repeats int // permutations of each column; default 10

	// Measure is the name of the measure that scores σ and whole predictions. The default is crps or,
	// for predictions without σ, log-loss for classes and rmse for numbers.
	Measure  string
	Sampling evaluation.Sampling

	Calibrate func(*evaluation.Predictions) *evaluation.Predictions // see experiment.Model.Calibrator; nil for no calibration
	Progress  func(done, total int)                                 // called with the number of predicted rows, by one goroutine at a time; may be nil
}

// DefaultRepeats is the default of Options.Repeats.
const DefaultRepeats = 10

// Repeats is the range of Options.Repeats. A single repeat would have no standard deviation.
var Repeats = models.Range{Min: 2, Max: 1000}

// permutationStream separates the random numbers of permutations from other streams with the same seed.
// Its bytes spell "perm".
const permutationStream = 0x7065726d

// PermuteColumns permutes each column of a table in turn and returns how much worse the predictions of m become
// (Permutation). rows has prepared inputs of m, and t the targets of these rows. The inputs that a preparation makes from one
// column, such as the indicators of a category, are permuted together. The permutations are the same for all columns and
// depend only on the seed of the sampling.
//
// PermuteColumns returns an error if there are fewer than two rows, if the number of repeats is out of range, or if the
// measure cannot score the predictions.
func PermuteColumns(ctx context.Context, m *experiment.Model, rows data.Subset, t evaluation.Truth, protocol data.Protocol, o Options) (*Permutation, error) {
	o.Repeats = cmp.Or(o.Repeats, DefaultRepeats)
	if err := Repeats.Check("the number of repeats", o.Repeats); err != nil {
		return nil, err
	}
	numbers := rows.RowNumbers(m.Architecture.Inputs)
	if len(numbers) < 2 {
		return nil, fmt.Errorf("a permutation needs at least 2 rows; there are %d", len(numbers))
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
	sampling := o.Sampling
	sampling.Workers = 1 // for each permutation
	sampling.Progress = nil
	predictor, err := evaluation.NewPredictor(m.Model, sampling)
	if err != nil {
		return nil, err
	}
	defer predictor.Close()
	columns := inputColumns(m)
	p := &permuter{
		predictor: predictor,
		rows:      rows,
		inputs:    m.Architecture.Inputs,
		numbers:   numbers,
		columns:   columns,
		scorer:    s,
		options:   o,
		progress:  evaluation.NewProgress(o.Progress, len(numbers)*len(columns)*o.Repeats),
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

// targetScores has a number for each target and each of a scorer's aspects, [target][aspect].
type targetScores [][]float64

// importances returns the importances of all columns: means and standard deviations over the repeats.
// increases has, for each column, the results of scorer.increases by repeat.
func (s *scorer) importances(columns []column, increases [][]targetScores) []Importance {
	var importances []Importance
	for target, targetColumn := range s.truth.Columns {
		for i, column := range columns {
			for k, aspect := range s.aspects {
				var values []float64 // by repeat
				for _, scores := range increases[i] {
					values = append(values, scores[target][k])
				}
				mean, std := meanStd(values)
				importances = append(importances, Importance{
					Target: targetColumn.Name,
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

// meanStd returns the mean and the sample standard deviation. The standard deviation of equal values is
// 0, even if they are infinite.
func meanStd(values []float64) (mean, std float64) {
	if slices.Max(values) == slices.Min(values) {
		return values[0], 0
	}
	return statistics.MeanStd(values)
}

// permuter predicts rows with permuted columns.
type permuter struct {
	predictor *evaluation.Predictor // of one worker
	rows      data.Subset
	inputs    int     // number of inputs of a row
	numbers   []int32 // numbers of the rows to predict
	columns   []column
	scorer    *scorer
	options   Options
	progress  *evaluation.Progress
}

// permuteAll permutes every column as often as there are repeats, and returns for each column and repeat how much
// worse the predictions became. It returns the first error of a prediction. Several permutations are predicted at the same time, each by
// one goroutine; the result does not depend on their number.
func (p *permuter) permuteAll(ctx context.Context) ([][]targetScores, error) {
	workers := p.options.Sampling.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	increases := make([][]targetScores, len(p.columns))
	for i := range increases {
		increases[i] = make([]targetScores, p.options.Repeats)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for repeat := range p.options.Repeats {
		for i, column := range p.columns {
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				permuted, err := p.predictPermuted(ctx, column, repeat)
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

// predictPermuted returns the predictions of all rows with the values of a column permuted, calibrated
// if the options have a calibration. The permutation depends only on the seed and the repeat. Rows are
// predicted in blocks, so that only one block of permuted inputs is in memory.
func (p *permuter) predictPermuted(ctx context.Context, c column, repeat int) (*evaluation.Predictions, error) {
	n := len(p.numbers)
	random := rand.New(rand.NewPCG(p.options.Sampling.Seed, permutationStream+uint64(repeat)))
	order := portable.Perm(random, n)
	permuted := *p.scorer.base
	permuted.Values = make([]models.Prediction, 0, len(p.scorer.base.Values))
	blockRows := p.predictor.RowsAtOnce()
	x := make([]float64, min(n, blockRows)*p.inputs) // inputs of a block, row by row
	for start := 0; start < n; start += blockRows {
		end := min(start+blockRows, n)
		p.fillPermuted(x, c, start, order[start:end])
		block := data.Subset{X: x[:(end-start)*p.inputs], XScale: p.rows.XScale}
		predictions, err := p.predictor.Predict(ctx, block)
		if err != nil {
			return nil, err
		}
		permuted.Values = append(permuted.Values, predictions.Values...)
		p.progress.Add(end - start)
	}
	if p.options.Calibrate != nil {
		return p.options.Calibrate(&permuted), nil
	}
	return &permuted, nil
}

// fillPermuted fills x with the inputs of a block of rows, row by row. start is the index of the block's
// first row in p.numbers. donors has, for each row of the block, the index in p.numbers of the row from
// which the column's values are taken.
func (p *permuter) fillPermuted(x []float64, c column, start int, donors []int) {
	for i, donor := range donors {
		row := x[i*p.inputs : (i+1)*p.inputs]
		copy(row, p.inputsOf(p.numbers[start+i]))
		copy(row[c.start:c.end], p.inputsOf(p.numbers[donor])[c.start:c.end])
	}
}

// inputsOf returns the inputs of the row with this number.
func (p *permuter) inputsOf(number int32) []float64 {
	return p.rows.X[int(number)*p.inputs:][:p.inputs]
}

// scorer compares predictions of permuted rows with predictions of the original rows, the baseline.
type scorer struct {
	base     *evaluation.Predictions
	truth    evaluation.Truth
	protocol data.Protocol
	measure  measure.Measure // measure of σ and of whole predictions
	aspects  []Aspect
	scores   targetScores // scores of the baseline
}

// chooseAspects sets s.measure, s.aspects and s.scores. name is the name of the measure; "" means the
// default measure. chooseAspects returns an error if the measure is unknown, has no better and worse
// scores, or needs a part that the method's predictions do not have.
func (s *scorer) chooseAspects(method, name string) error {
	m, err := measure.Lookup(cmp.Or(name, s.defaultMeasure()))
	if err != nil {
		return err
	}
	s.measure = m
	if m.Undirected {
		return fmt.Errorf("measure %s does not say which score is better; want a measure such as rmse or crps", m.Name)
	}
	s.aspects = aspectsFor(m, s.base.HasStd())
	baseline, err := s.score(s.base)
	if err != nil {
		return err
	}
	if !baseline[0].Has(m.Name) {
		return fmt.Errorf("measure %s needs %v, which the predictions of method %s do not have", m.Name, m.Needs, method)
	}
	s.scores = make(targetScores, s.base.Targets)
	for target := range s.scores {
		for _, aspect := range s.aspects {
			s.scores[target] = append(s.scores[target], baseline[target].Get(aspect.Measure))
		}
	}
	return nil
}

// aspectsFor returns the aspects for which importances by a measure make sense: the mean always by the
// RMSE and, if they depend on it, the mean, σ and the whole prediction by the measure. hasStd says whether
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

// defaultMeasure returns the name of the measure that suits the predictions if the user chooses none.
func (s *scorer) defaultMeasure() string {
	switch {
	case s.base.HasStd():
		return "crps"
	case s.base.Family.Classes > 0:
		return "log-loss"
	}
	return "rmse"
}

// score returns the scores of each target, in its own unit, by the RMSE and the measure.
func (s *scorer) score(p *evaluation.Predictions) ([]measure.Scores, error) {
	names := []string{"rmse"}
	if s.measure.Name != "rmse" {
		names = append(names, s.measure.Name)
	}
	e, err := evaluation.Evaluate(p, s.truth, s.protocol, names)
	if err != nil {
		return nil, err
	}
	var scores []measure.Scores
	for _, c := range e.Targets() {
		scores = append(scores, c.Original)
	}
	return scores, nil
}

// increases returns how much worse permuted predictions are than the baseline, by target and aspect.
func (s *scorer) increases(permuted *evaluation.Predictions) (targetScores, error) {
	scores := make(map[Part][]measure.Scores) // scores of each target, by the permuted part
	increases := make(targetScores, s.base.Targets)
	for k, aspect := range s.aspects {
		if aspect.Measure != Change && scores[aspect.Part] == nil {
			var err error
			scores[aspect.Part], err = s.score(replacePart(s.base, permuted, aspect.Part))
			if err != nil {
				return nil, err
			}
		}
		for target := range increases {
			increase := 0.0
			if aspect.Measure == Change {
				increase = s.stdChange(permuted, target)
			} else {
				increase = s.badness(aspect, scores[aspect.Part][target].Get(aspect.Measure)) - s.badness(aspect, s.scores[target][k])
			}
			increases[target] = append(increases[target], increase)
		}
	}
	return increases, nil
}

// badness returns the badness of a score of an aspect. The RMSE, which aspects have beside the measure, is its own badness.
func (s *scorer) badness(a Aspect, score float64) float64 {
	if a.Measure == s.measure.Name {
		return s.measure.Badness(score)
	}
	return score
}

// replacePart returns the predictions p with one part taken from others. A prediction that is only a mean
// is replaced as a whole.
func replacePart(p, others *evaluation.Predictions, part Part) *evaluation.Predictions {
	if part == Whole {
		return others
	}
	mixed := *p
	mixed.Values = slices.Clone(p.Values)
	for i, other := range others.Values {
		d := mixed.Values[i].Distribution
		switch {
		case distribution.IsPoint(d):
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

// stdChange returns the importance Change of a target. It is NaN if no row has a weight and a σ above 0.
func (s *scorer) stdChange(permuted *evaluation.Predictions, target int) float64 {
	sum := 0.0
	totalWeight := 0.0
	for row := range len(s.base.Values) / s.base.Targets {
		weight := 1.0
		if s.truth.Weights != nil {
			weight = s.truth.Weights[row]
		}
		i := row*s.base.Targets + target
		before := s.base.Values[i].Std()
		after := permuted.Values[i].Std()
		if before > 0 && weight > 0 {
			// The conversion keeps the compiler from fusing the product and the sum, whose result would differ.
			sum += float64(weight * (math.Abs(after-before) / before))
			totalWeight += weight
		}
	}
	return sum / totalWeight
}

// baselineScores returns the score of each target by each measure of the aspects, each once.
func (s *scorer) baselineScores() []Baseline {
	var baseline []Baseline
	for target, targetColumn := range s.truth.Columns {
		for k, aspect := range s.aspects {
			isSame := func(b Baseline) bool { return b.Target == targetColumn.Name && b.Measure == aspect.Measure }
			if aspect.Measure == Change || slices.ContainsFunc(baseline, isSame) {
				continue
			}
			baseline = append(baseline, Baseline{
				Target:  targetColumn.Name,
				Measure: aspect.Measure,
				Score:   strict.Number(s.scores[target][k]),
			})
		}
	}
	return baseline
}
