package kernels

import (
	"math"
	"testing"
)

// TestTranscendentalError holds the functions against package math in
// float64, whose errors are too small to count, over every 127th float32, and in short runs over fewer. The
// bounds are those that transcendental.go states.
func TestTranscendentalError(t *testing.T) {
	const block = 1 << 14
	for _, c := range []struct {
		name  string
		op    UnaryOp
		exact func(float64) float64
		bound float64
	}{
		{"exp", Exp, math.Exp, 0.8},
		{"expm1", Expm1, math.Expm1, 1.5},
		{"log", Log, math.Log, 0.9},
		{"log1p", Log1p, math.Log1p, 1.4},
		{"softplus", Softplus, func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }, 1.8},
		{"tanh", Tanh, math.Tanh, 1.4},
		{"sigmoid", Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, 2},
		{"logit", Logit, func(x float64) float64 { return math.Log(x) - math.Log1p(-x) }, 1.5},
		{"erf", Erf, math.Erf, 0.51},
		{"gaussian", Gaussian, func(x float64) float64 { return math.Exp(-x * x) }, 0.51},
		{"normal pdf", NormalPDF, func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }, 0.51},
		{"normal cdf", NormalCDF, func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }, 0.51},
		{"log gamma step", LogGammaStep, func(x float64) float64 {
			return stepsFar(x, logGammaStepFar, func(y float64) float64 { return -math.Log1p(0.5 / y) })
		}, 0.51},
		{"digamma step", DigammaStep, func(x float64) float64 {
			return stepsFar(x, digammaStepFar, func(y float64) float64 { return 0.5 / (y * (y + 0.5)) })
		}, 0.51},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			stride := uint64(127)
			if c.op >= LogGammaStep { // which takes long to tell exactly
				stride = 1259
			}
			if testing.Short() {
				stride *= 9
			}
			x, y := make([]float32, block), make([]float32, block)
			worst, where := 0.0, float32(0)
			for start := uint64(0); start < 1<<32; start += stride * block {
				for i := range x {
					x[i] = math.Float32frombits(uint32(start + uint64(i)*stride))
				}
				Unary(c.op, y, x)
				for i, x := range x {
					if x != x {
						continue
					}
					if e := ulps(y[i], c.exact(float64(x))); e > worst {
						worst, where = e, x
					}
				}
			}
			t.Logf("largest error %.2f ulp, at %x = %v", worst, where, where)
			if worst > c.bound {
				t.Errorf("error %.3f ulp at %v, want at most %v", worst, where, c.bound)
			}
		})
	}
}

// stepsFar is a function of x as that of x + 30, where four terms of its series are
// enough, and 30 differences, the sum of which begins with the smallest.
func stepsFar(x float64, far, difference func(float64) float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	y := far(x + 30)
	for k := 29.0; k >= 0; k-- {
		y += difference(x + k)
	}
	return y
}

func logGammaStepFar(x float64) float64 {
	w := 1 / (x - 0.25)
	s := w * w
	return math.Log(x-0.25)/2 + s*(1.0/64+s*(-5.0/2048+s*(61.0/49152-s*1385.0/1048576)))
}

func digammaStepFar(x float64) float64 {
	w := 1 / (x - 0.25)
	s := w * w
	return w * (0.5 + s*(-1.0/32+s*(5.0/512+s*(-61.0/8192+s*1385.0/131072))))
}

// Source: mpmath 1.2.1 with 60 digits. The first five are the floats next to the zero.
func TestGammaStepValues(t *testing.T) {
	for _, c := range []struct {
		x              float32
		value, digamma float64 // 0: not looked at
	}{
		{1.2211791276931763, -1.081799202878899245e-7, 0}, {1.2211792469024658, -5.0037004829137991216e-8, 0}, {1.2211793661117554, 8.1059041473288231361e-9, 0},
		{1.221179485321045, 6.6248806641511917634e-8, 0}, {1.2211796045303345, 1.2439170265341269135e-7, 0},
		{0x1p-149, -102.70656496050715102, 7.1362384635297994053e+44}, {0.0009765625, -6.3604590992659781066, 1022.6169115365883023}, {0.3125, -0.91277404895047891994, 2.4184992621466560794},
		{1.03125, -0.10194286489384864588, 0.59225817714860745913}, {2.5, 0.40846431008702614978, 0.21962769445322395217}, {81, 2.1956813772596261414, 0.0061918911170072757826},
		{500000, 6.5611814387021643974, 1.0000004999999999997e-6}, {1e30, 34.538776402434418314, 4.9999999247626700327e-31},
	} {
		onPaths(t, Implementations(), func(path string) {
			y := []float32{0}
			Unary(LogGammaStep, y, []float32{c.x})
			if e := ulps(y[0], c.value); !(e <= 1) {
				t.Errorf("%s: log gamma step of %v is %v, %v ulp from %v", path, c.x, y[0], e, c.value)
			}
			Unary(DigammaStep, y, []float32{c.x})
			if e := ulps(y[0], c.digamma); c.digamma != 0 && !(e <= 0.51) {
				t.Errorf("%s: digamma step of %v is %v, %v ulp from %v", path, c.x, y[0], e, c.digamma)
			}
		})
	}
}
