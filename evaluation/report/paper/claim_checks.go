package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// normalWithin1Sigma is the probability that a normal residual is within one standard deviation.
const normalWithin1Sigma = 0.683

// checkSMLComparableToEnsembles compares the mean RMSE, ECE and WS of sml and pu-de on test rows.
func (e *evidence) checkSMLComparableToEnsembles() outcome {
	return checkEach([]string{"rmse", "ece", "ws"}, func(measureName string) outcome {
		r := e.rank("test", measureName, statistics.Mean)
		if r == nil {
			return undecidedWithout(paperStudy)
		}
		return decide(isClose(r.valueOf("sml"), r.valueOf("pu-de")), "%s", formatPair(r, "sml", "pu-de"))
	})
}

// checkMCUnderestimates checks that fewer test rows than right lie within 1σ of mc's predictions, in the mean
// over the data sets.
func (e *evidence) checkMCUnderestimates() outcome {
	var fractions []float64
	for _, dataset := range datasets {
		fraction, ok := e.fractionWithin(dataset, "mc", 1)
		if ok {
			fractions = append(fractions, fraction)
		}
	}
	if len(fractions) == 0 {
		return undecidedWithout(paperStudy)
	}
	mean := statistics.Mean(fractions)
	return decide(mean < normalWithin1Sigma, "%.0f %% of the test rows lie within 1σ, where 68.3 %% would be right; mean over one fold of each of %d data sets", 100*mean, len(fractions))
}

// checkSigmaDropFraction checks that σ_drop is more than 80 % of σ_total on all data sets and splits.
func (e *evidence) checkSigmaDropFraction() outcome {
	const minFraction = 0.8
	smallest := math.Inf(1)
	smallestCase := "" // data set and split
	largest := 0.0
	count := 0
	for _, dataset := range e.datasets {
		for _, split := range append([]string{"train", "test"}, shifts...) {
			fraction, ok := e.meanDropFraction(dataset, []string{split})
			if !ok {
				continue
			}
			count++
			largest = max(largest, fraction)
			if fraction < smallest {
				smallest = fraction
				smallestCase = dataset + ", " + split
			}
		}
	}
	if count == 0 {
		return undecidedWithout(paperStudy)
	}
	return decide(smallest > minFraction, "%.0f to %.0f %% on %d combinations of data set and rows, smallest on %s", 100*smallest, 100*largest, count, smallestCase)
}

// checkTrainingECE checks the first three places by ECE on training rows, in their order.
func (e *evidence) checkTrainingECE() outcome {
	return e.checkMeansAndMedians("train", "ece", func(r ranking) bool {
		// beginsWith accepts any order, so that one call for each place checks the order.
		return r.beginsWith("pu") && r.beginsWith("pu", "pu-de") && r.beginsWith("pu", "pu-de", "sml")
	})
}

// checkTestECE checks the first three places by ECE on test rows, in any order.
func (e *evidence) checkTestECE() outcome {
	return e.checkMeansAndMedians("test", "ece", func(r ranking) bool { return r.beginsWith("pu", "pu-de", "sml") })
}

// checkShiftECE checks the first two places by mean ECE on at least three of the four splits with shift.
func (e *evidence) checkShiftECE() outcome {
	return e.checkShifts("ece", 3, func(r ranking) bool { return r.beginsWith("pu-de", "sml") })
}

// checkTestRMSEAlike checks that the largest mean RMSE on test rows is close to the smallest.
func (e *evidence) checkTestRMSEAlike() outcome {
	return e.checkMeans("test", "rmse", func(r ranking) bool { return isClose(r.last().value, r[0].value) })
}

// checkRMSEGap checks that the other four methods have the smallest RMSEs on training rows, and that pu and
// pu-de have the smallest differences between test rows and training rows.
func (e *evidence) checkRMSEGap() outcome {
	train := e.rank("train", "rmse", statistics.Mean)
	test := e.rank("test", "rmse", statistics.Mean)
	if train == nil || test == nil {
		return undecidedWithout(paperStudy)
	}
	gaps := scoreGaps(train, test)
	holds := train.beginsWith("mc", "mc-ll", "sml", "de") && gaps.beginsWith("pu", "pu-de")
	return decide(holds, "training rows: %v; gap: %v", train, gaps)
}

