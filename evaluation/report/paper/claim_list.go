package paper

// Groups of the paper's splits and data sets that claims are about.
var (
	shifts        = []string{"pca-interpolate", "pca-extrapolate", "label-interpolate", "label-extrapolate"}
	pcaShifts     = shifts[:2]
	labelShifts   = shifts[2:]
	easyDatasets  = []string{"yacht", "energy", "naval"}
	largeDatasets = []string{"california", "superconduct", "protein", "year"}
)

// claims are the sentences of the paper's text that numbers can confirm or refute, in the paper's order.
// Sentences that are only about pictures or about other hardware are left out.
var claims = []claim{
	{
		text:    "Prediction accuracies and uncertainty estimates of SML are comparable to those of deep ensembles (PU-DE), with one network in place of five.",
		section: "abstract, 4",
		bySeed:  true,
		check:   (*evidence).checkSMLComparableToEnsembles,
	}, {
		text:    "MC dropout underestimates the uncertainty.",
		section: "abstract, 1",
		check:   (*evidence).checkMCUnderestimates,
	}, {
		text:    "σ_drop makes up more than 80 % of σ_total on superconduct and protein, on every kind of rows, and much the same on all other data sets.",
		section: "3, A.2",
		check:   (*evidence).checkSigmaDropFraction,
	}, {
		text:    "On training rows ECEs are smallest for PU, then PU-DE, then SML, by mean and median.",
		section: "4",
		bySeed:  true,
		check:   (*evidence).checkTrainingECE,
	}, {
		text:    "On test rows PU, PU-DE and SML have the three smallest ECEs, by mean and median.",
		section: "4",
		bySeed:  true,
		check:   (*evidence).checkTestECE,
	}, {
		text:    "Under shift PU-DE and SML have the smallest mean ECEs in three of four cases, and PU falls behind.",
		section: "4",
		bySeed:  true,
		check:   (*evidence).checkShiftECE,
	}, {
		text:    "Mean test RMSEs of all methods are almost the same.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkTestRMSEAlike,
	}, {
		text:    "PU and PU-DE have larger RMSEs on training rows than the others, and a smaller gap to test rows.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkRMSEGap,
	}, {
		text:    "RMSEs of all methods are larger under shift than on test rows without shift.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkRMSELargerUnderShift,
	}, {
		text:    "Mean test NLLs are smallest for PU-DE and SML, followed by MC and DE; MC-LL and PU are far behind.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkTestNLL,
	}, {
		text:    "On pca-interpolate and pca-extrapolate rows mean NLLs are smallest for PU-DE and SML.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkPCANLL,
	}, {
		text:    "On label-interpolate and label-extrapolate rows the mean NLL of SML is the smallest by far.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkLabelNLL,
	}, {
		text:    "By their median NLLs under shift PU-DE and SML do comparably well: they have the two smallest.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkMedianNLL,
	}, {
		text:    "SML has the highest stability over data sets and shifts: of all methods, its worst NLL is the smallest.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkWorstNLL,
	}, {
		text:    "Mean WSs are smallest for PU-DE and SML on test rows and, apart from PU, on training rows.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkWS,
	}, {
		text:    "PU has a large gap between the WS of training rows and of test rows.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkWSGap,
	}, {
		text:    "Under shift mean WSs are smallest for PU-DE and SML on pca rows; on label rows the mean WS of PU-DE is far above its median.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkShiftWS,
	}, {
		text:    "SML has advantages under shift: the smallest mean NLL and WS on all four kinds of rows.",
		section: "5, B.2",
		bySeed:  true,
		check:   (*evidence).checkSMLFirstUnderShift,
	}, {
		text:    "yacht, energy and naval are the data sets with the smallest test RMSE.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkEasyDatasets,
	}, {
		text:    "SML overestimates the uncertainty on yacht, energy and naval, and its results there are weak.",
		section: "4, B.2",
		check:   (*evidence).checkSMLOverestimates,
	}, {
		text:    "That is mitigated if the second term of the loss also trains the full network.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkSecondTermThrough,
	}, {
		text:    "SML is strong on the large data sets california, superconduct, protein and year: its ECE and WS are smaller than those of PU-DE, or level with them.",
		section: "B.2",
		bySeed:  true,
		check:   (*evidence).checkLargeDatasets,
	}, {
		text:    "Training with SML on top of a network trained with MC improves its uncertainty.",
		section: "5",
		check:   (*evidence).checkPostTraining,
	}, {
		text:    "SML with dropout after the last layer only is clearly better than MC-LL.",
		section: "5",
		bySeed:  true,
		check:   (*evidence).checkLastLayerDropout,
	}, {
		text:    "Training of PU and PU-DE is unstable on california at a learning rate of 0.001, which these studies use.",
		section: "B.1",
		check:   (*evidence).checkUnstableTraining,
	}, {
		text:    "WS distinguishes two strongly miscalibrated uncertainties, and ECE does not: all r = 10 or all r = 20.",
		section: "B.1",
		check:   (*evidence).checkWSDistinguishes,
	}, {
		text:    "The second term's expectation is smallest at σ_drop = 0, μ_drop = ±√(2/π); for σ_drop above 2/π it is smallest at μ_drop = 0.",
		section: "A.1",
		check:   (*evidence).checkSecondTermMinimum,
	}, {
		text:    "Test residuals of abalone are as large as PU and SML predict (68.3 % within 1σ, 99.7 % within 3σ), and larger than MC and DE predict.",
		section: "B.3",
		check:   (*evidence).checkAbaloneResiduals,
	}, {
		text:    "naval is an exception: MC, MC-LL and DE do as well there as SML, PU and PU-DE.",
		section: "B.3",
		bySeed:  true,
		check:   (*evidence).checkNaval,
	}, {
		text:    "Under ideal uncertainties 68.3 % of the residuals lie within 1σ and 99.7 % within 3σ, and yet Pearson's correlation of |r| and σ is about 55 %.",
		section: "B.3",
		check:   (*evidence).checkIdealCorrelation,
	}, {
		text:    "Differences in ECE and WS between β of 0.1, 0.25, 0.5, 0.75 and 0.9 are small.",
		section: "C",
		bySeed:  true,
		check:   (*evidence).checkBetaDifferences,
	}, {
		text:    "β = 0.5 has the best mean ECE and WS on test rows, by a small margin.",
		section: "C",
		bySeed:  true,
		check:   (*evidence).checkBestBeta,
	}, {
		text:    "The best β is not the same for all data sets.",
		section: "C",
		bySeed:  true,
		check:   (*evidence).checkBestBetaVaries,
	}, {
		text:    "The ECE of training rows falls with β.",
		section: "C, figure 12",
		bySeed:  true,
		check:   (*evidence).checkTrainingECEFallsWithBeta,
	}, {
		text:    "β ≫ 1 does not converge in many cases: accuracy is lost.",
		section: "C",
		bySeed:  true,
		check:   (*evidence).checkHugeBeta,
	}, {
		text:    "ECE, WS and KS are correlated, but not perfectly.",
		section: "D.1",
		bySeed:  true,
		check:   (*evidence).checkMeasuresCorrelated,
	}, {
		text:    "Of two samples the one that follows N(0, 1) has the larger NLL: about 1.4 for (0.5, −0.4, 0, −1.9, −0.7), 0.9 for (0, 0.1, 0, −0.1, 0).",
		section: "D.2",
		check:   (*evidence).checkNLLOfSamples,
	}, {
		text:    "Of two samples that are judged by their own σ, the wider one has an NLL that is larger by log(σ₂/σ₁).",
		section: "D.2",
		check:   (*evidence).checkNLLOfScale,
	},
}
