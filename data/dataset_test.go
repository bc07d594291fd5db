package data

import (
	"fmt"
	"slices"
	"testing"

	"sml/internal/expect"
)

// The paper's table of data sets, except diabetes: the table says 7 features, the
// set that its code loads has 10. Rows are counted as under the paper protocol.
func TestDatasetsAreThoseOfThePaper(t *testing.T) {
	want := []string{
		"yacht 6 308", "diabetes 10 442", "boston 13 506", "energy 8 768", "concrete 8 1030", "wine-red 11 1599",
		"abalone 7 4176", "power 4 9568", "naval 16 11934", "california 8 20640", "superconduct 81 21263",
		"protein 9 45730", "year 90 515345",
	}
	var got []string
	for _, d := range benchmarks {
		got = append(got, fmt.Sprintf("%s %d %d", d.Name, d.Features, d.RowsUnder(Paper)))
		if d.Target == "" || d.Meaning == "" || d.Source == "" || d.Licence == "" {
			t.Errorf("%s: a description is missing: %+v", d.Name, d)
		}
		if d.RowsUnder(Sound) != d.Rows {
			t.Errorf("%s: %d rows in the sound protocol, %d in the file", d.Name, d.RowsUnder(Sound), d.Rows)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestLookupUnknown(t *testing.T) {
	_, err := Lookup("housing")
	expect.Error(t, err, `"housing"; want one of yacht, diabetes, `)
}

func TestRefusedRegistrations(t *testing.T) {
	for name, register := range map[string]func(){
		"taken":     func() { Register(Dataset{Name: "yacht", Rows: 1, Features: 1, Target: "y"}) },
		"no rows":   func() { Register(Dataset{Name: "empty", Features: 1, Target: "y"}) },
		"no target": func() { Register(Dataset{Name: "bare", Rows: 1, Features: 1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: it is registered", name)
				}
			}()
			register()
		}()
	}
}
