package study

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"sml/data/safefile"
)

// Joined says what Join did.
type Joined struct {
	Taken   int `json:"taken"`   // cells that the directory had not, or that had failed there
	Same    int `json:"same"`    // that it had
	Broken  int `json:"broken"`  // that were passed over
	Missing int `json:"missing"` // of the plan, that it has still not
}

// Join brings the results of studies of one plan, such as the shares that machines ran
// into directories of their own, into one directory, which is made if it is not there.
// A cell that two have with other results is an error, and so is another plan or version,
// before anything is written; of a cell that failed in one and is done in another the
// result is taken. What is broken is passed over. Interrupted, it can be called again.
func Join(into string, from []string) (Joined, error) {
	var j Joined
	if len(from) == 0 {
		return j, errors.New("there is nothing to join")
	}
	first := into
	p, err := ReadPlan(first)
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		first = from[0]
		p, err = ReadPlan(first)
	}
	if err != nil {
		return j, err
	}
	text, err := p.encode()
	if err != nil {
		return j, err
	}
	cells := make(map[string]int, len(p.Cells)) // by name
	for i, c := range p.Cells {
		cells[c.Name] = i
	}
	type source struct {
		dir   string
		state State
	}
	best := make([]source, len(p.Cells))
	if !made {
		i := 0
		for _, o := range loaded(into, p, p.Cells) {
			best[i] = source{into, o.State}
			i++
		}
	}
	for _, dir := range from {
		if dir == into {
			return j, fmt.Errorf("%s cannot be joined into itself", dir)
		}
		sum, err := sumIn(dir, text, p.Sum)
		if err != nil {
			return j, err
		}
		if sum != p.Sum {
			return j, fmt.Errorf("%s has another plan than %s: studies of several plans are not joined, but reported together", dir, first)
		}
		names, err := present(dir, p)
		if err != nil {
			return j, err
		}
		var there []Planned
		for _, name := range names {
			if i, ok := cells[name]; ok {
				there = append(there, p.Cells[i])
			}
		}
		for c, o := range loaded(dir, p, there) {
			i := cells[c.Name]
			before := &best[i]
			switch {
			case o.State == Broken:
				j.Broken++
			case before.state == o.State && before.dir != "" && o.State == Done:
				same, err := sameCell(p, c, before.dir, dir)
				if err != nil {
					return j, err
				}
				if !same {
					return j, fmt.Errorf("cell %s has one result in %s and another in %s: nothing was joined; find out which is right, and remove the other", c.Name, before.dir, dir)
				}
				j.Same++
			case o.State == Done || o.State == Failed && before.state != Done && before.state != Failed:
				*before = source{dir, o.State}
			}
		}
	}
	if made {
		if err := p.Write(into); err != nil {
			return j, err
		}
	}
	taken := make(map[string]string) // directories by cell
	for i, s := range best {
		if s.state != Done && s.state != Failed {
			j.Missing++
		} else if s.dir != into {
			taken[p.Cells[i].Name] = s.dir
			if err := copyCell(into, s.dir, p, p.Cells[i]); err != nil {
				return j, err
			}
			j.Taken++
		}
	}
	return j, joinLogs(into, from, taken)
}

// sumIn is the sum of a directory's plan. A file that is text has the sum given: large
// plans take seconds to read.
func sumIn(dir string, text []byte, sum string) (string, error) {
	if have, err := safefile.Read(filepath.Join(dir, planFile), maxPlan); err == nil && bytes.Equal(have, text) {
		return sum, nil
	}
	p, err := ReadPlan(dir)
	if err != nil {
		return "", err
	}
	return p.Sum, nil
}

// present names the cells that have a file.
func present(dir string, p *Plan) ([]string, error) {
	var names []string
	err := filepath.WalkDir(filepath.Join(dir, cellsDir), func(path string, d fs.DirEntry, err error) error {
		if name := d.Name(); err == nil && !d.IsDir() && filepath.Ext(name) == ".json" {
			names = append(names, name[:len(name)-len(".json")])
		}
		return err
	})
	return names, err
}

// sameCell compares the files of a cell that is done in two directories.
func sameCell(p *Plan, c Planned, a, b string) (bool, error) {
	x, err := safefile.Read(p.cellPath(a, c.Name), maxCell)
	if err != nil {
		return false, err
	}
	y, err := safefile.Read(p.cellPath(b, c.Name), maxCell) // with checksums of what is kept beside
	return bytes.Equal(x, y), err
}

// copyCell copies the files of a cell, that which says that it is done last.
func copyCell(into, from string, p *Plan, c Planned) error {
	r, state, err := Load(from, p, c)
	if state != Done && state != Failed {
		return fmt.Errorf("cell %s of %s has become %s while it was joined (%v)", c.Name, from, state, err)
	}
	for _, suffix := range suffixes {
		if r.Files[c.Name+"."+suffix] == "" {
			continue
		}
		content, err := safefile.Read(p.keptPath(from, c.Name, suffix), maxPredictions)
		if err != nil {
			return err
		}
		if err := replace(into, p.keptPath(into, c.Name, suffix), content); err != nil {
			return err
		}
	}
	content, err := safefile.Read(p.cellPath(from, c.Name), maxCell)
	if err != nil {
		return err
	}
	return replace(into, p.cellPath(into, c.Name), content)
}

// joinLogs adds what the logs say of cells that were taken.
func joinLogs(into string, from []string, taken map[string]string) error {
	if len(taken) == 0 {
		return nil
	}
	f, err := openLog(into, Shard{})
	if err != nil {
		return err
	}
	defer f.Close()
	for _, dir := range from {
		var failure error
		err := eachEntry(dir, func(e entry, line []byte) {
			if taken[e.Cell] == dir && failure == nil {
				_, failure = f.Write(append(bytes.TrimSpace(line), '\n'))
			}
		})
		if err = errors.Join(err, failure); err != nil {
			return err
		}
	}
	return f.Sync()
}
