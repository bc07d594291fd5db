package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// normalWithin1Sigma is the probability that a normal residual is within one standard deviation.
const normalWithin1Sigma = 0.683

// mcUnderestimates holds if fewer test rows than right lie within 1σ of mc's predictions, in the mean over the
// data sets.
func mcUnderestimates(e *evidence) (bool, string) {
	var fractions []float64
	for _, dataset := range datasets {
		fraction, ok := e.fractionWithin(dataset, "mc", 1)
		if ok {
			fractions = append(fractions, fraction)
		}
	}
	if len(fractions) == 0 {
		return e.lack(paperStudy)
	}
	mean := statistics.Mean(fractions)
	return mean < normalWithin1Sigma, fmt.Sprintf("%.0f %% of the test rows lie within 1σ, where 68.3 %% would be right; mean over one fold of each of %d data sets", 100*mean, len(fractions))
}

// sigmaDropDominates holds if σ_drop is more than 80 % of σ_total on all data sets and splits.
func sigmaDropDominates(e *evidence) (bool, string) {
	const minFraction = 0.8
	var names []string // combinations of a data set and a split
	fractions := make(map[string]float64)
	for _, dataset := range e.part.datasets {
		for _, split := range append([]string{"train", "test"}, shifts...) {
			fraction, ok := e.part.meanDropFraction(dataset, []string{split})
			if ok {
				name := dataset + ", " + split
				names = append(names, name)
				fractions[name] = fraction
			}
		}
	}
	if names == nil {
		return e.lack(paperStudy)
	}
	r := newRanking(names, func(name string) float64 { return fractions[name] })
	smallest := r[0]
	return smallest.value > minFraction, fmt.Sprintf("%.0f to %.0f %% on %d combinations of data set and rows, smallest on %s", 100*smallest.value, 100*r.last().value, len(r), smallest.method)
}

// rmseGap holds if the other four methods have the smallest RMSEs on training rows, and pu and pu-de the
// smallest differences between test rows and training rows.
func rmseGap(e *evidence) (bool, string) {
	train := e.means("train", "rmse")
	gaps := e.means("test", "rmse").minus(train)
	return train.beginsWith("mc", "mc-ll", "sml", "de") && gaps.beginsWith("pu", "pu-de"), fmt.Sprintf("training rows: %v; gap: %v", train, gaps)
}

// rmseGrowsUnderShift holds if each method has a larger mean RMSE on each split with shift than on test rows.
func rmseGrowsUnderShift(e *evidence) (bool, string) {
	test := e.means("test", "rmse")
	var ranges []string // of the means, by split
	larger := 0         // number of means above the method's mean on test rows
	count := 0          // number of means
	for _, split := range shifts {
		r := e.means(split, "rmse")
		for _, x := range r {
			count++
			if x.value > test.valueOf(x.method) {
				larger++
			}
		}
		ranges = append(ranges, split+" "+r.formatRange())
	}
	return larger == count, fmt.Sprintf("%d of %d means over data sets: test %s, %s", larger, count, test.formatRange(), strings.Join(ranges, ", "))
}

// smallestWorstNLL holds if sml has the smallest of the methods' largest NLLs over all data sets and all splits
// with shift that have scores.
func smallestWorstNLL(e *evidence) (bool, string) {
	var methods []string
	worst := make(map[string]float64)
	for _, split := range shifts {
		for _, x := range e.main.rank(Methods(), split, "nll", slices.Max) {
			before, isKnown := worst[x.method]
			if !isKnown {
				methods = append(methods, x.method)
				before = x.value
			}
			worst[x.method] = max(before, x.value)
		}
	}
	if methods == nil {
		return e.lack(paperStudy)
	}
	r := newRanking(methods, func(method string) float64 { return worst[method] })
	return r.beginsWith("sml"), r.String()
}

// smallestWS returns the rule that pu-de and sml have the smallest mean WS on a split. On training rows pu may
// be among them.
func smallestWS(split string) rule {
	return byMean(split, "ws", func(r ranking) bool {
		return r.beginsWith("pu-de", "sml") || split == "train" && r.beginsWith("pu", "pu-de", "sml")
	})
}

// wsGap holds if pu has the largest difference between the WS of test rows and of training rows, and the two are
// not close. It leaves mc-ll out, whose mean WS depends on single rows with σ near 0.
func wsGap(e *evidence) (bool, string) {
	train := e.means("train", "ws")
	test := e.means("test", "ws")
	gaps := test.minus(train)
	gaps = slices.DeleteFunc(gaps, func(x rankedMethod) bool { return x.method == "mc-ll" })
	return gaps.last().method == "pu" && !isClose(test.valueOf("pu"), train.valueOf("pu")), fmt.Sprintf("gap: %v", gaps)
}

