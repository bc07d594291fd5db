package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"sml/data/safefile"
	"sml/data/strict"
	"sml/trainers"
)

const planFile = "plan.json"

// Formats of a study's files.
const (
	format     = 4
	formatFlat = 3 // every cell of the plan in full, and all files of cells in one folder
)

// maxPlan bounds a plan's file, in bytes.
const maxPlan = 512 << 20

// planContent is a plan as its file has it.
type planContent struct {
	Format  int         `json:"format"`
	Version string      `json:"version"`
	Config  Config      `json:"config"`
	Absent  []string    `json:"absent"`
	Sum     string      `json:"sha256"` // of the content without this field
	Cells   []cellGroup `json:"cells"`
}

// cellGroup is cells that follow each other and have all in common but their places.
type cellGroup struct {
	Cell
	Places []place `json:"places"`
}

// place is where in a study a cell is.
type place struct {
	Split    string  `json:"split"`
	Share    float64 `json:"test_share,omitempty"`
	Fold     int     `json:"fold"`
	Inner    int     `json:"inner_fold,omitempty"`
	Seed     uint64  `json:"seed"`
	Pictures bool    `json:"pictures,omitempty"`
}

// place returns a cell without its place, and the place.
func (c Cell) place() (Cell, place) {
	t := &c.Training
	at := place{t.Split, t.TestShare, t.Fold, t.Inner.Fold, t.Seed, c.Pictures}
	c.put(place{})
	return c, at
}

func (c *Cell) put(at place) {
	t := &c.Training
	t.Split, t.TestShare, t.Fold, t.Seed = at.Split, at.Share, at.Fold, at.Seed
	t.Inner = trainers.Inner{Folds: t.Inner.Folds, Fold: at.Inner}
	c.Pictures = at.Pictures
}

func (p *Plan) content() planContent {
	c := planContent{Format: p.Format, Version: p.Version, Config: p.Config, Absent: p.Absent, Sum: p.Sum}
	for _, planned := range p.Cells {
		cell, at := planned.Cell.place()
		if n := len(c.Cells); n == 0 || !reflect.DeepEqual(c.Cells[n-1].Cell, cell) {
			c.Cells = append(c.Cells, cellGroup{Cell: cell})
		}
		group := &c.Cells[len(c.Cells)-1]
		group.Places = append(group.Places, at)
	}
	return c
}

func (c planContent) sum() (string, error) {
	c.Sum = ""
	text, err := json.Marshal(c)
	return safefile.Sum(text), err
}

// cells lists the cells of a plan's file.
func (c planContent) cells() ([]Planned, error) {
	n := 0
	for _, group := range c.Cells {
		if n += len(group.Places); n > maxCells {
			return nil, tooMany
		}
	}
	cells := make([]Planned, 0, n)
	for _, group := range c.Cells {
		for _, at := range group.Places {
			cell := group.Cell
			cell.put(at)
			cells = append(cells, cell.planned())
		}
	}
	return cells, nil
}

var tooMany = fmt.Errorf("the plan has more than %d cells", maxCells)

// sum is the checksum of a plan of the format.
func (p *Plan) sum() (string, error) {
	if p.Format != formatFlat {
		return p.content().sum()
	}
	bare := *p
	bare.Sum = ""
	text, err := json.Marshal(bare)
	return safefile.Sum(text), err
}

func (p *Plan) encode() ([]byte, error) {
	var content any = p.content()
	if p.Format == formatFlat {
		content = p
	}
	text, err := json.MarshalIndent(content, "", " ")
	return append(text, '\n'), err
}

// Write makes the study's directory with its plan. A directory that has
// another plan is an error wrapping fs.ErrExist; the same plan again is none.
func (p *Plan) Write(dir string) error {
	text, err := p.encode()
	if err != nil {
		return err
	}
	if len(text) > maxPlan {
		return fmt.Errorf("the plan would have %d bytes, and at most %d are read: cut the study into several", len(text), maxPlan)
	}
	path := filepath.Join(dir, planFile)
	if err := os.MkdirAll(filepath.Join(dir, cellsDir), 0o777); err != nil {
		return err
	}
	if err = safefile.Vacant(path); err == nil {
		err = safefile.Create(path, safefile.Content(text)) // and not over a plan that comes there meanwhile
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	have, unread := safefile.Read(path, maxPlan)
	switch {
	case errors.Is(unread, fs.ErrNotExist): // a link to nothing
		return err
	case unread == nil && !bytes.Equal(have, text):
		return fmt.Errorf("%s has another plan: %w; plan into another directory", dir, fs.ErrExist)
	}
	return unread
}

// ReadPlan reads the plan of a study's directory and checks that it is whole.
func ReadPlan(dir string) (*Plan, error) {
	path := filepath.Join(dir, planFile)
	text, err := safefile.Read(path, maxPlan)
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

// decodePlan reads a plan's file. Those of formatFlat are of studies that were planned
// by earlier programs, and can still be reported.
func decodePlan(text []byte) (*Plan, error) {
	var version struct{ Format int }
	if err := json.Unmarshal(text, &version); err == nil && version.Format != format && version.Format != formatFlat {
		return nil, fmt.Errorf("the plan has format %d, and this program knows format %d: plan anew, into another directory", version.Format, format)
	}
	var p Plan
	changed := errors.New("the plan has been changed since it was written: plan into another directory")
	if version.Format == formatFlat {
		if err := strict.Unmarshal(text, &p); err != nil {
			return nil, err
		}
		if sum, err := p.sum(); err != nil || sum != p.Sum {
			return nil, changed
		}
		for _, c := range p.Cells {
			if c.Hash != c.Cell.hash() {
				return nil, fmt.Errorf("cell %s has been changed since it was planned", c.Name)
			}
		}
	} else {
		var c planContent
		if err := strict.Unmarshal(text, &c); err != nil {
			return nil, err
		}
		if sum, err := c.sum(); err != nil || sum != c.Sum {
			return nil, changed
		}
		cells, err := c.cells()
		if err != nil {
			return nil, err
		}
		p = Plan{c.Format, c.Version, c.Config, c.Absent, c.Sum, cells}
	}
	if len(p.Cells) > maxCells {
		return nil, tooMany
	}
	if len(p.Cells) == 0 {
		return nil, errors.New("the plan has no cells")
	}
	if err := p.Config.checkTwice(); err != nil {
		return nil, fmt.Errorf("the plan's configuration: %w", err)
	}
	names := make(map[string]bool)
	asked, err := p.Config.asks()
	if err != nil {
		return nil, err
	}
	for _, c := range p.Cells {
		if c.Name != filepath.Base(c.Name) || names[c.Name] {
			return nil, fmt.Errorf("cell %q has no name of its own", c.Name)
		}
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.Name, err)
		}
		if !asked.has(c.Cell) {
			return nil, fmt.Errorf("cell %s is none of the plan's configuration", c.Name)
		}
		names[c.Name] = true
	}
	return &p, nil
}
