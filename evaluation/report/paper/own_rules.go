package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"sml/evaluation/measure"
	"sml/internal/statistics"
)

// The functions of this file are rules of single claims, or return one: each returns whether the claim holds, and the
// numbers by which it does or does not.

// normalWithin1Sigma is the probability that a normal residual is within one standard deviation.
const normalWithin1Sigma = 0.683

// mcUnderestimates checks whether fewer test rows lie within 1σ of mc's predictions than of normal residuals, in the mean
// over the data sets.
func mcUnderestimates(p *part) (isTrue bool, numbers string) {
	var fractions []float64
	for _, dataset := range datasets {
		fraction, ok := p.fractionWithin(dataset, "mc", 1)
		if ok {
			fractions = append(fractions, fraction)
		}
	}
	if len(fractions) == 0 {
		return p.lack(paperStudy)
	}
	mean := statistics.Mean(fractions)
	return mean < normalWithin1Sigma, fmt.Sprintf("%.0f %% of the test rows lie within 1σ, where 68.3 %% would be right; mean over one fold of each of %d data sets", 100*mean, len(fractions))
}

// sigmaDropDominates checks whether σ_drop is more than 80 % of σ_total on all data sets and splits.
func sigmaDropDominates(p *part) (isTrue bool, numbers string) {
	const minFraction = 0.8
	var r ranking // of combinations of a data set and a split
	for _, dataset := range p.datasets {
		for _, split := range append([]string{"train", "test"}, shifts...) {
			fraction, ok := p.meanDropFraction(dataset, []string{split})
			if ok {
				r = append(r, rankedMethod{dataset + ", " + split, fraction})
			}
		}
	}
	if r == nil {
		return p.lack(paperStudy)
	}
	r.sort()
	smallest, largest := r[0], r.last()
	numbers = fmt.Sprintf("%.0f to %.0f %% on %d combinations of data set and rows, smallest on %s", 100*smallest.value, 100*largest.value, len(r), smallest.method)
	return smallest.value > minFraction, numbers
}

// rmseGap checks whether mc, mc-ll, sml and de have the smallest RMSEs on training rows, and pu and pu-de the smallest
// differences between test rows and training rows.
func rmseGap(p *part) (isTrue bool, numbers string) {
	train := p.means("train", "rmse")
	gaps := p.means("test", "rmse").minus(train)
	isTrue = train.beginsWith("mc", "mc-ll", "sml", "de") && gaps.beginsWith("pu", "pu-de")
	return isTrue, fmt.Sprintf("training rows: %v; gap: %v", train, gaps)
}

// rmseGrowsUnderShift checks whether each method has a larger mean RMSE on each split with shift than on test rows.
func rmseGrowsUnderShift(p *part) (isTrue bool, numbers string) {
	test := p.means("test", "rmse")
	var ranges []string // of the means, by split
	larger := 0         // number of means above the method's mean on test rows
	count := 0          // number of means
	for _, split := range shifts {
		r := p.means(split, "rmse")
		for _, x := range r {
			count++
			if x.value > test.valueOf(x.method) {
				larger++
			}
		}
		ranges = append(ranges, split+" "+r.formatRange())
	}
	numbers = fmt.Sprintf("%d of %d means over data sets: test %s, %s", larger, count, test.formatRange(), strings.Join(ranges, ", "))
	return larger == count, numbers
}

// smallestWorstNLL checks whether sml has the smallest of the methods' largest NLLs over all data sets and all splits
// with shift that have scores.
func smallestWorstNLL(p *part) (isTrue bool, numbers string) {
	worst := make(map[string]float64) // by method
	for _, split := range shifts {
		for _, x := range p.main.rank(Methods(), split, "nll", slices.Max) {
			before, isKnown := worst[x.method]
			if !isKnown {
				before = x.value
			}
			worst[x.method] = max(x.value, before)
		}
	}
	if len(worst) == 0 {
		return p.lack(paperStudy)
	}
	r := newRanking(Methods(), func(method string) float64 { return worst[method] })
	return r.beginsWith("sml"), r.String()
}

// smallestWS returns the rule that pu-de and sml have the smallest mean WS on a split. On training rows pu may
// be among them.
func smallestWS(split string) rule {
	return byMean(split, "ws", func(r ranking) bool {
		return r.beginsWith("pu-de", "sml") || split == "train" && r.beginsWith("pu", "pu-de", "sml")
	})
}

