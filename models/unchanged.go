package models

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"sml/internal/safefile"
)

// ErrChanged is wrapped by the error for a file of a model that was edited, damaged or replaced since the model was
// written.
var ErrChanged = errors.New("has been changed since it was written")

// fileReader reads the files of a model's directory and compares them with their checksums in the manifest.
type fileReader struct {
	dir           string
	manifest      safefile.Manifest
	acceptChanged bool     // whether changed files are read, too
	changed       []string // paths of the changed files that were read
}

// newFileReader returns a reader of the model's files in a directory. It returns an error if the manifest cannot be
// read, unless changed files are accepted.
func newFileReader(dir string, acceptChanged bool) (*fileReader, error) {
	r := &fileReader{dir: dir, acceptChanged: acceptChanged}
	var err error
	r.manifest, err = safefile.ReadManifest(dir)
	if err != nil && acceptChanged {
		r.changed = append(r.changed, filepath.Join(dir, safefile.ManifestFile))
		return r, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the manifest of the model %w: %w", ErrChanged, err)
	}
	return r, nil
}

// read returns the content of a file. It returns an error that wraps ErrChanged if the manifest lists other content, or
// does not list the file, unless changed files are accepted, and an error if the file is larger than limit.
func (r *fileReader) read(name string, limit int64) ([]byte, error) {
	path := filepath.Join(r.dir, name)
	content, err := safefile.Read(path, limit)
	if err != nil {
		return nil, err
	}
	if slices.Contains(r.manifest[name], safefile.Sum(content)) {
		return content, nil
	}
	if !r.acceptChanged {
		if len(r.manifest[name]) == 0 {
			return nil, fmt.Errorf("%s %w, or copied without its checksum in %s", path, ErrChanged, safefile.ManifestFile)
		}
		return nil, fmt.Errorf("%s %w", path, ErrChanged)
	}
	r.changed = append(r.changed, path)
	return content, nil
}

// readOptional returns the content of a file of the model in a directory, or nil and no error if the model was written
// without it. It returns an error if the file was changed or removed since the model was written, or is larger than
// limit.
func readOptional(dir, name string, limit int64) ([]byte, error) {
	r, err := newFileReader(dir, false)
	if err != nil {
		return nil, err
	}
	content, err := r.read(name, limit)
	if errors.Is(err, fs.ErrNotExist) && len(r.manifest[name]) == 0 {
		return nil, nil
	}
	return content, err
}
