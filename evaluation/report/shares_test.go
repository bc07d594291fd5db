package report

import (
	"math"
	"strings"
	"testing"
)

func TestShares(t *testing.T) {
	figure, err := Shares([]Share{
		{"protein", "train", 0.9}, {"protein", "test", 0.816}, {"protein", "test-pca", 0}, {"yacht", "test", 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	image := svgOf(t, figure)
	for text, want := range map[string]int{
		">protein<": 1, ">yacht<": 1, ">90 %<": 1, ">82 %<": 1, ">test<": 1, ">test-pca<": 1, ">test-label<": 0,
		">0 %<": 2, ">100 %<": 2, // also on the axis
		fillTest: 2 + 1, "fill:#C7DBF5": 2, // full and pale, by hand
	} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
}

func TestSharesErrors(t *testing.T) {
	_, err := Shares(nil)
	wantError(t, err, "no shares")
	for _, share := range []float64{-0.1, 1.1, math.NaN()} {
		_, err = Shares([]Share{{"yacht", "test", share}})
		wantError(t, err, "want 0 to 1")
	}
	_, err = Shares([]Share{{"yacht", "pca", 0.5}})
	wantError(t, err, `unknown split "pca" of shares; known splits: train, test, test-label, test-pca`)
}
