package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/report"
	"sml/internal/safefile"
)

// folder is a directory of results, such as a report. Its manifest lists the files that the
// program wrote there; the program replaces and removes no other files.
type folder struct {
	dir     string
	note    func(format string, args ...any) // prints a message
	written safefile.Manifest                // files that earlier calls wrote
	close   func()
}

// forceFolderFlag returns the flag --force of commands that write several files into the
// folder of --out.
func forceFolderFlag() *cli.BoolFlag {
	return &cli.BoolFlag{Name: "force", Usage: "replace the results that an earlier call wrote into --out"}
}

// openResults opens dir as openFolder does, for the results of one call. It returns an error if an earlier call left results
// there, unless --force replaces them, or if a name among files belongs to a file that the program did not write.
func openResults(c *cli.Context, dir string, files ...report.File) (*folder, error) {
	f, err := openFolder(c, dir)
	if err != nil {
		return nil, err
	}
	if len(f.written) > 0 && !c.Bool("force") {
		f.close()
		return nil, fmt.Errorf("%s has results of an earlier call: choose another --out, or --force to replace them", dir)
	}
	if err := f.checkNames(files); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// openFolder creates the directory if it does not exist, and keeps other processes from writing
// there until close is called. close removes an empty directory.
func openFolder(c *cli.Context, dir string) (*folder, error) {
	dir = safefile.ResolveDotDot(dir)
	release, err := lockOutput(c, "out", dir, filepath.Join(dir, lockSuffix))
	if err != nil {
		return nil, err
	}
	written, err := safefile.ReadManifest(dir)
	if err != nil {
		release()
		return nil, fmt.Errorf("%w: it says which files may be replaced, so choose another --out", err)
	}
	return &folder{
		dir:     dir,
		note:    func(format string, args ...any) { note(c, format, args...) },
		written: written,
		close:   release,
	}, nil
}

// path returns the path of a file of the folder. name has slashes between its parts.
func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// checkNames returns an error if a new file would replace a file that the program did not write.
func (f *folder) checkNames(files []report.File) error {
	const maxListed = 10
	var obstacles []string
	for _, file := range files {
		path, err := f.obstacle(file.Name)
		if err != nil {
			return err
		}
		if path != "" {
			obstacles = appendNew(obstacles, path)
		}
	}
	if len(obstacles) == 0 {
		return nil
	}
	more := ""
	if len(obstacles) > maxListed {
		more = fmt.Sprintf("\nand %d more", len(obstacles)-maxListed)
		obstacles = obstacles[:maxListed]
	}
	return fmt.Errorf("%s has files in the place of new ones that this program did not write, or that have been changed since:\n%s%s\nmove them away, or choose another --out",
		f.dir, strings.Join(obstacles, "\n"), more)
}

// obstacle returns the path of a file, not written by this program or changed since, that stands where the
// named file or its directory would be written. It returns "" if there is none.
func (f *folder) obstacle(name string) (string, error) {
	if sub := path.Dir(name); sub != "." {
		info, err := os.Lstat(f.path(sub))
		if err == nil && !info.IsDir() {
			return f.path(sub), nil
		}
	}
	isOurs, err := f.written.Owns(f.dir, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil || isOurs:
		return "", err
	}
	return f.path(name), nil
}

// write writes files, and removes files that earlier calls wrote under other names. The manifest
// lists all files of the program at every moment, in case write is interrupted.
func (f *folder) write(ctx context.Context, files []report.File) error {
	contents, sums, err := encodeFiles(ctx, files)
	if err != nil {
		return err
	}
	if err := f.checkNames(files); err != nil {
		return err
	}
	during := maps.Clone(f.written) // a file may have either content
	for name, sum := range sums {
		during[name] = append(slices.Clone(during[name]), sum...)
	}
	if err := during.Write(f.dir); err != nil {
		return err
	}
	for i, file := range files {
		if err := f.checkNames(files[i : i+1]); err != nil { // a user may have changed the file meanwhile
			return err
		}
		if err := f.put(file.Name, contents[i]); err != nil {
			return err
		}
	}
	if err := f.removeOld(sums); err != nil {
		return err
	}
	return sums.Write(f.dir)
}

// encodeFiles returns the contents of files, and the manifest that lists them.
func encodeFiles(ctx context.Context, files []report.File) ([][]byte, safefile.Manifest, error) {
	var contents [][]byte
	sums := safefile.Manifest{}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		var b bytes.Buffer
		if err := file.Write(&b); err != nil {
			return nil, nil, err
		}
		contents = append(contents, b.Bytes())
		sums[file.Name] = []string{safefile.Sum(b.Bytes())}
	}
	return contents, sums, nil
}

// put writes a file. If no file has its name yet, put never replaces a file: another program may
// create one at the same time.
func (f *folder) put(name string, content []byte) error {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	write := safefile.Replace
	if safefile.CheckAbsent(path) == nil {
		write = safefile.Create
	}
	return write(path, safefile.WriteBytes(content))
}

// removeOld removes files that earlier calls wrote and the new manifest does not list. It keeps those that
// a user has changed since, and prints a note about each.
func (f *folder) removeOld(manifest safefile.Manifest) error {
	for _, name := range slices.Sorted(maps.Keys(f.written)) {
		if _, isNew := manifest[name]; isNew {
			continue
		}
		isOurs, err := f.written.Owns(f.dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !isOurs {
			f.note("%s is from an earlier report and stays: it has been changed since", f.path(name))
			continue
		}
		if err := os.Remove(f.path(name)); err != nil {
			return err
		}
	}
	return nil
}
