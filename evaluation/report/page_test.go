package report

import (
	"encoding/xml"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/internal/expect"
)

// invented is a study as one may end: near its reference, with folds that failed, an
// infinite score, and a miss here and there.
func invented() []measure.Score {
	rng := rand.New(rand.NewPCG(4, 0))
	var scores []measure.Score
	for _, dataset := range []string{"yacht", "diabetes", "boston", "energy", "concrete", "wine-red", "abalone", "power", "naval", "california", "superconduct", "protein"} {
		for _, method := range []string{"mc", "mc-ll", "sml", "pu", "pu-de", "de"} {
			for _, name := range []string{"rmse", "nll", "ece", "ws"} {
				other, _ := inventedReference.Lookup(dataset, method, "test", name)
				for i, split := range Splits {
					s := measure.Score{
						Dataset: dataset, Method: method, Split: split.Name, Measure: name,
						Mean: other*(1+0.06*rng.NormFloat64()) + 0.02*rng.NormFloat64(), Folds: 10,
					}
					s.Mean += 0.25 * float64(i-1) * math.Abs(s.Mean)
					s.Std = 0.15 * math.Abs(s.Mean)
					switch {
					case dataset == "wine-red" && method == "pu" && name != "rmse":
						s.Mean *= 3e6
						s.Failed = 2
					case dataset == "protein" && method == "mc-ll" && name == "ws":
						s.Mean, s.Std = math.Inf(1), math.NaN()
					}
					scores = append(scores, s)
				}
			}
		}
	}
	return scores
}

var inventedReference = Reference{Name: "theirs", InText: "the other", Lookup: func(dataset, method, split, measure string) (float64, bool) {
	return 0.3 + 0.1*float64(len(dataset)) + 0.05*float64(len(method)+len(measure)), split == "test"
}}

func inventedPage(t testing.TB) *Report {
	t.Helper()
	r := &Report{
		Title: "An evaluation, run again",
		Intro: []string{
			"Six methods on twelve data sets, cross-validated on random, pca and label folds.",
		},
		Shown: invented(), Reference: inventedReference, MethodTitle: strings.ToUpper,
		Overviews: []string{"ece", "rmse"},
		Facts: []Fact{
			{"Grid", "12 data sets × 6 methods × 3 splits, 5 or 10 folds each"},
			{"Network", "two hidden layers of 50 units, ReLU, dropout 0.1"},
			{"Seed", "1"},
			{"Versions", "sml 0.1.0, Go 1.26.0, Gorgonia 0.9.18"},
			{"Machine", "2 cores, linux/amd64"},
			{"Time", "14 min 12 s"},
		},
		Sections: []Section{{
			ID: "choices", Title: "Choices", Tables: []Table{{Caption: "Data sets", Header: []string{"data set", "rows"}, Words: 1, Body: [][]Cell{TextCells("yacht", "308")}}},
			Entries: []Entry{{"Random folds", []LabelledText{{"Here", "All folds have as many rows."}, {"There", "Every row is tested exactly once, whatever that makes of the folds."}}}},
		}},
		Notes: []string{"The data set year was absent and is left out."},
	}
	expect.NoError(t, r.Draw(t.Context()))
	figure := chart.Figure{Width: 216, Panels: []chart.Panel{{Title: "loss", X: chart.Axis{Label: "epoch"}}}}
	r.pictures = append(r.pictures, Picture{Name: "loss", Number: "2", Caption: "A loss.", Figure: figure})
	return r
}

func writePage(t testing.TB, page *Report) string {
	t.Helper()
	var b strings.Builder
	expect.NoError(t, page.WriteHTML(&b))
	return b.String()
}