// checkRMSELargerUnderShift checks that each method has a larger mean RMSE on each split with shift than on
// test rows.
func (e *evidence) checkRMSELargerUnderShift() outcome {
	test := e.rank("test", "rmse", statistics.Mean)
	var ranges []string // of the means, by split
	larger := 0         // number of means above the method's mean on test rows
	count := 0          // number of means
	for _, split := range shifts {
		r := e.rank(split, "rmse", statistics.Mean)
		if r == nil || test == nil {
			return undecidedWithout(paperStudy)
		}
		for _, x := range r {
			count++
			if x.value > test.valueOf(x.method) {
				larger++
			}
		}
		ranges = append(ranges, split+" "+r.formatRange())
	}
	return decide(larger == count, "%d of %d means over data sets: test %s, %s", larger, count, test.formatRange(), strings.Join(ranges, ", "))
}

// checkTestNLL checks the first two and the first four places by mean NLL on test rows.
func (e *evidence) checkTestNLL() outcome {
	return e.checkMeans("test", "nll", func(r ranking) bool {
		// beginsWith accepts any order: the first two, then two others.
		return r.beginsWith("pu-de", "sml") && r.beginsWith("pu-de", "sml", "mc", "de")
	})
}

// checkPCANLL checks the first two places by mean NLL on the pca splits.
func (e *evidence) checkPCANLL() outcome {
	return checkEach(pcaShifts, func(split string) outcome {
		return e.checkMeans(split, "nll", func(r ranking) bool { return r.beginsWith("pu-de", "sml") })
	})
}

// checkLabelNLL checks that sml has the smallest mean NLL on the label splits, and that the second smallest
// is not close to it.
func (e *evidence) checkLabelNLL() outcome {
	return checkEach(labelShifts, func(split string) outcome {
		return e.checkMeans(split, "nll", func(r ranking) bool {
			return r.beginsWith("sml") && !isClose(r[1].value, r[0].value)
		})
	})
}

// checkMedianNLL checks the first two places by median NLL on each split with shift.
func (e *evidence) checkMedianNLL() outcome {
	return checkEach(shifts, func(split string) outcome {
		r := e.rank(split, "nll", statistics.Median)
		if r == nil {
			return undecidedWithout(paperStudy)
		}
		return decide(r.beginsWith("sml", "pu-de"), "%v", r)
	})
}

// checkWorstNLL checks that sml has the smallest of the methods' largest NLLs over all data sets and all
// splits with shift.
func (e *evidence) checkWorstNLL() outcome {
	var worst ranking // the largest NLL of each method so far
	for _, split := range shifts {
		for _, x := range e.rank(split, "nll", slices.Max) { // none if scores of the split are missing
			i := slices.IndexFunc(worst, func(w rankedMethod) bool { return w.method == x.method })
			if i < 0 {
				worst = append(worst, x)
				continue
			}
			worst[i].value = max(worst[i].value, x.value)
		}
	}
	if worst == nil {
		return undecidedWithout(paperStudy)
	}
	worst.sort()
	return decide(worst.beginsWith("sml"), "%v", worst)
}

// checkWS checks the first places by mean WS on test rows and on training rows. On training rows pu may be
// among them.
func (e *evidence) checkWS() outcome {
	return checkEach([]string{"train", "test"}, func(split string) outcome {
		return e.checkMeans(split, "ws", func(r ranking) bool {
			return r.beginsWith("pu-de", "sml") || split == "train" && r.beginsWith("pu", "pu-de", "sml")
		})
	})
}

