package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"sml/internal/safefile"
)

// JoinCounts counts the cells of a call of Join.
type JoinCounts struct {
	Copied    int `json:"copied"`    // cells that were copied, since the directory had no result or a failure
	Identical int `json:"identical"` // results that were found again, with the same bytes
	Broken    int `json:"broken"`    // cells that were skipped, since their files are broken
	Missing   int `json:"missing"`   // cells of the plan that still have no result
}

// Join copies the results of studies of one plan, such as shards that machines ran into their
// own directories, from the directories sources into the directory target, which is made if necessary.
// Scores take precedence over a failure, and broken cells are skipped. Join returns an error, and writes
// nothing, if two directories have different scores of a cell, or another plan. A call that was interrupted
// at any moment can be repeated, and ends with the same files as an undisturbed call: it also removes
// unfinished files that killed processes have left.
func Join(target string, sources []string) (JoinCounts, error) {
	j, err := newJoin(target, sources)
	if err != nil {
		return JoinCounts{}, err
	}
	for _, dir := range sources {
		if err := j.addSource(dir); err != nil {
			return j.counts, err
		}
	}
	if !j.targetHasPlan {
		if err := j.plan.Write(target); err != nil {
			return j.counts, err
		}
	}
	// A repeated call does not copy a cell again, so the cell's log lines are written first.
	if err := j.copyLogs(); err != nil {
		return j.counts, err
	}
	if err := j.copyCells(); err != nil {
		return j.counts, err
	}
	safefile.RemoveLeftovers(target)
	return j.counts, nil
}

// join is the state of a call of Join.
type join struct {
	target  string   // directory to copy into
	sources []string // directories to copy from

	plan          *Plan
	planText      []byte // content of the plan's file
	planDir       string // directory from which the plan was read: target, or else the first source
	targetHasPlan bool

	cellIndex map[string]int // position of each cell in the plan, by the cell's name
	best      []cellSource   // directory with the best result so far of each cell, in the plan's order
	counts    JoinCounts
}

// cellSource is a directory and the state of a cell there. The zero value stands for no
// directory.
type cellSource struct {
	dir   string
	state State
}

// hasResult reports whether the directory has a result of the cell. A failure is a result.
func (s cellSource) hasResult() bool { return s.state.hasResult() }

// newJoin returns a join that has read the plan and the states of the target's cells, but no source.
func newJoin(target string, sources []string) (*join, error) {
	if len(sources) == 0 {
		return nil, errors.New("there is nothing to join")
	}
	j := &join{target: target, sources: sources, cellIndex: make(map[string]int)}
	if err := j.readPlan(); err != nil {
		return nil, err
	}
	for i, c := range j.plan.Cells {
		j.cellIndex[c.Name] = i
	}
	j.best = make([]cellSource, len(j.plan.Cells))
	if j.targetHasPlan {
		for c, o := range loadCells(target, j.plan, j.plan.Cells) {
			j.best[j.cellIndex[c.Name]] = cellSource{target, o.State}
		}
	}
	return j, nil
}

// readPlan reads the plan of the target, or of the first source if the target has none yet.
func (j *join) readPlan() error {
	j.planDir = j.target
	plan, err := ReadPlan(j.target)
	j.targetHasPlan = !errors.Is(err, fs.ErrNotExist)
	if !j.targetHasPlan {
		j.planDir = j.sources[0]
		plan, err = ReadPlan(j.planDir)
	}
	if err != nil {
		return err
	}
	j.plan = plan
	j.planText, err = encodePlan(plan).bytes()
	return err
}

// addSource compares the results of a source with the best so far and updates j.best. It returns an
// error if the source has another plan or other scores of a cell.
func (j *join) addSource(dir string) error {
	if dir == j.target {
		return fmt.Errorf("%s cannot be joined into itself", dir)
	}
	isSame, err := j.hasSamePlan(dir)
	if err != nil {
		return err
	}
	if !isSame {
		return fmt.Errorf("%s has another plan than %s: studies of several plans are not joined, but reported together", dir, j.planDir)
	}
	names, err := cellNames(dir)
	if err != nil {
		return err
	}
	var cells []PlannedCell // cells with a file in the source
	for _, name := range names {
		if i, isPlanned := j.cellIndex[name]; isPlanned {
			cells = append(cells, j.plan.Cells[i])
		}
	}
	for c, o := range loadCells(dir, j.plan, cells) {
		if err := j.addCell(c, cellSource{dir, o.State}); err != nil {
			return err
		}
	}
	return nil
}

// hasSamePlan reports whether a directory has the plan of the join. A file with equal bytes is not
// decoded, since that takes seconds for a large plan.
func (j *join) hasSamePlan(dir string) (bool, error) {
	text, err := safefile.Read(filepath.Join(dir, planFile), maxPlanBytes)
	if err == nil && bytes.Equal(text, j.planText) {
		return true, nil
	}
	p, err := ReadPlan(dir)
	if err != nil {
		return false, err
	}
	return p.Sum == j.plan.Sum, nil
}

