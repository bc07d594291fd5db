package tune

import (
	"slices"
	"strings"
	"testing"

	"sml/internal/expect"
)

func TestParseSpace(t *testing.T) {
	for text, want := range map[string]string{
		"dropout=0.05..0.3,hidden=20|50|100,lr=1e-4..1e-2:log,beta=0.1..2": "dropout=0.05..0.3; hidden=20|50|100; lr=0.0001..0.01:log; beta=0.1..2",
		"hidden=20|50,50|none, lr = 1e-3 .. 1 : log":                       "hidden=20|50,50|none; lr=0.001..1:log",
		"optimizer=adam|sgd momentum=0.5,dropout=0.1":                      "optimizer=adam|sgd momentum=0.5; dropout=0.1",
		"schedule=constant|exponential(1,0.01,1),batch=16..256:int:log":    "schedule=constant|exponential(1,0.01,1); batch=16..256:log:int",
		"x=-5..-2": "x=-5..-2",
	} {
		s, err := ParseSpace(text)
		var got []string
		for _, d := range s {
			got = append(got, d.String())
		}
		if err != nil || strings.Join(got, "; ") != want {
			t.Errorf("%s: %s, %v", text, strings.Join(got, "; "), err)
		}
	}
	for text, want := range map[string]string{
		"":                  "the space is empty",
		"dropout":           "want a setting and its values",
		"dropout=":          "the setting has no value",
		"dropout=0.3..0.05": "want the lower end first",
		"dropout=0.1..0.1":  "want the lower end first",
		"dropout=a..b":      `"a" is not a finite number`,
		"dropout=0..Inf":    `"Inf" is not a finite number`,
		"lr=0..1:log":       "a logarithm needs a number above 0",
		"lr=1..2:lin":       `":lin" after the range; want :log or :int`,
		"lr=1..2:log:log":   "each at most once",
		"batch=1..2.5:int":  "the range 1..2.5 has an end that is not a whole number",
		"a=1|":              "a value between the bars is empty",
		"a=1|1":             "the value 1 is repeated",
		"a=1..2,a=3":        "the space has the setting a twice",
		"a=-1e308..1e308":   "too wide for a float64",
		"=3":                "want a setting and its values",
	} {
		expect.Error(t, expect.ErrorOf(ParseSpace(text)), want)
	}
}

// A dimension's text is read again as the same dimension, and its draws are within its range.
func FuzzSpace(f *testing.F) {
	for _, text := range []string{"dropout=0.05..0.3,hidden=20|50,50|none", "lr=1e-4..1e-2:log,batch=16..256:log:int", "optimizer=adam|sgd momentum=0.5", "x=-1e300..1e-300", "a=1..9007199254740992:int", "=,|..:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSpace(text)
		if err != nil {
			return
		}
		for _, d := range s {
			again, err := ParseSpace(d.String())
			if err != nil || len(again) != 1 || again[0].String() != d.String() {
				t.Fatalf("%q reads as %v, %v", d.String(), again, err)
			}
		}
		for trial := range 3 {
			for j, v := range s.Draw(1, trial) {
				switch d := s[j]; {
				case d.Choices != nil && !slices.Contains(d.Choices, v):
					t.Fatalf("%v: %q", d, v)
				case d.Choices == nil && (d.fraction(v) < 0 || d.fraction(v) > 1):
					t.Fatalf("%v: %q", d, v)
				}
			}
			for j, d := range s {
				drawn := s.Draw(1, trial)[j]
				if v := d.propose(d.generator(2, trial), []string{drawn}, []string{drawn, s.Draw(1, 7)[j]}); v == "" {
					t.Fatalf("%v: nothing is proposed", d)
				}
			}
		}
	})
}