// wsGap checks whether pu has the largest difference between the WS of test rows and of training rows, and the two are
// not close. It leaves mc-ll out, whose mean WS depends on single rows with σ near 0.
func wsGap(p *part) (isTrue bool, numbers string) {
	train := p.means("train", "ws")
	test := p.means("test", "ws")
	gaps := test.minus(train)
	gaps = slices.DeleteFunc(gaps, func(x rankedMethod) bool { return x.method == "mc-ll" })
	isLargest := gaps.last().method == "pu"
	isTrue = isLargest && !isClose(test.valueOf("pu"), train.valueOf("pu"))
	return isTrue, fmt.Sprintf("gap: %v", gaps)
}

// wsUnderShift returns the paper's statement on WS for a split with shift. On the pca splits, which test on rows
// with unusual inputs, pu-de and sml must have the smallest means over the data sets. On the label splits, which
// test on rows with unusual targets, a few data sets must spoil pu-de: its mean must be more than twice its median.
func wsUnderShift(split string) rule {
	const farAbove = 2 // factor: the paper gives no number
	if slices.Contains(pcaShifts, split) {
		return byMean(split, "ws", first("pu-de", "sml"))
	}
	return func(p *part) (bool, string) {
		mean := p.means(split, "ws").valueOf("pu-de")
		median := p.medians(split, "ws").valueOf("pu-de")
		return mean > farAbove*median, fmt.Sprintf("PU-DE %s, median %s", formatNumber(mean), formatNumber(median))
	}
}

// smlFirstUnderShift returns the rule that sml has the smallest mean score on each split with shift.
func smlFirstUnderShift(measureName string) rule {
	return func(p *part) (bool, string) {
		var exceptions []string // splits on which another method is first
		for _, split := range shifts {
			r := p.means(split, measureName)
			if !r.beginsWith("sml") {
				exceptions = append(exceptions, fmt.Sprintf("%s is first on %s", methodTitle(r[0].method), split))
			}
		}
		count := fmt.Sprintf("%d of %d", len(shifts)-len(exceptions), len(shifts))
		return len(exceptions) == 0, strings.Join(append([]string{count}, exceptions...), ", ")
	}
}

// easyDatasetsFirst checks whether sml's three smallest test RMSEs are on yacht, energy and naval. The numbers also have the
// next data set.
func easyDatasetsFirst(p *part) (isTrue bool, numbers string) {
	common := p.main.commonDatasets([]string{"sml"}, "test", "rmse")
	r := newRanking(common, func(dataset string) float64 { return p.score(p.main, dataset, "sml", "rmse") })
	hasOthers := len(r) > len(easyDatasets)
	if !hasOthers || !r.has(easyDatasets...) {
		return p.lack(paperStudy)
	}
	return r.beginsWith(easyDatasets...), fmt.Sprintf("SML: %v", r[:len(easyDatasets)+1])
}

// smlOverestimates returns the rule that on a data set more test rows than normalWithin1Sigma lie within 1σ of
// sml's predictions, and that sml's ECE is above the median of the paper's methods. Methods without a score do not
// count in the median: one method that failed must not hide the others.
func smlOverestimates(dataset string) rule {
	return func(p *part) (bool, string) {
		fraction, hasRows := p.fractionWithin(dataset, "sml", 1)
		if !hasRows {
			return p.lack(paperStudy)
		}
		ece := p.score(p.main, dataset, "sml", "ece")
		var eces []float64 // of all methods
		for _, method := range Methods() {
			x, ok := p.main.find(dataset, method, "test", "ece")
			if ok {
				eces = append(eces, x)
			}
		}
		median := statistics.Median(eces)
		numbers := fmt.Sprintf("%.0f %% of the test rows of a fold within 1σ, ECE %s (median of all methods %s)",
			100*fraction, formatNumber(ece), formatNumber(median))
		return fraction > normalWithin1Sigma && ece > median, numbers
	}
}

// strongOnLargeDatasets checks whether sml's ECE and WS on the large data sets are smaller than pu-de's, or close to
// them. It ignores data sets without scores, and says how many there are.
func strongOnLargeDatasets(p *part) (isTrue bool, numbers string) {
	var available []string
	for _, dataset := range largeDatasets {
		_, ok := p.main.find(dataset, "sml", "test", "ws")
		if ok {
			available = append(available, dataset)
		}
	}
	if len(available) == 0 {
		return p.lack("scores of " + strings.Join(largeDatasets, ", "))
	}
	isTrue, numbers = each(available, isLevelWithEnsemble)(p)
	ignored := len(largeDatasets) - len(available)
	if ignored > 0 {
		numbers += fmt.Sprintf("; %d of the four data sets have no scores", ignored)
	}
	return isTrue, numbers
}

