package graph

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"sml/internal/expect"
)

// activationMoments returns the mean, the total variance and the slope of an activation of N(mean, std²), in a graph of
// the number type of F.
func activationMoments(t *testing.T, dtype any, activation func(b *Builder, x *Node) *Node, mean, std float64) (m, v, slope float64) {
	t.Helper()
	b := New(Float64, new(Params))
	if dtype == float32(0) {
		b = New(Float32, new(Params))
	}
	x, variance := b.Input("mean", 1, 1), b.Input("variance", 1, 1)
	random := b.copyNode(b.Constant(1, 1, []float64{1})) // stands for a value that depends on masks
	p := &momentPass{
		b:        b,
		rows:     1,
		isRandom: map[*Node]bool{random: true},
		values:   map[*Node]randomValue{random: {mean: x, variance: variance}},
	}
	y := activation(b, random)
	p.findRandom(y)
	got := expect.Must(p.value(y))
	r := expect.Must(NewRunner(Compiled, b, got.mean, got.variance, b.Grad(b.Sum(got.mean), x)[0]))
	defer r.Close()
	if dtype == float32(0) {
		r.Input("mean")[0], r.Input("variance")[0] = float32(mean), float32(std*std)
		expect.NoError(t, r.Run())
		return float64(r.Output(0)[0]), float64(r.Output(1)[0]), float64(r.Output(2)[0])
	}
	r.Input64("mean")[0], r.Input64("variance")[0] = mean, std*std
	expect.NoError(t, r.Run())
	return r.Output64(0)[0], r.Output64(1)[0], r.Output64(2)[0]
}

// integral returns the mean of f(μ + σt) over t ~ N(0, 1), which has a kink at μ + σt = 0, by the Gauss-Legendre formula
// of gonum on both sides of it.
func integral(mean, std float64, f func(x, t float64) float64) float64 {
	integrand := func(t float64) float64 {
		return f(mean+std*t, t) * math.Exp(-t*t/2) / math.Sqrt(2*math.Pi)
	}
	const limit = 12 // beyond it the density is below 1e-32
	kink := min(max(-mean/std, -limit), limit)
	total := 0.0
	for _, piece := range [][2]float64{{-limit, kink}, {kink, limit}} {
		if piece[0] < piece[1] {
			total += quad.Fixed(integrand, piece[0], piece[1], 200, quad.Legendre{}, 0)
		}
	}
	return total
}

// checkActivation compares moments with numerical integrals, to tolerance times the standard deviation of the argument.
func checkActivation(t *testing.T, name string, dtype any, activation func(b *Builder, x *Node) *Node, f func(float64) float64, mean, std, tolerance float64) {
	t.Helper()
	m, v, slope := activationMoments(t, dtype, activation, mean, std)
	wantMean := integral(mean, std, func(x, _ float64) float64 { return f(x) })
	wantVariance := integral(mean, std, func(x, _ float64) float64 { return math.Pow(f(x)-wantMean, 2) })
	wantSlope := integral(mean, std, func(x, t float64) float64 { return f(x) * t }) / std
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"mean", m / std, wantMean / std}, {"variance", v / (std * std), wantVariance / (std * std)}, {"slope", slope, wantSlope}} {
		if !(math.Abs(c.got-c.want) <= tolerance*max(1, math.Abs(c.want))) {
			t.Errorf("%s of N(%v, %v²), %s in standard deviations of the argument: %v, want %v", name, mean, std, c.what, c.got, c.want)
		}
	}
}

func TestRectifiedNormal(t *testing.T) {
	relu := func(x float64) float64 { return max(x, 0) }
	for _, std := range []float64{1e-3, 1, 50} {
		for z := -8.0; z <= 8; z += 0.25 {
			checkActivation(t, "relu", float64(0), (*Builder).ReLU, relu, z*std, std, 1e-12)
			checkActivation(t, "relu, float32", float32(0), (*Builder).ReLU, relu, z*std, std, 3e-6)
		}
	}
}

// Where a normal distribution is almost or completely on one side of 0, or almost a point, moments are finite and not
// negative.
func TestRectifiedNormalInTails(t *testing.T) {
	for _, dtype := range []any{float32(0), float64(0)} {
		for _, std := range []float64{0, 1e-15, 1e-3, 1} {
			for _, mean := range []float64{-1e18, -30, -6, -1e-20, 0, 1e-20, 6, 30, 1e18} {
				m, v, slope := activationMoments(t, dtype, (*Builder).ReLU, mean, std)
				name := fmt.Sprintf("%T, N(%v, %v²)", dtype, mean, std)
				isRight := m >= 0 && v >= 0 && v <= std*std*(1+1e-6) && slope >= 0 && slope <= 1
				if !isRight {
					t.Errorf("%s: mean %v, variance %v, slope %v", name, m, v, slope)
				}
				if math.Abs(mean) > 5*std && math.Abs(m-max(mean, 0)) > 1e-6*math.Abs(mean)+1e-6*std {
					t.Errorf("%s: mean %v", name, m)
				}
			}
		}
	}
}

// The formula with 7 points is exact for polynomials up to degree 13. Activations are close to one where the argument varies
// little: the tolerances are what 7 points give, in standard deviations of the argument.
func TestIntegratedActivations(t *testing.T) {
	selu := func(x float64) float64 {
		if x > 0 {
			return 1.0507009873554805 * x
		}
		return 1.0507009873554805 * 1.6732632423543772 * math.Expm1(x)
	}
	softplus := func(x float64) float64 { return math.Log1p(math.Exp(x)) }
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	square := func(x float64) float64 { return x * x }
	buildSELU := func(b *Builder, x *Node) *Node {
		negative := b.Scale(1.0507009873554805*1.6732632423543772, b.Expm1(b.Min(x, b.Const(0))))
		return b.Add(b.Scale(1.0507009873554805, b.ReLU(x)), negative)
	}
	tanhTolerances := map[float64]float64{0.01: 1e-10, 0.1: 1e-9, 0.5: 2e-3, 1: 0.015}
	for _, mean := range []float64{-2, -0.5, 0, 0.3, 1, 3} {
		for _, std := range []float64{0.01, 0.1, 0.5, 1} {
			checkActivation(t, "square", float64(0), (*Builder).Square, square, mean, std, 1e-10)
			checkActivation(t, "tanh", float64(0), (*Builder).Tanh, math.Tanh, mean, std, tanhTolerances[std])
			checkActivation(t, "softplus", float64(0), (*Builder).Softplus, softplus, mean, std, 1e-4)
			checkActivation(t, "sigmoid", float64(0), (*Builder).Sigmoid, sigmoid, mean, std, 1e-4)
			checkActivation(t, "selu", float64(0), buildSELU, selu, mean, std, 0.05)
		}
	}
}

// The points and weights are those of gonum's formula.
func TestHermite(t *testing.T) {
	const n = 7
	x, w := make([]float64, n), make([]float64, n)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	for i, h := range hermite {
		point := x[n/2+i] * math.Sqrt2
		weight := w[n/2+i] / math.Sqrt(math.Pi)
		if math.Abs(point-h.point) > 1e-13 || math.Abs(weight-h.weight) > 1e-12 {
			t.Errorf("point %d is %v with weight %v, want %v with %v", i, h.point, h.weight, point, weight)
		}
	}
}