// checkWSGap checks that pu has the largest difference between the WS of test rows and of training rows, and
// that the two are not close. It leaves mc-ll out, whose mean WS depends on single rows with σ near 0.
func (e *evidence) checkWSGap() outcome {
	train := e.rank("train", "ws", statistics.Mean)
	test := e.rank("test", "ws", statistics.Mean)
	if train == nil || test == nil {
		return undecidedWithout(paperStudy)
	}
	gaps := slices.DeleteFunc(scoreGaps(train, test), func(x rankedMethod) bool { return x.method == "mc-ll" })
	holds := gaps.last().method == "pu" && !isClose(test.valueOf("pu"), train.valueOf("pu"))
	return decide(holds, "gap: %v", gaps)
}

// checkShiftWS checks the paper's statement on the Wasserstein distance (WS, smaller is better) under data shift.
// On the pca splits, which test on rows with unusual inputs, pu-de and then sml must have the smallest
// means over the data sets. On the label splits, which test on rows with unusual targets, a few data sets
// must spoil pu-de: its mean must be more than twice its median.
func (e *evidence) checkShiftWS() outcome {
	const farAbove = 2 // factor: the paper gives no number
	return checkEach(shifts, func(split string) outcome {
		means := e.rank(split, "ws", statistics.Mean)
		medians := e.rank(split, "ws", statistics.Median)
		if means == nil {
			return undecidedWithout(paperStudy)
		}
		if slices.Contains(pcaShifts, split) {
			return decide(means.beginsWith("pu-de", "sml"), "%v", means)
		}
		mean := means.valueOf("pu-de")
		median := medians.valueOf("pu-de")
		return decide(mean > farAbove*median, "PU-DE %s, median %s", formatNumber(mean), formatNumber(median))
	})
}

// checkSMLFirstUnderShift checks that sml has the smallest mean NLL and the smallest mean WS on each split
// with shift.
func (e *evidence) checkSMLFirstUnderShift() outcome {
	return checkEach([]string{"nll", "ws"}, func(measureName string) outcome {
		first := 0              // number of splits on which sml is first
		var exceptions []string // splits on which another method is first
		for _, split := range shifts {
			r := e.rank(split, measureName, statistics.Mean)
			if r == nil {
				return undecidedWithout(paperStudy)
			}
			if r.beginsWith("sml") {
				first++
				continue
			}
			exceptions = append(exceptions, fmt.Sprintf("%s is first on %s", methodTitle(r[0].method), split))
		}
		count := fmt.Sprintf("%d of %d", first, len(shifts))
		return decide(first == len(shifts), "%s", strings.Join(append([]string{count}, exceptions...), ", "))
	})
}

// checkEasyDatasets checks that sml's three smallest test RMSEs are on yacht, energy and naval.
func (e *evidence) checkEasyDatasets() outcome {
	common := commonDatasets(e.main, []string{"sml"}, "test", "rmse")
	r := newRanking(common, func(dataset string) float64 {
		rmse, _ := score(e.main, dataset, "sml", "test", "rmse") // exists on common data sets
		return rmse
	})
	if len(r) <= len(easyDatasets) || !r.has(easyDatasets...) {
		return undecidedWithout(paperStudy)
	}
	return decide(r.beginsWith(easyDatasets...), "SML: %v", r[:len(easyDatasets)+1])
}

// checkSMLOverestimates checks on each of yacht, energy and naval that more test rows than normalWithin1Sigma
// lie within 1σ of sml's predictions, and that sml's ECE is above the median of the paper's methods. It is
// undecided if sml has no saved rows or no ECE on one of the data sets.
func (e *evidence) checkSMLOverestimates() outcome {
	return checkEach(easyDatasets, func(dataset string) outcome {
		fraction, hasRows := e.fractionWithin(dataset, "sml", 1)
		ece, hasScore := score(e.main, dataset, "sml", "test", "ece")
		if !hasRows || !hasScore {
			return undecidedWithout(paperStudy)
		}
		median := e.medianOverMethods(dataset, "test", "ece")
		isTooWide := fraction > normalWithin1Sigma
		isWeak := ece > median
		return decide(isTooWide && isWeak, "%.0f %% of the test rows of a fold within 1σ, ECE %s (median of all methods %s)",
			100*fraction, formatNumber(ece), formatNumber(median))
	})
}

