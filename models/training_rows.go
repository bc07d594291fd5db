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

// LoadTrainingRows reads the training rows of the model in a directory. It returns nil if
// the model keeps none, and an error if their file is not as the manifest lists it.
func LoadTrainingRows(dir string) (*rowset.Set, error) {
	path := filepath.Join(dir, rowsFile)
	written, err := safefile.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	form, err := safefile.Read(path, int64(rowset.MaxSize))
	if errors.Is(err, fs.ErrNotExist) && len(written[rowsFile]) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if sums := written[rowsFile]; len(sums) > 0 && !slices.Contains(sums, safefile.Sum(form)) {
		return nil, fmt.Errorf("%s has been changed since it was written", path)
	}
	rows := new(rowset.Set)
	if err := rows.UnmarshalBinary(form); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}
