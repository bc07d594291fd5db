package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/paper"
)

// recipes are those of the paper's data sets but year.
func recipes() []experiment.Recipe { return paper.Recipes()[:12] }

// invented is a study as one may end: near the paper on all its data sets but
// year, with a fold that failed, an infinite score, and a miss here and there.
func invented() []measure.Score {
	rng := rand.New(rand.NewPCG(4, 0))
	var scores []measure.Score
	for _, d := range recipes() {
		for _, method := range publishedMethods {
			for _, name := range publishedMeasures {
				published, _ := Published(d.Dataset, method, name)
				for i, split := range Splits() {
					shift := 1 + 0.25*float64(i-1)
					s := measure.Score{
						Dataset: d.Dataset, Method: method, Split: split, Measure: name,
						Mean: published*(1+0.06*rng.NormFloat64()) + 0.02*rng.NormFloat64(), Folds: len(d.Folds),
					}
					s.Mean += (shift - 1) * math.Abs(s.Mean)
					s.Std = 0.15 * math.Abs(s.Mean)
					switch {
					case d.Dataset == "wine-red" && method == "pu" && name != "rmse":
						s.Mean *= 3
						s.Failed = 2
					case d.Dataset == "protein" && method == "mc-ll" && name == "ws":
						s.Mean, s.Std = math.Inf(1), math.NaN()
					}
					scores = append(scores, s)
				}
			}
		}
	}
	return scores
}

func inventedTitle(label string) string { return strings.ToUpper(label) }

func inventedPage(t testing.TB) Page {
	t.Helper()
	page := Page{
		Title: "The paper’s evaluation, run again",
		Intro: []string{
			"Six methods on twelve data sets, cross-validated on random, pca and label folds with the paper’s settings.",
		},
		Scores: invented(), Reference: ThePaper, MethodTitle: inventedTitle,
		Recipes: recipes(), Protocol: data.Paper,
		Facts: [][2]string{
			{"Grid", "12 data sets × 6 methods × 3 splits, 5 or 10 folds each"},
			{"Network", "two hidden layers of 50 units, ReLU, dropout 0.1"},
			{"Seed", "1"},
			{"Versions", "sml 0.1.0, Go 1.26.0, Gorgonia 0.9.18"},
			{"Machine", "2 cores, linux/amd64"},
			{"Time", "14 min 12 s"},
		},
		Notes: []string{"The data set year was absent and is left out."},
	}
	add := func(id, number, caption string, figure *Figure, err error) {
		if err != nil {
			t.Fatal(err)
		}
		page.Figures = append(page.Figures, Picture{id, number, caption, figure})
	}
	figure, err := Figure1(wobbling(40))
	add("sub-networks", "1", "Sub-networks on the toy data: MC beside SML.", figure, err)
	for _, f := range []struct{ number, measure string }{{"2", "ece"}, {"7", "rmse"}} {
		figure, err := Overview(page.Scores, f.measure, inventedTitle)
		add(f.measure, f.number, measureTitle(f.measure)+" of all methods on all data sets, i.i.d. above and under shift below.", figure, err)
	}
	return page
}

func writePage(t testing.TB, page Page) string {
	t.Helper()
	var b strings.Builder
	if err := page.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPage(t *testing.T) {
	page := inventedPage(t)
	text := writePage(t, page)
	if text != writePage(t, page) {
		t.Error("two pages differ")
	}
	for _, want := range []string{
		"<h1>The paper’s evaluation, run again</h1>",
		"2 of 10 failed", "∞", "·10⁶", "<dt>Machine</dt>", "This study ran in paper mode.",
		`<figure class="picture" id="figure-ece">`, `aria-label="Figure 2. ECE of all methods`,
		"scores of the paper are met", "mean rank",
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
	page.Figures[0].Caption = `<b> & "quoted"`
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
	text := writePage(t, Page{Title: "nothing"})
	for _, unwanted := range []string{`id="summary"`, `id="figures"`, `id="datasets"`, `href="#settings"`} {
		if strings.Contains(text, unwanted) {
			t.Errorf("an empty page has %s", unwanted)
		}
	}
}

func TestPageWithoutPaper(t *testing.T) {
	scores := slices.DeleteFunc(invented(), func(s measure.Score) bool { return s.Method != "sml" && s.Method != "mc" || s.Split != "test" })
	text := writePage(t, Page{Title: "β study", Scores: scores})
	for _, unwanted := range []string{"are met", "†", "paper’s", `class="tick"`, `href="#shift"`} {
		if strings.Contains(text, unwanted) {
			t.Errorf("a page without scores of the paper has %q", unwanted)
		}
	}
}

func TestPageLargeFigureIsPixels(t *testing.T) {
	figure, err := Figure1(wobbling(600))
	if err != nil {
		t.Fatal(err)
	}
	text := writePage(t, Page{Figures: []Picture{{"large", "1", "Many lines.", figure}}})
	if !strings.Contains(text, `<img alt="Figure 1. Many lines." src="data:image/png;base64,`) || strings.Contains(text, "<svg") {
		t.Error("a figure of over a megabyte is still an SVG")
	}
}

func TestPageErrors(t *testing.T) {
	figure, err := Figure1(wobbling(1))
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		figures []Picture
		want    string
	}{
		{[]Picture{{ID: "", Figure: figure}}, `figure 1 has the ID ""`},
		{[]Picture{{ID: `a"b`, Figure: figure}}, "letters, digits and hyphens"},
		{[]Picture{{ID: "a", Figure: figure}, {ID: "a", Figure: figure}}, `figure 2 has the ID "a"; want one of its own`},
		{[]Picture{{ID: "a"}}, `figure "a" has nothing to draw`},
	}
	for _, c := range cases {
		err := Page{Figures: c.figures}.WriteHTML(&bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v; want one with %q", err, c.want)
		}
	}
	if err := (Page{}).WriteHTML(full{}); !errors.Is(err, errFull) {
		t.Errorf("error is %v; want %v", err, errFull)
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
			a, b := colours[name]+0.05, colours["paper"]+0.05
			if contrast := max(a, b) / min(a, b); contrast < 4.5 {
				t.Errorf("%s: the contrast of %s is %.2f; want at least 4.5", scheme, name, contrast)
			}
		}
	}
}

// luminance is WCAG's relative luminance of a colour in six hexadecimal digits.
func luminance(t *testing.T, hex string) float64 {
	rgb, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}
