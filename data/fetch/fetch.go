package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sml/data"
	"sml/data/read"
	"sml/data/write"
	"sml/internal/safefile"
)

// Fetcher downloads or imports data sets and writes their CSV files. The zero value is ready to use.
type Fetcher struct {
	Dir     string // folder of data sets; "" for the first of read.SearchFolders
	Replace bool   // whether to replace an existing file with other numbers

	Tries        int           // maximum number of tries of a file; 0 for 5
	Wait         time.Duration // wait before the second try, which grows with each try; 0 for 1 s
	StallTimeout time.Duration // time without a byte after which a try has failed; 0 for 1 min
	Timeout      time.Duration // maximum time for all tries of a file; 0 for 2 h

	Report    func(Event)       // called with the progress of downloads; may be nil
	Transport http.RoundTripper // nil for http.DefaultTransport
}

// Result describes the file of a fetched or imported data set.
type Result struct {
	Name     string `json:"name"` // name of the data set
	Path     string `json:"path"` // path of its CSV file
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	From     string `json:"from,omitempty"` // address of the download; "" if the file existed or was imported
	Written  bool   `json:"written"`        // whether this call wrote the file

	// Verified is true if the names and values have the registered checksum. It is false if none
	// is registered: then only the numbers of rows and columns were compared.
	Verified bool `json:"verified"`
}

// ErrDiffers is wrapped by the error for an existing file that is not the data set and may not be
// replaced.
var ErrDiffers = errors.New("a file that may not be replaced")

// Failure is the error for a data set that could be downloaded from none of its addresses.
type Failure struct {
	Name string   // name of the data set
	Page string   // web page where people find the data set
	File string   // name of the file to look for there
	Errs []string // for each address, the address and what failed
}

// Error lists what failed at each address, and says how to download the file by hand.
func (e *Failure) Error() string {
	return fmt.Sprintf("%s could not be fetched:\n  %s\nif it has moved, download %s, or the archive that has it, by hand, beginning at %s",
		e.Name, strings.Join(e.Errs, "\n  "), e.File, e.Page)
}

// Fetch downloads a data set and writes its CSV file, unless the file exists. An existing file is
// left unchanged, without any connection, if it is not known to differ. The error is a *Failure if no address has the
// data set, and wraps ErrDiffers if an existing file differs.
func (f *Fetcher) Fetch(ctx context.Context, name string) (Result, error) {
	return f.store(ctx, name, func(o Origin, d data.Dataset, dir string) (table *data.Table, address string, err error) {
		return f.fetchAny(ctx, o, d, dir)
	})
}

// fetchAny downloads and converts the first available and correct file of the origin, by way of a temporary file in the
// folder dir. It returns the table and the address of the file.
func (f *Fetcher) fetchAny(ctx context.Context, o Origin, d data.Dataset, dir string) (table *data.Table, address string, err error) {
	failure := &Failure{Name: o.Name, Page: o.Page, File: o.Files[0].table()}
	for _, file := range o.Files {
		table, err := f.fetchFile(ctx, d, file, dir)
		if err == nil {
			return table, file.URL, nil
		}
		var localError *fs.PathError // such as a full disk: another address does not help
		if ctx.Err() != nil || errors.As(err, &localError) {
			return nil, "", err
		}
		failure.Errs = append(failure.Errs, fmt.Sprintf("%s: %v", file.URL, err))
	}
	return nil, "", failure
}

// fetchFile downloads and converts one file, by way of a temporary file in the folder dir.
func (f *Fetcher) fetchFile(ctx context.Context, d data.Dataset, file File, dir string) (*data.Table, error) {
	received, err := os.CreateTemp(dir, d.Name+".*.download")
	if err != nil {
		return nil, err
	}
	os.Remove(received.Name())       // an open file stays readable: a killed process leaves nothing
	defer os.Remove(received.Name()) // Windows removes only closed files
	defer received.Close()
	size, err := f.download(ctx, d.Name, file, received)
	if err != nil {
		return nil, err
	}
	return file.convert(ctx, d, received, size)
}

// Import writes the CSV file of a data set from a file that was downloaded by hand: a file of the
// data set's origin, or the archive with it. size is in bytes. Errors are those of Fetch, without
// Failure.
func (f *Fetcher) Import(ctx context.Context, name string, r io.ReaderAt, size int64) (Result, error) {
	return f.store(ctx, name, func(o Origin, d data.Dataset, _ string) (table *data.Table, address string, err error) {
		table, err = o.convertAny(ctx, d, r, size)
		return table, "", err
	})
}

