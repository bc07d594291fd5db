package models

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"sml/internal/rowset"
	"sml/internal/safefile"
)

// LoadTrainingRows returns the training rows of the model in a directory, or nil and no error if the model
// was written without them. It returns an error if the file was changed or removed since the model was
// written.
func LoadTrainingRows(dir string) (*rowset.Set, error) {
	content, err := readListed(dir, rowsFile, int64(rowset.MaxSize))
	if content == nil || err != nil {
		return nil, err
	}
	rows := new(rowset.Set)
	if err := rows.UnmarshalBinary(content); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, rowsFile), err)
	}
	return rows, nil
}

// readListed returns the content of a file of a model, or nil and no error if the model was written without it. It
// returns an error if the file was changed or removed since the model was written, or is larger than limit: the
// manifest lists the files that were written, with their checksums.
func readListed(dir, name string, limit int64) ([]byte, error) {
	path := filepath.Join(dir, name)
	manifest, err := safefile.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	sums := manifest[name] // of each version of the file; empty in a model without a manifest, too
	content, err := safefile.Read(path, limit)
	if errors.Is(err, fs.ErrNotExist) && len(sums) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(sums) > 0 && !slices.Contains(sums, safefile.Sum(content)) {
		return nil, fmt.Errorf("%s has been changed since it was written", path)
	}
	return content, nil
}
