package study

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sml/data"
	"sml/evaluation/experiment"
)

// Plan lists the cells of a study.
type Plan struct {
	Version         string        // version of the program; only that version runs the cells
	Config          Config        // configuration with the values of its preset and its defaults filled in
	MissingDatasets []string      // names of the data sets without cells, because their files are missing
	Sum             string        // SHA-256 checksum of the plan's file without this field
	Cells           []PlannedCell // all trainings, in the order of the grid
}

// maxCells is the largest number of cells of a plan. A study of all data sets, methods, splits and folds has fewer than
// 3000 cells per seed, so more are likely a mistake.
const maxCells = 100_000

// Reader reads the table of a source, as experiment.Source.Read does.
type Reader func(ctx context.Context, s experiment.Source, protocol data.Protocol) (*data.Table, error)

// ErrMissingData is wrapped by the error of a Reader for a data set whose file is missing, and by NewPlan's error for
// such data sets.
var ErrMissingData = errors.New("absent")

// NewPlan lists the cells of a study: the data sets in the order of the configuration, then
// its tables. It returns an error that names all data sets whose files are missing, unless
// skipMissing leaves them out, and ctx's error when ctx ends.
func NewPlan(ctx context.Context, c Config, version string, read Reader, skipMissing bool) (*Plan, error) {
	c, err := c.resolve()
	if err != nil {
		return nil, err
	}
	p := &Plan{Version: version, Config: c, MissingDatasets: []string{}} // not nil, so that the file has an array
	var reasons []string                                                 // why data sets are missing
	for _, entry := range c.tables() {
		t, err := read(ctx, entry.source, data.Protocol(c.Protocol))
		if errors.Is(err, ErrMissingData) {
			p.MissingDatasets = append(p.MissingDatasets, entry.name)
			reasons = append(reasons, err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		cells, err := planTable(ctx, c, entry, t, maxCells-len(p.Cells))
		if err != nil {
			return nil, err
		}
		p.Cells = append(p.Cells, cells...)
	}
	if len(p.MissingDatasets) > 0 && !skipMissing {
		return nil, fmt.Errorf("%d data sets are %w:\n%s", len(p.MissingDatasets), ErrMissingData, strings.Join(reasons, "\n"))
	}
	if len(p.Cells) == 0 {
		return nil, errors.New("the study has no cells")
	}
	p.Sum, err = encodePlan(p).sum()
	return p, err
}
