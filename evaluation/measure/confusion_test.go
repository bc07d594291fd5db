package measure_test

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation/measure"
	"sml/models/distribution"
)

// The expected numbers are those of scikit-learn 1.2.1, confusion_matrix and precision_recall_fscore_support, for thirty
// rows whose probabilities are in proportion to 1 + sin(i), 1 + cos(2i) and ½, and whose class is 7i mod 3.
func TestConfusionAsScikitLearn(t *testing.T) {
	c := &measure.Column{Protocol: data.Sound}
	for row := range 30 {
		i := float64(row)
		c.Distributions = append(c.Distributions, distribution.Classes{1 + math.Sin(i), 1 + math.Cos(2*i), 0.5})
		c.Y = append(c.Y, float64(row*7%3))
	}
	matrix := c.Confusion()
	for class, want := range [][]float64{{3, 6, 1}, {2, 8, 0}, {5, 2, 3}} {
		if !slices.Equal(matrix[class], want) {
			t.Errorf("class %d: %v; want %v", class, matrix[class], want)
		}
	}
	for class, want := range [][3]float64{{0.3, 0.3, 0.3}, {0.5, 0.8, 0.61538462}, {0.75, 0.3, 0.42857143}} {
		s := matrix.Scores()[class]
		for i, got := range []float64{float64(s.Precision), float64(s.Recall), float64(s.F1)} {
			if math.Abs(got-want[i]) > 1e-8 {
				t.Errorf("class %d: %+v; want %v", class, s, want)
			}
		}
	}
	weighted := &measure.Column{Protocol: data.Sound, Distributions: c.Distributions, Y: c.Y}
	for row := range 30 {
		weighted.Weights = append(weighted.Weights, float64(1+row%2))
	}
	for class, want := range [][3]float64{{0.4, 0.4, 0.4}, {0.47826087, 0.73333333, 0.57894737}, {0.85714286, 0.4, 0.54545455}} {
		s := weighted.Confusion().Scores()[class]
		if math.Abs(float64(s.Precision)-want[0]) > 1e-8 || math.Abs(float64(s.Recall)-want[1]) > 1e-8 || math.Abs(float64(s.F1)-want[2]) > 1e-8 || math.Abs(s.Rows-10) > 1e-9 {
			t.Errorf("weighted class %d: %+v; want %v", class, s, want)
		}
	}
	if (&measure.Column{Mean: c.Y, Y: c.Y}).Confusion() != nil {
		t.Error("numbers have a confusion matrix")
	}
}
