package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"sml/data/safefile"
	"sml/data/strict"
)

// Folders of a study.
const (
	cellsDir       = "cells"
	predictionsDir = "predictions"
)

// Bounds of a study's files, in bytes.
const (
	maxCell        = 1 << 20 // a result has some two thousand
	maxPredictions = 1 << 30 // of one cell: a row takes about 150
	maxReason      = 10_000  // of a failure, which is cut there
)

// State says what there is of a cell.
type State string

const (
	Missing State = "missing" // not run yet
	Done    State = "done"
	Failed  State = "failed" // has a result that says why
	Broken  State = "broken" // a file that is cut short, edited, or of another plan or version
)

// stored is the content of a cell's file.
type stored struct {
	Name    string          `json:"name"`
	Hash    string          `json:"hash"`
	Version string          `json:"version"`
	Sum     string          `json:"sha256"` // of hash, version and result
	Result  json.RawMessage `json:"result"`
}

func (s stored) sum() string {
	return safefile.Sum(fmt.Appendf(nil, "%s\n%s\n%s\n%s", s.Name, s.Hash, s.Version, s.Result))
}

func cellPath(dir, name string) string { return filepath.Join(dir, cellsDir, name+".json") }

func save(dir, version string, c Planned, r Result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s := stored{Name: c.Name, Hash: c.Hash, Version: version, Result: text}
	s.Sum = s.sum()
	file, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return safefile.Replace(cellPath(dir, c.Name), safefile.Content(append(file, '\n')))
}

// Load reads the result of a cell of a plan. The error says what is wrong with a broken
// file.
func Load(dir string, p *Plan, c Planned) (Result, State, error) { return load(dir, p.Version, c) }

// load reads a cell's result. The error says what is wrong with a broken file.
func load(dir, version string, c Planned) (Result, State, error) {
	text, err := safefile.Read(cellPath(dir, c.Name), maxCell)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, Missing, nil
	}
	if err != nil {
		return Result{}, Broken, err
	}
	r, err := decodeCell(text, version, c)
	if err != nil {
		return Result{}, Broken, fmt.Errorf("%s: %w", cellPath(dir, c.Name), err)
	}
	for name, want := range r.Files {
		sum, err := safefile.SumFile(filepath.Join(dir, predictionsDir, filepath.Base(name)), maxPredictions)
		if err != nil {
			return Result{}, Broken, err
		}
		if sum != want {
			return Result{}, Broken, fmt.Errorf("%s has been changed", name)
		}
	}
	if r.Failed != "" {
		return r, Failed, nil
	}
	return r, Done, nil
}

func decodeCell(text []byte, version string, c Planned) (r Result, err error) {
	var s stored
	if err := strict.Unmarshal(text, &s); err != nil {
		return r, err
	}
	switch {
	case s.Sum != s.sum():
		return r, errors.New("its checksum is another: it has been changed or cut short")
	case s.Name != c.Name || s.Hash != c.Hash:
		return r, errors.New("it belongs to another cell")
	case s.Version != version:
		return r, fmt.Errorf("it was computed by version %s, and the plan is for %s", s.Version, version)
	}
	if err := strict.Unmarshal(s.Result, &r); err != nil {
		return r, err
	}
	return r, r.check(c)
}
