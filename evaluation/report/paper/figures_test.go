package paper

import (
	"bytes"
	"context"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
	"sml/evaluation/study"
	"sml/internal/expect"
)

// TestEveryFigure checks every figure of the package.
func TestEveryFigure(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for name, draw := range everyFigure {
		t.Run(name, func(t *testing.T) {
			figure := expect.Must(draw())
			again := expect.Must(draw())
			var vector, raster, redrawn bytes.Buffer
			for _, err := range []error{figure.WriteSVG(&vector), figure.WritePNG(&raster), figure.WritePNG(&redrawn)} {
				expect.NoError(t, err)
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

// ofPart draws a figure of scores.
func ofPart(draw func(context.Context, *part) (chart.Figure, string, error), scores []measure.Score) func() (chart.Figure, error) {
	return func() (chart.Figure, error) {
		figure, _, err := draw(context.Background(), &part{main: source{scores: scores}})
		return figure, err
	}
}

// everyFigure draws each kind of figure, as large and as extreme as it may come.
var everyFigure = map[string]func() (chart.Figure, error){
	"sub-networks":        func() (chart.Figure, error) { return wobbling(20).Figure() },
	"overview":            func() (chart.Figure, error) { return report.Overview(manyScores(), "nll", methodTitle) },
	"overview, one score": func() (chart.Figure, error) { return report.Overview(manyScores()[:1], "ece", methodTitle) },
	"second term surface": ofPart(secondTermSurface, nil),
	"split scheme":        ofPart(splitScheme, nil),
	"ideal residuals":     ofPart(idealResiduals, nil),
	"measure pairs":       ofPart(measurePairs, manyScores()),
	"shares": func() (chart.Figure, error) {
		p := &part{datasets: datasets, studies: make([]report.Study, 1)}
		for _, dataset := range datasets {
			for i, split := range []string{"train", "test", "label-interpolate", "pca-extrapolate"} {
				p.studies[0].DropoutFractions = append(p.studies[0].DropoutFractions,
					study.DropoutFraction{Dataset: dataset, Method: "sml", Split: split, Fraction: float64(i) / 3, Trainings: 1})
			}
		}
		return p.drawDropFractions(datasets), nil
	},
	"residual grid": func() (chart.Figure, error) {
		rng := rand.New(rand.NewPCG(2, 0))
		points := make([][]chart.Layer, 4)
		for i := range points {
			for range Methods() {
				var list chart.Layer
				for range 3000 {
					std := math.Exp(rng.NormFloat64())
					list.Add(std*rng.NormFloat64(), std)
				}
				list.Y[0], list.X[1] = math.Inf(1), 1e9
				points[i] = append(points[i], list)
			}
		}
		return drawResiduals(points, datasets[:4], Methods()), nil
	},
	"loss terms": func() (chart.Figure, error) {
		rng := rand.New(rand.NewPCG(3, 0))
		all := make(map[string]evaluation.LossTerms)
		for _, dataset := range datasets[:3] {
			a, b := make([]float64, 500), make([][]float32, 50)
			for i := range a {
				a[i] = 1e-4 * rng.NormFloat64()
			}
			for k := range b {
				for range a {
					b[k] = append(b[k], float32(1e4*rng.NormFloat64()))
				}
			}
			var err error
			if all[dataset], err = evaluation.CountLossTerms(a, b); err != nil {
				return chart.Figure{}, err
			}
		}
		return drawLossTerms(datasets[:3], all), nil
	},
}

// manyScores are invented: all data sets, methods and splits of the paper,
// with huge, infinite and negative scores and two that are missing.
func manyScores() []measure.Score {
	rng := rand.New(rand.NewPCG(1, 0))
	var scores []measure.Score
	for _, name := range []string{"ece", "ws", "ks", "nll"} {
		for _, dataset := range datasets {
			for _, method := range []string{"mc", "mc-ll", "de", "pu", "pu-de", "sml"} {
				for _, split := range report.Splits {
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
					scores = append(scores, measure.Score{Dataset: dataset, Method: method, Split: split.Name, Measure: name, Mean: mean})
				}
			}
		}
	}
	n := len(scores)
	scores[n-1].Mean, scores[n-2].Mean, scores[n-8].Mean = math.Inf(1), math.Inf(-1), math.NaN()
	return append(scores[:n-5], scores[n-4:]...)
}

func svgOf(t *testing.T, figure chart.Figure) string {
	t.Helper()
	var image bytes.Buffer
	expect.NoError(t, figure.WriteSVG(&image))
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
	picture := expect.Must(png.Decode(encoded))
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
