package graph_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"sml/graph"
)

// activationMoments returns the mean, the total variance and the slope of an activation of N(mean, std²), in the number
// type of in. A unit std that half of the masks drop, less std, has the variance std².
func activationMoments(t *testing.T, in place, activation operator, mean, std float64) (m, v, slope float64) {
	t.Helper()
	params := new(graph.Params)
	b := in.newBuilder(params)
	unit, bias := b.Constant(1, 1, []float64{std}), b.Param("bias", 1, 1, graph.Fill(0))
	x := b.Add(b.Sub(b.Dropout(unit, graph.Drop(0), 0, 0.5), unit), bias)
	meanNode, variance := b.DropoutMoments(activation(b, x))
	got := evaluate(t, graph.Compiled, b, params, []float64{mean}, meanNode, variance, b.Grad(b.Sum(meanNode), bias)[0])
	return got[0][0], got[1][0], got[2][0]
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
func checkActivation(t *testing.T, name string, in place, activation operator, f func(float64) float64, mean, std, tolerance float64) {
	t.Helper()
	m, v, slope := activationMoments(t, in, activation, mean, std)
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

var inSingle, inDouble = place{graph.Compiled, false}, place{graph.Compiled, true}

func TestRectifiedNormal(t *testing.T) {
	relu := func(x float64) float64 { return max(x, 0) }
	for _, std := range []float64{1e-3, 1, 50} {
		for z := -8.0; z <= 8; z += 0.25 {
			checkActivation(t, "relu", inDouble, builder.ReLU, relu, z*std, std, 1e-12)
			checkActivation(t, "relu, float32", inSingle, builder.ReLU, relu, z*std, std, 3e-6)
		}
	}
}

// Where a normal distribution is almost or completely on one side of 0, or almost a point, moments are finite and not
// negative.
func TestRectifiedNormalInTails(t *testing.T) {
	for _, in := range []place{inSingle, inDouble} {
		for _, std := range []float64{0, 1e-15, 1e-3, 1} {
			for _, mean := range []float64{-1e18, -30, -6, -1e-20, 0, 1e-20, 6, 30, 1e18} {
				m, v, slope := activationMoments(t, in, builder.ReLU, mean, std)
				name := fmt.Sprintf("%v, N(%v, %v²)", in, mean, std)
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
	sixthPower := func(x float64) float64 { return math.Pow(x, 6) }
	buildSixthPower := func(b builder, x node) node { return b.Pow(x, 6) }
	buildSELU := func(b builder, x node) node {
		negative := b.Scale(1.0507009873554805*1.6732632423543772, b.Expm1(b.Min(x, b.Const(0))))
		return b.Add(b.Scale(1.0507009873554805, b.ReLU(x)), negative)
	}
	tanhTolerances := map[float64]float64{0.01: 1e-10, 0.1: 1e-9, 0.5: 2e-3, 1: 0.015}
	for _, mean := range []float64{-2, -0.5, 0, 0.3, 1, 3} {
		for _, std := range []float64{0.01, 0.1, 0.5, 1} {
			checkActivation(t, "square", inDouble, builder.Square, square, mean, std, 1e-10)
			checkActivation(t, "sixth power", inDouble, buildSixthPower, sixthPower, mean, std, 1e-9)
			checkActivation(t, "tanh", inDouble, builder.Tanh, math.Tanh, mean, std, tanhTolerances[std])
			checkActivation(t, "softplus", inDouble, builder.Softplus, softplus, mean, std, 1e-4)
			checkActivation(t, "sigmoid", inDouble, builder.Sigmoid, sigmoid, mean, std, 1e-4)
			checkActivation(t, "selu", inDouble, buildSELU, selu, mean, std, 0.05)
		}
	}
}
