// Package fetch gets the files of registered data sets from public archives. It downloads them
// over HTTPS or takes a file downloaded by hand, reads the archive's format, compares the table
// with the registered checksum, and writes the CSV file that read.Locate finds.
package fetch

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"sml/data"
	"sml/internal/registry"
)

// Origin is where the table of a data set is from.
type Origin struct {
	Name  string // of the data set
	Page  string // where people find it
	Files []File // the same table in files of public archives, tried one after the other
}

// File is a file of a public archive, and how the table stands in it. The samples
// have the order of the data set.
type File struct {
	URL    string // https://…
	Member string // name of the table's file inside the archive, without folders; "" if the file is the table
	Format string // "" for delimited text, "xls" or "xlsx" for the first sheet of a workbook

	Delimiter string // one character between the fields of text; "" for any number of blanks
	Lines     int    // lines of text for each sample; 0 for 1
	Skip      int    // lines, or rows of a spreadsheet, before the first sample

	// Named is true if the last line of Skip has the columns' names. They are compared with
	// Fields by their letters and digits, in upper or lower case.
	Named bool

	// Fields are the names of the data set's columns for the fields of a sample, in the order of
	// the file. A field named "" is left out and may be text.
	Fields []string

	// Derive returns a sample, the values of Inputs and then the target, from the fields that
	// are not left out. If it is nil, these fields are the sample, with the target last.
	Derive func(fields []float64) []float64
	Inputs []string

	// MaxSize is the maximum number of bytes of the file, and of the file unpacked; 0 for 32 MiB.
	MaxSize int64
}

// Values of File.Format.
const (
	formatText = ""
	formatXLS  = "xls"  // Excel 97 to 2003; only numbers are read
	formatXLSX = "xlsx" // Office Open XML
)

const defaultMaxSize = 32 << 20

// maxSize returns the maximum number of bytes of the file, packed or unpacked.
func (f File) maxSize() int64 {
	if f.MaxSize > 0 {
		return f.MaxSize
	}
	return defaultMaxSize
}

// table is the name of the file that holds the table, for people.
func (f File) table() string {
	if f.Member != "" {
		return f.Member
	}
	return f.URL[strings.LastIndexByte(f.URL, '/')+1:]
}

// inputs are the names of the inputs.
func (f File) inputs(target string) []string {
	if f.Derive != nil {
		return f.Inputs
	}
	return slices.DeleteFunc(slices.Clone(f.Fields), func(name string) bool { return name == "" || name == target })
}

var origins = registry.New("origin of a data set", func(o Origin) string { return o.Name }, "")

// Register adds the origin of a registered data set. It panics where the two do not
// fit, an address is not HTTPS or the name is taken, which is a mistake in the
// program.
func Register(o Origin) {
	if err := o.check(); err != nil {
		panic(fmt.Sprintf("fetch: origin of %q: %v", o.Name, err))
	}
	origins.Add(o)
}

func (o Origin) check() error {
	d, err := data.Lookup(o.Name)
	switch {
	case err != nil:
		return err
	case d.Make != nil:
		return fmt.Errorf("the data set is made")
	case len(o.Files) == 0 || o.Page == "":
		return fmt.Errorf("no page or no files")
	}
	for _, f := range o.Files {
		u, err := url.Parse(f.URL)
		switch {
		case err != nil:
			return err
		case u.Scheme != "https" || u.Host == "":
			return fmt.Errorf("%s is not HTTPS", f.URL)
		case len(f.inputs(d.Target)) != d.Features, f.Derive == nil && !slices.Contains(f.Fields, d.Target):
			return fmt.Errorf("%s: %d inputs, want %d and the target %s", f.URL, len(f.inputs(d.Target)), d.Features, d.Target)
		case !slices.Contains([]string{formatText, formatXLS, formatXLSX}, f.Format), len(f.Delimiter) > 1, f.Skip < 0, f.Lines < 0:
			return fmt.Errorf("%s: no such format", f.URL)
		case f.Named && (f.Format == formatXLS || f.Lines > 1 || f.Skip == 0):
			return fmt.Errorf("%s: nothing names its columns", f.URL)
		}
	}
	return nil
}

// MaxSize returns the largest file, in bytes, that Import takes for the data set.
func (o Origin) MaxSize() int64 {
	var most int64
	for _, f := range o.Files {
		most = max(most, f.maxSize())
	}
	return most
}

// Origins returns every registered origin.
func Origins() []Origin { return origins.All() }

// Lookup returns the origin of a data set. The error lists the sets that have one.
func Lookup(name string) (Origin, error) {
	if d, err := data.Lookup(name); err != nil {
		return Origin{}, err
	} else if d.Make != nil {
		return Origin{}, fmt.Errorf("the data set %s is made: it needs no file", name)
	}
	return origins.Lookup(name)
}