// wsUnderShift returns the paper's statement on WS for a split with shift. On the pca splits, which test on rows
// with unusual inputs, pu-de and sml must have the smallest means over the data sets. On the label splits, which
// test on rows with unusual targets, a few data sets must spoil pu-de: its mean must be more than twice its median.
func wsUnderShift(split string) rule {
	const farAbove = 2 // factor: the paper gives no number
	if slices.Contains(pcaShifts, split) {
		return byMean(split, "ws", first("pu-de", "sml"))
	}
	return func(e *evidence) (bool, string) {
		mean := e.means(split, "ws").valueOf("pu-de")
		median := e.medians(split, "ws").valueOf("pu-de")
		return mean > farAbove*median, fmt.Sprintf("PU-DE %s, median %s", formatNumber(mean), formatNumber(median))
	}
}

// smlFirstUnderShift returns the rule that sml has the smallest mean score on each split with shift.
func smlFirstUnderShift(measureName string) rule {
	return func(e *evidence) (bool, string) {
		first := 0              // number of splits on which sml is first
		var exceptions []string // splits on which another method is first
		for _, split := range shifts {
			r := e.means(split, measureName)
			if r.beginsWith("sml") {
				first++
				continue
			}
			exceptions = append(exceptions, fmt.Sprintf("%s is first on %s", methodTitle(r[0].method), split))
		}
		count := fmt.Sprintf("%d of %d", first, len(shifts))
		return first == len(shifts), strings.Join(append([]string{count}, exceptions...), ", ")
	}
}

// easyDatasetsFirst holds if sml's three smallest test RMSEs are on yacht, energy and naval.
func easyDatasetsFirst(e *evidence) (bool, string) {
	common := e.main.commonDatasets([]string{"sml"}, "test", "rmse")
	r := newRanking(common, func(dataset string) float64 { return e.score(e.main, dataset, "sml", "rmse") })
	if len(r) <= len(easyDatasets) || !r.has(easyDatasets...) {
		return e.lack(paperStudy)
	}
	return r.beginsWith(easyDatasets...), fmt.Sprintf("SML: %v", r[:len(easyDatasets)+1])
}

// smlOverestimates returns the rule that on a data set more test rows than normalWithin1Sigma lie within 1σ of
// sml's predictions, and that sml's ECE is above the median of the paper's methods. Methods without a score do not
// count in the median: one method that failed must not hide the others.
func smlOverestimates(dataset string) rule {
	return func(e *evidence) (bool, string) {
		fraction, hasRows := e.fractionWithin(dataset, "sml", 1)
		if !hasRows {
			return e.lack(paperStudy)
		}
		ece := e.score(e.main, dataset, "sml", "ece")
		var scores []float64
		for _, method := range Methods() {
			x, ok := e.main.find(dataset, method, "test", "ece")
			if ok {
				scores = append(scores, x)
			}
		}
		median := statistics.Median(scores)
		return fraction > normalWithin1Sigma && ece > median, fmt.Sprintf("%.0f %% of the test rows of a fold within 1σ, ECE %s (median of all methods %s)",
			100*fraction, formatNumber(ece), formatNumber(median))
	}
}

// strongOnLargeDatasets holds if sml's ECE and WS on the large data sets are smaller than pu-de's, or close to
// them. It ignores data sets without scores, and says how many there are.
func strongOnLargeDatasets(e *evidence) (bool, string) {
	var available []string
	for _, dataset := range largeDatasets {
		_, ok := e.main.find(dataset, "sml", "test", "ws")
		if ok {
			available = append(available, dataset)
		}
	}
	if len(available) == 0 {
		return e.lack("scores of " + strings.Join(largeDatasets, ", "))
	}
	isTrue, numbers := each(available, isLevelWithEnsemble)(e)
	count := len(largeDatasets) - len(available)
	if count > 0 {
		numbers += fmt.Sprintf("; %d of the four data sets have no scores", count)
	}
	return isTrue, numbers
}

