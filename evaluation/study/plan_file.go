package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sml/internal/safefile"
)

// planFile is the name of the plan in a study's directory.
const planFile = "plan.json"

// maxPlanBytes is the largest size of a plan's file, in bytes.
const maxPlanBytes = 512 << 20

// Write makes the study's directory and writes the plan into it. It returns an error that
// wraps fs.ErrExist if the directory has another plan; if it has the same plan, Write does
// nothing.
func (p *Plan) Write(dir string) error {
	text, err := encodePlan(p).bytes()
	if err != nil {
		return err
	}
	if len(text) > maxPlanBytes {
		return fmt.Errorf("the plan would have %d bytes, and at most %d are read: cut the study into several", len(text), maxPlanBytes)
	}
	path := filepath.Join(dir, planFile)
	if err := os.MkdirAll(filepath.Join(dir, cellsDir), 0o777); err != nil {
		return err
	}
	if err = safefile.CheckAbsent(path); err == nil {
		err = safefile.Create(path, safefile.WriteBytes(text)) // does not replace a plan written meanwhile
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	present, readErr := safefile.Read(path, maxPlanBytes)
	if errors.Is(readErr, fs.ErrNotExist) { // the path is a symbolic link to no file
		return err
	}
	if readErr != nil {
		return readErr
	}
	if !bytes.Equal(present, text) {
		return fmt.Errorf("%s has another plan: %w; plan into another directory", dir, fs.ErrExist)
	}
	return nil
}

// ReadPlan reads the plan of a study's directory. It returns an error unless the plan is whole
// and every cell follows from its configuration.
func ReadPlan(dir string) (*Plan, error) {
	path := filepath.Join(dir, planFile)
	text, err := safefile.Read(path, maxPlanBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a study: %w; plan one there first", dir, err)
	}
	if err != nil {
		return nil, err
	}
	p, err := decodePlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}
