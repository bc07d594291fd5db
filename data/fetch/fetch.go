package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sml/data"
	"sml/data/read"
	"sml/internal/safefile"
)

// Fetcher brings data sets. Its zero value is ready.
type Fetcher struct {
	Dir     string // folder of data sets; "" for the first of read.Folders
	Replace bool   // whether to replace an existing file with other numbers

	Tries int           // of a file; default 5
	Wait  time.Duration // before the second try, then longer and longer; default 1 s
	Stall time.Duration // without a byte, after which a try has failed; default 1 min
	Time  time.Duration // for all tries of a file; default 2 h

	Tell      func(Event)       // nil: nobody
	Transport http.RoundTripper // default: that of net/http, with the proxies of the environment
}

// Result is a data set whose file is there.
type Result struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	From     string `json:"from,omitempty"` // the address; "": it was there, or was imported
	Written  bool   `json:"written"`        // by this call
	Proven   bool   `json:"proven"`         // names and values are those known as the data set; false: nothing is known of them but their number
}

// ErrDiffers is wrapped by the error of a file that is there, is not the data set,
// and is not to be replaced.
var ErrDiffers = errors.New("a file that is not to be replaced")

// Failure is the error of a data set that none of its addresses brought.
type Failure struct {
	Name string
	Page string   // where it can be found by hand
	File string   // what is to be looked for there
	Errs []string // address and what was wrong, of each
}

func (e *Failure) Error() string {
	return fmt.Sprintf("%s could not be fetched:\n  %s\nif it has moved, download %s, or the archive that has it, by hand, beginning at %s",
		e.Name, strings.Join(e.Errs, "\n  "), e.File, e.Page)
}

// Fetch sees to it that the file of a data set is there. A file that is there
// already, and is not known to differ, is left alone, without a connection. What was
// downloaded of a file when Fetch was interrupted is there for the next time. Where
// no address has the data set the error is a *Failure.
func (f *Fetcher) Fetch(ctx context.Context, name string) (Result, error) {
	o, err := Lookup(name)
	if err != nil {
		return Result{}, err
	}
	return f.store(ctx, o, func(d data.Dataset, dir string) (*data.Table, string, error) {
		failure := &Failure{Name: name, Page: o.Page, File: o.Files[0].table()}
		part := func(i int) string { return filepath.Join(dir, fmt.Sprintf("%s.%d.download", name, i)) }
		for i, file := range o.Files {
			t, err := f.fetchFile(ctx, d, file, part(i))
			if err == nil {
				for i := range o.Files {
					discard(part(i))
				}
				return t, file.URL, nil
			}
			var own *fs.PathError
			if ctx.Err() != nil || errors.As(err, &own) { // it is not the address's
				return nil, "", err
			}
			failure.Errs = append(failure.Errs, fmt.Sprintf("%s: %v", file.URL, err))
		}
		return nil, "", failure
	})
}

// fetchFile downloads and converts one file; path is where it is kept meanwhile.
func (f *Fetcher) fetchFile(ctx context.Context, d data.Dataset, file File, path string) (*data.Table, error) {
	p, err := openPartial(path, file.URL)
	if err != nil {
		return nil, err
	}
	if err := f.download(ctx, d.Name, file, p); err != nil {
		p.close()
		return nil, err
	}
	t, err := file.convert(ctx, d, p, p.have)
	if ctx.Err() != nil {
		p.close()
	} else {
		p.remove()
	}
	return t, err
}

// Import is Fetch of what was downloaded by hand: one of the data set's files, or the
// archive that has it; size is in bytes.
func (f *Fetcher) Import(ctx context.Context, name string, r io.ReaderAt, size int64) (Result, error) {
	o, err := Lookup(name)
	if err != nil {
		return Result{}, err
	}
	return f.store(ctx, o, func(d data.Dataset, _ string) (*data.Table, string, error) {
		var tried []string
		for i, file := range o.Files {
			if size > file.maxSize() {
				return nil, "", file.tooLargeError()
			}
			file = file.withSource("", cmp.Or(file.Member, file.table()))
			if i > 0 && sameLayout(file, o.Files[i-1]) {
				continue
			}
			t, err := file.convert(ctx, d, r, size)
			if err == nil || ctx.Err() != nil {
				return t, "", err
			}
			tried = append(tried, fmt.Sprintf("as %s: %v", file.Member, err))
		}
		return nil, "", fmt.Errorf("this is not %s as its archives have it:\n  %s", name, strings.Join(tried, "\n  "))
	})
}