// isLevelWithEnsemble returns the rule that sml's ECE and WS on a data set are smaller than pu-de's, or close to
// them.
func isLevelWithEnsemble(dataset string) rule {
	return func(e *evidence) (bool, string) {
		isLevel := true
		var numbers []string
		for _, measureName := range []string{"ece", "ws"} {
			sml := e.score(e.main, dataset, "sml", measureName)
			ensemble := e.score(e.main, dataset, "pu-de", measureName)
			isLevel = isLevel && (sml < ensemble || isClose(sml, ensemble))
			numbers = append(numbers, fmt.Sprintf("%s %s, PU-DE %s", measure.Title(measureName), formatNumber(sml), formatNumber(ensemble)))
		}
		return isLevel, strings.Join(numbers, ", ")
	}
}

// unstableTraining holds if the RMSEs of pu and pu-de on california vary more than twice as much between
// trainings as the scores of every other method.
func unstableTraining(e *evidence) (bool, string) {
	const minRatio = 2          // of standard deviations: the paper gives no number
	smallestOfPU := math.Inf(1) // smallest standard deviation of pu and pu-de
	largestOfOthers := 0.0      // largest standard deviation of the other methods
	var numbers []string
	for _, s := range e.main.scores {
		if s.Dataset != "california" || s.Split != "test" || s.Measure != "rmse" || !slices.Contains(Methods(), s.Method) {
			continue
		}
		if strings.HasPrefix(s.Method, "pu") { // pu or pu-de
			smallestOfPU = min(smallestOfPU, s.Std)
		} else {
			largestOfOthers = max(largestOfOthers, s.Std)
		}
		numbers = append(numbers, fmt.Sprintf("%s %s ± %s", methodTitle(s.Method), formatNumber(s.Mean), formatNumber(s.Std)))
	}
	if len(numbers) < len(Methods()) {
		return e.lack(paperStudy)
	}
	return smallestOfPU > minRatio*largestOfOthers, fmt.Sprintf("RMSE over trainings: %s; unstable means more than twice the standard deviation of the others", strings.Join(numbers, ", "))
}

// wsDistinguishes holds if residuals that are all 10 or all 20 standard deviations have the same ECE, and WSs that
// differ by about 10.
func wsDistinguishes(e *evidence) (bool, string) {
	const minWSDifference = 9 // WS is about the mean size of such residuals, so the difference is about 20 − 10
	ece10 := scoreOfEqualResiduals(e, "ece", 10)
	ece20 := scoreOfEqualResiduals(e, "ece", 20)
	ws10 := scoreOfEqualResiduals(e, "ws", 10)
	ws20 := scoreOfEqualResiduals(e, "ws", 20)
	return ece10 == ece20 && ws20-ws10 > minWSDifference, fmt.Sprintf("ECE %s and %s, WS %s and %s",
		formatNumber(ece10), formatNumber(ece20), formatNumber(ws10), formatNumber(ws20))
}

// scoreOfEqualResiduals returns the score of two rows with the target 0, the standard deviation 1 and the given
// prediction, so that both residuals are equal. The claim is undecided if the measure is not registered.
func scoreOfEqualResiduals(e *evidence, measureName string, residual float64) float64 {
	means := []float64{residual, residual}
	stds := []float64{1, 1}
	targets := []float64{0, 0}
	column, columnErr := measure.NewColumn(means, stds, targets, data.Sound)
	m, err := measure.Lookup(measureName)
	if columnErr != nil || err != nil {
		e.lack("the measures ece and ws")
		return math.NaN()
	}
	return m.Compute(column)
}

// secondTermMinimum looks for the minima of the second term's expectation on a grid of μ_drop and σ_drop. For each
// σ it finds the best μ. The best μ is above 0 until σ = 2/π, where the two minima ±μ join, and 0 from there on.
func secondTermMinimum(*evidence) (bool, string) {
	const (
		step    = 0.005
		largest = 1.5  // of μ and σ
		margin  = 0.02 // around 2/π, where the grid is too coarse to tell
	)
	smallest := math.Inf(1) // value of the expectation
	var smallestMu, smallestSigma float64
	isSplitBelow := true // whether the best μ is above 0 for all σ below 2/π
	isZeroAbove := true  // whether the best μ is 0 for all σ above 2/π
	for sigma := 0.0; sigma <= largest; sigma += step {
		mu, value := minimizeSecondTerm(sigma, largest, step)
		if value < smallest {
			smallest = value
			smallestMu = mu
			smallestSigma = sigma
		}
		switch {
		case sigma < evaluation.Bifurcation-margin:
			isSplitBelow = isSplitBelow && mu > 0
		case sigma > evaluation.Bifurcation+margin:
			isZeroAbove = isZeroAbove && mu == 0
		}
	}
	claimedMu := math.Sqrt(2 / math.Pi)
	isTrue := smallestSigma == 0 && math.Abs(smallestMu-claimedMu) < step && isSplitBelow && isZeroAbove
	return isTrue, fmt.Sprintf("on a grid of 0.005: smallest at μ = %.3f (√(2/π) = %.3f), σ = %.3f; the minimum leaves μ = 0 within 0.02 of σ = 2/π", smallestMu, claimedMu, smallestSigma)
}

