// Package fetch gets the files of registered data sets from public archives. It downloads them
// over HTTPS or takes a file downloaded by hand, reads the archive's format, compares the table
// with the registered checksum, and writes the CSV file that read.Locate finds.
package fetch

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"sml/data"
	"sml/internal/registry"
)

// Origin lists the files of public archives from which a data set can be downloaded.
type Origin struct {
	Name  string // name of the data set
	Page  string // web page where people find the data set
	Files []File // files with the same table, in the order of trying
}

// File is a file of a public archive and the format of the table in it: the first sheet of a workbook if its name ends
// in .xls or .xlsx, and delimited text otherwise. The samples have the order of the data set.
type File struct {
	URL    string // https://…
	Member string // name of the table's file inside the archive, without folders; "" if the file is the table

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
	Inputs []string // names of the inputs that Derive returns; nil without Derive

	// MaxSize is the maximum number of bytes of the file, and of the file unpacked; 0 for 32 MiB.
	MaxSize int64
}

// Extensions of the names of workbooks.
const (
	formatXLS  = ".xls"  // Excel 97 to 2003; only numbers are read
	formatXLSX = ".xlsx" // Office Open XML
)

// maxSize returns the maximum number of bytes of the file, as it is downloaded and unpacked.
func (f File) maxSize() int64 { return cmp.Or(f.MaxSize, 32<<20) }

// table returns the name of the table's file for messages.
func (f File) table() string {
	if f.Member != "" {
		return f.Member
	}
	return f.URL[strings.LastIndexByte(f.URL, '/')+1:]
}

// format returns the extension of the name of the table's file.
func (f File) format() string { return path.Ext(f.table()) }

// inputs returns the names of the inputs. target is the name of the target.
func (f File) inputs(target string) []string {
	if f.Derive != nil {
		return f.Inputs
	}
	return slices.DeleteFunc(slices.Clone(f.Fields), func(name string) bool { return name == "" || name == target })
}

// origins are all registered origins.
var origins = registry.New("origin of a data set", func(o Origin) string { return o.Name }, "")

// Register adds the origin of a registered data set. It panics if the origin's columns are not the
// data set's, if an address is not HTTPS, or if the name is taken: these are mistakes in the
// program.
func Register(o Origin) {
	if err := o.check(); err != nil {
		panic(fmt.Sprintf("fetch: origin of %q: %v", o.Name, err))
	}
	origins.Add(o)
}

// check returns an error unless the origin describes files of its data set that can be read.
func (o Origin) check() error {
	d, err := data.Lookup(o.Name)
	switch {
	case err != nil:
		return err
	case d.Make != nil:
		return fmt.Errorf("the data set is generated")
	case len(o.Files) == 0 || o.Page == "":
		return fmt.Errorf("no page or no files")
	}
	for _, f := range o.Files {
		if err := f.check(d); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error unless the file has the columns of data set d in a format that can be read.
func (f File) check(d data.Dataset) error {
	u, err := url.Parse(f.URL)
	if err != nil {
		return err
	}
	inputs := len(f.inputs(d.Target))
	hasTarget := f.Derive != nil || slices.Contains(f.Fields, d.Target)
	switch {
	case u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%s is not HTTPS", f.URL)
	case inputs != d.Features || !hasTarget:
		return fmt.Errorf("%s: %d inputs, want %d and the target %s", f.URL, inputs, d.Features, d.Target)
	case f.Named && (f.format() == formatXLS || f.Skip == 0):
		return fmt.Errorf("%s: only text and .xlsx with a skipped line before the samples can have column names", f.URL)
	}
	return nil
}

// MaxSize returns the largest file, in bytes, that Import takes for the data set.
func (o Origin) MaxSize() int64 {
	var largest int64
	for _, f := range o.Files {
		largest = max(largest, f.maxSize())
	}
	return largest
}

// Origins returns every registered origin.
func Origins() []Origin { return origins.All() }

// Lookup returns the origin of the data set with the given name. Without an origin it returns an
// error that lists the data sets with an origin.
func Lookup(name string) (Origin, error) {
	d, err := data.Lookup(name)
	if err != nil {
		return Origin{}, err
	}
	if d.Make != nil {
		return Origin{}, fmt.Errorf("the data set %s is generated: it needs no file", name)
	}
	return origins.Lookup(name)
}
