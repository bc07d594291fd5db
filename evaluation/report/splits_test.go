package report

import "testing"

func TestSplitColoursAreDistinct(t *testing.T) {
	for i, a := range splits {
		for _, b := range splits[:i] {
			square := 0
			for _, d := range []int{int(a.colour.R) - int(b.colour.R), int(a.colour.G) - int(b.colour.G), int(a.colour.B) - int(b.colour.B)} {
				square += d * d
			}
			if square < 80*80 { // of the 442 between black and white
				t.Errorf("%s and %s look alike", a.name, b.name)
			}
		}
	}
}

func TestSplitNamed(t *testing.T) {
	if i, err := splitNamed("pca-extrapolate"); err != nil || splits[i].name != "pca-extrapolate" {
		t.Errorf("index %d, error %v; want that of pca-extrapolate", i, err)
	}
	_, err := splitNamed("pca")
	wantError(t, err, `unknown split "pca"; known splits: train, test,`)
}
