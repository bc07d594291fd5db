package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// Values, derivatives and second derivatives on both engines and in both number
// types, also far from 0, where finite differences do not reach. Source: mpmath 1.2.1, with 80 digits.
func TestSpecialFunctions(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(b *graph.Builder, x *graph.Node) *graph.Node
		rows [][4]float64 // x, f(x), f′(x), f″(x)
	}{
		{"NormalCDF", (*graph.Builder).NormalCDF, [][4]float64{
			{-9, 1.1285884059538406e-19, 1.0279773571668915e-18, 9.2517962145020233e-18},
			{0, 0.5, 0.39894228040143268, 0.0},
			{1.5, 0.93319279873114193, 0.12951759566589173, -0.19427639349883759},
		}},
		{"LogNormalCDF", (*graph.Builder).LogNormalCDF, [][4]float64{
			{-10000, -50000010.129278915, 10000.000099999998, -0.9999999900000006},
			{0.5, -0.36894641528865639, 0.50916043383703349, -0.5138245643036329},
			{10, -7.6198530241605261e-24, 7.6945986267064193e-23, -7.6945986267064193e-22},
		}},
		{"InverseMills", (*graph.Builder).InverseMills, [][4]float64{
			{-10000, 10000.000099999998, -0.9999999900000006, 1.99999976000003e-12},
			{-3, 3.2830986549304365, -0.92944081321473188, 0.031470672830842488},
			{10, 7.6945986267064193e-23, -7.6945986267064193e-22, 7.6176526404393552e-21},
		}},
		{"LogGamma", (*graph.Builder).LogGamma, [][4]float64{
			{0.0009765625, 6.9309089024194619, -1024.5756104293406, 1048577.6425893922},
			{1.75, -0.084401121020485556, 0.24747245354686116, 0.76410186989382872},
			{-1.5, 0.86004701537648101, 0.70315664064524319, 9.3792466449891238},
		}},
		{"Digamma", (*graph.Builder).Digamma, [][4]float64{
			{0.3125, -3.3551055762098399, 11.359458005155656, -66.704982479834548},
			{5.5, 1.6110931485817511, 0.19934238698962766, -0.039608947521302043},
			{-1.5, 0.70315664064524319, 9.3792466449891238, -0.2362040516417274},
		}},
		{"Logit", (*graph.Builder).Logit, [][4]float64{
			{1e-30, -69.07755278982137, 9.9999999999999992e+29, -9.9999999999999983e+59},
			{0.50390625, 0.015625317903080842, 4.0002441555270707, 0.12501526018616006},
			{0.999755859375, 8.3175219962871698, 4097.0002442002442, 16777214.99951154},
		}},
		{"Asinh", (*graph.Builder).Asinh, [][4]float64{
			{-1e6, -14.508657738524469, 9.999999999995e-7, 9.999999999985e-13},
			{9.5367431640625e-7, 9.5367431640610544e-7, 0.99999999999954525, -9.5367431640494896e-7},
			{1099511627776, 28.419034402957758, 9.0949470177292824e-13, -8.2718061255302767e-25},
		}},
		{"Atan", (*graph.Builder).Atan, [][4]float64{
			{-1e6, -1.5707953267948966, 9.99999999999e-13, 1.999999999996e-18},
			{9.5367431640625e-7, 9.5367431640596088e-7, 0.99999999999909051, -1.9073486328090306e-6},
			{1048576, 1.5707953731205802, 9.0949470177210106e-13, -1.7347234759736517e-18},
		}},
		{"NormalQuantile", (*graph.Builder).NormalQuantile, [][4]float64{
			{1e-12, -7.0344838253011319, 139442738525.04334, -1.3678045435400882e+23},
			{0.25, -0.67448975019608174, 3.1468650805610924, -6.6793100075327818},
			{0.96875, 1.8627318674216515, 14.208260746314737, 376.03838743321318},
		}},
	} {
		for _, engine := range graph.Engines() {
			x := make([]float64, len(c.rows))
			for i, row := range c.rows {
				x[i] = row[0]
			}
			single, double := derivatives(t, place{engine, false}, c.f, x), derivatives(t, place{engine, true}, c.f, x)
			for i, row := range c.rows {
				for order, want := range row[1:] {
					tolerance := 1e-13 * math.Abs(want)
					if c.name == "InverseMills" && order == 2 { // a difference of terms that are nearly equal
						tolerance += 1e-11
					}
					if got := double[order][i]; !(math.Abs(got-want) <= tolerance) {
						t.Errorf("%s, derivative %d of %s at %v: %v, want %v", engine, order, c.name, row[0], got, want)
					}
					if row[0] != float64(float32(row[0])) || c.name == "InverseMills" && order == 2 {
						continue
					}
					if got := single[order][i]; !(math.Abs(got-want) <= 2e-6*math.Abs(want)+1e-38) {
						t.Errorf("%s, derivative %d of %s at %v in float32: %v, want %v", engine, order, c.name, row[0], got, want)
					}
				}
			}
		}
	}
}

// derivatives returns f, f′ and f″ at x.
func derivatives(t *testing.T, in place, f operator, x []float64) [][]float64 {
	t.Helper()
	params := new(graph.Params)
	b := in.newBuilder(params)
	p := b.Param("x", 1, len(x), graph.Uniform(1))
	y := f(b, p)
	slope := b.Grad(b.Sum(y), p)[0]
	return evaluate(t, in.engine, b, params, x, y, slope, b.Gradients(b.Sum(slope))[0])
}
