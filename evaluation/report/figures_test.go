package report

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"sml/evaluation"
	"sml/evaluation/measure"
)

// TestEveryFigure holds for whatever the package draws.
func TestEveryFigure(t *testing.T) {
	for name, draw := range everyFigure {
		t.Run(name, func(t *testing.T) {
			figure, err := draw()
			if err != nil {
				t.Fatal(err)
			}
			again, err := draw()
			if err != nil {
				t.Fatal(err)
			}
			var vector, raster, redrawn bytes.Buffer
			for _, err := range []error{writeSVG(&vector, figure), writePNG(&raster, figure), writePNG(&redrawn, figure)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(raster.Bytes(), redrawn.Bytes()) || svgOf(t, figure) != vector.String() {
				t.Error("a figure looks different when it is drawn again")
			}
			if svgOf(t, again) != vector.String() {
				t.Error("the same data give other bytes")
			}
			if size := vector.Len(); size > 1_500_000 {
				t.Errorf("the SVG has %d bytes; want at most 1.5 million", size)
			}
			wellFormed(t, vector.String())
			whiteBorder(t, &raster)
		})
	}
}

// everyFigure draws each kind of figure, as large and as extreme as it may come.
var everyFigure = map[string]func() (*Figure, error){
	"figure 1":            func() (*Figure, error) { return Figure1(wobbling(20)) },
	"overview":            func() (*Figure, error) { return Overview(manyScores(), "nll", nil) },
	"overview, one score": func() (*Figure, error) { return Overview(manyScores()[:1], "ece", nil) },
	"second term surface": func() (*Figure, error) { return SecondTermSurface(), nil },
	"split scheme":        func() (*Figure, error) { return SplitScheme(1), nil },
	"ideal residuals":     func() (*Figure, error) { return IdealResiduals(1), nil },
	"measure pairs":       func() (*Figure, error) { return MeasurePairs(manyScores(), nil) },
	"shares": func() (*Figure, error) {
		var shares []Share
		for _, dataset := range manyDatasets {
			for i, split := range []string{"train", "test", "test-label", "test-pca"} {
				shares = append(shares, Share{dataset, split, float64(i) / 3})
			}
		}
		return Shares(shares)
	},
	"residual grid": func() (*Figure, error) {
		rng := rand.New(rand.NewPCG(2, 0))
		var all []Residuals
		for _, dataset := range manyDatasets[:4] {
			for _, method := range manyMethods {
				r := Residuals{Dataset: dataset, Method: method}
				for range 3000 {
					std := math.Exp(rng.NormFloat64())
					r.Residual, r.Std = append(r.Residual, std*rng.NormFloat64()), append(r.Std, std)
				}
				r.Std[0], r.Residual[1] = math.Inf(1), 1e9
				all = append(all, r)
			}
		}
		return ResidualGrid(all, nil)
	},
	"loss terms": func() (*Figure, error) {
		rng := rand.New(rand.NewPCG(3, 0))
		var all []Terms
		for _, dataset := range manyDatasets[:3] {
			a, b := make([]float64, 500), make([][]float32, 50)
			for i := range a {
				a[i] = 1e-4 * rng.NormFloat64()
			}
			for k := range b {
				for range a {
					b[k] = append(b[k], float32(1e4*rng.NormFloat64()))
				}
			}
			counts, err := evaluation.CountLossTerms(a, b)
			if err != nil {
				return nil, err
			}
			all = append(all, Terms{dataset, counts})
		}
		return LossTerms(all)
	},
}

var (
	manyDatasets = []string{
		"yacht", "diabetes", "boston", "energy", "concrete", "wine-red", "abalone", "power", "naval", "california", "superconduct", "protein", "year",
	}
	manyMethods = []string{"mc", "mc-ll", "de", "pu", "pu-de", "sml"}
)

// manyScores are invented: all data sets, methods and splits of the paper,
// with huge, infinite and negative scores and two that are missing.
func manyScores() []measure.Score {
	rng := rand.New(rand.NewPCG(1, 0))
	var scores []measure.Score
	for _, name := range []string{"ece", "ws", "ks", "nll"} {
		for _, dataset := range manyDatasets {
			for _, method := range manyMethods {
				for _, split := range Splits() {
					mean := rng.Float64()
					switch name {
					case "nll":
						mean = 3*mean - 2
						if rng.Float64() < 0.1 {
							mean = math.Exp(20*rng.Float64() - 2)
						} else if rng.Float64() < 0.02 {
							mean = -300
						}
					case "ws":
						mean = math.Exp(2 * rng.NormFloat64())
					}
					scores = append(scores, measure.Score{Dataset: dataset, Method: method, Split: split, Measure: name, Mean: mean})
				}
			}
		}
	}
	n := len(scores)
	scores[n-1].Mean, scores[n-2].Mean, scores[n-8].Mean = math.Inf(1), math.Inf(-1), math.NaN()
	return append(scores[:n-5], scores[n-4:]...)
}

func svgOf(t *testing.T, figure *Figure) string {
	t.Helper()
	var image bytes.Buffer
	if err := writeSVG(&image, figure); err != nil {
		t.Fatal(err)
	}
	return image.String()
}

func wellFormed(t *testing.T, document string) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader([]byte(document)))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// whiteBorder fails if something touches the border of the picture, where it
// would be clipped.
func whiteBorder(t *testing.T, encoded io.Reader) {
	t.Helper()
	picture, err := png.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	white := color.RGBA{0xff, 0xff, 0xff, 0xff}
	size := picture.Bounds()
	for x := size.Min.X; x < size.Max.X; x++ {
		for y := size.Min.Y; y < size.Max.Y; y++ {
			inside := x > size.Min.X && x < size.Max.X-1 && y > size.Min.Y && y < size.Max.Y-1
			if !inside && color.RGBAModel.Convert(picture.At(x, y)) != white {
				t.Fatalf("pixel (%d, %d) at the border is %v; want white", x, y, picture.At(x, y))
			}
		}
	}
}

// wantError fails unless the error contains the text.
func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte(text)) {
		t.Errorf("error is %v; want one with %q", err, text)
	}
}