// minimizeSecondTerm returns the μ_drop from 0 to largest, in steps, at which the second term's expectation
// is smallest for the given σ_drop, and the expectation there.
func minimizeSecondTerm(sigma, largest, step float64) (bestMu, smallest float64) {
	smallest = math.Inf(1)
	for mu := 0.0; mu <= largest; mu += step {
		value := evaluation.AnalyticSecondTerm(mu, sigma)
		if value < smallest {
			smallest = value
			bestMu = mu
		}
	}
	return bestMu, smallest
}

// abaloneResiduals holds if about as many of abalone's test rows as right lie within 1σ and 3σ of the predictions
// of pu and sml, and fewer of the predictions of mc and de.
func abaloneResiduals(e *evidence) (bool, string) {
	const ( // fractions of rows, a little below the fractions of normal residuals
		minWithin1Sigma = 0.6
		minWithin3Sigma = 0.97
	)
	isTrue := true
	var numbers []string
	for _, method := range []string{"pu", "sml", "mc", "de"} {
		within1, hasRows := e.fractionWithin("abalone", method, 1)
		within3, _ := e.fractionWithin("abalone", method, 3)
		if !hasRows {
			return e.lack("the saved predictions of abalone: the preset paper")
		}
		isRealistic := within1 > minWithin1Sigma && within3 > minWithin3Sigma
		isClaimedRealistic := method == "pu" || method == "sml"
		isTrue = isTrue && isRealistic == isClaimedRealistic
		numbers = append(numbers, fmt.Sprintf("%s %.1f and %.1f %%", methodTitle(method), 100*within1, 100*within3))
	}
	return isTrue, strings.Join(numbers, ", ") + ", of a fold"
}

// navalIsEasy returns the rule that the mean score of mc, mc-ll and de on naval is smaller than the mean score of
// sml, pu and pu-de, or close to it.
func navalIsEasy(measureName string) rule {
	return func(e *evidence) (bool, string) {
		r := newRanking(Methods(), func(method string) float64 { return e.score(e.main, "naval", method, measureName) })
		mean := statistics.Mean([]float64{r.valueOf("mc"), r.valueOf("mc-ll"), r.valueOf("de")})
		otherMean := statistics.Mean([]float64{r.valueOf("sml"), r.valueOf("pu"), r.valueOf("pu-de")})
		return mean < otherMean || isClose(mean, otherMean), r.String()
	}
}

// idealResidualsCorrelate computes the correlation of |r| and σ for residuals drawn from the predicted
// distributions.
func idealResidualsCorrelate(*evidence) (bool, string) {
	const (
		claimed   = 0.55
		tolerance = 0.005 // half a unit of the last digit
	)
	points := idealPoints(1)
	r := idealCorrelation()
	return math.Abs(r-claimed) < tolerance, fmt.Sprintf("correlation %.3f, and %.3f of %d draws, of which %.1f and %.1f %% lie within",
		r, sizeCorrelation(points), len(points.X), percentWithin(points, 1), percentWithin(points, 3))
}

// bestBetaVaries holds if the β with the smallest test ECE differs between data sets.
func bestBetaVaries(e *evidence) (bool, string) {
	common := e.beta.commonDatasets(e.betaMethods(), "test", "ece")
	if len(common) < 2 {
		return e.lack(betaStudy)
	}
	wins := make(map[string]int) // number of data sets on which a β is best
	for _, dataset := range common {
		r := newRanking(e.betaMethods(), func(method string) float64 { return e.score(e.beta, dataset, method, "ece") })
		wins[r[0].method]++
	}
	var numbers []string
	for _, method := range e.betaMethods() {
		if wins[method] > 0 {
			numbers = append(numbers, fmt.Sprintf("%s on %d", methodTitle(method), wins[method]))
		}
	}
	return len(wins) > 1, fmt.Sprintf("smallest test ECE: %s of %d data sets", strings.Join(numbers, ", "), len(common))
}