// isLevelWithEnsemble returns the rule that sml's ECE and WS on a data set are smaller than pu-de's, or close to
// them.
func isLevelWithEnsemble(dataset string) rule {
	return func(p *part) (bool, string) {
		isLevel := true
		var numbers []string
		for _, measureName := range []string{"ece", "ws"} {
			sml := p.score(p.main, dataset, "sml", measureName)
			ensemble := p.score(p.main, dataset, "pu-de", measureName)
			isLevel = isLevel && (sml < ensemble || isClose(sml, ensemble))
			numbers = append(numbers, fmt.Sprintf("%s %s, PU-DE %s", measure.Title(measureName), formatNumber(sml), formatNumber(ensemble)))
		}
		return isLevel, strings.Join(numbers, ", ")
	}
}

// unstableTraining checks whether the RMSEs of pu and pu-de on california vary more than twice as much between
// trainings as the scores of every other method.
func unstableTraining(p *part) (isTrue bool, numbers string) {
	const minRatio = 2          // of standard deviations: the paper gives no number
	smallestOfPU := math.Inf(1) // smallest standard deviation of pu and pu-de
	largestOfOthers := 0.0      // largest standard deviation of the other methods
	var rmses []string
	for _, s := range p.main.scores {
		isWanted := s.Dataset == "california" && s.Split == "test" && s.Measure == "rmse" && slices.Contains(Methods(), s.Method)
		if !isWanted {
			continue
		}
		if s.Method == "pu" || s.Method == "pu-de" {
			smallestOfPU = min(smallestOfPU, s.Std)
		} else {
			largestOfOthers = max(largestOfOthers, s.Std)
		}
		rmses = append(rmses, fmt.Sprintf("%s %s ± %s", methodTitle(s.Method), formatNumber(s.Mean), formatNumber(s.Std)))
	}
	if len(rmses) < len(Methods()) {
		return p.lack(paperStudy)
	}
	numbers = fmt.Sprintf("RMSE over trainings: %s; unstable means more than twice the standard deviation of the others", strings.Join(rmses, ", "))
	return smallestOfPU > minRatio*largestOfOthers, numbers
}

// abaloneResiduals checks whether the predictions of pu and sml for abalone are realistic, and the predictions of mc and de
// are not. Predictions are realistic if about as many test rows lie within 1σ and 3σ as of normal residuals.
func abaloneResiduals(p *part) (isTrue bool, numbers string) {
	const ( // smallest realistic fractions of rows, a little below the fractions of normal residuals
		minWithin1Sigma = 0.6
		minWithin3Sigma = 0.97
	)
	isRealistic := make(map[string]bool) // by method
	var fractions []string
	for _, method := range []string{"pu", "sml", "mc", "de"} {
		within1, hasRows := p.fractionWithin("abalone", method, 1)
		within3, _ := p.fractionWithin("abalone", method, 3)
		if !hasRows {
			return p.lack("the saved predictions of abalone: the preset paper")
		}
		isRealistic[method] = within1 > minWithin1Sigma && within3 > minWithin3Sigma
		fractions = append(fractions, fmt.Sprintf("%s %.1f and %.1f %%", methodTitle(method), 100*within1, 100*within3))
	}
	isTrue = isRealistic["pu"] && isRealistic["sml"] && !isRealistic["mc"] && !isRealistic["de"]
	return isTrue, strings.Join(fractions, ", ") + ", of a fold"
}

// navalIsEasy returns the rule that the mean score of mc, mc-ll and de on naval is smaller than the mean score of
// sml, pu and pu-de, or close to it.
func navalIsEasy(measureName string) rule {
	return func(p *part) (bool, string) {
		r := newRanking(Methods(), func(method string) float64 { return p.score(p.main, "naval", method, measureName) })
		mean := statistics.Mean([]float64{r.valueOf("mc"), r.valueOf("mc-ll"), r.valueOf("de")})
		otherMean := statistics.Mean([]float64{r.valueOf("sml"), r.valueOf("pu"), r.valueOf("pu-de")})
		return mean < otherMean || isClose(mean, otherMean), r.String()
	}
}

