package report

import "testing"

func TestSplitColoursAreDistinct(t *testing.T) {
	for i, a := range Splits {
		for _, b := range Splits[:i] {
			square := 0
			for _, d := range []int{int(a.Colour.R) - int(b.Colour.R), int(a.Colour.G) - int(b.Colour.G), int(a.Colour.B) - int(b.Colour.B)} {
				square += d * d
			}
			if square < 80*80 { // of the 442 between black and white
				t.Errorf("%s and %s look alike", a.Name, b.Name)
			}
		}
	}
	if SplitIndex("pca-extrapolate") != 3 || SplitIndex("pca") != -1 {
		t.Error("splits are not found by their names")
	}
}
