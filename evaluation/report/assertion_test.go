package report

import (
	"strings"
	"testing"
)

func TestParseAssertion(t *testing.T) {
	for text, want := range map[string]string{
		"sml/concrete/test/ece<0.6":                                   "sml/concrete/test/ece < 0.6",
		" sml  beta=0.25 / wine-red / pca-extrapolate / r2 >= -1e-3 ": "sml beta=0.25/wine-red/pca-extrapolate/r2 >= -0.001",
		"mc/yacht/train/nll<=-2":                                      "mc/yacht/train/nll <= -2",
		"de/yacht/test/ks>0":                                          "de/yacht/test/ks > 0",
		"a<b>c/yacht/test/ks>=0":                                      "a<b>c/yacht/test/ks >= 0",
	} {
		a, err := ParseAssertion(text)
		if err != nil || a.String() != want {
			t.Errorf("%q is read as %q, %v; want %q", text, a, err, want)
		}
	}
}

func TestParseAssertionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "it has no comparison <, <=, > or >=",
		"sml/concrete/test/ece=0.6":        "it has no comparison <, <=, > or >=",
		"sml/concrete/ece<0.6":             "it has 3 parts before the comparison",
		"sml/concrete/test/ece/x<0.6":      "it has 5 parts",
		"sml//test/ece<0.6":                "part 2 is empty",
		"sml/concrete/test/ece<":           `"" is not a finite number`,
		"sml/concrete/test/ece<<1":         `unknown measure "ece<"`,
		"sml/concrete/test/ece<NaN":        `"NaN" is not a finite number`,
		"sml/concrete/test/ece<inf":        `"inf" is not a finite number`,
		"sml/concrete/random/ece<0.6":      `unknown split "random"; known splits are train, test, pca-interpolate,`,
		"sml/concrete/test/glow<0.6":       `unknown measure "glow"; want one of rmse, nll, `,
		"sml/concrete/test/ece<0.6 please": `"0.6 please" is not a finite number`,
	} {
		_, err := ParseAssertion(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "want METHOD/DATASET/SPLIT/MEASURE") {
			t.Errorf("%q: error is %v; want one with %q and the form", text, err, want)
		}
	}
}

func TestAssertionCheck(t *testing.T) {
	cases := []struct{ text, want string }{ // what the error says; empty if it holds
		{"sml/concrete/test/ece < 0.6", ""},
		{"sml/concrete/test/ece <= 0.437", ""},
		{"sml/concrete/test/ece >= 0.437", ""},
		{"sml/concrete/test/ece > 0.4", ""},
		{"sml/concrete/test/ece < 0.437", "sml/concrete/test/ece is 0.437 ± 0.0312 over 10 folds; want < 0.437"},
		{"sml/concrete/test/ece > 0.437", "want > 0.437"},
		{"sml/protein/test/ece <= 0.5", "is 0.89 over 1 fold;"},
		{"sml/year/test/nll < 1", "is +Inf (infinite in at least one fold) over 5 folds; want < 1"},
		{"sml/year/test/nll > 1", "is +Inf"},
		{"mc-ll/concrete/test/ece < 9", "cannot be checked: 2 of 10 folds failed"},
		{"mc-ll/year/test/nll < 9", "cannot be checked: 5 of 5 folds failed"},
		{"pu/concrete/test/ece < 1", "no score pu/concrete/test/ece: the methods of this study are mc, sml, mc-ll"},
		{"sml/yacht/test/ece < 1", "the data sets of sml are concrete, protein, year"},
		{"sml/year/train/nll < 1", "the splits of sml/year are test"},
		{"sml/year/test/ece < 1", "the measures of sml/year/test are nll"},
	}
	for _, c := range cases {
		a, err := ParseAssertion(c.text)
		if err != nil {
			t.Fatal(err)
		}
		err = a.Check(someScores)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error is %v; want %q", c.text, err, c.want)
		}
	}
	a, _ := ParseAssertion("sml/concrete/test/ece<1")
	if err := a.Check(nil); err == nil || !strings.Contains(err.Error(), "there are no scores at all") {
		t.Errorf("without scores the error is %v", err)
	}
}
