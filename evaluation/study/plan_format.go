package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"sml/internal/safefile"
	"sml/internal/strict"
)

// planFormat is the version of a plan's file. It is raised when a file means something else.
const planFormat = 5

// planContent is the content of a plan's file.
type planContent struct {
	Format          int         `json:"format"`
	Version         string      `json:"version"`
	Config          Config      `json:"config"`
	MissingDatasets []string    `json:"missing_datasets"`
	Sum             string      `json:"sha256"` // of the content without this field
	Cells           []cellGroup `json:"cells"`
}

// cellGroup stands for successive cells that differ in their places alone.
type cellGroup struct {
	Cell
	Places []place `json:"places"`
}

func encodePlan(p *Plan) planContent {
	content := planContent{Format: planFormat, Version: p.Version, Config: p.Config, MissingDatasets: p.MissingDatasets, Sum: p.Sum}
	for _, planned := range p.Cells {
		cell, at := planned.Cell, planned.place()
		cell.setPlace(place{})
		if n := len(content.Cells); n == 0 || !reflect.DeepEqual(content.Cells[n-1].Cell, cell) {
			content.Cells = append(content.Cells, cellGroup{Cell: cell})
		}
		group := &content.Cells[len(content.Cells)-1]
		group.Places = append(group.Places, at)
	}
	return content
}

func (c planContent) sum() (string, error) {
	c.Sum = ""
	text, err := json.Marshal(c)
	return safefile.Sum(text), err
}

// bytes returns the text of the plan's file.
func (c planContent) bytes() ([]byte, error) {
	text, err := json.MarshalIndent(c, "", " ")
	return append(text, '\n'), err
}

// decodePlan reads the text of a plan's file. It returns an error unless the text is whole
// and every cell follows from the configuration.
func decodePlan(text []byte) (*Plan, error) {
	var version struct{ Format int }
	if err := json.Unmarshal(text, &version); err == nil && version.Format != planFormat {
		return nil, fmt.Errorf("the plan has format %d, and this program knows format %d: plan anew, into another directory", version.Format, planFormat)
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
	if err := content.Config.checkUnique(); err != nil {
		return nil, fmt.Errorf("the plan's configuration: %w", err)
	}
	p := &Plan{Version: content.Version, Config: content.Config, MissingDatasets: content.MissingDatasets, Sum: content.Sum, Cells: cells}
	return p, p.checkCells()
}

// cells lists the cells of all groups.
func (c planContent) cells() ([]PlannedCell, error) {
	n := 0
	for _, group := range c.Cells {
		n += len(group.Places)
	}
	if n > maxCells {
		return nil, fmt.Errorf("the plan has more than %d cells", maxCells)
	}
	cells := make([]PlannedCell, 0, n)
	for _, group := range c.Cells {
		for _, at := range group.Places {
			cell := group.Cell
			cell.setPlace(at)
			cells = append(cells, cell.plan())
		}
	}
	return cells, nil
}
