package fetch

import (
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// Every data set that is read from a file has an origin.
func TestOriginsAreComplete(t *testing.T) {
	for _, d := range data.Datasets() {
		if _, err := Lookup(d.Name); (err == nil) != (d.Make == nil) {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// What does not fit its data set is not registered.
func TestOriginsAreChecked(t *testing.T) {
	for why, change := range map[string]func(o *Origin, f *File){
		"unknown data set":      func(o *Origin, _ *File) { o.Name = "yachts" },
		"is generated":          func(o *Origin, _ *File) { o.Name = "friedman" },
		"no page or no files":   func(o *Origin, _ *File) { o.Page = "" },
		"is not HTTPS":          func(_ *Origin, f *File) { f.URL = strings.Replace(f.URL, "https", "http", 1) },
		"5 inputs, want 6":      func(_ *Origin, f *File) { f.Fields = f.Fields[1:] },
		"7 inputs, want 6":      func(_ *Origin, f *File) { f.Fields[6] = "resistance" },
		"can have column names": func(_ *Origin, f *File) { f.Named = true },
	} {
		o := expect.Must(Lookup("yacht"))
		o.Files = slices.Clone(o.Files[:1])
		o.Files[0].Fields = slices.Clone(o.Files[0].Fields)
		change(&o, &o.Files[0])
		expect.Error(t, o.check(), why)
	}
}
