package measure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models/distribution"
)

// asPublished are measures by their definitions elsewhere: what uncertainty-toolbox's
// own tests expect of its three rows, and what bench/measures.py, by its formulas and
// by SciPy's (NumPy 1.24.2, SciPy 1.10.1), has of these, of twelve rows and of the
// twelve with weights.
var asPublished = []struct {
	name                    string
	three, twelve, weighted float64
}{
	{"crps", 0.59080610693, 0.508074874370797824, 0.3953956822263404},
	{"nll-full", 4.920361108686675, 1.2845024091468267, 1.4358177524002982},
	{"coverage50", 0, 0.4166666666666667, 0.4648318042813456},
	{"width50", 0.719455733542487, 1.0188167676711812, 0.7853783403200616},
	{"coverage80", 0.3333333333333333, 0.6666666666666666, 0.6788990825688074},
	{"width80", 1.366988336580907, 1.9357836397551187, 1.4922433458616575},
	{"coverage90", 0.3333333333333333, 0.8333333333333334, 0.7553516819571865},
	{"width90", 1.7545105354149042, 2.484551403510199, 1.9152735993823928},
	{"coverage95", 0.3333333333333333, 0.8333333333333334, 0.7553516819571865},
	{"width95", 2.090628250176058, 2.960525598647752, 2.282189256126823},
	{"interval-score", 3.2075570086199594, 2.347080585481634, 1.9790000628103264},
	{"interval-score90", 5.1750960276090145, 2.9713156522092175, 2.9098764419868184},
	{"mace", 0.3733333333333335, 0.09123737373737377, 0.1006338615512928},
	{"rmsce", 0.4165757476562379, 0.11289912365121409, 0.11915777229594646},
	{"miscalibration-area", 0.37710437710437716, 0.09142430047602464, 0.10087440983623089},
	{"sharpness", 0.648074069840786, 0.9144291935409762, 0.7208772688171321},
	{"spearman", 0.8660254037844387, 0.42732114568639123, 0.3025003193115203},
	{"pearson", 0.8322397195638239, 0.8429929253752496, 0.7456798729646422},
}

func TestAsPublished(t *testing.T) {
	three := &Column{Mean: []float64{1, 2, 3}, Std: []float64{0.1, 0.5, 1}, Y: []float64{1.5, 3, 2}, Protocol: data.Sound}
	twelve := &Column{Mean: someMean, Std: someStd, Y: someY, Protocol: data.Sound}
	weighted := &Column{Mean: someMean, Std: someStd, Y: someY, Protocol: data.Sound, Weights: someWeights}
	for _, want := range asPublished {
		m := expect.Must(Lookup(want.name))
		near(t, want.name, m.Compute(three), want.three, 1e-11)
		near(t, want.name, m.Compute(twelve), want.twelve, 1e-12)
		near(t, want.name+", weighted", m.Compute(weighted), want.weighted, 1e-12)
	}
	// The same script leaves rows out one by one, each of them 4000 rows.
	near(t, "AUSE", ause.Compute(three), 0, 1e-12)
	near(t, "AUSE", ause.Compute(twelve), 0.2474774363031642, 1e-4)
	near(t, "AUSE, weighted", ause.Compute(weighted), 0.33225052338379524, 1e-4)
	// Its means over 10,000 repeats; here are 100.
	near(t, "adversarial groups", adversarialGroup.Compute(twelve), 0.15486722121212126, 0.005)
	near(t, "adversarial groups", twelve.adversarialGroups(50, 10, 2000), 0.15486722121212126, 0.002)
	near(t, "adversarial groups, weighted", weighted.adversarialGroups(50, 10, 2000), 0.1648767492929293, 0.002)
}

// A measure is best where the rows are what the predictions say.
func TestHonestPredictions(t *testing.T) {
	c := &Column{Protocol: data.Sound}
	for i := range 5000 { // exactly N(0, 1)
		c.Mean, c.Std, c.Y = append(c.Mean, 0), append(c.Std, 1), append(c.Y, portable.NormalQuantile((float64(i)+0.5)/5000))
	}
	for name, want := range map[string]float64{"coverage50": 0.5, "coverage80": 0.8, "coverage90": 0.9, "coverage95": 0.95, "mace": 0, "rmsce": 0, "miscalibration-area": 0, "spearman": 0, "pearson": 0} {
		m, _ := Lookup(name)
		near(t, name, m.Compute(c), want, 3e-4)
	}
	near(t, "adversarial groups", adversarialGroup.Compute(c), 0.0791, 0.003) // bench/measures.py
	near(t, "AUSE", ause.Compute(c), 0.5696776198235592, 1e-4)                // SciPy 1.10.1: 1 - quad(lambda t: (1-exp(-norm.ppf((1+t)/2)**2/2))/t, 0, 1)
}

