package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/report"
	"sml/internal/safefile"
)

// folder is a directory of results, such as a report's. Its manifest says what
// the program wrote there: only that is ever replaced or removed.
type folder struct {
	dir     string
	errOut  io.Writer
	written safefile.Manifest // before
	close   func()
}

// forceFolderFlag is the flag --force of commands that write several files into the
// folder of --out.
func forceFolderFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "replace the results that an earlier call wrote into --out"}
}

// openResults opens dir as openFolder does, for the results of one call. It returns
// an error if an earlier call left results there, unless --force replaces them.
func openResults(c *cli.Context, dir string) (*folder, error) {
	f, err := openFolder(c, dir)
	if err != nil {
		return nil, err
	}
	if len(f.written) > 0 && !c.Bool("force") {
		f.close()
		return nil, fmt.Errorf("%s has results of an earlier call: choose another --out, or --force to replace them", dir)
	}
	return f, nil
}

// openFolder makes the directory, if there is none, and keeps other processes
// from it until close, which removes it if it is empty.
func openFolder(c *cli.Context, dir string) (*folder, error) {
	dir = safefile.Path(dir)
	release, err := claim(c, dir, filepath.Join(dir, lockSuffix))
	if err != nil {
		return nil, err
	}
	written, err := safefile.ReadManifest(dir)
	if err != nil {
		release()
		return nil, fmt.Errorf("%w: it says which files may be replaced, so choose another --out", err)
	}
	return &folder{dir: dir, errOut: c.App.ErrWriter, written: written, close: release}, nil
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// admit refuses files whose names somebody else's files have.
func (f *folder) admit(files []report.File) error {
	var taken []string
	add := func(path string) {
		if !slices.Contains(taken, path) {
			taken = append(taken, path)
		}
	}
	for _, file := range files {
		if sub := path.Dir(file.Name); sub != "." {
			switch info, err := os.Lstat(f.path(sub)); {
			case errors.Is(err, fs.ErrNotExist):
				continue
			case err != nil:
				return err
			case !info.IsDir():
				add(f.path(sub))
				continue
			}
		}
		switch own, err := f.written.Owns(f.dir, file.Name); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case !own:
			add(f.path(file.Name))
		}
	}
	if len(taken) == 0 {
		return nil
	}
	more := ""
	if most := 10; len(taken) > most {
		more = fmt.Sprintf("\nand %d more", len(taken)-most)
		taken = taken[:most]
	}
	return fmt.Errorf("%s has files in the place of new ones that this program did not write, or that have been changed since:\n%s%s\nmove them away, or choose another --out",
		f.dir, strings.Join(taken, "\n"), more)
}

// write writes files, and removes what was written earlier under other names.
// Whatever interrupts it, the manifest lists all that it wrote.
func (f *folder) write(ctx context.Context, files []report.File) error {
	contents := make([][]byte, len(files))
	during, after := safefile.Manifest{}, safefile.Manifest{}
	for name, sums := range f.written {
		during[name] = slices.Clone(sums)
	}
	for i, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := file.Write(&b); err != nil {
			return err
		}
		contents[i] = b.Bytes()
		sum := safefile.Sum(contents[i])
		during[file.Name] = append(during[file.Name], sum)
		after[file.Name] = []string{sum}
	}
	if err := f.admit(files); err != nil {
		return err
	}
	if err := during.Write(f.dir); err != nil {
		return err
	}
	for i, file := range files {
		path := f.path(file.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := f.admit(files[i : i+1]); err != nil { // somebody may have changed it meanwhile
			return err
		}
		put := safefile.Replace
		if safefile.Vacant(path) == nil {
			put = safefile.Create // and not what comes there meanwhile
		}
		if err := put(path, safefile.Content(contents[i])); err != nil {
			return err
		}
	}
	if err := f.sweep(after); err != nil {
		return err
	}
	return after.Write(f.dir)
}

// sweep removes what was written earlier and is not now.
func (f *folder) sweep(now safefile.Manifest) error {
	var old []string
	for name := range f.written {
		if _, stays := now[name]; !stays {
			old = append(old, name)
		}
	}
	slices.Sort(old)
	for _, name := range old {
		switch own, err := f.written.Owns(f.dir, name); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case own:
			if err := os.Remove(f.path(name)); err != nil {
				return err
			}
		default:
			fmt.Fprintf(f.errOut, "sml: %s is of an earlier report and stays: it has been changed since\n", f.path(name))
		}
	}
	return nil
}
