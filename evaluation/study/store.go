package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sml/internal/safefile"
	"sml/internal/strict"
)

// Folders of a study.
const (
	cellsDir       = "cells"
	predictionsDir = "predictions"
	claimsDir      = "claims"      // of cells that are being run
	checkpointsDir = "checkpoints" // of trainings that were stopped
)

// maxFolder is how many cells of a study have their files in one folder: those of more
// are spread over 256, since shared file systems dislike large ones.
const maxFolder = 1000

// path is that of a file of the cell of that name, in one of the study's folders.
func (p *Plan) path(dir, folder, name, suffix string) string {
	if len(p.Cells) <= maxFolder {
		return filepath.Join(dir, folder, name+suffix)
	}
	hash := name[len(name)-hashInName:]
	return filepath.Join(dir, folder, hash[:2], name+suffix)
}

func (p *Plan) cellPath(dir, name string) string { return p.path(dir, cellsDir, name, ".json") }

// keptPath is that of a file that a cell keeps beside its result. The suffix has no dot.
func (p *Plan) keptPath(dir, name, suffix string) string {
	return p.path(dir, predictionsDir, name, "."+suffix)
}

// replace writes a file of a study, in a folder of the study's own.
func replace(dir, path string, content []byte) error {
	if err := ownFolder(dir, filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.Replace(path, safefile.Content(content))
}

// ownFolder makes a folder of a study. A symbolic link on the way is an error.
func ownFolder(dir, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for ; folder != dir && folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is a symbolic link: a study writes its own files only", folder)
		}
	}
	return nil
}

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

func save(dir string, p *Plan, c Planned, r Result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s := stored{Name: c.Name, Hash: c.Hash, Version: p.Version, Result: text}
	s.Sum = s.sum()
	file, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return replace(dir, p.cellPath(dir, c.Name), append(file, '\n'))
}

// Load reads the result of a cell of a plan. The error says what is wrong with a broken
// file.
func Load(dir string, p *Plan, c Planned) (Result, State, error) {
	path := p.cellPath(dir, c.Name)
	text, err := safefile.Read(path, maxCell)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, Missing, nil
	}
	if err != nil {
		return Result{}, Broken, err
	}
	r, err := decodeCell(text, p.Version, c)
	if err != nil {
		return Result{}, Broken, fmt.Errorf("%s: %w", path, err)
	}
	for name, want := range r.Files {
		sum, err := safefile.SumFile(p.keptPath(dir, c.Name, strings.TrimPrefix(name, c.Name+".")), maxPredictions)
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
