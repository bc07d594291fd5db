package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"sml/internal/safefile"
	"sml/internal/strict"
)

// State says whether a cell has a result.
type State string

const (
	missing State = "missing" // not run yet
	Done    State = "done"    // has scores
	Failed  State = "failed"  // has a result with the reason for the failure
	broken  State = "broken"  // has an incomplete or edited file, or a file of another plan or version
)

// hasResult reports whether a cell in the state has ended, with scores or with a failure.
func (s State) hasResult() bool { return s == Done || s == Failed }

// storedResult is the content of a cell's file.
type storedResult struct {
	Name    string          `json:"name"`    // PlannedCell.Name
	Hash    string          `json:"hash"`    // PlannedCell.Hash
	Version string          `json:"version"` // version of the program that ran the cell
	Sum     string          `json:"sha256"`  // checksum of the other fields
	Result  json.RawMessage `json:"result"`  // JSON form of a Result
}

// sum returns the checksum of the fields other than Sum.
func (s storedResult) sum() string {
	return safefile.Sum(fmt.Appendf(nil, "%s\n%s\n%s\n%s", s.Name, s.Hash, s.Version, s.Result))
}

// saveWithFiles writes the prediction files of a cell, given by suffix, and then its result with their checksums. The
// result comes last, since a cell with a result counts as finished.
func saveWithFiles(dir string, p *Plan, c PlannedCell, r Result, files map[string][]byte) error {
	for suffix, content := range files {
		if err := replaceFile(dir, p.predictionPath(dir, c.Name, suffix), content); err != nil {
			return err
		}
		if r.Files == nil {
			r.Files = make(map[string]string)
		}
		r.Files[c.Name+"."+suffix] = safefile.Sum(content)
	}
	return save(dir, p, c, r)
}

// save writes the result of a cell.
func save(dir string, p *Plan, c PlannedCell, r Result) error {
	file, err := encodeResult(p.Version, c, r)
	if err != nil {
		return err
	}
	return replaceFile(dir, p.cellPath(dir, c.Name), file)
}

// encodeResult returns the content of a cell's file, with a checksum.
func encodeResult(version string, c PlannedCell, r Result) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	s := storedResult{Name: c.Name, Hash: c.Hash, Version: version, Result: text}
	s.Sum = s.sum()
	file, err := json.Marshal(s)
	return append(file, '\n'), err
}

// isDone reports whether a cell has scores and its prediction files are unchanged.
func isDone(dir string, p *Plan, c PlannedCell) bool {
	_, state, _ := Load(dir, p, c)
	return state == Done
}

// Load reads the result of a cell of a plan and checks its prediction files. It returns an error if, and only if, the
// state is broken.
func Load(dir string, p *Plan, c PlannedCell) (Result, State, error) {
	path := p.cellPath(dir, c.Name)
	text, err := safefile.Read(path, maxCellBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, missing, nil
	}
	if err != nil {
		return Result{}, broken, err
	}
	r, err := decodeResult(text, p.Version, c)
	if err != nil {
		return Result{}, broken, fmt.Errorf("%s: %w", path, err)
	}
	if err := p.checkPredictionFiles(dir, c, r); err != nil {
		return Result{}, broken, err
	}
	if r.Failed != "" {
		return r, Failed, nil
	}
	return r, Done, nil
}

// checkPredictionFiles returns an error unless the prediction files of a cell have the checksums that its result lists.
func (p *Plan) checkPredictionFiles(dir string, c PlannedCell, r Result) error {
	for name, want := range r.Files {
		suffix := strings.TrimPrefix(name, c.Name+".")
		sum, err := safefile.SumFile(p.predictionPath(dir, c.Name, suffix), maxPredictionBytes)
		if err != nil {
			return err
		}
		if sum != want {
			return fmt.Errorf("%s has been changed since it was written", name)
		}
	}
	return nil
}

// decodeResult reads the content of a cell's file. It returns an error unless the content is
// whole and belongs to the cell and version.
func decodeResult(text []byte, version string, c PlannedCell) (Result, error) {
	var s storedResult
	if err := strict.Unmarshal(text, &s); err != nil {
		return Result{}, err
	}
	switch {
	case s.Sum != s.sum():
		return Result{}, errors.New("its checksum differs: it has been changed or cut short")
	case s.Name != c.Name || s.Hash != c.Hash:
		return Result{}, errors.New("it belongs to another cell")
	case s.Version != version:
		return Result{}, fmt.Errorf("it was computed by version %s of the program; want version %s, which planned the study", s.Version, version)
	}
	var r Result
	if err := strict.Unmarshal(s.Result, &r); err != nil {
		return Result{}, err
	}
	return r, nil
}
