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

	"sml/internal/safefile"
	"sml/internal/strict"
	"sml/trainers"
)

const planFile = "plan.json"

// format is the version of a study's files.
const format = 5

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
	c := planContent{Format: format, Version: p.Version, Config: p.Config, Absent: p.Absent, Sum: p.Sum}
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

func (p *Plan) encode() ([]byte, error) {
	text, err := json.MarshalIndent(p.content(), "", " ")
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

// decodePlan reads the content of a plan's file and returns an error unless it is whole and
// every cell follows from its configuration.
func decodePlan(text []byte) (*Plan, error) {
	var version struct{ Format int }
	if err := json.Unmarshal(text, &version); err == nil && version.Format != format {
		return nil, fmt.Errorf("the plan has format %d, and this program knows format %d: plan anew, into another directory", version.Format, format)
	}
	var content planContent
	if err := strict.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	if sum, err := content.sum(); err != nil || sum != content.Sum {
		return nil, errors.New("the plan has been changed since it was written: plan into another directory")
	}
	cells, err := content.cells()
	if err != nil {
		return nil, err
	}
	if len(cells) == 0 {
		return nil, errors.New("the plan has no cells")
	}
	if err := content.Config.checkTwice(); err != nil {
		return nil, fmt.Errorf("the plan's configuration: %w", err)
	}
	p := &Plan{content.Version, content.Config, content.Absent, content.Sum, cells}
	return p, p.checkCells()
}

// checkCells returns an error unless each cell is valid, has a name of its own, and belongs
// to the plan's configuration.
func (p *Plan) checkCells() error {
	asked, err := p.Config.asks()
	if err != nil {
		return err
	}
	names := make(map[string]bool)
	for _, c := range p.Cells {
		if c.Name != filepath.Base(c.Name) || names[c.Name] {
			return fmt.Errorf("cell %q has no name of its own", c.Name)
		}
		if err := c.check(); err != nil {
			return fmt.Errorf("cell %s: %w", c.Name, err)
		}
		if !asked.has(c.Cell) {
			return fmt.Errorf("cell %s is none of the plan's configuration", c.Name)
		}
		names[c.Name] = true
	}
	return nil
}