func TestPage(t *testing.T) {
	page := inventedPage(t)
	text := writePage(t, page)
	if text != writePage(t, page) {
		t.Error("two pages differ")
	}
	for _, want := range []string{
		"<h1>An evaluation, run again</h1>",
		"2 of 10 failed", "∞", "·10⁶", "<dt>Machine</dt>", "<dd><b>Here</b> All folds",
		`<figure class="picture" id="figure-overview-ece">`, `aria-label="ECE, expected calibration error`, `aria-label="Figure 2. A loss.`,
		"scores of the other are reproduced", "mean rank", `<a href="#reference">Comparison with the other</a>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, unwanted := range []string{"ZgotmplZ", "<?xml", "NaN", "+Inf", "<script"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("the page has %q", unwanted)
		}
	}
}

func TestPageIsSelfContained(t *testing.T) {
	text := writePage(t, inventedPage(t))
	for _, match := range regexp.MustCompile(`(?:href|src|srcset|action)="([^"]*)"|url\(([^)]*)\)|@import`).FindAllStringSubmatch(text, -1) {
		if target := match[1]; !strings.HasPrefix(target, "#") && !strings.HasPrefix(target, "data:") {
			t.Errorf("the page asks for %q", match[0])
		}
	}
}

func TestPageIDsAndLinks(t *testing.T) {
	text := writePage(t, inventedPage(t))
	var ids []string
	for _, match := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if slices.Contains(ids, match[1]) {
			t.Errorf("the id %q is there twice", match[1])
		}
		ids = append(ids, match[1])
	}
	for _, match := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(ids, match[1]) {
			t.Errorf("a link leads to #%s, which is not there", match[1])
		}
	}
}

func TestPageIsWellFormed(t *testing.T) {
	page := inventedPage(t)
	page.Title = `a < b & "c"`
	page.pictures[0].Caption = `<b> & "quoted"`
	decoder := xml.NewDecoder(strings.NewReader(writePage(t, page)))
	decoder.Strict = false
	decoder.AutoClose = xml.HTMLAutoClose
	decoder.Entity = xml.HTMLEntity
	for {
		if _, err := decoder.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestPageEmpty(t *testing.T) {
	text := writePage(t, &Report{Title: "nothing"})
	for _, unwanted := range []string{`id="summary"`, `id="figures"`, `id="scores"`, `href="#settings"`} {
		if strings.Contains(text, unwanted) {
			t.Errorf("an empty page has %s", unwanted)
		}
	}
}

func TestPageWithoutReference(t *testing.T) {
	scores := FilterScores(invented(), func(s measure.Score) bool { return s.Method == "sml" && s.Split == "test" })
	text := writePage(t, &Report{Title: "β study", Shown: scores, MethodTitle: sameTitle})
	for _, unwanted := range []string{"are reproduced", "†", "the other", `class="tick"`, `href="#shift"`} {
		if strings.Contains(text, unwanted) {
			t.Errorf("a page without scores of a reference has %q", unwanted)
		}
	}
}

// TestPageContrast holds text to a contrast of at least 4.5 with its ground,
// light and dark (WCAG 2.1, success criterion 1.4.3).
func TestPageContrast(t *testing.T) {
	light, dark, _ := strings.Cut(pageCSS, "@media (prefers-color-scheme: dark)")
	for scheme, css := range map[string]string{"light": light, "dark": dark} {
		colours := make(map[string]float64)
		for _, match := range regexp.MustCompile(`--(\w+): #(\w{6});`).FindAllStringSubmatch(css, -1) {
			colours[match[1]] = luminance(t, match[2])
		}
		for _, name := range []string{"ink", "soft", "accent"} {
			a, b := colours[name]+0.05, colours["ground"]+0.05
			if contrast := max(a, b) / min(a, b); contrast < 4.5 {
				t.Errorf("%s: the contrast of %s is %.2f; want at least 4.5", scheme, name, contrast)
			}
		}
	}
}

// luminance is WCAG's relative luminance of a colour in six hexadecimal digits.
func luminance(t *testing.T, hex string) float64 {
	rgb := expect.Must(strconv.ParseUint(hex, 16, 32))
	linear := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}