// addCell compares a source's result of a cell with the best so far, which it replaces if it is better. It
// returns an error if both have scores, and different ones.
func (j *join) addCell(c PlannedCell, found cellSource) error {
	best := &j.best[j.cellIndex[c.Name]]
	switch {
	case found.state == broken:
		j.counts.Broken++
	case found.state == Done && best.state == Done:
		isSame, err := haveSameResult(j.plan, c, best.dir, found.dir)
		if err != nil {
			return err
		}
		if !isSame {
			return fmt.Errorf("cell %s has one result in %s and another in %s: nothing was joined; find out which is right, and remove the other", c.Name, best.dir, found.dir)
		}
		j.counts.Identical++
	case found.state == Done:
		*best = found
	case found.state == Failed && !best.hasResult():
		*best = found
	}
	return nil
}

// copyLogs appends the log lines of all cells to be copied to the target's log. It skips lines that the log has
// already, from a call that was interrupted.
func (j *join) copyLogs() error {
	sourceOf := j.cellsToCopy()
	if len(sourceOf) == 0 {
		return nil
	}
	log, err := openLog(j.target, Shard{})
	if err != nil {
		return err
	}
	defer log.Close()
	written, err := readCellLines(j.target, sourceOf)
	if err != nil {
		return err
	}
	for _, dir := range j.sources {
		lines, err := newCellLines(dir, sourceOf, written)
		if err != nil {
			return err
		}
		for _, line := range lines {
			if err := log.writeLine(line); err != nil {
				return err
			}
		}
	}
	return log.Sync()
}

// cellsToCopy returns the directory to copy each cell from, by the cell's name. Cells whose best result is in the target
// have none.
func (j *join) cellsToCopy() map[string]string {
	sourceOf := make(map[string]string)
	for i, source := range j.best {
		if source.hasResult() && source.dir != j.target {
			sourceOf[j.plan.Cells[i].Name] = source.dir
		}
	}
	return sourceOf
}

// readCellLines returns the complete lines of a study's logs about the cells whose names are keys of the map.
func readCellLines(dir string, cells map[string]string) (map[string]bool, error) {
	lines := make(map[string]bool)
	err := readLog(dir, func(e logEntry, line []byte) {
		_, isWanted := cells[e.Cell]
		isComplete := bytes.HasSuffix(line, []byte("\n"))
		if isWanted && isComplete {
			lines[string(bytes.TrimSpace(line))] = true
		}
	})
	return lines, err
}

// newCellLines returns the lines of a source's logs about the cells to be copied from it, according to sourceOf. It
// leaves out the lines in written and adds the others to it.
func newCellLines(dir string, sourceOf map[string]string, written map[string]bool) ([]string, error) {
	var lines []string
	err := readLog(dir, func(e logEntry, line []byte) {
		text := strings.TrimSpace(string(line))
		if sourceOf[e.Cell] == dir && !written[text] {
			written[text] = true
			lines = append(lines, text)
		}
	})
	return lines, err
}

// copyCells copies each cell whose best result lies in a source, and counts the cells without a result.
func (j *join) copyCells() error {
	for i, source := range j.best {
		if !source.hasResult() {
			j.counts.Missing++
			continue
		}
		if source.dir == j.target {
			continue
		}
		if err := copyCell(j.target, source.dir, j.plan, j.plan.Cells[i]); err != nil {
			return err
		}
		j.counts.Copied++
	}
	return nil
}

// cellNames returns the names of the cells with a file in a study's directory. The file may be broken.
func cellNames(dir string) ([]string, error) {
	const suffix = ".json"
	var names []string
	err := filepath.WalkDir(filepath.Join(dir, cellsDir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, isResult := strings.CutSuffix(d.Name(), suffix)
		if isResult && !d.IsDir() {
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// haveSameResult reports whether two directories have the same result of a cell. A result
// includes the checksums of the cell's prediction files.
func haveSameResult(p *Plan, c PlannedCell, dir1, dir2 string) (bool, error) {
	result1, err := safefile.Read(p.cellPath(dir1, c.Name), maxCellBytes)
	if err != nil {
		return false, err
	}
	result2, err := safefile.Read(p.cellPath(dir2, c.Name), maxCellBytes)
	return bytes.Equal(result1, result2), err
}

// copyCell copies the files of a cell from one directory to another. It copies the result last, since a cell with a result
// counts as finished.
func copyCell(target, source string, p *Plan, c PlannedCell) error {
	r, state, err := Load(source, p, c)
	if !state.hasResult() {
		return fmt.Errorf("cell %s of %s has become %s while it was joined (%v)", c.Name, source, state, err)
	}
	for _, suffix := range predictionFileSuffixes {
		if r.Files[c.Name+"."+suffix] == "" {
			continue
		}
		content, err := safefile.Read(p.predictionPath(source, c.Name, suffix), maxPredictionBytes)
		if err != nil {
			return err
		}
		if err := replaceFile(target, p.predictionPath(target, c.Name, suffix), content); err != nil {
			return err
		}
	}
	content, err := safefile.Read(p.cellPath(source, c.Name), maxCellBytes)
	if err != nil {
		return err
	}
	return replaceFile(target, p.cellPath(target, c.Name), content)
}