// medianOverMethods returns the median of the scores that the paper's methods have on a data set. Methods
// without a score, or with failed folds, do not count: one method that failed must not hide the others. The
// median is NaN if no method has a score.
func (e *evidence) medianOverMethods(dataset, split, measureName string) float64 {
	var scores []float64
	for _, method := range Methods() {
		x, ok := score(e.main, dataset, method, split, measureName)
		if ok {
			scores = append(scores, x)
		}
	}
	return statistics.Median(scores)
}

// checkSecondTermThrough checks that the variant of sml whose second term also trains the full network has a
// smaller ECE on yacht, energy and naval.
func (e *evidence) checkSecondTermThrough() outcome {
	return checkSmaller(e.claims, easyDatasets, "sml dropout-layers=all", "sml through=true dropout-layers=all", "ece")
}

// checkLargeDatasets checks on the large data sets that sml's ECE and WS are smaller than pu-de's ECE and WS, or
// close to them. It ignores data sets without scores, and says how many there are.
func (e *evidence) checkLargeDatasets() outcome {
	var available []string
	for _, dataset := range largeDatasets {
		_, ok := score(e.main, dataset, "sml", "test", "ws")
		if ok {
			available = append(available, dataset)
		}
	}
	if len(available) == 0 {
		return undecidedWithout("scores of " + strings.Join(largeDatasets, ", "))
	}
	o := checkEach(available, e.checkLevelWithEnsemble)
	missing := len(largeDatasets) - len(available)
	if missing > 0 && o.verdict != unknown {
		o.numbers += fmt.Sprintf("; %d of the four data sets have no scores", missing)
	}
	return o
}

// checkLevelWithEnsemble checks on one data set that sml's ECE and WS are smaller than pu-de's ECE and WS, or
// close to them.
func (e *evidence) checkLevelWithEnsemble(dataset string) outcome {
	holds := true
	var numbers []string
	for _, measureName := range []string{"ece", "ws"} {
		sml, hasSML := score(e.main, dataset, "sml", "test", measureName)
		ensemble, hasEnsemble := score(e.main, dataset, "pu-de", "test", measureName)
		if !hasSML || !hasEnsemble {
			return undecidedWithout(paperStudy)
		}
		holds = holds && (sml < ensemble || isClose(sml, ensemble))
		numbers = append(numbers, fmt.Sprintf("%s %s, PU-DE %s", measure.Title(measureName), formatNumber(sml), formatNumber(ensemble)))
	}
	return decide(holds, "%s", strings.Join(numbers, ", "))
}

// checkPostTraining is always undecided and names the missing data: no study trains on from a saved model.
func (e *evidence) checkPostTraining() outcome {
	return undecidedWithout("trainings that start from a saved model, which no study has; run make posttraining")
}

// checkLastLayerDropout checks that sml with dropout after the last layer has a smaller ECE than mc-ll on
// each data set of the preset claims.
func (e *evidence) checkLastLayerDropout() outcome {
	const lastLayer = "sml dropout-layers=last"
	common := commonDatasets(e.claims, []string{lastLayer}, "test", "ece")
	return checkSmaller(slices.Concat(e.main, e.claims), common, "mc-ll", lastLayer, "ece")
}