// convertAny converts a file of size bytes that was downloaded by hand. Its name is not known, so that it
// is read as each file of the origin in turn. If none fits, the error lists the reasons.
func (o Origin) convertAny(ctx context.Context, d data.Dataset, r io.ReaderAt, size int64) (*data.Table, error) {
	var failures []string
	for _, file := range o.Files {
		file = file.withSource("", file.table())
		table, err := file.convert(ctx, d, r, size)
		if err == nil || ctx.Err() != nil {
			return table, err
		}
		failure := fmt.Sprintf("as %s: %v", file.Member, err)
		if !slices.Contains(failures, failure) { // most files of an origin have the same format
			failures = append(failures, failure)
		}
	}
	return nil, fmt.Errorf("this is not %s as its archives have it:\n  %s", o.Name, strings.Join(failures, "\n  "))
}

// store writes the CSV file of the data set with a name, unless a correct file exists. getTable returns the table of data
// set d with the origin o, and the address that it was downloaded from, "" for none; it may make temporary files in the
// folder dir. Two processes that store the same data set at the same time both do the work and write the same file.
func (f *Fetcher) store(ctx context.Context, name string, getTable func(o Origin, d data.Dataset, dir string) (table *data.Table, address string, err error)) (Result, error) {
	o, err := Lookup(name)
	if err != nil {
		return Result{}, err
	}
	d, _ := data.Lookup(name) // Lookup has found it
	result := Result{Name: d.Name, Rows: d.Rows, Features: d.Features, Verified: d.Checksum != ""}
	var presentSum string // checksum of the existing file; "" if there is none, or if it is to be replaced
	result.Path, presentSum, err = f.checkFile(ctx, d)
	if err != nil {
		return Result{}, err
	}
	mayDiffer := f.Replace && !result.Verified // from the table that getTable returns
	if presentSum != "" && !mayDiffer {
		return result, nil
	}
	path, err := f.newPath(d.Name)
	if err != nil {
		return Result{}, err
	}
	table, address, err := getTable(o, d, filepath.Dir(path))
	if err != nil {
		return Result{}, err
	}
	sum, err := table.Checksum(ctx)
	if err != nil {
		return Result{}, err
	}
	if sum == presentSum {
		return result, nil
	}
	err = f.write(ctx, path, table)
	if errors.Is(err, fs.ErrExist) { // another process has been faster
		result.Path, _, err = f.checkFile(ctx, d)
		return result, err
	}
	if err != nil {
		return Result{}, err
	}
	result.Path = path
	result.From = address
	result.Written = true
	return result, nil
}

// newPath returns the path of a data set's new CSV file, and makes its folder. It returns an error if the file cannot be
// written there: better before the download, which may take long.
func (f *Fetcher) newPath(dataset string) (string, error) {
	folders := read.SearchFolders(f.Dir)
	if len(folders) == 0 {
		return "", errors.New("no folder for data sets is known; name one")
	}
	path := filepath.Join(folders[0], dataset+".csv")
	if err := os.MkdirAll(folders[0], 0o777); err != nil {
		return "", err
	}
	return path, safefile.CheckWritable(path)
}

// write writes the CSV file of a table. It replaces an existing file only if f.Replace is true.
func (f *Fetcher) write(ctx context.Context, path string, table *data.Table) error {
	writeTable := func(w io.Writer) error { return write.Table(ctx, w, table, write.CSV) }
	if f.Replace {
		return safefile.Write(path, writeTable)
	}
	return safefile.Create(path, writeTable)
}

// checkFile looks for the file of a data set. It returns the file's path, "" if there is none, and the checksum of its
// table. If the file is not the data set, because it has another shape or, if they are known, other values, checkFile
// returns an error that wraps ErrDiffers. If f.Replace allows to replace it, the checksum is "" instead.
func (f *Fetcher) checkFile(ctx context.Context, d data.Dataset) (path, checksum string, err error) {
	path, err = read.Locate(d.Name, f.Dir)
	if errors.Is(err, read.ErrNoFile) {
		return "", "", nil
	}
	if err != nil {
		return "", "", err
	}
	t, err := read.Dataset(ctx, d.Name, f.Dir, data.Sound, 0, read.Options{})
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case err == nil && t.Difference == "":
		checksum, err = t.Checksum(ctx)
		return path, checksum, err
	case f.Replace:
		return path, "", nil
	case err != nil:
		return "", "", fmt.Errorf("%w exists and is not %s: %w", ErrDiffers, d.Name, err)
	}
	return "", "", fmt.Errorf("%w exists and is not %s: %s", ErrDiffers, d.Name, t.Difference)
}
