package models

import (
	"fmt"
	"path/filepath"

	"sml/internal/rowset"
)

// LoadTrainingRows returns the training rows of the model in a directory, or nil and no error if the model
// was written without them. It returns an error if the file was changed or removed since the model was
// written.
func LoadTrainingRows(dir string) (*rowset.Set, error) {
	content, err := readOptional(dir, rowsFile, int64(rowset.MaxSize))
	if content == nil || err != nil {
		return nil, err
	}
	rows := new(rowset.Set)
	if err := rows.UnmarshalBinary(content); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, rowsFile), err)
	}
	return rows, nil
}
