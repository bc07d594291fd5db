package paper

import "slices"

// claim is a sentence of the paper's text that numbers can confirm or refute.
type claim struct {
	section   string // section of the paper
	text      string // the sentence, in other words than the paper's
	rule      rule   // says when the claim holds
	isPerSeed bool   // whether the scores of each seed have a verdict, too
}

// perSeed returns a claim about scores, which is checked by the means over all seeds and by each seed.
func perSeed(section, text string, r rule) claim { return claim{section, text, r, true} }

// once returns a claim about the rows that some trainings have saved, about spreads over trainings, or about
// mathematics, which is checked once.
func once(section, text string, r rule) claim { return claim{section, text, r, false} }

// Groups of the paper's splits and data sets that claims are about.
var (
	shifts        = []string{"pca-interpolate", "pca-extrapolate", "label-interpolate", "label-extrapolate"}
	pcaShifts     = shifts[:2]
	labelShifts   = shifts[2:]
	easyDatasets  = []string{"yacht", "energy", "naval"}
	largeDatasets = []string{"california", "superconduct", "protein", "year"}
)

// Labels of methods of the preset claims.
const (
	smlAllLayers = "sml dropout-layers=all"
	smlThrough   = "sml through=true dropout-layers=all"
	smlLastLayer = "sml dropout-layers=last"
	smlHugeBeta  = "sml beta=10 dropout-layers=all"
)

