package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"sml/internal/safefile"
)

// JoinCounts counts the cells of a call of Join.
type JoinCounts struct {
	Taken   int `json:"taken"`   // copied, since the directory had no result or a failure
	Same    int `json:"same"`    // found with the same result twice
	Broken  int `json:"broken"`  // skipped
	Missing int `json:"missing"` // of the plan, still without a result
}

// Join copies the results of studies of one plan, such as shards that machines ran into their
// own directories, into one directory, which is made if necessary. Scores take precedence
// over a failure, and broken cells are skipped. Join returns an error, and writes nothing, if
// two directories have different scores of a cell, or another plan. A call that was interrupted
// at any moment can be repeated, and ends with the same files as an undisturbed call: it also removes
// unfinished files that killed processes have left.
func Join(into string, from []string) (JoinCounts, error) {
	j, err := newJoin(into, from)
	if err != nil {
		return JoinCounts{}, err
	}
	for _, dir := range from {
		if err := j.compare(dir); err != nil {
			return j.counts, err
		}
	}
	if !j.planned {
		if err := j.plan.Write(into); err != nil {
			return j.counts, err
		}
	}
	// A repeated call does not take a cell again, so the cell's log lines are written first.
	if err := j.copyLogs(); err != nil {
		return j.counts, err
	}
	if err := j.copyCells(); err != nil {
		return j.counts, err
	}
	safefile.RemoveLeftovers(into)
	return j.counts, nil
}

// join is the state of a call of Join.
type join struct {
	into    string
	from    []string
	plan    *Plan
	text    []byte         // content of the plan's file
	first   string         // directory from which the plan was read
	planned bool           // whether into has the plan already
	index   map[string]int // position of each cell in the plan, by the cell's name
	best    []cellSource   // best result so far of each cell, in the plan's order
	counts  JoinCounts
}

// cellSource is a directory and the state of a cell there. The zero value stands for no
// directory.
type cellSource struct {
	dir   string
	state State
}

// hasResult reports whether the directory has a result of the cell. A failure is a result.
func (s cellSource) hasResult() bool { return s.state.hasResult() }

// newJoin reads the plan and the state of each of its cells in the directory into.
func newJoin(into string, from []string) (*join, error) {
	if len(from) == 0 {
		return nil, errors.New("there is nothing to join")
	}
	j := &join{into: into, from: from, first: into, planned: true, index: make(map[string]int)}
	var err error
	if j.plan, err = ReadPlan(into); errors.Is(err, fs.ErrNotExist) {
		j.first, j.planned = from[0], false
		j.plan, err = ReadPlan(from[0])
	}
	if err != nil {
		return nil, err
	}
	if j.text, err = encodePlan(j.plan).bytes(); err != nil {
		return nil, err
	}
	for i, c := range j.plan.Cells {
		j.index[c.Name] = i
	}
	j.best = make([]cellSource, len(j.plan.Cells))
	if j.planned {
		for c, o := range loadCells(into, j.plan, j.plan.Cells) {
			j.best[j.index[c.Name]] = cellSource{into, o.State}
		}
	}
	return j, nil
}

// compare notes the cells of a directory that are better than the best so far. It returns an
// error if the directory has another plan or another result of a cell.
func (j *join) compare(dir string) error {
	if dir == j.into {
		return fmt.Errorf("%s cannot be joined into itself", dir)
	}
	sum, err := readPlanSum(dir, j.text, j.plan.Sum)
	if err != nil {
		return err
	}
	if sum != j.plan.Sum {
		return fmt.Errorf("%s has another plan than %s: studies of several plans are not joined, but reported together", dir, j.first)
	}
	names, err := cellNames(dir)
	if err != nil {
		return err
	}
	var there []PlannedCell
	for _, name := range names {
		if i, ok := j.index[name]; ok {
			there = append(there, j.plan.Cells[i])
		}
	}
	for c, o := range loadCells(dir, j.plan, there) {
		if err := j.compareCell(c, cellSource{dir, o.State}); err != nil {
			return err
		}
	}
	return nil
}

// compareCell compares a directory's result of a cell with the best result so far.
func (j *join) compareCell(c PlannedCell, found cellSource) error {
	best := &j.best[j.index[c.Name]]
	switch {
	case found.state == broken:
		j.counts.Broken++
	case found.state == Done && best.state == Done:
		same, err := sameCell(j.plan, c, best.dir, found.dir)
		if err != nil {
			return err
		}
		if !same {
			return fmt.Errorf("cell %s has one result in %s and another in %s: nothing was joined; find out which is right, and remove the other", c.Name, best.dir, found.dir)
		}
		j.counts.Same++
	case found.state == Done, found.state == Failed && !best.hasResult():
		*best = found
	}
	return nil
}

