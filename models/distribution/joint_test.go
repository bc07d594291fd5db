package distribution

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/internal/expect"
	"sml/internal/portable"
)

// threeCorrelations is a correlation matrix.
var threeCorrelations = [][]float64{{1, 0.6, -0.3}, {0.6, 1, 0.2}, {-0.3, 0.2, 1}}

// threeNormals have the means 1, −2, 0.5 and the standard deviations 0.5, 2, 3.
var threeNormals = []Distribution{NewNormal(1, 0.5), NewNormal(-2, 2), NewNormal(0.5, 3)}

// Correlated normal distributions are a multivariate normal distribution. PyTorch 1.13 computed the
// values, by MultivariateNormal.log_prob in float64.
func TestJointNormalDensity(t *testing.T) {
	j := expect.Must(NewJoint(threeNormals, threeCorrelations))
	for _, c := range []struct {
		y    []float64
		want float64
	}{
		{[]float64{1, -2, 0.5}, -3.4426597039792823},
		{[]float64{0.2, 1, -4}, -18.099166553294353},
		{[]float64{3, -6, 9}, -58.83586112457796},
	} {
		if got := j.LogDensity(c.y); math.Abs(got-c.want) > 1e-12*math.Abs(c.want) {
			t.Errorf("the log density at %v is %v; want %v", c.y, got, c.want)
		}
	}
}

// logarithm is the transform log y.
type logarithm struct{}

func (logarithm) Apply(y float64) float64                             { return portable.Log(y) }
func (logarithm) Invert(z float64) float64                            { return portable.Exp(z) }
func (logarithm) Moments(_, _ float64, _, _ []float64) (_, _ float64) { return math.NaN(), math.NaN() }
func (logarithm) IsSmooth() bool                                      { return true }
func (logarithm) LogSlope(y float64) float64                          { return -portable.Log(y) }

// The density of exp(Y) at exp(y) is the density of Y at y divided by exp(y), as for each number by itself.
func TestJointDensityOfTransformed(t *testing.T) {
	var transformed []Distribution
	for _, d := range threeNormals {
		transformed = append(transformed, Invert(d, logarithm{}))
	}
	normal := expect.Must(NewJoint(threeNormals, threeCorrelations))
	logNormal := expect.Must(NewJoint(transformed, threeCorrelations))
	for _, y := range [][]float64{{1, -2, 0.5}, {0.5, 1, -3}, {1.5, -4, 2}} {
		var exponentials []float64
		want := normal.LogDensity(y)
		for _, v := range y {
			exponentials = append(exponentials, portable.Exp(v))
			want -= v
		}
		if got := logNormal.LogDensity(exponentials); math.Abs(got-want) > 1e-9 {
			t.Errorf("the log density at exp(%v) is %v; want %v", y, got, want)
		}
	}
}

// Samples have the correlations of the distribution, and each number has its own distribution. Independent numbers have
// the sum of their log densities.
func TestJointSample(t *testing.T) {
	const draws = 20_000
	marginals := []Distribution{NewNormal(1, 0.5), StudentT.New([]float64{0, 1, 5})}
	correlations := [][]float64{{1, 0.7}, {0.7, 1}}
	j := expect.Must(NewJoint(marginals, correlations))
	r := rand.New(rand.NewPCG(1, 2))
	product, below := 0.0, 0.0
	for range draws {
		y := j.Sample(r)
		product += normalScore(marginals[0], y[0]) * normalScore(marginals[1], y[1]) / draws
		if y[1] < marginals[1].Quantile(0.2) {
			below += 1.0 / draws
		}
	}
	if math.Abs(product-0.7) > 0.03 { // four standard errors, √(1 + 0.7²)/√20000 each
		t.Errorf("the normal scores have the correlation %v; want 0.7", product)
	}
	if math.Abs(below-0.2) > 0.012 { // four standard errors
		t.Errorf("%v of the second numbers are below their quantile at 0.2", below)
	}
	independent := expect.Must(NewJoint(marginals, nil))
	y := []float64{1.2, 0.4}
	want := marginals[0].LogDensity(y[0]) + marginals[1].LogDensity(y[1])
	if got := independent.LogDensity(y); got != want {
		t.Errorf("independent numbers have the log density %v; want %v", got, want)
	}
}

func TestJointRefusesNoCorrelations(t *testing.T) {
	for _, c := range []struct {
		correlations [][]float64
		want         string
	}{
		{[][]float64{{1, 0.5, 0}, {0.4, 1, 0}, {0, 0, 1}}, "symmetric"},
		{[][]float64{{1, 0, 0}, {0, 2, 0}, {0, 0, 1}}, "2 with itself"},
		{[][]float64{{1, 1.2, 0}, {1.2, 1, 0}, {0, 0, 1}}, "contradict"},
		{[][]float64{{1, 0.9, 0.9}, {0.9, 1, -0.9}, {0.9, -0.9, 1}}, "contradict"},
	} {
		expect.Error(t, expect.ErrorOf(NewJoint(threeNormals, c.correlations)), c.want)
	}
	perfect := [][]float64{{1, 1, 0}, {1, 1, 0}, {0, 0, 1}}
	if _, err := NewJoint(threeNormals, perfect); err != nil {
		t.Errorf("perfectly correlated numbers: %v", err)
	}
}
