package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// Values and derivatives by location, scale and degrees of freedom, also where these are
// very large or small. Source: mpmath 1.2.1 with 40 digits, from the formula; −scipy.stats.t.logpdf of
// SciPy 1.10.1 is the same to 13 digits, and to 8 for a million degrees of freedom.
func TestStudentTNLL(t *testing.T) {
	rows := [][8]float64{ // μ, s, ν, y, −log p, and its derivatives
		{0, 1, 1, 0, 1.1447298858494002, 0, 1.0, -0.19314718055994531},
		{0.25, 0.5, 2.0625, 1, 1.4725684285409585, -2.1304347826086957, -1.1956521739130435, -0.072257153240798214},
		{-1, 2, 5, 3.5, 3.7598999605464136, -0.67080745341614907, -1.0093167701863354, 0.038011663891411635},
		{0.5, 0.0001220703125, 162, 0.5001220703125, -7.5888915696861949, -8192.0, 0, -1.9012771314508358e-5},
		{0, 1, 162, 3, 5.3269602668087411, -2.8596491228070175, -7.5789473684210526, 0.00054585221113716999},
		{0, 3, 4096, 1, 2.0731802222612548, -0.11113522311135223, 0.29628825896288259, -1.8028481780357754e-8},
		{0, 9.094947017729282e-13, 82, 5, 2225.1492374453208, -16.6, -90159953477632.0, 26.625830772738245},
		{0, 9, 2, -0.25, 3.237523940275886, 0.004627844195912071, 0.11098255988344689, -0.056949195669049659},
		{0, 8192, 2, 4096, 10.227308671603782, -8.1380208333333333e-5, 8.1380208333333333e-5, -0.081294634945196297},
		{0, 1, 1000000.0, 2, 2.9189367832113394, -1.9999940000239999, -2.9999880000479998, 1.7499866667307914e-12},
		{0, 1, 0.0009765625, 3, 8.7284194592565997, -0.33362265379190626, -0.00086796137571878051, -1019.1876489333766},
	}
	operands := make([]matrix, 4)
	for k := range operands {
		for _, row := range rows {
			operands[k] = append(operands[k], []float64{row[k]})
		}
	}
	ones := make(matrix, len(rows))
	for i := range ones {
		ones[i] = []float64{1}
	}
	forEachPlace(t, func(t *testing.T, in place) {
		relative := 1e-5
		if in.double {
			relative = 1e-11
		}
		got := in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.StudentTNLL(x[0], x[1], x[2], x[3]) }, ones, operands...)
		for i, row := range rows {
			for k, want := range row[4:] {
				scale, freedom := row[1], row[2]
				size, lost := math.Abs(want), 0.0 // lost are digits of log Γ(ν/2) and its derivative, in float64
				switch k {
				case 0:
					lost = 1e-15 * freedom
				case 2: // a difference of numbers of size 1/s
					size += 1 / scale
				case 3: // of size 1/ν and z²/ν
					z := (row[3] - row[0]) / scale
					size += (1 + math.Min(z*z, freedom)) / freedom
					lost = 1e-15
				}
				if !(math.Abs(got[k][i]-want) <= relative*size+lost) {
					t.Errorf("%v, μ, s, ν, y = %v: number %d is %v, want %v", in, row[:4], k, got[k][i], want)
				}
			}
		}
	})
}