// bestBetaVaries checks whether the β with the smallest test ECE differs between data sets.
func bestBetaVaries(p *part) (isTrue bool, numbers string) {
	common := p.beta.commonDatasets(p.betaMethods, "test", "ece")
	if len(common) < 2 {
		return p.lack(betaStudy)
	}
	wins := make(map[string]int) // number of data sets on which a β is best
	for _, dataset := range common {
		r := newRanking(p.betaMethods, func(method string) float64 { return p.score(p.beta, dataset, method, "ece") })
		wins[r[0].method]++
	}
	var winners []string
	for _, method := range p.betaMethods {
		if wins[method] > 0 {
			winners = append(winners, fmt.Sprintf("%s on %d", methodTitle(method), wins[method]))
		}
	}
	return len(winners) > 1, fmt.Sprintf("smallest test ECE: %s of %d data sets", strings.Join(winners, ", "), len(common))
}

// trainingECEFallsWithBeta checks whether the mean ECE of training rows is smaller for each larger β. It leaves β = 0.5
// out if that was scored by other predictions.
func trainingECEFallsWithBeta(p *part) (isTrue bool, numbers string) {
	r := p.rankBetas("train", "ece")
	methods := p.betaMethods // from small to large β
	if p.hasBetaQuirk() {
		methods = slices.DeleteFunc(slices.Clone(methods), func(label string) bool { return label == betaLabel+"0.5" })
	}
	falls := true
	for i := 1; i < len(methods); i++ {
		falls = falls && r.valueOf(methods[i]) < r.valueOf(methods[i-1])
	}
	return falls, r.String()
}

// hugeBetaLosesAccuracy checks whether β = 10 is worse than predicting the mean of all targets on at least half of the
// data sets of the preset claims.
func hugeBetaLosesAccuracy(p *part) (isTrue bool, numbers string) {
	const meanRMSE = 1 // RMSE of predicting the mean of all targets, which are standardised
	common := p.claims.commonDatasets([]string{smlHugeBeta, smlAllLayers}, "test", "rmse")
	if len(common) == 0 {
		return p.lack(claimsStudy)
	}
	worse := 0 // number of data sets
	var rmses []string
	for _, dataset := range common {
		huge := p.score(p.claims, dataset, smlHugeBeta, "rmse")
		usual := p.score(p.claims, dataset, smlAllLayers, "rmse")
		if huge > meanRMSE || math.IsNaN(huge) {
			worse++
		}
		rmses = append(rmses, fmt.Sprintf("%s %s (β = 0.5: %s)", dataset, formatNumber(huge), formatNumber(usual)))
	}
	numbers = fmt.Sprintf("β = 10 is worse than the targets' mean on %d of %d data sets; RMSE on %s", worse, len(common), strings.Join(rmses, ", "))
	return 2*worse >= len(common), numbers
}

// correlatesWithECE returns the rule that a measure is correlated with ECE, but not perfectly, over all scores of
// the paper's methods. It uses ranks, because WS has no upper bound.
func correlatesWithECE(measureName string) rule {
	const (
		minScores  = 10
		minRelated = 0.5  // smallest correlation of correlated measures
		maxPerfect = 0.99 // from here on a correlation is perfect
	)
	return func(p *part) (bool, string) {
		var eces, others []float64 // both scores of a method on a data set and split have the same index
		for _, s := range p.main.scores {
			if s.Measure != "ece" {
				continue
			}
			other, ok := p.main.find(s.Dataset, s.Method, s.Split, measureName)
			if ok {
				eces = append(eces, s.Mean)
				others = append(others, other)
			}
		}
		if len(eces) < minScores {
			return p.lack(paperStudy)
		}
		r := stat.Correlation(ranks(eces), ranks(others), nil)
		numbers := fmt.Sprintf("Spearman's correlation with ECE %.2f over %d scores", r, len(eces))
		return r > minRelated && r < maxPerfect, numbers
	}
}

// ranks returns for each value the number of smaller values, with which Spearman's correlation is Pearson's
// correlation of ranks.
func ranks(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	ranks := make([]float64, len(values))
	for i, x := range values {
		smaller, _ := slices.BinarySearch(sorted, x)
		ranks[i] = float64(smaller)
	}
	return ranks
}
