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

var (
	shifts = []string{"pca-interpolate", "pca-extrapolate", "label-interpolate", "label-extrapolate"}
	easy   = []string{"yacht", "energy", "naval"}
	large  = []string{"california", "superconduct", "protein", "year"}
)

// claims are the sentences of the paper's text that numbers can confirm or refute, in the paper's order.
// Sentences about pictures only, or about other hardware, are left out.
var claims = []claim{
	{
		says: "Prediction accuracies and uncertainty estimates of SML are comparable to those of deep ensembles (PU-DE), with one network in place of five.", where: "abstract, 4", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, []string{"rmse", "ece", "ws"}, func(name string) (bool, string, bool) {
				r := e.rank("test", name, statistics.Mean)
				return r != nil && isClose(r.valueOf("sml"), r.valueOf("pu-de")), formatPair(r, "sml", "pu-de"), r != nil
			})
		},
	}, {
		says: "MC dropout underestimates the uncertainty.", where: "abstract, 1",
		check: func(e *evidence) outcome {
			var shares []float64
			for _, dataset := range datasets {
				if share, ok := e.fractionWithin(dataset, "mc", 1); ok {
					shares = append(shares, share)
				}
			}
			if len(shares) == 0 {
				return undecided(needsPaper)
			}
			return decide(statistics.Mean(shares) < 0.683, "%.0f %% of the test rows lie within 1σ, where 68.3 %% would be right; mean over %d data sets, a fold of each", 100*statistics.Mean(shares), len(shares))
		},
	}, {
		says: "σ_drop makes up more than 80 % of σ_total on superconduct and protein, on every kind of rows, and much the same on all other sets.", where: "3, A.2",
		check: func(e *evidence) outcome {
			least, most, where, n := math.Inf(1), 0.0, "", 0
			for _, dataset := range e.datasets {
				for _, split := range append([]string{"train", "test"}, shifts...) {
					if share, ok := e.meanShare(dataset, []string{split}); ok {
						n++
						most = max(most, share)
						if share < least {
							least, where = share, dataset+", "+split
						}
					}
				}
			}
			if n == 0 {
				return undecided(needsPaper)
			}
			return decide(least > 0.8, "%.0f to %.0f %% on %d combinations of data set and rows, least on %s", 100*least, 100*most, n, where)
		},
	}, {
		says: "On training rows ECEs are smallest for PU, then PU-DE, then SML, by mean and median.", where: "4", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkMeansAndMedians("train", "ece", func(r ranking) bool {
				return r.beginsWith("pu") && r[:2].beginsWith("pu", "pu-de") && r[:3].beginsWith("pu", "pu-de", "sml")
			})
		},
	}, {
		says: "On test rows PU, PU-DE and SML have the three smallest ECEs, by mean and median.", where: "4", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkMeansAndMedians("test", "ece", func(r ranking) bool { return r.beginsWith("pu", "pu-de", "sml") })
		},
	}, {
		says: "Under shift PU-DE and SML have the smallest mean ECEs in three of four cases, and PU falls behind.", where: "4", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkShifts("ece", 3, func(r ranking) bool { return r.beginsWith("pu-de", "sml") })
		},
	}, {
		says: "Mean test RMSEs of all methods are almost the same.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			r := e.rank("test", "rmse", statistics.Mean)
			if r == nil {
				return undecided(needsPaper)
			}
			return decide(isClose(r[len(r)-1].value, r[0].value), "%v", r)
		},
	}, {
		says: "PU and PU-DE have larger RMSEs on training rows than the others, and a smaller gap to test rows.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			train, test := e.rank("train", "rmse", statistics.Mean), e.rank("test", "rmse", statistics.Mean)
			if train == nil || test == nil {
				return undecided(needsPaper)
			}
			gaps := scoreGaps(train, test)
			return decide(train.beginsWith("mc", "mc-ll", "sml", "de") && gaps.beginsWith("pu", "pu-de"), "training rows: %v; gap: %v", train, gaps)
		},
	}, {
		says: "RMSEs of all methods are larger under shift than on i.i.d. test rows.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			test := e.rank("test", "rmse", statistics.Mean)
			var parts []string
			larger, of := 0, 0
			for _, split := range shifts {
				r := e.rank(split, "rmse", statistics.Mean)
				if r == nil || test == nil {
					return undecided(needsPaper)
				}
				for _, x := range r {
					if of++; x.value > test.valueOf(x.method) {
						larger++
					}
				}
				parts = append(parts, fmt.Sprintf("%s %s to %s", split, number(r[0].value), number(r[len(r)-1].value)))
			}
			return decide(larger == of, "%d of %d means over data sets: test %s to %s, %s", larger, of, number(test[0].value), number(test[len(test)-1].value), strings.Join(parts, ", "))
		},
	}, {
		says: "Mean test NLLs are smallest for PU-DE and SML, followed by MC and DE; MC-LL and PU are far behind.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkMeans("test", "nll", func(r ranking) bool { return r.beginsWith("pu-de", "sml") && r.beginsWith("pu-de", "sml", "mc", "de") })
		},
	}, {
		says: "On pca-interpolate and pca-extrapolate rows mean NLLs are smallest for PU-DE and SML.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, shifts[:2], func(split string) (bool, string, bool) {
				r := e.rank(split, "nll", statistics.Mean)
				return r.beginsWith("pu-de", "sml"), r.String(), r != nil
			})
		},
	}, {
		says: "On label-interpolate and label-extrapolate rows the mean NLL of SML is the smallest by far.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, shifts[2:], func(split string) (bool, string, bool) {
				r := e.rank(split, "nll", statistics.Mean)
				return r.beginsWith("sml") && !isClose(r[1].value, r[0].value), r.String(), r != nil
			})
		},
	}, {
		says: "By their median NLLs under shift PU-DE and SML do comparably well: they have the two smallest.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, shifts, func(split string) (bool, string, bool) {
				r := e.rank(split, "nll", statistics.Median)
				return r.beginsWith("sml", "pu-de"), r.String(), r != nil
			})
		},
	}, {
		says: "SML has the highest stability over sets and shifts: of all methods the smallest worst NLL.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			var worst ranking
			for _, split := range shifts {
				for _, x := range e.rank(split, "nll", slices.Max) {
					i := slices.IndexFunc(worst, func(w rankedMethod) bool { return w.method == x.method })
					if i < 0 {
						worst = append(worst, x)
						continue
					}
					worst[i].value = max(worst[i].value, x.value)
				}
			}
			if worst == nil {
				return undecided(needsPaper)
			}
			worst.sort()
			return decide(worst.beginsWith("sml"), "%v", worst)
		},
	}, {
		says: "Mean WSs of test rows are smallest for PU-DE and SML, those of training rows too but for PU.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, []string{"train", "test"}, func(split string) (bool, string, bool) {
				r := e.rank(split, "ws", statistics.Mean)
				return r.beginsWith("pu-de", "sml") || split == "train" && r.beginsWith("pu", "pu-de", "sml"), r.String(), r != nil
			})
		},
	}, {
		says: "PU has a large gap between the WS of training and of test rows.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			train, test := e.rank("train", "ws", statistics.Mean), e.rank("test", "ws", statistics.Mean)
			if train == nil || test == nil {
				return undecided(needsPaper)
			}
			gaps := slices.DeleteFunc(scoreGaps(train, test), func(x rankedMethod) bool { return x.method == "mc-ll" }) // single rows decide it
			return decide(gaps[len(gaps)-1].method == "pu" && !isClose(test.valueOf("pu"), train.valueOf("pu")), "gap: %v", gaps)
		},
	}, {
		says: "Under shift mean WSs are smallest for PU-DE and SML on pca rows; on label rows that of PU-DE is far above its median.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, shifts, func(split string) (bool, string, bool) {
				r, m := e.rank(split, "ws", statistics.Mean), e.rank(split, "ws", statistics.Median)
				if r == nil {
					return false, "", false
				}
				if strings.HasPrefix(split, "pca") {
					return r.beginsWith("pu-de", "sml"), r.String(), true
				}
				return r.valueOf("pu-de") > 2*m.valueOf("pu-de"), fmt.Sprintf("PU-DE %s, median %s", number(r.valueOf("pu-de")), number(m.valueOf("pu-de"))), true
			})
		},
	}, {
		says: "SML has advantages under shift: the smallest mean NLL and WS on all four kinds of rows.", where: "5, B.2", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, []string{"nll", "ws"}, func(name string) (bool, string, bool) {
				first, said := 0, []string(nil)
				for _, split := range shifts {
					r := e.rank(split, name, statistics.Mean)
					if r == nil {
						return false, "", false
					}
					if r.beginsWith("sml") {
						first++
						continue
					}
					said = append(said, fmt.Sprintf("on %s %s is", split, methodTitle(r[0].method)))
				}
				return first == len(shifts), strings.Join(append([]string{fmt.Sprintf("%d of %d", first, len(shifts))}, said...), ", "), true
			})
		},
	}, {
		says: "yacht, energy and naval are the sets with the smallest test RMSE.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			r := newRanking(commonDatasets(e.main, []string{"sml"}, "test", "rmse"), func(dataset string) float64 {
				x, _ := score(e.main, dataset, "sml", "test", "rmse")
				return x
			})
			if len(r) < 4 || !r.has(easy...) {
				return undecided(needsPaper)
			}
			return decide(r.beginsWith(easy...), "SML: %v", r[:4])
		},
	}, {
		says: "SML overestimates on yacht, energy and naval, and its results there are weak.", where: "4, B.2",
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, easy, func(dataset string) (bool, string, bool) {
				share, ok := e.fractionWithin(dataset, "sml", 1)
				x, there := score(e.main, dataset, "sml", "test", "ece")
				var others []float64
				for _, method := range Methods() {
					if x, ok := score(e.main, dataset, method, "test", "ece"); ok {
						others = append(others, x)
					}
				}
				if !ok || !there {
					return false, "", false
				}
				return share > 0.683 && x > statistics.Median(others), fmt.Sprintf("%.0f %% of the test rows of a fold within 1σ, ECE %s (median of all methods %s)", 100*share, number(x), number(statistics.Median(others))), true
			})
		},
	}, {
		says: "Letting the second term reach the full network, too, mitigates that.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkLess(easy, "sml dropout-layers=all", "sml through=true dropout-layers=all", "ece", e.claims)
		},
	}, {
		says: "SML is strong on the large sets california, superconduct, protein and year: ECE and WS lead, or are level with those of PU-DE.", where: "B.2", seeds: true,
		check: func(e *evidence) outcome {
			var there []string
			for _, dataset := range large {
				if _, ok := score(e.main, dataset, "sml", "test", "ws"); ok {
					there = append(there, dataset)
				}
			}
			if len(there) == 0 {
				return undecided("scores of " + strings.Join(large, ", "))
			}
			o := e.checkEach(needsPaper, there, func(dataset string) (bool, string, bool) {
				good, said := true, []string(nil)
				for _, name := range []string{"ece", "ws"} {
					x, ok := score(e.main, dataset, "sml", "test", name)
					y, there := score(e.main, dataset, "pu-de", "test", name)
					if !ok || !there {
						return false, "", false
					}
					good = good && (x < y || isClose(x, y))
					said = append(said, fmt.Sprintf("%s %s, PU-DE %s", measure.Title(name), number(x), number(y)))
				}
				return good, strings.Join(said, ", "), true
			})
			if absent := len(large) - len(there); absent > 0 && o.verdict != unknown {
				o.numbers += fmt.Sprintf("; %d of the four are not there", absent)
			}
			return o
		},
	}, {
		says: "Training with SML on top of a network trained with MC improves its uncertainty.", where: "5",
		check: func(*evidence) outcome {
			return undecided("trainings that start from a model, which studies do not have: make posttraining")
		},
	}, {
		says: "SML with dropout after the last layer alone is clearly better than MC-LL.", where: "5", seeds: true,
		check: func(e *evidence) outcome {
			common := commonDatasets(e.claims, []string{"sml dropout-layers=last"}, "test", "ece")
			return e.checkLess(common, "mc-ll", "sml dropout-layers=last", "ece", append(slices.Clone(e.main), e.claims...))
		},
	}, {
		says: "Training of PU and PU-DE is unstable on california at a learning rate of 0.001, by which these studies train it.", where: "B.1",
		check: func(e *evidence) outcome {
			least, most, said := math.Inf(1), 0.0, []string(nil) // of PU and PU-DE, of the others
			for _, s := range e.main {
				if s.Dataset != "california" || s.Split != "test" || s.Measure != "rmse" || !slices.Contains(Methods(), s.Method) {
					continue
				}
				if strings.HasPrefix(s.Method, "pu") {
					least = min(least, s.Std)
				} else {
					most = max(most, s.Std)
				}
				said = append(said, fmt.Sprintf("%s %s ± %s", methodTitle(s.Method), number(s.Mean), number(s.Std)))
			}
			if len(said) < len(Methods()) {
				return undecided(needsPaper)
			}
			return decide(least > 2*most, "RMSE over trainings: %s; unstable is a spread of more than twice the others'", strings.Join(said, ", "))
		},
	}, {
		says: "WS tells two strongly ill-calibrated uncertainties apart, where ECE does not: all r = 10 or all r = 20.", where: "B.1",
		check: func(*evidence) outcome {
			var found []float64
			for _, name := range []string{"ece", "ws"} {
				for _, r := range []float64{10, 20} {
					c, err := measure.NewColumn([]float64{r, r}, []float64{1, 1}, []float64{0, 0}, data.Sound)
					m, unknown := measure.Lookup(name)
					if err != nil || unknown != nil {
						return undecided("measures")
					}
					found = append(found, m.Compute(c))
				}
			}
			return decide(found[0] == found[1] && found[3]-found[2] > 9, "ECE %s and %s, WS %s and %s", number(found[0]), number(found[1]), number(found[2]), number(found[3]))
		},
	}, {
		says: "The second term's expectation is smallest at σ_drop = 0, μ_drop = ±√(2/π); for σ_drop above 2/π it is smallest at μ_drop = 0.", where: "A.1",
		check: func(*evidence) outcome {
			least, at := math.Inf(1), [2]float64{}
			splitBelow, oneAbove := true, true
			for s := 0.0; s <= 1.5; s += 0.005 {
				best, where := math.Inf(1), 0.0
				for m := 0.0; m <= 1.5; m += 0.005 {
					if v := evaluation.AnalyticSecondTerm(m, s); v < best {
						best, where = v, m
					}
				}
				if best < least {
					least, at = best, [2]float64{where, s}
				}
				switch {
				case s < evaluation.Bifurcation-0.02:
					splitBelow = splitBelow && where > 0
				case s > evaluation.Bifurcation+0.02:
					oneAbove = oneAbove && where == 0
				}
			}
			return decide(at[1] == 0 && math.Abs(at[0]-math.Sqrt(2/math.Pi)) < 0.005 && splitBelow && oneAbove, "on a grid of 0.005: least at μ = %.3f (√(2/π) = %.3f), σ = %.3f; the minimum leaves 0 within 0.02 of σ = 2/π", at[0], math.Sqrt(2/math.Pi), at[1])
		},
	}, {
		says: "Test residuals of abalone are as wide as PU and SML say (68.3 % within 1σ, 99.7 % within 3σ), and wider than MC and DE say.", where: "B.3",
		check: func(e *evidence) outcome {
			good, said := true, []string(nil)
			for _, method := range []string{"pu", "sml", "mc", "de"} {
				one, ok := e.fractionWithin("abalone", method, 1)
				three, _ := e.fractionWithin("abalone", method, 3)
				if !ok {
					return undecided("the kept predictions of abalone: the preset paper")
				}
				right := one > 0.6 && three > 0.97
				good = good && right == (method == "pu" || method == "sml")
				said = append(said, fmt.Sprintf("%s %.1f and %.1f %%", methodTitle(method), 100*one, 100*three))
			}
			return decide(good, "%s, of a fold", strings.Join(said, ", "))
		},
	}, {
		says: "naval is an exception: MC, MC-LL and DE do as well there as SML, PU and PU-DE.", where: "B.3", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, []string{"ece", "ws"}, func(name string) (bool, string, bool) {
				if !slices.Contains(commonDatasets(e.main, Methods(), "test", name), "naval") {
					return false, "", false
				}
				r := newRanking(Methods(), func(method string) float64 {
					x, _ := score(e.main, "naval", method, "test", name)
					return x
				})
				some, others := statistics.Mean([]float64{r.valueOf("mc"), r.valueOf("mc-ll"), r.valueOf("de")}), statistics.Mean([]float64{r.valueOf("sml"), r.valueOf("pu"), r.valueOf("pu-de")})
				return some < others || isClose(some, others), r.String(), true
			})
		},
	}, {
		says: "Of an ideal mechanism 68.3 % of the residuals lie within 1σ and 99.7 % within 3σ, and yet Pearson's correlation of |r| and σ is about 55 %.", where: "B.3",
		check: func(*evidence) outcome {
			points, r := idealPoints(1), idealCorrelation()
			return decide(math.Abs(r-0.55) < 0.005, "correlation %.3f, and %.3f of %d draws, of which %.1f and %.1f %% lie within", r, sizeCorrelation(points), len(points), percentWithin(points, 1), percentWithin(points, 3))
		},
	}, {
		says: "For β of 0.1, 0.25, 0.5, 0.75, 0.9 differences in ECE and WS are small.", where: "C", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsBeta, []string{"ece", "ws"}, func(name string) (bool, string, bool) {
				r := e.betas("test", name)
				return r != nil && isClose(r[len(r)-1].value, r[0].value), r.String(), r != nil
			})
		},
	}, {
		says: "β = 0.5 has the best mean ECE and WS on test rows, by a small margin.", where: "C", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsBeta, []string{"ece", "ws"}, func(name string) (bool, string, bool) {
				r := e.betas("test", name)
				return r.beginsWith(betaLabel + "0.5"), r.String() + e.betaQuirkNote(), r != nil
			})
		},
	}, {
		says: "The best β is not the same for all data sets.", where: "C", seeds: true,
		check: func(e *evidence) outcome {
			best := make(map[string]int)
			n := 0
			for _, dataset := range commonDatasets(e.beta, e.betaMethods(), "test", "ece") {
				r := newRanking(e.betaMethods(), func(method string) float64 {
					x, _ := score(e.beta, dataset, method, "test", "ece")
					return x
				})
				best[r[0].method]++
				n++
			}
			if n < 2 {
				return undecided(needsBeta)
			}
			var said []string
			for _, method := range e.betaMethods() {
				if best[method] > 0 {
					said = append(said, fmt.Sprintf("%s on %d", methodTitle(method), best[method]))
				}
			}
			return decide(len(best) > 1, "least test ECE: %s of %d sets", strings.Join(said, ", "), n)
		},
	}, {
		says: "The ECE of training rows falls with β.", where: "C, figure 12", seeds: true,
		check: func(e *evidence) outcome {
			r := e.betas("train", "ece")
			if r == nil {
				return undecided(needsBeta)
			}
			falls := true
			methods := e.betaMethods()
			if e.hasBetaQuirk() {
				methods = slices.DeleteFunc(methods, func(label string) bool { return label == betaLabel+"0.5" })
			}
			for i := range methods[1:] {
				falls = falls && r.valueOf(methods[i+1]) < r.valueOf(methods[i])
			}
			return decide(falls, "%v%s", r, e.betaQuirkNote())
		},
	}, {
		says: "β ≫ 1 does not converge in many cases: accuracy is lost.", where: "C", seeds: true,
		check: func(e *evidence) outcome {
			const huge = "sml beta=10 dropout-layers=all"
			common := commonDatasets(e.claims, []string{huge, "sml dropout-layers=all"}, "test", "rmse")
			if len(common) == 0 {
				return undecided(needsClaims)
			}
			lost, said := 0, []string(nil)
			for _, dataset := range common {
				x, _ := score(e.claims, dataset, huge, "test", "rmse")
				y, _ := score(e.claims, dataset, "sml dropout-layers=all", "test", "rmse")
				if !(x <= 1) { // the mean of all targets has an RMSE of 1
					lost++
				}
				said = append(said, fmt.Sprintf("%s %s (β = 0.5: %s)", dataset, number(x), number(y)))
			}
			return decide(2*lost >= len(common), "β = 10 is worse than the targets' mean on %d of %d sets; RMSE on %s", lost, len(common), strings.Join(said, ", "))
		},
	}, {
		says: "ECE, WS and KS are correlated, but not perfectly.", where: "D.1", seeds: true,
		check: func(e *evidence) outcome {
			return e.checkEach(needsPaper, []string{"ws", "ks"}, func(name string) (bool, string, bool) {
				var x, y []float64 // ranks, since WS has no bound
				for _, s := range e.main {
					if s.Measure != "ece" {
						continue
					}
					if other, ok := score(e.main, s.Dataset, s.Method, s.Split, name); ok {
						x, y = append(x, s.Mean), append(y, other)
					}
				}
				if len(x) < 10 {
					return false, "", false
				}
				r := correlation(ranks(x), ranks(y))
				return r > 0.5 && r < 0.99, fmt.Sprintf("Spearman's correlation with ECE %.2f over %d scores", r, len(x)), true
			})
		},
	}, {
		says: "Of two samples the one that follows N(0, 1) has the larger NLL: about 1.4 for (0.5, −0.4, 0, −1.9, −0.7), 0.9 for (0, 0.1, 0, −0.1, 0).", where: "D.2",
		check: func(*evidence) outcome {
			first, second := gaussianNLL([]float64{0, 0.1, 0, -0.1, 0}, 1), gaussianNLL([]float64{0.5, -0.4, 0, -1.9, -0.7}, 1)
			return decide(math.Abs(first-0.9) < 0.05 && math.Abs(second-1.4) < 0.05, "%.3f and %.3f", second, first)
		},
	}, {
		says: "Of samples judged by their own σ, the NLL of a wider one is larger by log(σ₂/σ₁).", where: "D.2",
		check: func(*evidence) outcome {
			z := []float64{-1.3, -0.4, 0.1, 0.6, 1.1}
			wide := slices.Clone(z)
			for i := range wide {
				wide[i] *= 3
			}
			d := gaussianNLL(wide, 3) - gaussianNLL(z, 1)
			return decide(math.Abs(d-portable.Log(3)) < 1e-12, "larger by %.4f for σ₂ = 3σ₁; log 3 = %.4f", d, portable.Log(3))
		},
	},
}

// gaussianNLL returns the mean negative log-likelihood of y under N(0, sigma²): equation 6 of the paper,
// with its constant.
func gaussianNLL(y []float64, sigma float64) float64 {
	sum := 0.0
	for _, v := range y {
		sum += v * v / (2 * sigma * sigma) / float64(len(y))
	}
	return sum + portable.Log(math.Sqrt(2*math.Pi)*sigma)
}

// ranks returns for each value the number of smaller values.
func ranks(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	r := make([]float64, len(values))
	for i, x := range values {
		less, _ := slices.BinarySearch(sorted, x)
		r[i] = float64(less)
	}
	return r
}
