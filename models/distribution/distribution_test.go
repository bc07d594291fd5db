package distribution

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/internal/portable"
)

// FamilyExamples is a family with the parameters of some of its distributions.
type FamilyExamples struct {
	Family
	Examples [][]float64
}

// Examples lists the families of the package, each with the parameters of some distributions.
var Examples = []FamilyExamples{
	{Normal, [][]float64{{0, 1}, {-3, 0.2}, {100, 7}}},
	{StudentT, [][]float64{{0, 1, 3}, {2, 0.3, 2.5}, {-1, 4, 40}}},
	{NormalMixture(3), [][]float64{append(logs(0.5, 0.2, 0.3), -2, 0, 3, 0.5, 1, 0.25), append(logs(0.9, 0.05, 0.05), 1, 1, 1, 1, 2, 3)}},
	{Quantiles(0.05, 0.25, 0.5, 0.75, 0.95), [][]float64{{-1.6, -0.7, 0, 0.7, 1.6}, {0, 1, 4, 9, 16}, {3, 2, 1, 5, 4}}},
	{Categorical(3), [][]float64{logs(0.2, 0.5, 0.3), logs(0.98, 0.01, 0.01)}},
	{Empirical(20), [][]float64{normalDraws(20)}},
	{Point, [][]float64{{0}, {3}}},
	{logistic, [][]float64{{0, 1}, {-2, 0.3}}},
	{Mixture(StudentT, 2), [][]float64{{0, 1, 3, 2, 0.5, 4}}},
	{Mixture(logistic, 3), [][]float64{{0, 1, 2, 0.3, -1, 0.5}}},
}

// logs returns the logarithms of numbers.
func logs(numbers ...float64) []float64 {
	for i, v := range numbers {
		numbers[i] = math.Log(v)
	}
	return numbers
}

// normalDraws returns n draws from N(0, 1).
func normalDraws(n int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	draws := make([]float64, n)
	for i := range draws {
		draws[i] = portable.NormFloat64(r)
	}
	return draws
}

// logistic is the family of logistic distributions, by its CDF alone.
var logistic = Formulas{
	Name:       "logistic",
	Parameters: []string{"location", "scale"},
	CDF: func(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
		return b.Sigmoid(b.Div(b.Sub(y, p[0]), p[1]))
	},
}.Family()

// Source: SciPy 1.10.1's documentation of scipy.stats.logistic, whose density is e^−z/(1 + e^−z)²; CRPS = z − 2 log F(z) − 1
// (Jordan et al. 2019, appendix A), here by hand at z = 0 and z = 2.
func TestLogisticByItsCDF(t *testing.T) {
	d := logistic.New([]float64{1, 0.5})
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"log density at the mean", d.LogDensity(1), math.Log(0.5)},
		{"log density", d.LogDensity(2), math.Log(2 * math.Exp(-2) / ((1 + math.Exp(-2)) * (1 + math.Exp(-2))))},
		{"CRPS at the mean", d.CRPS(1), 0.5 * (2*math.Ln2 - 1)},
		{"CRPS", d.CRPS(2), 0.5 * (2 + 2*math.Log1p(math.Exp(-2)) - 1)},
		{"quantile", d.Quantile(0.9), 1 + 0.5*math.Log(9)},
		{"mean", d.Mean(), 1},
		{"std of an affine function", d.Affine(3, 1).Std(), 1.5 * math.Pi / math.Sqrt(3)},
	} {
		if !near(c.got, c.want, 1e-11) {
			t.Errorf("%s: %v; want %v", c.what, c.got, c.want)
		}
	}
}

// Distributions of one family are computed by several goroutines at a time, as in an evaluation.
func TestFormulasInSeveralGoroutines(t *testing.T) {
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			location := float64(i)
			d := Mixture(logistic, 2).New([]float64{location, 1, location, 1})
			for range 50 {
				if got := d.CDF(location); got != 0.5 {
					t.Errorf("the CDF at the location %v is %v; want 0.5", location, got)
				}
				if got := d.Quantile(0.5); !near(got, location, 1e-12) {
					t.Errorf("the median is %v; want %v", got, location)
				}
			}
		})
	}
	group.Wait()
}

// near reports whether two numbers agree to a relative or absolute error.
func near(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*max(1, math.Abs(want)) || math.IsNaN(got) && math.IsNaN(want)
}

// scipyCase holds values of one distribution by SciPy (testdata/values.py).
type scipyCase struct {
	Family     string
	Parameters []float64
	Mean, Std  float64
	At         []float64
	LogDensity []float64 `json:"log_density"`
	CDF        []float64
	CRPS       []float64
	Levels     []float64
	Quantiles  []float64
}