func sameLayout(a, b File) bool {
	return a.table() == b.table() && a.Format == b.Format && a.Delimiter == b.Delimiter && a.Skip == b.Skip && a.Lines == b.Lines
}

// store writes a data set's table, which get returns, to its file, unless the file exists.
func (f *Fetcher) store(ctx context.Context, o Origin, get func(d data.Dataset, dir string) (t *data.Table, from string, err error)) (Result, error) {
	d, err := data.Lookup(o.Name)
	if err != nil {
		return Result{}, err
	}
	result := Result{Name: d.Name, Rows: d.Rows, Features: d.Features, Proven: d.Checksum != ""}
	there, err := f.checkFile(ctx, d)
	result.Path = there.path
	switch {
	case err != nil:
		return Result{}, err
	case there.good && (result.Proven || !f.Replace):
		return result, nil
	}
	folders := read.Folders(f.Dir)
	if len(folders) == 0 {
		return Result{}, errors.New("there is no folder for data sets: name one")
	}
	path := filepath.Join(folders[0], d.Name+".csv")
	if err := os.MkdirAll(folders[0], 0o777); err != nil {
		return Result{}, err
	}
	lock, err := safefile.Acquire(path + ".lock")
	if err == nil {
		defer lock.Release()
	} else if held := (*safefile.HeldError)(nil); errors.As(err, &held) {
		return Result{}, fmt.Errorf("%s is being fetched by %s: wait until that has ended", d.Name, held.Holder)
	} else if !errors.Is(err, errors.ErrUnsupported) {
		return Result{}, err
	}
	if err := safefile.CheckWritable(path); err != nil {
		return Result{}, err
	}
	table, from, err := get(d, folders[0])
	if err != nil {
		return Result{}, err
	}
	if sum, err := table.Checksum(ctx); err != nil {
		return Result{}, err
	} else if there.good && sum == there.sum {
		return result, nil
	}
	write := safefile.Create
	if f.Replace {
		write = safefile.Write
	}
	if err := write(path, table.WriteCSV); errors.Is(err, fs.ErrExist) {
		return Result{}, fmt.Errorf("%s: %w came into being meanwhile", path, ErrDiffers)
	} else if err != nil {
		return Result{}, err
	}
	result.Path, result.From, result.Written = path, from, true
	return result, nil
}

// presentFile is an existing file of a data set. The zero value stands for no file.
type presentFile struct {
	path string
	good bool   // whether the table has the data set's shape and, if they are known, its values
	sum  string // checksum of the table if it is good
}

// checkFile looks for the file of a data set. It returns an error for a wrong file unless the file
// is to be replaced.
func (f *Fetcher) checkFile(ctx context.Context, d data.Dataset) (presentFile, error) {
	path, err := read.Locate(d.Name, f.Dir)
	if errors.Is(err, read.ErrNoFile) {
		return presentFile{}, nil
	} else if err != nil {
		return presentFile{}, err
	}
	t, err := read.Dataset(ctx, d.Name, f.Dir, data.Sound, 0, read.Options{})
	switch {
	case ctx.Err() != nil:
		return presentFile{}, ctx.Err()
	case err == nil && t.Difference == "":
		sum, err := t.Checksum(ctx)
		return presentFile{path, true, sum}, err
	case f.Replace:
		return presentFile{path: path}, nil
	case err != nil:
		return presentFile{}, fmt.Errorf("%w is there, and is not %s: %w", ErrDiffers, d.Name, err)
	}
	return presentFile{}, fmt.Errorf("%w is there, and is not %s: %s", ErrDiffers, d.Name, t.Difference)
}
