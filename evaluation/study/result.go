package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"sml/evaluation/measure"
	"sml/internal/safefile"
	"sml/internal/strict"
)

// Result is the outcome of a cell: scores, or the reason why there are none.
type Result struct {
	Failed string `json:"failed,omitempty"` // reason for the absence of scores; "" if there are scores

	Warnings []string `json:"warnings,omitempty"` // problems of a training that came to its end

	Loss      strict.Number `json:"loss"`                 // mean over the members of the loss in their last epochs
	Train     *rowScores    `json:"train,omitempty"`      // nil if the split does not report training rows
	Test      *rowScores    `json:"test,omitempty"`       // nil if the cell failed
	TrainRows int           `json:"train_rows,omitempty"` // number of training rows

	// Mean and standard deviation of the first target on the training rows, which standardise its predictions.
	TargetMean strict.Number `json:"target_mean,omitempty"`
	TargetStd  strict.Number `json:"target_std,omitempty"`

	Files map[string]string `json:"files,omitempty"` // checksums of the prediction files, by file name
}

// rowScores holds the scores on some rows, in standardised units, by the measures that were
// registered when the cell was run.
type rowScores struct {
	Rows            int            `json:"rows"` // number of rows
	Scores          measure.Scores `json:"scores"`
	DropoutFraction *strict.Number `json:"dropout_std_fraction,omitempty"` // mean fraction of σ_drop in σ_total; nil if the method does not drop units

	ignoredColumns []string // Evaluation.IgnoredColumns of an evaluation in this process; nil in a read file
}

// maxReasonBytes is the largest length of the reason of a failure; longer ones are cut.
const maxReasonBytes = 10_000

// failedResult returns the result of a cell that failed with an error.
func failedResult(err error) Result {
	reason := err.Error()
	if len(reason) > maxReasonBytes {
		reason = strings.ToValidUTF8(reason[:maxReasonBytes], "") + " …" // the cut may have split a letter
	}
	return Result{Failed: reason}
}

// State says whether a cell has a result.
type State string

const (
	missing State = "missing" // not run yet
	Done    State = "done"    // has scores
	Failed  State = "failed"  // has a result with the reason for the failure
	broken  State = "broken"  // has an incomplete or edited file, or a file of another plan or version
)

// rank orders the states of a cell in several studies: scores take precedence over a failure, and a failure over no
// result. All states without a result have rank -1.
func (s State) rank() int { return slices.Index([]State{Failed, Done}, s) }

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

// save writes the prediction files of a cell, given by suffix, and then its result with their checksums. The
// result comes last, since a cell with a result counts as finished.
func save(dir string, p *Plan, c PlannedCell, r Result, files map[string][]byte) error {
	for suffix, content := range files {
		if err := replaceFile(dir, p.predictionPath(dir, c.Name, suffix), content); err != nil {
			return err
		}
		if r.Files == nil {
			r.Files = make(map[string]string)
		}
		r.Files[c.Name+"."+suffix] = safefile.Sum(content)
	}
	s := storedResult{Name: c.Name, Hash: c.Hash, Version: p.Version, Result: mustJSON(r)}
	s.Sum = s.sum()
	return replaceFile(dir, p.cellPath(dir, c.Name), append(mustJSON(s), '\n'))
}

// isDone reports whether a cell has scores and its prediction files are unchanged.
func isDone(dir string, p *Plan, c PlannedCell) bool {
	_, state, _ := Load(dir, p, c)
	return state == Done
}

// Load reads the result of a cell of a plan and compares the checksums of its files. It returns an error if, and only if,
// the state is broken.
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
	if err := checkFiles(dir, p, c, r.Files); err != nil {
		return Result{}, broken, err
	}
	if r.Failed != "" {
		return r, Failed, nil
	}
	return r, Done, nil
}

// checkFiles returns an error unless the prediction files of a cell have these checksums, given by file name.
func checkFiles(dir string, p *Plan, c PlannedCell, sums map[string]string) error {
	for name, want := range sums {
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
func decodeResult(text []byte, version string, c PlannedCell) (r Result, err error) {
	var stored storedResult
	if err := json.Unmarshal(text, &stored); err != nil {
		return r, err
	}
	switch {
	case stored.Sum != stored.sum():
		return r, errors.New("its checksum differs: it has been changed or cut short")
	case stored.Name != c.Name || stored.Hash != c.Hash:
		return r, errors.New("it belongs to another cell")
	case stored.Version != version:
		return r, fmt.Errorf("it was computed by version %s of the program; want version %s, which planned the study", stored.Version, version)
	}
	err = json.Unmarshal(stored.Result, &r)
	return r, err
}

// outcome holds what Load returns for a cell.
type outcome struct {
	Result
	State
	err error // why the cell's files are broken; nil unless the state is broken
}

// loadBlockSize is the number of cells to load at the same time and hold in memory.
const loadBlockSize = 256

// goroutinesPerCore is above 1 since reading files from a network is mostly waiting.
const goroutinesPerCore = 4

// loadCells returns an iterator over cells and their outcomes, in the order of the cells. It loads them block by block,
// the cells of a block in parallel.
func loadCells(dir string, p *Plan, cells []PlannedCell) iter.Seq2[PlannedCell, outcome] {
	return func(yield func(PlannedCell, outcome) bool) {
		for block := range slices.Chunk(cells, loadBlockSize) {
			for i, o := range loadBlock(dir, p, block) {
				if !yield(block[i], o) {
					return
				}
			}
		}
	}
}

// loadBlock loads cells in parallel and returns their outcomes, in the order of the cells.
func loadBlock(dir string, p *Plan, cells []PlannedCell) []outcome {
	outcomes := make([]outcome, len(cells))
	var group errgroup.Group
	group.SetLimit(goroutinesPerCore * runtime.GOMAXPROCS(0))
	for i, c := range cells {
		group.Go(func() error {
			result, state, err := Load(dir, p, c)
			outcomes[i] = outcome{result, state, err}
			return nil
		})
	}
	group.Wait()
	return outcomes
}

// Summary counts the cells of a study by state.
type Summary struct {
	Cells    int      `json:"cells"`
	Done     int      `json:"done"`
	Failed   int      `json:"failed"`
	Missing  int      `json:"missing"`
	Broken   int      `json:"broken"`
	Failures []string `json:"failures"` // "cell: reason", in the plan's order
	Warnings []string `json:"warnings"` // "cell: problem of its training", in the plan's order
	Breaks   []string `json:"breaks"`   // why files are broken, in the plan's order
}

// Status counts the cells of a study by state.
func Status(dir string, p *Plan) Summary { return summarize(dir, p, p.Cells) }

// summarize counts some cells of a plan by state.
func summarize(dir string, p *Plan, cells []PlannedCell) Summary {
	s := newSummary()
	for c, o := range loadCells(dir, p, cells) {
		s.add(c, o)
	}
	return s
}

// newSummary returns the summary of no cells. Its lists are not nil, so that JSON has arrays.
func newSummary() Summary {
	return Summary{Failures: []string{}, Warnings: []string{}, Breaks: []string{}}
}

// add counts a cell and lists its failure, its warnings, or why its files are broken.
func (s *Summary) add(c PlannedCell, o outcome) {
	s.Cells++
	switch o.State {
	case Done:
		s.Done++
		for _, w := range o.Warnings {
			s.Warnings = append(s.Warnings, c.Name+": "+w)
		}
	case missing:
		s.Missing++
	case broken:
		s.Broken++
		s.Breaks = append(s.Breaks, o.err.Error())
	case Failed:
		s.Failed++
		s.Failures = append(s.Failures, c.Name+": "+o.Failed)
	}
}