// checkUnstableTraining checks that the RMSEs of pu and pu-de on california vary more than twice as much
// between trainings as the scores of every other method.
func (e *evidence) checkUnstableTraining() outcome {
	const minRatio = 2          // of standard deviations: the paper gives no number
	smallestOfPU := math.Inf(1) // smallest standard deviation of pu and pu-de
	largestOfOthers := 0.0      // largest standard deviation of the other methods
	var numbers []string
	for _, s := range e.main {
		if s.Dataset != "california" || s.Split != "test" || s.Measure != "rmse" || !slices.Contains(Methods(), s.Method) {
			continue
		}
		isPU := strings.HasPrefix(s.Method, "pu") // pu or pu-de
		if isPU {
			smallestOfPU = min(smallestOfPU, s.Std)
		} else {
			largestOfOthers = max(largestOfOthers, s.Std)
		}
		numbers = append(numbers, fmt.Sprintf("%s %s ± %s", methodTitle(s.Method), formatNumber(s.Mean), formatNumber(s.Std)))
	}
	if len(numbers) < len(Methods()) {
		return undecidedWithout(paperStudy)
	}
	return decide(smallestOfPU > minRatio*largestOfOthers, "RMSE over trainings: %s; unstable means more than twice the standard deviation of the others", strings.Join(numbers, ", "))
}

// checkWSDistinguishes computes ECE and WS of residuals that are all 10 or all 20 standard deviations. ECE must
// be equal for both, and WS must differ by about 10. It needs no study.
func (e *evidence) checkWSDistinguishes() outcome {
	const minWSDifference = 9 // WS is about the mean size of such residuals, so the difference is about 20 − 10
	ece10, err10 := scoreOfEqualResiduals("ece", 10)
	ece20, err20 := scoreOfEqualResiduals("ece", 20)
	if err10 != nil || err20 != nil {
		return undecidedWithout("the measures ece and ws")
	}
	ws10, err10 := scoreOfEqualResiduals("ws", 10)
	ws20, err20 := scoreOfEqualResiduals("ws", 20)
	if err10 != nil || err20 != nil {
		return undecidedWithout("the measures ece and ws")
	}
	holds := ece10 == ece20 && ws20-ws10 > minWSDifference
	return decide(holds, "ECE %s and %s, WS %s and %s",
		formatNumber(ece10), formatNumber(ece20), formatNumber(ws10), formatNumber(ws20))
}

// scoreOfEqualResiduals returns the score of two rows with the target 0, the standard deviation 1 and the given
// prediction, so that both residuals are equal. It returns an error if the measure is not registered.
func scoreOfEqualResiduals(measureName string, residual float64) (float64, error) {
	means := []float64{residual, residual}
	stds := []float64{1, 1}
	targets := []float64{0, 0}
	column, err := measure.NewColumn(means, stds, targets, data.Sound)
	if err != nil {
		return 0, err
	}
	m, err := measure.Lookup(measureName)
	if err != nil {
		return 0, err
	}
	return m.Compute(column), nil
}

