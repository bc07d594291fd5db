package study

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"sml/internal/safefile"
	"sml/internal/strict"
)

// planFormat is the version of the format of a plan's file. It is raised when the same text gets another meaning.
const planFormat = 5

// planContent is the content of a plan's file.
type planContent struct {
	Format          int         `json:"format"`
	Version         string      `json:"version"`
	Config          Config      `json:"config"`
	MissingDatasets []string    `json:"missing_datasets"`
	Sum             string      `json:"sha256"` // checksum of the content without this field
	Cells           []cellGroup `json:"cells"`
}

// cellGroup stands for successive cells that differ only in their places: it keeps the files of large plans small.
type cellGroup struct {
	Cell           // the common settings; its place is the zero place
	Places []place `json:"places"` // one for each cell
}

// encodePlan returns the content of a plan's file.
func encodePlan(p *Plan) planContent {
	content := planContent{
		Format:          planFormat,
		Version:         p.Version,
		Config:          p.Config,
		MissingDatasets: p.MissingDatasets,
		Sum:             p.Sum,
	}
	for _, planned := range p.Cells {
		cell := planned.Cell // a copy
		cell.setPlace(place{})
		last := len(content.Cells) - 1
		if last < 0 || !reflect.DeepEqual(content.Cells[last].Cell, cell) {
			content.Cells = append(content.Cells, cellGroup{Cell: cell})
			last++
		}
		group := &content.Cells[last]
		group.Places = append(group.Places, planned.place())
	}
	return content
}

// sum returns the checksum of the content without its field Sum.
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

// decodePlan returns the plan in the text of a plan's file. It returns an error if the text has been changed since a
// program with the same format wrote it.
func decodePlan(text []byte) (*Plan, error) {
	if err := checkPlanFormat(text); err != nil {
		return nil, err
	}
	var content planContent
	if err := strict.Unmarshal(text, &content); err != nil {
		return nil, err
	}
	sum, err := content.sum()
	if err != nil || sum != content.Sum {
		return nil, errors.New("the plan has been changed since it was written: plan into another directory")
	}
	return &Plan{
		Version:         content.Version,
		Config:          content.Config,
		MissingDatasets: content.MissingDatasets,
		Sum:             content.Sum,
		Cells:           content.plannedCells(),
	}, nil
}

// checkPlanFormat returns an error if the text of a plan's file has another format. It accepts invalid JSON: decodePlan
// has a better message.
func checkPlanFormat(text []byte) error {
	var content struct{ Format int }
	err := json.Unmarshal(text, &content)
	if err == nil && content.Format != planFormat {
		return fmt.Errorf("the plan has format %d, and this program reads format %d: plan anew, into another directory", content.Format, planFormat)
	}
	return nil
}

// plannedCells returns the cells of all groups, with their names, hashes and costs.
func (c planContent) plannedCells() []PlannedCell {
	var cells []PlannedCell
	for _, group := range c.Cells {
		for _, p := range group.Places {
			cell := group.Cell
			cell.setPlace(p)
			cells = append(cells, cell.plan())
		}
	}
	return cells
}