// copyLogs appends the log lines of all cells to be copied, except lines that the log has
// already.
func (j *join) copyLogs() error {
	taken := make(map[string]string) // directories, by the names of cells
	for i, source := range j.best {
		if source.hasResult() && source.dir != j.into {
			taken[j.plan.Cells[i].Name] = source.dir
		}
	}
	if len(taken) == 0 {
		return nil
	}
	log, err := openLog(j.into, Shard{})
	if err != nil {
		return err
	}
	defer log.Close()
	lines, err := readCellLines(j.into, taken)
	if err != nil {
		return err
	}
	for _, dir := range j.from {
		var failure error
		err := readLog(dir, func(e entry, line []byte) {
			text := string(bytes.TrimSpace(line))
			if taken[e.Cell] == dir && !lines[text] && failure == nil {
				lines[text] = true
				failure = log.writeLine(text)
			}
		})
		if err = errors.Join(err, failure); err != nil {
			return err
		}
	}
	return log.Sync()
}

// readCellLines returns the whole log lines of a study about the given cells.
func readCellLines(dir string, cells map[string]string) (map[string]bool, error) {
	lines := make(map[string]bool)
	err := readLog(dir, func(e entry, line []byte) {
		if _, ok := cells[e.Cell]; ok && bytes.HasSuffix(line, []byte("\n")) {
			lines[string(bytes.TrimSpace(line))] = true
		}
	})
	return lines, err
}

// copyCells copies each cell whose best result lies in another directory.
func (j *join) copyCells() error {
	for i, source := range j.best {
		if !source.hasResult() {
			j.counts.Missing++
			continue
		}
		if source.dir == j.into {
			continue
		}
		if err := copyCell(j.into, source.dir, j.plan, j.plan.Cells[i]); err != nil {
			return err
		}
		j.counts.Taken++
	}
	return nil
}

// readPlanSum returns the checksum of a directory's plan. A file with the given text has the given
// sum and is not decoded, since that takes seconds for a large plan.
func readPlanSum(dir string, text []byte, sum string) (string, error) {
	have, err := safefile.Read(filepath.Join(dir, planFile), maxPlan)
	if err == nil && bytes.Equal(have, text) {
		return sum, nil
	}
	p, err := ReadPlan(dir)
	if err != nil {
		return "", err
	}
	return p.Sum, nil
}

// cellNames returns the names of the cells with a file.
func cellNames(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(filepath.Join(dir, cellsDir), func(path string, d fs.DirEntry, err error) error {
		if name := d.Name(); err == nil && !d.IsDir() && filepath.Ext(name) == ".json" {
			names = append(names, name[:len(name)-len(".json")])
		}
		return err
	})
	return names, err
}

// sameCell reports whether two directories have the same result of a cell. A result
// includes the checksums of the kept files.
func sameCell(p *Plan, c PlannedCell, a, b string) (bool, error) {
	x, err := safefile.Read(p.cellPath(a, c.Name), maxCell)
	if err != nil {
		return false, err
	}
	y, err := safefile.Read(p.cellPath(b, c.Name), maxCell)
	return bytes.Equal(x, y), err
}

// copyCell copies the files of a cell. It copies the result last, since a cell with a result
// counts as finished.
func copyCell(into, from string, p *Plan, c PlannedCell) error {
	r, state, err := Load(from, p, c)
	if state != Done && state != Failed {
		return fmt.Errorf("cell %s of %s has become %s while it was joined (%v)", c.Name, from, state, err)
	}
	for _, suffix := range keptSuffixes {
		if r.Files[c.Name+"."+suffix] == "" {
			continue
		}
		content, err := safefile.Read(p.keptPath(from, c.Name, suffix), maxPredictions)
		if err != nil {
			return err
		}
		if err := replaceFile(into, p.keptPath(into, c.Name, suffix), content); err != nil {
			return err
		}
	}
	content, err := safefile.Read(p.cellPath(from, c.Name), maxCell)
	if err != nil {
		return err
	}
	return replaceFile(into, p.cellPath(into, c.Name), content)
}