// checkSecondTermMinimum looks for the minima of the second term's expectation on a grid of μ_drop and σ_drop.
// For each σ it finds the best μ. The best μ is above 0 until σ = 2/π, where the two minima ±μ join, and 0 from
// there on. It needs no study.
func (e *evidence) checkSecondTermMinimum() outcome {
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
	holds := smallestSigma == 0 && math.Abs(smallestMu-claimedMu) < step && isSplitBelow && isZeroAbove
	return decide(holds, "on a grid of 0.005: smallest at μ = %.3f (√(2/π) = %.3f), σ = %.3f; the minimum leaves μ = 0 within 0.02 of σ = 2/π", smallestMu, claimedMu, smallestSigma)
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

// checkAbaloneResiduals checks that about as many of abalone's test rows as right lie within 1σ and 3σ of the
// predictions of pu and sml, and fewer of the predictions of mc and de.
func (e *evidence) checkAbaloneResiduals() outcome {
	const ( // fractions of rows, a little below the fractions of normal residuals
		minWithin1Sigma = 0.6
		minWithin3Sigma = 0.97
	)
	holds := true
	var numbers []string
	for _, method := range []string{"pu", "sml", "mc", "de"} {
		within1, hasRows := e.fractionWithin("abalone", method, 1)
		within3, _ := e.fractionWithin("abalone", method, 3)
		if !hasRows {
			return undecidedWithout("the saved predictions of abalone: the preset paper")
		}
		isRealistic := within1 > minWithin1Sigma && within3 > minWithin3Sigma
		isClaimedRealistic := method == "pu" || method == "sml"
		holds = holds && isRealistic == isClaimedRealistic
		numbers = append(numbers, fmt.Sprintf("%s %.1f and %.1f %%", methodTitle(method), 100*within1, 100*within3))
	}
	return decide(holds, "%s, of a fold", strings.Join(numbers, ", "))
}

// checkNaval checks that the mean ECE and WS of mc, mc-ll and de on naval are smaller than those of sml, pu and
// pu-de, or close to them.
func (e *evidence) checkNaval() outcome {
	return checkEach([]string{"ece", "ws"}, func(measureName string) outcome {
		if !slices.Contains(commonDatasets(e.main, Methods(), "test", measureName), "naval") {
			return undecidedWithout(paperStudy)
		}
		r := newRanking(Methods(), func(method string) float64 {
			x, _ := score(e.main, "naval", method, "test", measureName)
			return x
		})
		mean := statistics.Mean([]float64{r.valueOf("mc"), r.valueOf("mc-ll"), r.valueOf("de")})
		otherMean := statistics.Mean([]float64{r.valueOf("sml"), r.valueOf("pu"), r.valueOf("pu-de")})
		return decide(mean < otherMean || isClose(mean, otherMean), "%v", r)
	})
}

// checkIdealCorrelation computes the correlation of |r| and σ for residuals drawn from the predicted
// distributions. It needs no study.
func (e *evidence) checkIdealCorrelation() outcome {
	const (
		claimed   = 0.55
		tolerance = 0.005 // half a unit of the last digit
	)
	points := idealPoints(1)
	r := idealCorrelation()
	return decide(math.Abs(r-claimed) < tolerance, "correlation %.3f, and %.3f of %d draws, of which %.1f and %.1f %% lie within",
		r, sizeCorrelation(points), len(points), percentWithin(points, 1), percentWithin(points, 3))
}

// checkBetaDifferences checks that the largest mean ECE and WS over the values of β are close to the smallest.
func (e *evidence) checkBetaDifferences() outcome {
	return checkEach([]string{"ece", "ws"}, func(measureName string) outcome {
		r := e.rankBetas("test", measureName)
		if r == nil {
			return undecidedWithout(betaStudy)
		}
		return decide(isClose(r.last().value, r[0].value), "%v", r)
	})
}

// checkBestBeta checks that β = 0.5 has the smallest mean ECE and the smallest mean WS on test rows.
func (e *evidence) checkBestBeta() outcome {
	return checkEach([]string{"ece", "ws"}, func(measureName string) outcome {
		r := e.rankBetas("test", measureName)
		if r == nil {
			return undecidedWithout(betaStudy)
		}
		return decide(r.beginsWith(betaLabel+"0.5"), "%v%s", r, e.betaQuirkNote())
	})
}

// checkBestBetaVaries checks that the β with the smallest test ECE differs between data sets.
func (e *evidence) checkBestBetaVaries() outcome {
	common := commonDatasets(e.beta, e.betaMethods(), "test", "ece")
	if len(common) < 2 {
		return undecidedWithout(betaStudy)
	}
	wins := make(map[string]int) // number of data sets on which a β is best
	for _, dataset := range common {
		r := newRanking(e.betaMethods(), func(method string) float64 {
			x, _ := score(e.beta, dataset, method, "test", "ece")
			return x
		})
		wins[r[0].method]++
	}
	var numbers []string
	for _, method := range e.betaMethods() {
		if wins[method] > 0 {
			numbers = append(numbers, fmt.Sprintf("%s on %d", methodTitle(method), wins[method]))
		}
	}
	return decide(len(wins) > 1, "smallest test ECE: %s of %d data sets", strings.Join(numbers, ", "), len(common))
}

// checkTrainingECEFallsWithBeta checks that the mean ECE of training rows is smaller for each larger β. It
// leaves β = 0.5 out if that was scored by other predictions.
func (e *evidence) checkTrainingECEFallsWithBeta() outcome {
	r := e.rankBetas("train", "ece")
	if r == nil {
		return undecidedWithout(betaStudy)
	}
	methods := e.betaMethods()
	if e.hasBetaQuirk() {
		methods = slices.DeleteFunc(methods, func(label string) bool { return label == betaLabel+"0.5" })
	}
	falls := true
	for i := 1; i < len(methods); i++ {
		falls = falls && r.valueOf(methods[i]) < r.valueOf(methods[i-1])
	}
	return decide(falls, "%v%s", r, e.betaQuirkNote())
}

// checkHugeBeta checks that β = 10 is worse than predicting the mean of all targets on at least half of the
// data sets of the preset claims.
func (e *evidence) checkHugeBeta() outcome {
	const ( // methods as the preset claims labels them
		huge    = "sml beta=10 dropout-layers=all"
		usual   = "sml dropout-layers=all"
		maxRMSE = 1 // RMSE of predicting the mean of all standardised targets
	)
	common := commonDatasets(e.claims, []string{huge, usual}, "test", "rmse")
	if len(common) == 0 {
		return undecidedWithout(claimsStudy)
	}
	lost := 0 // number of data sets
	var numbers []string
	for _, dataset := range common {
		hugeRMSE, _ := score(e.claims, dataset, huge, "test", "rmse")
		usualRMSE, _ := score(e.claims, dataset, usual, "test", "rmse")
		if !(hugeRMSE <= maxRMSE) { // or NaN
			lost++
		}
		numbers = append(numbers, fmt.Sprintf("%s %s (β = 0.5: %s)", dataset, formatNumber(hugeRMSE), formatNumber(usualRMSE)))
	}
	return decide(2*lost >= len(common), "β = 10 is worse than the targets' mean on %d of %d data sets; RMSE on %s", lost, len(common), strings.Join(numbers, ", "))
}

// checkMeasuresCorrelated checks that ECE is correlated with WS and with KS, but not perfectly, over all
// scores of the paper's methods. It uses ranks, because WS has no upper bound.
func (e *evidence) checkMeasuresCorrelated() outcome {
	const (
		minScores  = 10
		minRelated = 0.5  // smallest correlation of correlated measures
		maxPerfect = 0.99 // from here on a correlation is perfect
	)
	return checkEach([]string{"ws", "ks"}, func(measureName string) outcome {
		var eces, others []float64
		for _, s := range e.main {
			if s.Measure != "ece" {
				continue
			}
			other, ok := score(e.main, s.Dataset, s.Method, s.Split, measureName)
			if ok {
				eces = append(eces, s.Mean)
				others = append(others, other)
			}
		}
		if len(eces) < minScores {
			return undecidedWithout(paperStudy)
		}
		r := correlation(ranks(eces), ranks(others))
		return decide(r > minRelated && r < maxPerfect, "Spearman's correlation with ECE %.2f over %d scores", r, len(eces))
	})
}

// checkNLLOfSamples computes the NLL of the paper's two samples. It needs no study.
func (e *evidence) checkNLLOfSamples() outcome {
	const tolerance = 0.05 // half a unit of the last digit
	narrow := gaussianNLL([]float64{0, 0.1, 0, -0.1, 0}, 1)
	normal := gaussianNLL([]float64{0.5, -0.4, 0, -1.9, -0.7}, 1)
	return decide(math.Abs(narrow-0.9) < tolerance && math.Abs(normal-1.4) < tolerance, "%.3f and %.3f", normal, narrow)
}

// checkNLLOfScale computes the NLL of a sample under σ, and of the three times wider sample under 3σ. It
// needs no study.
func (e *evidence) checkNLLOfScale() outcome {
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
	return decide(math.Abs(difference-portable.Log(scale)) < tolerance, "larger by %.4f for σ₂ = 3σ₁; log 3 = %.4f", difference, portable.Log(scale))
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
