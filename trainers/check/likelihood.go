package check

import (
	"math"

	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

// Bounds on the comparison of a likelihood with the predicted distribution.
const (
	maxIntegralChange = 0.01 // largest relative change of ∫ e^−loss dy of a likelihood
	minWidthChange    = 0.02 // relative change of its interquartile range from which the outputs decide it
	maxCDFDistance    = 0.01 // largest difference of the two cumulative distribution functions that passes
	maxMomentDistance = 0.02 // largest difference of the two means or standard deviations that passes, in standard deviations
)

// checkLikelihood compares the predicted distribution with the distribution whose likelihood is the objective, such as
// Student's t. The loss of one row as a function of the target y alone is a negative log-likelihood, up to a constant,
// if the integral of e^−loss over y is the same for all outputs of the network. The width of its density must follow from
// the outputs: a squared error is the likelihood of a fixed width, which no prediction needs to have. There is no finding
// if the loss is no such likelihood, or if the prediction uses more than the outputs of the full network.
func (s *subject) checkLikelihood() Findings {
	a := s.spec.Architecture
	usesMore := s.method.UsesSubNetworks() || s.method.AfterTraining != nil || a.CopyCount() > 1
	if usesMore || s.method.PredictsClasses() || s.method.Support != models.Reals || a.Targets != 1 {
		return nil
	}
	densities := s.likelihoods()
	if densities == nil || !areLikelihoods(densities) {
		return nil
	}
	found := newFinding(Passed, "the objective is the likelihood of the predicted distribution")
	for _, d := range densities {
		switch {
		case d.predicted.IsFinite() && d.cdfDistance() <= maxCDFDistance:
		case !(d.predicted.Std() > 0) || math.IsNaN(d.predicted.CDF(0)): // a point, or quantiles alone
			return nil
		case d.momentDistance() > maxMomentDistance:
			return oneFinding(Failed, "the objective is the likelihood of another distribution than the predicted one: its mean and standard deviation are %.3g and %.3g, and the predicted ones %.3g and %.3g for the same outputs of the network",
				d.mean(), d.std(), d.predicted.Mean(), d.predicted.Std())
		default:
			found.note()
			found.Message = "the objective is the likelihood of another distribution than the predicted one, with the same mean and standard deviation"
		}
	}
	return Findings{found}
}

// likelihood is the density e^−loss of a target, divided by its integral, for some outputs of the network, on the grid of
// targets that targetGrid returns.
type likelihood struct {
	targets   []float64
	masses    []float64 // density times the length of the target's part of the grid; their sum is 1
	integral  float64   // of e^−loss
	predicted models.Prediction
}

// likelihoodDraws is the number of likelihoods to compute, each for other outputs of the network.
const likelihoodDraws = 4

// likelihoods returns e^−loss for several plausible outputs of the network, with the predictions for them, or nil if the
// objective cannot be built for a single row.
func (s *subject) likelihoods() []likelihood {
	p := newProbe(s.spec)
	defer p.close()
	const networks, rows = 1, 1
	loss, err := s.spec.LossWithNetwork(p.Builder, rows, func(_ *graph.Node, f models.Forward) models.Forward {
		return func(pass graph.Pass) *graph.Node { return p.replacePass(f(pass), pass) }
	})
	if err != nil {
		return nil
	}
	p.compile(loss)
	p.draw(s.seed)
	g := must(s.spec.NewPredictionGraph(networks, models.PredictionOptions{Rows: rows, Params: must(s.spec.NewParams(s.seed))}))
	defer g.Close()
	var densities []likelihood
	for draw := range likelihoodDraws {
		outputs := s.spec.PlausibleOutputs(3*draw, rows)
		predictions := must(g.Combine([][]float64{must(g.Run(outputs, rows))}, rows))
		p.fillPasses(outputs.Full)
		densities = append(densities, p.likelihood(predictions[0]))
	}
	return densities
}

// fillPasses fills the inputs in place of all passes (replacePass) with the outputs of one row.
func (p *probe) fillPasses(outputs []float32) {
	for _, name := range p.runner.Inputs() {
		if !isReplacedPass(name) {
			continue
		}
		for i, v := range outputs {
			p.runner.Input64(name)[i] = float64(v)
		}
	}
}

// likelihood returns e^−loss on a grid of targets around the prediction. The loss is the only compiled node.
func (p *probe) likelihood(predicted models.Prediction) likelihood {
	targets, lengths := targetGrid(predicted.Mean(), predicted.Std())
	l := likelihood{targets: targets, predicted: predicted}
	for i, y := range targets {
		p.runner.Input64(models.InputY)[0] = y
		mass := float64(portable.Exp(-p.run()[0][0]) * lengths[i])
		l.masses = append(l.masses, mass)
		l.integral += mass
	}
	for i := range l.masses {
		l.masses[i] /= l.integral
	}
	return l
}

// targetGrid returns targets from 3,000 scales below the center to 3,000 above it, which are close to each other at the
// center, and the length of the part of the axis that each stands for. A scale of 0 counts as 1.
func targetGrid(center, scale float64) (targets, lengths []float64) {
	const (
		half = 400   // targets on each side of the center
		step = 0.022 // sinh(half·step) is above 3,000: beyond lies less than 1e-6 of Student's t with 2.05 degrees of freedom
	)
	if !(scale > 0) {
		scale = 1
	}
	for i := -half; i <= half; i++ {
		up := portable.Exp(step * float64(i))
		sinh := (up - 1/up) / 2
		cosh := (up + 1/up) / 2
		targets = append(targets, center+float64(scale*sinh))
		lengths = append(lengths, scale*step*cosh)
	}
	return targets, lengths
}

// areLikelihoods reports whether all densities have the same integral, and widths that follow from the outputs.
func areLikelihoods(densities []likelihood) bool {
	first := densities[0]
	sameWidth := true
	for _, d := range densities {
		if !(math.Abs(d.integral-first.integral) <= maxIntegralChange*first.integral) || !isFinite(d.integral) {
			return false
		}
		width, firstWidth := d.interquartileRange(), first.interquartileRange()
		sameWidth = sameWidth && math.Abs(width-firstWidth) <= minWidthChange*firstWidth
	}
	return !sameWidth
}

// interquartileRange returns the distance between the quantiles at the levels 1/4 and 3/4.
func (l likelihood) interquartileRange() float64 { return l.quantile(0.75) - l.quantile(0.25) }

// quantile returns the target at which the sum of the masses reaches the level.
func (l likelihood) quantile(level float64) float64 {
	sum := 0.0
	for i, mass := range l.masses {
		if sum+mass >= level {
			next := min(i+1, len(l.targets)-1)
			return l.targets[i] + float64((level-sum)/mass*(l.targets[next]-l.targets[i]))
		}
		sum += mass
	}
	return math.NaN()
}

// cdfDistance returns the largest difference between the cumulative distribution functions of the density and of the
// prediction.
func (l likelihood) cdfDistance() float64 {
	sum := 0.0
	largest := 0.0
	for i, mass := range l.masses {
		middle := sum + float64(mass/2) // a target is in the middle of its part of the grid
		largest = max(largest, math.Abs(middle-l.predicted.CDF(l.targets[i])))
		sum += mass
	}
	return largest
}

// mean returns the mean of the density.
func (l likelihood) mean() float64 {
	mean := 0.0
	for i, mass := range l.masses {
		mean += float64(mass * l.targets[i])
	}
	return mean
}

// std returns the standard deviation of the density.
func (l likelihood) std() float64 {
	mean := l.mean()
	variance := 0.0
	for i, mass := range l.masses {
		e := l.targets[i] - mean
		variance += float64(mass * float64(e*e))
	}
	return math.Sqrt(variance)
}

// momentDistance returns the larger difference of the mean and of the standard deviation from the prediction's, in
// standard deviations of the prediction.
func (l likelihood) momentDistance() float64 {
	return max(math.Abs(l.mean()-l.predicted.Mean()), math.Abs(l.std()-l.predicted.Std())) / l.predicted.Std()
}
