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

// maxPlanBytes is the largest size of a plan's file.
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
		return fmt.Errorf("the plan would have %d bytes; want at most %d: divide the study into several", len(text), maxPlanBytes)
	}
	if err := os.MkdirAll(filepath.Join(dir, cellsDir), 0o777); err != nil {
		return err
	}
	path := filepath.Join(dir, planFile)
	err = safefile.CheckAbsent(path)
	if err == nil {
		err = safefile.Create(path, safefile.WriteBytes(text)) // does not replace a plan that another process has just written
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	present, readErr := safefile.Read(path, maxPlanBytes)
	if errors.Is(readErr, fs.ErrNotExist) { // the path is a symbolic link to a file that does not exist
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

// ReadPlan reads the plan of a study's directory. It returns an error if the plan has been changed since it was written.
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
