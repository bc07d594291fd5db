package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"sml/data/safefile"
	"sml/evaluation"
	"sml/models"
)

// Prediction is one target of one test row as it is kept, in standardised
// units. Row is its number in the table, Target that of the target column, both
// from 0.
type Prediction struct {
	Row     int64   `parquet:"row"`
	Target  int64   `parquet:"target"`
	Y       float64 `parquet:"y"`
	Mean    float64 `parquet:"mean"`
	Std     float64 `parquet:"std"`
	StdDrop float64 `parquet:"std_drop"`
	Offset  float64 `parquet:"offset"`
}

var predictionHeader = []string{"row", "target", "y", "mean", "std", "std_drop", "offset"}

// keep returns the files that a cell leaves beside its result, by name.
func (c Cell) keep(ctx context.Context, t *trained, p *evaluation.Predictions) (map[string][]byte, error) {
	files := make(map[string][]byte)
	rows := predictionRows(t, p)
	if c.Keep == "csv" || c.Pictures {
		files["csv"] = predictionsCSV(rows)
	}
	if c.Keep == "parquet" {
		var file bytes.Buffer
		if err := parquet.Write(&file, rows); err != nil {
			return nil, err
		}
		files["parquet"] = file.Bytes()
	}
	method, err := models.Lookup(c.Spec.Method)
	if err != nil {
		return nil, err
	}
	if c.Pictures && method.Stochastic && c.Settings.Members == 1 {
		if files[termsSuffix], err = c.lossTerms(ctx, t); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func predictionRows(t *trained, p *evaluation.Predictions) []Prediction {
	targets := t.model.Targets
	rows := make([]Prediction, len(p.Values))
	for i, y := range t.dataset.table.TargetsOf(t.cut.test) {
		v, target := p.Values[i], targets[i%len(targets)]
		rows[i] = Prediction{
			Row: int64(t.cut.test[i/len(targets)]), Target: int64(i % len(targets)), Y: (y - target.Mean) / target.Std,
			Mean: v.Mean, Std: v.Std, StdDrop: v.StdDrop, Offset: v.MeanShift,
		}
	}
	return rows
}

func predictionsCSV(rows []Prediction) []byte {
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	w.Write(predictionHeader)
	for _, r := range rows {
		w.Write([]string{strconv.FormatInt(r.Row, 10), strconv.FormatInt(r.Target, 10), text(r.Y), text(r.Mean), text(r.Std), text(r.StdDrop), text(r.Offset)})
	}
	w.Flush()
	return file.Bytes()
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// suffixes follow a cell's name in those of the files that it may keep.
var suffixes = []string{"csv", "parquet", termsSuffix}

// termsSuffix is what follows a cell's name in that of its file of loss terms.
const termsSuffix = "terms.json"

// lossTerms counts the two terms of the loss on the test rows, for their first
// target, over all sub-networks that the predictions are made of.
func (c Cell) lossTerms(ctx context.Context, t *trained) ([]byte, error) {
	rows, target := t.rows(t.cut.test), t.model.Targets[0]
	full, err := evaluation.Full(t.model, rows, c.Settings.Engine)
	if err != nil {
		return nil, err
	}
	lines, err := evaluation.SubNetworks(ctx, t.model, rows, evaluation.Sampling{
		Samples: c.Samples, Seed: c.Settings.RandomSeed(), Engine: c.Settings.Engine,
	}, false)
	if err != nil {
		return nil, err
	}
	a := make([]float64, len(full))
	truth := t.dataset.table.TargetsOf(t.cut.test)
	for i, f := range full {
		y := (truth[i*len(t.model.Targets)] - target.Mean) / target.Std
		a[i] = float64(f) - y
		for _, line := range lines {
			line[i] -= f
		}
	}
	counts, err := evaluation.CountLossTerms(a, lines)
	if err != nil {
		return nil, err
	}
	return json.Marshal(counts)
}

// IsDone tells whether a cell of the study in dir has its scores, and all that
// it kept beside them is as it was written.
func IsDone(dir string, p *Plan, c Planned) bool {
	_, state, _ := load(dir, p.Version, c)
	return state == Done
}

// Predictions reads the predictions that the cell of that name kept as CSV.
func Predictions(dir, name string) ([]Prediction, error) {
	columns, err := readColumns(filepath.Join(dir, predictionsDir, name+".csv"), len(predictionHeader))
	if err != nil {
		return nil, err
	}
	rows := make([]Prediction, len(columns))
	for i, v := range columns {
		rows[i] = Prediction{Row: int64(v[0]), Target: int64(v[1]), Y: v[2], Mean: v[3], Std: v[4], StdDrop: v[5], Offset: v[6]}
	}
	return rows, nil
}

// LossTerms reads the counts that the cell of that name kept.
func LossTerms(dir, name string) (evaluation.LossTerms, error) {
	var t evaluation.LossTerms
	path := filepath.Join(dir, predictionsDir, name+"."+termsSuffix)
	text, err := safefile.Read(path, maxPredictions)
	if err != nil {
		return t, err
	}
	if err = json.Unmarshal(text, &t); err == nil {
		err = t.Check()
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// readColumns reads a file of numbers under a header.
func readColumns(path string, width int) ([][]float64, error) {
	f, err := safefile.Open(path, maxPredictions)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var rows [][]float64
	for line, record := range records {
		if line == 0 {
			continue
		}
		if len(record) != width {
			return nil, fmt.Errorf("%s: line %d has %d columns, want %d", path, line+1, len(record), width)
		}
		row := make([]float64, width)
		for j, field := range record {
			if row[j], err = strconv.ParseFloat(field, 64); err != nil || math.IsNaN(row[j]) {
				return nil, fmt.Errorf("%s: line %d: %q is not a number", path, line+1, field)
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}
