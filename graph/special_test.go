package graph_test

import (
	"math"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/ops"
)

// Values, derivatives and second derivatives on both engines and in both number
// types. Source: mpmath 1.2.1, with 80 digits.
func TestSpecialFunctions(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(b *graph.Builder, x *graph.Node) *graph.Node
		rows [][4]float64 // x, f(x), f′(x), f″(x)
	}{
		{"Erf", (*graph.Builder).Erf, [][4]float64{
			{-6.5, -1.0, 5.0525800030626525e-19, 6.5683540039814483e-18},
			{-1.3, -0.93400794494065245, 0.20820798679606965, 0.54134076566978112},
			{0, 0.0, 1.1283791670955126, 0.0},
			{0.4, 0.42839235504666848, 0.96154129883930777, -0.76923303907144626},
			{3, 0.99997790950300141, 1.3925305194674785e-4, -8.3551831168048712e-4},
		}},
		{"NormalPDF", (*graph.Builder).NormalPDF, [][4]float64{
			{-7, 9.1347204083645933e-12, 6.3943042858552153e-11, 4.3846657960150048e-10},
			{-1.5, 0.12951759566589173, 0.19427639349883759, 0.16189699458236466},
			{0, 0.39894228040143268, 0.0, -0.39894228040143268},
			{0.5, 0.35206532676429948, -0.17603266338214974, -0.26404899507322461},
		}},
		{"NormalCDF", (*graph.Builder).NormalCDF, [][4]float64{
			{-9, 1.1285884059538406e-19, 1.0279773571668915e-18, 9.2517962145020233e-18},
			{-3, 1.3498980316300945e-3, 4.4318484119380072e-3, 0.013295545235814022},
			{0, 0.5, 0.39894228040143268, 0.0},
			{1.5, 0.93319279873114193, 0.12951759566589173, -0.19427639349883759},
		}},
		{"LogNormalCDF", (*graph.Builder).LogNormalCDF, [][4]float64{
			{-10000, -50000010.129278915, 10000.000099999998, -0.9999999900000006},
			{-40, -804.60844201375379, 40.024968847207264, -0.99937733162140861},
			{-3, -6.6077262215103495, 3.2830986549304365, -0.92944081321473188},
			{0.5, -0.36894641528865639, 0.50916043383703349, -0.5138245643036329},
			{4, -3.1671743377489264e-5, 1.3383446446857514e-4, -5.3535576953818016e-4},
			{10, -7.6198530241605261e-24, 7.6945986267064193e-23, -7.6945986267064193e-22},
		}},
		{"InverseMills", (*graph.Builder).InverseMills, [][4]float64{
			{-10000, 10000.000099999998, -0.9999999900000006, 1.99999976000003e-12},
			{-40, 40.024968847207264, -0.99937733162140861, 3.1017440396486248e-5},
			{-3, 3.2830986549304365, -0.92944081321473188, 0.031470672830842488},
			{0.5, 0.50916043383703349, -0.5138245643036329, 0.27099012446870783},
			{10, 7.6945986267064193e-23, -7.6945986267064193e-22, 7.6176526404393552e-21},
		}},
		{"LogGamma", (*graph.Builder).LogGamma, [][4]float64{
			{0.0009765625, 6.9309089024194619, -1024.5756104293406, 1048577.6425893922},
			{0.3125, 1.0529493400370493, -3.3551055762098399, 11.359458005155656},
			{1, 0.0, -0.57721566490153286, 1.6449340668482264},
			{1.75, -0.084401121020485556, 0.24747245354686116, 0.76410186989382872},
			{5.5, 3.9578139676187163, 1.6110931485817511, 0.19934238698962766},
			{300, 1409.2020674704118, 5.7021148820646373, 3.3388950617146777e-3},
			{-1.5, 0.86004701537648101, 0.70315664064524319, 9.3792466449891238},
		}},
		{"Digamma", (*graph.Builder).Digamma, [][4]float64{
			{0.3125, -3.3551055762098399, 11.359458005155656, -66.704982479834548},
			{1.75, 0.24747245354686116, 0.76410186989382872, -0.56189247559689889},
			{5.5, 1.6110931485817511, 0.19934238698962766, -0.039608947521302043},
			{300, 5.7021148820646373, 3.3388950617146777e-3, -1.1148209876314589e-5},
			{-1.5, 0.70315664064524319, 9.3792466449891238, -0.2362040516417274},
		}},
		{"Logit", (*graph.Builder).Logit, [][4]float64{
			{1e-30, -69.07755278982137, 9.9999999999999992e+29, -9.9999999999999983e+59},
			{0.0625, -2.7080502011022101, 17.066666666666667, -254.86222222222222},
			{0.5, 0.0, 4.0, 0.0},
			{0.50390625, 0.015625317903080842, 4.0002441555270707, 0.12501526018616006},
			{0.75, 1.0986122886681097, 5.3333333333333333, 14.222222222222222},
			{0.999755859375, 8.3175219962871698, 4097.0002442002442, 16777214.99951154},
		}},
		{"Log1p", (*graph.Builder).Log1p, [][4]float64{
			{-0.875, -2.0794415416798359, 8.0, -64.0},
			{1e-8, 9.9999999500000005e-9, 0.9999999900000001, -0.9999999800000003},
			{3, 1.3862943611198906, 0.25, -0.0625},
		}},
		{"Expm1", (*graph.Builder).Expm1, [][4]float64{
			{-3, -0.95021293163213606, 0.049787068367863943, 0.049787068367863943},
			{1e-8, 1.000000005e-8, 1.00000001, 1.00000001},
			{3, 19.085536923187668, 20.085536923187668, 20.085536923187668},
		}},
		{"Sinh", (*graph.Builder).Sinh, [][4]float64{
			{-20, -242582597.70489514, 242582597.70489514, -242582597.70489514},
			{-0.75, -0.82231673193582998, 1.2946832846768447, -0.82231673193582998},
			{9.5367431640625e-7, 9.5367431640639456e-7, 1.0000000000004547, 9.5367431640639456e-7},
			{3, 10.017874927409902, 10.067661995777766, 10.017874927409902},
			{80, 2.770311192196755e+34, 2.770311192196755e+34, 2.770311192196755e+34},
		}},
		{"Asinh", (*graph.Builder).Asinh, [][4]float64{
			{-1e6, -14.508657738524469, 9.999999999995e-7, 9.999999999985e-13},
			{-0.75, -0.69314718055994531, 0.8, 0.384},
			{9.5367431640625e-7, 9.5367431640610544e-7, 0.99999999999954525, -9.5367431640494896e-7},
			{3, 1.8184464592320668, 0.31622776601683793, -0.09486832980505138},
			{1099511627776, 28.419034402957758, 9.0949470177292824e-13, -8.2718061255302767e-25},
		}},
		{"Atan", (*graph.Builder).Atan, [][4]float64{
			{-1e6, -1.5707953267948966, 9.99999999999e-13, 1.999999999996e-18},
			{-2.5, -1.1902899496825317, 0.13793103448275862, 0.095124851367419738},
			{-0.75, -0.64350110879328439, 0.64, 0.6144},
			{9.5367431640625e-7, 9.5367431640596088e-7, 0.99999999999909051, -1.9073486328090306e-6},
			{0.1875, 0.18534794999569476, 0.9660377358490566, -0.34996084015663937},
			{1048576, 1.5707953731205802, 9.0949470177210106e-13, -1.7347234759736517e-18},
		}},
		{"NormalQuantile", (*graph.Builder).NormalQuantile, [][4]float64{
			{1e-12, -7.0344838253011319, 139442738525.04334, -1.3678045435400882e+23},
			{0.0009765625, -3.0972690781987845, 303.52877136945349, -285350.51760468768},
			{0.25, -0.67448975019608174, 3.1468650805610924, -6.6793100075327818},
			{0.96875, 1.8627318674216515, 14.208260746314737, 376.03838743321318},
		}},
		{"Sin", (*graph.Builder).Sin, [][4]float64{
			{-3, -0.14112000805986722, -0.98999249660044546, 0.14112000805986722},
			{1e-8, 1.0e-8, 0.99999999999999995, -1.0e-8},
			{30, -0.98803162409286179, 0.15425144988758405, 0.98803162409286179},
			{789847488, 0.024605511952406276, 0.99969723855853478, -0.024605511952406276},
			{1e22, -0.8522008497671888, 0.523214785395139, 0.8522008497671888},
		}},
		{"Cos", (*graph.Builder).Cos, [][4]float64{
			{-3, -0.98999249660044546, 0.14112000805986722, 0.98999249660044546},
			{1e-8, 0.99999999999999995, -1.0e-8, -0.99999999999999995},
			{30, 0.15425144988758405, 0.98803162409286179, -0.15425144988758405},
			{789847488, 0.99969723855853478, -0.024605511952406276, -0.99969723855853478},
			{1e22, 0.523214785395139, 0.8522008497671888, -0.523214785395139},
		}},
	} {
		for _, engine := range graph.Engines() {
			x := make([]float64, len(c.rows))
			for i, row := range c.rows {
				x[i] = row[0]
			}
			single, double := derivatives(t, engine, c.f, x)
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

// derivatives are f, f′ and f″ at x, of float32 and of float64.
func derivatives(t *testing.T, engine graph.Engine, f func(b *graph.Builder, x *graph.Node) *graph.Node, x []float64) (single, double [3][]float64) {
	t.Helper()
	for _, params := range []*graph.Params{new(graph.Params), new(graph.Params)} {
		b := graph.New(graph.Float32, params)
		if double[0] == nil && single[0] != nil {
			b = graph.New(graph.Float64, params)
		}
		y := f(b, b.Param("x", 1, len(x), graph.Uniform(1)))
		slope := symbolic(b, y, b.Input("ones", 1, len(x)))[0]
		r, err := graph.NewRunner(engine, b, append(graph.Nodes{y, slope}, b.Gradients(b.Sum(slope))...)...)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if b.Dtype() == graph.Float64 {
			copy(params.Float64s(), x)
			for i := range r.Input64("ones") {
				r.Input64("ones")[i] = 1
			}
		} else {
			for i, v := range x {
				params.Float32s()[i] = float32(v)
				r.Input("ones")[i] = 1
			}
		}
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if b.Dtype() == graph.Float64 {
				double[i] = append(double[i], r.Output64(i)...)
				continue
			}
			for _, v := range r.Output(i) {
				single[i] = append(single[i], float64(v))
			}
		}
	}
	return single, double
}

// symbolic is what flows to the operands of y where grad comes back.
func symbolic(b *graph.Builder, y, grad *graph.Node) graph.Nodes {
	if b.Err() != nil {
		return graph.Nodes{y}
	}
	g, err := y.Op().(gorgonia.SDOp).SymDiff(graph.Operands(y), y, grad)
	if err != nil {
		b.Fail(err)
		return graph.Nodes{y}
	}
	return g
}

// The gradients of operations are themselves differentiated: with respect to the
// operands, and to what comes back.
func TestSecondDerivatives(t *testing.T) {
	type builder = *graph.Builder
	type node = *graph.Node
	checks := map[string]func(b builder, x node) node{
		"SumRows": builder.SumRows, "SumColumns": builder.SumColumns, "MaxRows": builder.MaxRows, "MaxColumns": builder.MaxColumns, "Transpose": builder.Transpose,
		"Reshape": func(b builder, x node) node { return b.Reshape(x, 6, 2) },
		"Repeat":  func(b builder, x node) node { return b.Repeat(b.SumColumns(x), x.Shape()[0], 5) },
		"Columns": func(b builder, x node) node { return b.Columns(x, 1, 3) },
		"Concat":  func(b builder, x node) node { return b.Concat(x, b.Square(x)) },

		"CumulativeSumRows": builder.CumulativeSumRows,
	}
	for _, e := range ops.Table() {
		if !e.Applies() {
			continue
		}
		checks[e.Name] = func(b builder, x node) node {
			operands := graph.Nodes{x}
			const c = 2.0
			switch {
			case e.Operands() == 2:
				operands = append(operands, b.Shift(b.Square(x), -0.5))
			case e.UnaryFunc != nil && isUndefined(e.UnaryFunc(2)):
				operands[0] = b.Shift(b.Scale(0.3, b.Tanh(x)), 0.5)
			case e.HasConstant && isUndefined(e.BinaryFunc(-1, c)), e.UnaryFunc != nil && isUndefined(e.UnaryFunc(-1)):
				operands[0] = b.Shift(b.Square(x), 0.5)
			}
			y, err := ops.Apply(e.Name, c, operands...)
			b.Fail(err)
			return y
		}
	}
	for name, f := range checks {
		loss := func(b *graph.Builder) *graph.Node {
			x := b.Param("x", 3, 4, graph.Uniform(1.5))
			y := f(b, x)
			if b.Err() != nil {
				return y
			}
			rows, columns := y.Shape()[0], y.Shape()[1]
			terms := b.Mean(b.Square(x))
			weights := b.Square(b.Input("weights", 3, 4))
			for i, g := range symbolic(b, y, b.Param("back", rows, columns, graph.Uniform(1))) {
				if g != nil {
					terms = b.Add(terms, b.Sum(b.Mul(b.Shift(weights, float64(i)), b.Square(g))))
				}
			}
			return terms
		}
		for _, engine := range graph.Engines() {
			gradients, err := gradcheck.Check(loss, gradcheck.Settings{Seed: 4, Engine: engine})
			if err != nil {
				t.Errorf("%s, %s: %v", engine, name, err)
			}
			for _, g := range gradients {
				if !(g.Error <= 1e-7) {
					t.Errorf("%s, %s: gradient of %s[%d] is %v, differences give %v", engine, name, g.Name, g.Index, g.Backward, g.Numeric)
				}
			}
		}
	}
}
