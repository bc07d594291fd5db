package distribution

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/portable"
)

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
	content, err := os.ReadFile("testdata/scipy.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []scipyCase }
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		d := lookup(t, c.Family).New(c.Parameters)
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

func lookup(t *testing.T, name string) Family {
	t.Helper()
	for _, f := range Families() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no family %s", name)
	return Family{}
}

// examples returns parameters of some distributions of each registered family.
func examples(name string) [][]float64 {
	logs := func(p ...float64) []float64 {
		for i := range p {
			p[i] = math.Log(p[i])
		}
		return p
	}
	switch name {
	case "normal":
		return [][]float64{{0, 1}, {-3, 0.2}, {100, 7}}
	case "student-t":
		return [][]float64{{0, 1, 3}, {2, 0.3, 2.5}, {-1, 4, 40}}
	case "normal-mixture":
		return [][]float64{append(logs(0.5, 0.2, 0.3), -2, 0, 3, 0.5, 1, 0.25), append(logs(0.9, 0.05, 0.05), 1, 1, 1, 1, 2, 3)}
	case "quantiles":
		return [][]float64{{-1.6, -0.7, 0, 0.7, 1.6}, {0, 1, 4, 9, 16}, {3, 2, 1, 5, 4}}
	case "categorical":
		return [][]float64{logs(0.2, 0.5, 0.3), logs(0.98, 0.01, 0.01)}
	case "empirical":
		r := rand.New(rand.NewPCG(1, 2))
		draws := make([]float64, 20)
		for i := range draws {
			draws[i] = portable.NormFloat64(r)
		}
		return [][]float64{draws}
	case "point":
		return [][]float64{{0}, {3}}
	}
	return nil
}

// TestAgree compares the parts of each distribution with one another: the CDF is the
// integral of the density, the quantile inverts the CDF, mean, standard deviation and CRPS
// are integrals, draws have the CDF, and an affine function of a number has the
// distribution of that function.
func TestAgree(t *testing.T) {
	for _, f := range Families() {
		for _, p := range examples(f.Name) {
			d := f.New(p)
			if math.IsNaN(d.CDF(0)) {
				continue
			}
			checkQuantiles(t, f.Name, d)
			checkMoments(t, f.Name, d)
			checkDensity(t, f.Name, d)
			checkCRPS(t, f.Name, d)
			checkSamples(t, f.Name, d)
			checkAffine(t, f.Name, d)
		}
	}
}

func checkQuantiles(t *testing.T, name string, d Distribution) {
	for _, level := range []float64{1e-4, 0.01, 0.3, 0.5, 0.77, 0.95, 0.9999} {
		y := d.Quantile(level)
		if name != "empirical" && !near(d.CDF(y), level, 1e-12) { // draws have steps
			t.Errorf("%s: CDF(Quantile(%v)) = %v", name, level, d.CDF(y))
		}
	}
}

// checkMoments compares the mean with the mean of quantiles.
func checkMoments(t *testing.T, name string, d Distribution) {
	const n = 10000
	var sum, squares float64
	for i := range n {
		off := (d.Quantile((float64(i) + 0.5) / n)) - d.Mean()
		sum += off / n
		squares += off * off / n
	}
	tolerance := 2e-3
	if name == "student-t" || name == "empirical" { // heavy tails beyond the last quantile; n−1, and type 7
		tolerance = 0.15
	}
	if !near(sum/d.Std(), 0, tolerance) || !near(math.Sqrt(squares)/d.Std(), 1, tolerance) {
		t.Errorf("%s: the mean of quantiles is off by %v, their standard deviation is %v; want %v", name, sum, math.Sqrt(squares), d.Std())
	}
}

// checkDensity compares the density with differences of the CDF.
func checkDensity(t *testing.T, name string, d Distribution) {
	for _, level := range []float64{0.003, 0.13, 0.46, 0.81, 0.97} {
		y, h := d.Quantile(level), 1e-5*d.Std()
		if got, want := math.Exp(d.LogDensity(y)), (d.CDF(y+h)-d.CDF(y-h))/(2*h); !math.IsNaN(got) && !near(got*d.Std(), want*d.Std(), 1e-6) {
			t.Errorf("%s: density %v at %v; differences of the CDF give %v", name, got, y, want)
		}
	}
}

// checkCRPS compares the CRPS with twice the mean pinball loss of the quantiles (Gneiting
// and Ranjan 2011, equation 11).
func checkCRPS(t *testing.T, name string, d Distribution) {
	const n = 10000
	if name == "empirical" { // whose quantiles are interpolated: see TestEmpiricalCRPS
		return
	}
	for _, level := range []float64{0.001, 0.13, 0.5, 0.9, 0.999} {
		y, sum := d.Quantile(level), 0.0
		for i := range n {
			at := (float64(i) + 0.5) / n
			off := y - d.Quantile(at)
			sum += 2 * max(at*off, (at-1)*off) / n
		}
		if got := d.CRPS(y); !near(got/d.Std(), sum/d.Std(), 1e-3) {
			t.Errorf("%s: CRPS(%v) = %v; quantiles give %v", name, y, got, sum)
		}
	}
}

// checkSamples compares draws with the CDF: Kolmogorov's distance of n draws is above
// 1.95/√n with a probability of 0.1 %.
func checkSamples(t *testing.T, name string, d Distribution) {
	const n = 20000
	r := rand.New(rand.NewPCG(7, 7))
	counts := make(map[float64]float64)
	levels := []float64{0.05, 0.2, 0.4, 0.6, 0.8, 0.95}
	for range n {
		y := d.Sample(r)
		for _, level := range levels {
			if y <= d.Quantile(level) {
				counts[level] += 1.0 / n
			}
		}
	}
	for _, level := range levels {
		want := d.CDF(d.Quantile(level))
		if math.Abs(counts[level]-want) > 1.95/math.Sqrt(n) {
			t.Errorf("%s: %v of the draws are up to the quantile at %v; want %v", name, counts[level], level, want)
		}
	}
}

func checkAffine(t *testing.T, name string, d Distribution) {
	const scale, shift = 2.5, -7
	moved := d.Affine(scale, shift)
	for _, level := range []float64{0.02, 0.5, 0.7} {
		y := d.Quantile(level)
		pairs := [][2]float64{
			{moved.Quantile(level), scale*y + shift},
			{moved.CDF(scale*y + shift + 1e-9), d.CDF(y + 1e-9/scale)},
			{moved.CRPS(scale*y + shift), scale * d.CRPS(y)},
			{moved.LogDensity(scale*y + shift), d.LogDensity(y) - math.Log(scale)},
			{moved.Mean(), scale*d.Mean() + shift},
			{moved.Std(), scale * d.Std()},
		}
		for i, pair := range pairs {
			if !near(pair[0], pair[1], 1e-9) {
				t.Errorf("%s: part %d of %v·Y + %v is %v; want %v", name, i, scale, shift, pair[0], pair[1])
			}
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

// TestNodes compares each family as nodes with the family in Go.
func TestNodes(t *testing.T) {
	for _, f := range Families() {
		for _, p := range examples(f.Name) {
			compareNodes(t, f, p, []float64{-8, -1.1, 0, 0.4, 1, 2, 12})
		}
	}
}

// compareNodes compares values of one distribution at several numbers.
func compareNodes(t *testing.T, f Family, p, at []float64) {
	t.Helper()
	b := graph.New(graph.Float64, new(graph.Params))
	parameters := make([]*graph.Node, len(p))
	for i := range p {
		parameters[i] = b.Constant(len(at), 1, slices.Repeat([]float64{p[i]}, len(at)))
	}
	y := b.Constant(len(at), 1, at)
	nodes, d := f.Nodes(b, parameters), f.New(p)
	var names []string
	var outputs []*graph.Node
	var inGo []func(y float64) float64
	add := func(name string, node *graph.Node, value func(y float64) float64) {
		if node != nil {
			names, outputs, inGo = append(names, name), append(outputs, node), append(inGo, value)
		}
	}
	add("Mean", nodes.Mean(), func(float64) float64 { return d.Mean() })
	add("Std", nodes.Std(), func(float64) float64 { return d.Std() })
	add("LogDensity", nodes.LogDensity(y), d.LogDensity)
	add("CDF", nodes.CDF(y), d.CDF)
	add("CRPS", nodes.CRPS(y), d.CRPS)
	for _, level := range []float64{0.001, 0.025, 0.4, 0.5, 0.95, 0.999} {
		add(fmt.Sprintf("Quantile(%v)", level), nodes.Quantile(level), func(float64) float64 { return d.Quantile(level) })
	}
	run, err := graph.NewRunner(graph.Compiled, b, outputs...)
	if err != nil {
		t.Fatal(f.Name, err)
	}
	defer run.Close()
	if err := run.Run(); err != nil {
		t.Fatal(f.Name, err)
	}
	for i, name := range names {
		for row, v := range at {
			if got, want := run.Output64(i)[row], inGo[i](v); !near(got, want, 1e-8) {
				t.Errorf("%s%v: %s at %v is %v as a node; %v in Go", f.Name, p, name, v, got, want)
			}
		}
	}
}