func TestSciPy(t *testing.T) {
	var file struct{ Cases []scipyCase }
	expect.NoError(t, json.Unmarshal(expect.Must(os.ReadFile("testdata/scipy.json")), &file))
	for _, c := range file.Cases {
		named := slices.IndexFunc(Examples, func(f FamilyExamples) bool { return f.Name == c.Family })
		d := Examples[named].New(c.Parameters)
		check := func(what string, at, got, want, tolerance float64) {
			if !near(got, want, tolerance) {
				t.Errorf("%s%v: %s(%v) = %v; want %v", c.Family, c.Parameters, what, at, got, want)
			}
		}
		check("mean", 0, d.Mean(), c.Mean, 1e-12)
		check("std", 0, d.Std(), c.Std, 1e-11)
		for i, y := range c.At {
			check("log density", y, d.LogDensity(y), c.LogDensity[i], 1e-10)
			check("CDF", y, d.CDF(y), c.CDF[i], 1e-11)
			check("log CDF", y, math.Log(d.CDF(y)), math.Log(c.CDF[i]), 1e-8) // the lower tail
			check("CRPS", y, d.CRPS(y)/d.Std(), c.CRPS[i]/c.Std, 1e-7)        // SciPy's is an integral
		}
		for i, level := range c.Levels {
			check("quantile", level, d.Quantile(level)/d.Std(), c.Quantiles[i]/c.Std, 1e-9)
		}
	}
}

// TestEmpiricalCRPS uses 1/3 (1 + 2 + 5) − 1/9 (1 + 4 + 3), by hand, of the draws 0, 1 and 4
// at −1.
func TestEmpiricalCRPS(t *testing.T) {
	if got, want := NewEmpirical([]float64{4, 0, 1}).CRPS(-1), 8.0/3-8.0/9; !near(got, want, 1e-15) {
		t.Errorf("%v; want %v", got, want)
	}
}

// TestSortingNetwork sorts all lists of zeros and ones: a network that sorts them sorts any
// numbers (Knuth 1998, section 5.3.4, theorem Z). The sizes are of Batcher's networks for 4, 8 and
// 16 numbers (there, page 112).
func TestSortingNetwork(t *testing.T) {
	for n := range 14 {
		network := sortingNetwork(n)
		for bits := range 1 << n {
			list := make([]int, n)
			for i := range list {
				list[i] = bits >> i & 1
			}
			for _, pair := range network {
				low, high := list[pair.low], list[pair.high]
				list[pair.low], list[pair.high] = min(low, high), max(low, high)
			}
			if !slices.IsSorted(list) {
				t.Fatalf("%d numbers: %b is %v", n, bits, list)
			}
		}
	}
	for n, want := range map[int]int{4: 5, 8: 19, 16: 63} {
		if got := len(sortingNetwork(n)); got != want {
			t.Errorf("%d comparators of %d numbers; want %d", got, n, want)
		}
	}
}

func TestCheck(t *testing.T) {
	half := math.Log(0.5)
	for want, c := range map[string]struct {
		family     Family
		parameters []float64
	}{
		"std = -1 in the family normal: want 0 or more":                                              {Normal, []float64{0, -1}},
		"scale = 0 in the family student-t: want a number above 0":                                   {StudentT, []float64{0, 0, 3}},
		"freedom = -2 in the family student-t: want a number above 0":                                {StudentT, []float64{0, 1, -2}},
		"std 2 = -0.5 in the family normal-mixture: want 0 or more":                                  {NormalMixture(2), []float64{half, half, 0, 1, 1, -0.5}},
		"probabilities with the sum 1.5, log weight 1 to 2 in the family normal-mixture: want 1":     {NormalMixture(2), []float64{half, 0, 0, 1, 1, 1}},
		"probabilities with the sum 1.00001, log probability 1 to 3 in the family categorical: want": {Categorical(3), []float64{half, half, math.Log(1e-5)}},
	} {
		expect.Error(t, c.family.Check(c.parameters), want)
	}
	if err := Normal.Check([]float64{math.NaN(), math.NaN()}); err != nil {
		t.Errorf("NaN: %v", err)
	}
}

// Source: mpmath 1.3.0, the root of log Φ(z) = log q with 40 digits. The levels of a prediction are not rounded to
// 1 − (1 − q).
func TestNormalQuantilesInTheTail(t *testing.T) {
	for level, want := range map[float64]float64{1e-7: -5.1993375821928169, 1e-10: -6.3613409024040562, 1e-17: -8.4937932241095981, 1e-100: -21.273453560965324} {
		for _, d := range []Distribution{NewNormal(0, 1), NormalMixture(1).New([]float64{0, 0, 1})} {
			if got := d.Quantile(level); math.Abs(got-want) > 1e-13*math.Abs(want) {
				t.Errorf("%T: the quantile at %v is %v; want %v", d, level, got, want)
			}
		}
	}
}