// trainingECEFallsWithBeta holds if the mean ECE of training rows is smaller for each larger β. It leaves β = 0.5
// out if that was scored by other predictions.
func trainingECEFallsWithBeta(e *evidence) (bool, string) {
	r := e.rankBetas("train", "ece")
	methods := e.betaMethods()
	if e.hasBetaQuirk() {
		methods = slices.DeleteFunc(methods, func(label string) bool { return label == betaLabel+"0.5" })
	}
	falls := true
	for i := 1; i < len(methods); i++ {
		falls = falls && r.valueOf(methods[i]) < r.valueOf(methods[i-1])
	}
	return falls, r.String()
}

// hugeBetaLosesAccuracy holds if β = 10 is worse than predicting the mean of all targets on at least half of the
// data sets of the preset claims.
func hugeBetaLosesAccuracy(e *evidence) (bool, string) {
	const maxRMSE = 1 // RMSE of predicting the mean of all standardised targets
	common := e.claims.commonDatasets([]string{smlHugeBeta, smlAllLayers}, "test", "rmse")
	if len(common) == 0 {
		return e.lack(claimsStudy)
	}
	lost := 0 // number of data sets
	var numbers []string
	for _, dataset := range common {
		huge := e.score(e.claims, dataset, smlHugeBeta, "rmse")
		usual := e.score(e.claims, dataset, smlAllLayers, "rmse")
		if !(huge <= maxRMSE) { // or NaN
			lost++
		}
		numbers = append(numbers, fmt.Sprintf("%s %s (β = 0.5: %s)", dataset, formatNumber(huge), formatNumber(usual)))
	}
	return 2*lost >= len(common), fmt.Sprintf("β = 10 is worse than the targets' mean on %d of %d data sets; RMSE on %s", lost, len(common), strings.Join(numbers, ", "))
}

// correlatesWithECE returns the rule that a measure is correlated with ECE, but not perfectly, over all scores of
// the paper's methods. It uses ranks, because WS has no upper bound.
func correlatesWithECE(measureName string) rule {
	const (
		minScores  = 10
		minRelated = 0.5  // smallest correlation of correlated measures
		maxPerfect = 0.99 // from here on a correlation is perfect
	)
	return func(e *evidence) (bool, string) {
		var eces, others []float64
		for _, s := range e.main.scores {
			if s.Measure != "ece" {
				continue
			}
			other, ok := e.main.find(s.Dataset, s.Method, s.Split, measureName)
			if ok {
				eces = append(eces, s.Mean)
				others = append(others, other)
			}
		}
		if len(eces) < minScores {
			return e.lack(paperStudy)
		}
		r := stat.Correlation(ranks(eces), ranks(others), nil)
		return r > minRelated && r < maxPerfect, fmt.Sprintf("Spearman's correlation with ECE %.2f over %d scores", r, len(eces))
	}
}

// nllOfSamples computes the NLL of the paper's two samples.
func nllOfSamples(*evidence) (bool, string) {
	const tolerance = 0.05 // half a unit of the last digit
	narrow := gaussianNLL([]float64{0, 0.1, 0, -0.1, 0}, 1)
	normal := gaussianNLL([]float64{0.5, -0.4, 0, -1.9, -0.7}, 1)
	return math.Abs(narrow-0.9) < tolerance && math.Abs(normal-1.4) < tolerance, fmt.Sprintf("%.3f and %.3f", normal, narrow)
}

// nllOfScale computes the NLL of a sample under σ, and of the three times wider sample under 3σ.
func nllOfScale(*evidence) (bool, string) {
	const (
		scale     = 3
		tolerance = 1e-12 // for rounding: the two are equal in exact arithmetic
	)
	sample := []float64{-1.3, -0.4, 0.1, 0.6, 1.1}
	wide := slices.Clone(sample)
	for i := range wide {
		wide[i] *= scale
	}
	difference := gaussianNLL(wide, scale) - gaussianNLL(sample, 1)
	return math.Abs(difference-portable.Log(scale)) < tolerance, fmt.Sprintf("larger by %.4f for σ₂ = 3σ₁; log 3 = %.4f", difference, portable.Log(scale))
}

// gaussianNLL returns the mean negative log-likelihood of values under N(0, sigma²): equation 6 of the paper,
// with the constant log √(2π).
func gaussianNLL(values []float64, sigma float64) float64 {
	meanSquare := 0.0 // of value/sigma, halved
	for _, v := range values {
		meanSquare += v * v / (2 * sigma * sigma) / float64(len(values))
	}
	return meanSquare + portable.Log(math.Sqrt(2*math.Pi)*sigma)
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