// Without a spread in σ or in the errors there is nothing to correlate.
func TestCorrelationsOfNothing(t *testing.T) {
	of := func(mean, std, y []float64) *Column { return &Column{Mean: mean, Std: std, Y: y} }
	for name, c := range map[string]*Column{"σ": of([]float64{1, 2}, []float64{0.1, 0.1}, []float64{3, 3}), "errors": of([]float64{1, 2}, []float64{1, 2}, []float64{2, 3})} {
		if s, p := spearman.Compute(c), pearson.Compute(c); s != 0 || p != 0 {
			t.Errorf("one %s: %v and %v; want 0", name, s, p)
		}
	}
	one := of([]float64{1}, []float64{1}, []float64{2})
	near(t, "one row", spearman.Compute(one), math.NaN(), 0)
	near(t, "one row", pearson.Compute(one), math.NaN(), 0)
	// The size of numbers does not matter, nor does a large mean.
	c := of([]float64{1, 2, 4}, []float64{3e300, 1e300, 2e300}, []float64{0, 0, 0})
	near(t, "large", pearson.Compute(c), -0.3273268353539886, 1e-12) // SciPy 1.10.1: pearsonr([3, 1, 2], [1, 2, 4])
	c = of([]float64{1e-300, 2e-300, 4e-300}, []float64{3 + 1e9, 1 + 1e9, 2 + 1e9}, []float64{0, 0, 0})
	near(t, "small", pearson.Compute(c), -0.3273268353539886, 1e-12)
}

func TestFullNLLOfZero(t *testing.T) {
	of := func(y ...float64) float64 {
		return nllFull.Compute(&Column{Mean: make([]float64, len(y)), Std: make([]float64, len(y)), Y: y})
	}
	if exact, off, both := of(0), of(1), of(0, 1, 0); !math.IsInf(exact, -1) || !math.IsInf(off, 1) || !math.IsInf(both, 1) {
		t.Errorf("of σ = 0: %v where means are exact, %v where they are not, %v of both", exact, off, both)
	}
}

func TestCRPSOfDraws(t *testing.T) {
	of := func(y float64, draws ...float64) float64 {
		return crps.Compute(&Column{Y: []float64{y}, Distributions: []distribution.Distribution{distribution.NewEmpirical(draws)}})
	}
	for _, c := range []struct{ y, want float64 }{ // bench/measures.py: sums over all pairs
		{0.5, 0.304}, {-2, 1.684}, {2.1, 1.184},
	} {
		near(t, "CRPS of draws", of(c.y, 0.3, -1.2, 0.7, 2.1, -0.4), c.want, 1e-12)
	}
	near(t, "one draw", of(1, 3), 2, 0)
	// Many draws of a normal distribution score as it does.
	var many []float64
	for i := range 10000 {
		many = append(many, portable.NormalQuantile((float64(i)+0.5)/10000))
	}
	near(t, "many draws", of(1.5, many...), 0.99442400397745297, 1e-4) // as in TestCRPS
}

// Intervals are between quantiles.
func TestIntervalsOfQuantiles(t *testing.T) {
	c := &Column{Y: []float64{0.5, 3}, Levels: []float64{0.05, 0.25, 0.5, 0.75, 0.95}, Protocol: data.Sound}
	c.Distributions = quantilesOf(c.Levels, [][]float64{{-2, -1, 0, 1, 2}, {-2, -1, 0, 1, 2}})
	for name, want := range map[string]float64{"coverage90": 0.5, "width90": 4, "coverage50": 0.5, "width50": 2, "interval-score90": 4 + 0.5*20*1} { // by hand
		m, _ := Lookup(name)
		near(t, name, m.Compute(c), want, 1e-12)
	}
}

// Measures of quantiles and of the CDF look at the calibrated distribution.
func TestMeasuresOfDistributions(t *testing.T) {
	wide := distribution.NewShape(func(level float64) float64 { return 2 * portable.NormalQuantile(level) }) // N(0, 2²)
	narrow := &Column{Mean: someMean, Std: someStd, Y: someY, Protocol: data.Sound}
	calibrated := &Column{Mean: someMean, Std: someStd, Y: someY, Protocol: data.Sound}
	doubled := &Column{Mean: someMean, Y: someY, Protocol: data.Sound}
	for i, s := range someStd {
		doubled.Std = append(doubled.Std, 2*s)
		calibrated.Distributions = append(calibrated.Distributions, distribution.WithShape(distribution.NewNormal(someMean[i], s), someMean[i], s, wide))
	}
	for _, m := range All() {
		if !calibrated.hasPart(m.Needs[0]) || !m.OnRequest && !strings.HasSuffix(m.Name, "90") {
			continue
		}
		like := doubled
		if slices.Contains([]string{"sharpness", "spearman", "pearson", "ause", "ence"}, m.Name) {
			like = narrow
		}
		tolerance := 1e-12
		if m.Name == "nll-full" { // by the moments of the shape, which are sums over its quantiles
			tolerance = 1e-3
		}
		near(t, m.Name, m.Compute(calibrated), m.Compute(like), tolerance)
	}
}

func TestAUROC(t *testing.T) {
	below, above := []float64{0.3, 0.1, 0.5, 0.5, 0.2}, []float64{0.5, 0.4, 0.3, 0.9}
	// scikit-learn 1.2.1, roc_auc_score in bench/measures.py
	near(t, "AUROC", AUROC(below, above, nil, nil), 0.725, 1e-15)
	near(t, "AUROC, weighted", AUROC(below, above, []float64{1, 2, 0, .5, 1}, []float64{3, 1, 2, .25}), 0.8844444444444445, 1e-15)
	near(t, "AUROC of the same", AUROC(below, below, nil, nil), 0.5, 1e-15)
	near(t, "AUROC of what is above", AUROC([]float64{1, 2}, []float64{3, 4}, nil, nil), 1, 0)
	near(t, "AUROC of nothing", AUROC(nil, above, nil, nil), math.NaN(), 0)
}