// claims are the sentences of the paper's text that numbers can confirm or refute, in the paper's order.
// Sentences that are only about pictures or about other hardware are left out.
var claims = []claim{
	perSeed("abstract, 4", "Prediction accuracies and uncertainty estimates of SML are comparable to those of deep ensembles (PU-DE), with one network in place of five.",
		each([]string{"rmse", "ece", "ws"}, func(measureName string) rule { return isLevel("test", measureName, "sml", "pu-de") })),
	once("abstract, 1", "MC dropout underestimates the uncertainty.",
		mcUnderestimates),
	once("3, A.2", "σ_drop makes up more than 80 % of σ_total on superconduct and protein, on every kind of rows, and much the same on all other data sets.",
		sigmaDropDominates),
	perSeed("4", "On training rows ECEs are smallest for PU, then PU-DE, then SML, by mean and median.",
		byMeanAndMedian("train", "ece", first("pu"), first("pu", "pu-de"), first("pu", "pu-de", "sml"))),
	perSeed("4", "On test rows PU, PU-DE and SML have the three smallest ECEs, by mean and median.",
		byMeanAndMedian("test", "ece", first("pu", "pu-de", "sml"))),
	perSeed("4", "Under shift PU-DE and SML have the smallest mean ECEs in three of four cases, and PU falls behind.",
		onShifts(3, "ece", first("pu-de", "sml"))),
	perSeed("B.2", "Mean test RMSEs of all methods are almost the same.",
		byMean("test", "rmse", allClose)),
	perSeed("B.2", "PU and PU-DE have larger RMSEs on training rows than the others, and a smaller gap to test rows.",
		rmseGap),
	perSeed("B.2", "RMSEs of all methods are larger under shift than on test rows without shift.",
		rmseGrowsUnderShift),
	perSeed("B.2", "Mean test NLLs are smallest for PU-DE and SML, followed by MC and DE; MC-LL and PU are far behind.",
		byMean("test", "nll", first("pu-de", "sml"), first("pu-de", "sml", "mc", "de"))),
	perSeed("B.2", "On pca-interpolate and pca-extrapolate rows mean NLLs are smallest for PU-DE and SML.",
		each(pcaShifts, func(split string) rule { return byMean(split, "nll", first("pu-de", "sml")) })),
	perSeed("B.2", "On label-interpolate and label-extrapolate rows the mean NLL of SML is the smallest by far.",
		each(labelShifts, func(split string) rule { return byMean(split, "nll", first("sml"), firstByFar) })),
	perSeed("B.2", "By their median NLLs under shift PU-DE and SML do comparably well: they have the two smallest.",
		each(shifts, func(split string) rule { return byMedian(split, "nll", first("sml", "pu-de")) })),
	perSeed("B.2", "SML has the highest stability over data sets and shifts: of all methods, its worst NLL is the smallest.",
		smallestWorstNLL),
	perSeed("B.2", "Mean WSs are smallest for PU-DE and SML on test rows and, apart from PU, on training rows.",
		each([]string{"train", "test"}, smallestWS)),
	perSeed("B.2", "PU has a large gap between the WS of training rows and of test rows.",
		wsGap),
	perSeed("B.2", "Under shift mean WSs are smallest for PU-DE and SML on pca rows; on label rows the mean WS of PU-DE is far above its median.",
		each(shifts, wsUnderShift)),
	perSeed("5, B.2", "SML has advantages under shift: the smallest mean NLL and WS on all four kinds of rows.",
		each([]string{"nll", "ws"}, smlFirstUnderShift)),
	perSeed("B.2", "yacht, energy and naval are the data sets with the smallest test RMSE.",
		easyDatasetsFirst),
	once("4, B.2", "SML overestimates the uncertainty on yacht, energy and naval, and its results there are weak.",
		each(easyDatasets, smlOverestimates)),
	perSeed("B.2", "That is mitigated if the second term of the loss also trains the full network.",
		func(p *part) (bool, string) {
			return p.isSmaller(p.claims, easyDatasets, smlAllLayers, smlThrough, "ece")
		}),
	perSeed("B.2", "SML is strong on the large data sets california, superconduct, protein and year: its ECE and WS are smaller than those of PU-DE, or level with them.",
		strongOnLargeDatasets),
	once("5", "Training with SML on top of a network trained with MC improves its uncertainty.",
		undecidable("trainings that start from a saved model, which no study has; run make posttraining")),
	perSeed("5", "SML with dropout after the last layer only is clearly better than MC-LL.",
		func(p *part) (bool, string) {
			common := p.claims.commonDatasets([]string{smlLastLayer}, "test", "ece")
			both := source{slices.Concat(p.main.scores, p.claims.scores), p.claims.name}
			return p.isSmaller(both, common, "mc-ll", smlLastLayer, "ece")
		}),
	once("B.1", "Training of PU and PU-DE is unstable on california at a learning rate of 0.001, which these studies use.",
		unstableTraining),
	once("B.1", "WS distinguishes two strongly miscalibrated uncertainties, and ECE does not: all r = 10 or all r = 20.",
		proven("ECE 1.90 and 1.90, WS 10.00 and 20.00")),
	once("A.1", "The second term's expectation is smallest at σ_drop = 0, μ_drop = ±√(2/π); for σ_drop above 2/π it is smallest at μ_drop = 0.",
		proven("on a grid of 0.005: smallest at μ = 0.800 (√(2/π) = 0.798), σ = 0.000; the minimum leaves μ = 0 within 0.02 of σ = 2/π")),
	once("B.3", "Test residuals of abalone are as large as PU and SML predict (68.3 % within 1σ, 99.7 % within 3σ), and larger than MC and DE predict.",
		abaloneResiduals),
	perSeed("B.3", "naval is an exception: MC, MC-LL and DE do as well there as SML, PU and PU-DE.",
		each([]string{"ece", "ws"}, navalIsEasy)),
	once("B.3", "Under ideal uncertainties 68.3 % of the residuals lie within 1σ and 99.7 % within 3σ, and yet Pearson's correlation of |r| and σ is about 55 %.",
		proven("correlation 0.552, and 0.543 of 3000 draws, of which 68.9 and 99.6 % lie within")),
	perSeed("C", "Differences in ECE and WS between β of 0.1, 0.25, 0.5, 0.75 and 0.9 are small.",
		each([]string{"ece", "ws"}, func(measureName string) rule { return byBeta(measureName, allClose) })),
	perSeed("C", "β = 0.5 has the best mean ECE and WS on test rows, by a small margin.",
		each([]string{"ece", "ws"}, func(measureName string) rule { return withBetaNote(byBeta(measureName, first(betaLabel+"0.5"))) })),
	perSeed("C", "The best β is not the same for all data sets.",
		bestBetaVaries),
	perSeed("C, figure 12", "The ECE of training rows falls with β.",
		withBetaNote(trainingECEFallsWithBeta)),
	perSeed("C", "β ≫ 1 does not converge in many cases: accuracy is lost.",
		hugeBetaLosesAccuracy),
	perSeed("D.1", "ECE, WS and KS are correlated, but not perfectly.",
		each([]string{"ws", "ks"}, correlatesWithECE)),
	once("D.2", "Of two samples the one that follows N(0, 1) has the larger NLL: about 1.4 for (0.5, −0.4, 0, −1.9, −0.7), 0.9 for (0, 0.1, 0, −0.1, 0).",
		proven("1.370 and 0.921")),
	once("D.2", "Of two samples that are judged by their own σ, the wider one has an NLL that is larger by log(σ₂/σ₁).",
		proven("larger by 1.0986 for σ₂ = 3σ₁; log 3 = 1.0986")),
}
