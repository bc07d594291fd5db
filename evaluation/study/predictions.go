package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/internal/safefile"
	"sml/models"
)

// Prediction is one target of one test row as it is kept, in standardised units.
// Row and Target are its places in the table, from 0. Std, StdDrop and MeanShift are
// NaN where the method gives no standard deviation.
type Prediction struct {
	Row       int64   `parquet:"row"`
	Target    int64   `parquet:"target"`
	Y         float64 `parquet:"y"`
	Mean      float64 `parquet:"mean"`
	Std       float64 `parquet:"std"`
	StdDrop   float64 `parquet:"std_drop"`
	MeanShift float64 `parquet:"offset"`
}

const predictionHeader = "row,target,y,mean,std,std_drop,offset"

// keep returns the files that a cell leaves beside its result, by name.
func (c Cell) keep(ctx context.Context, t *experiment.Trained, p *evaluation.Predictions) (map[string][]byte, error) {
	files := make(map[string][]byte)
	rows := predictionRows(t, p)
	if c.Keep == "csv" || c.Pictures {
		files["csv"] = predictionsCSV(rows, p)
	}
	if c.Keep == "parquet" {
		var err error
		if files["parquet"], err = predictionsParquet(rows, p); err != nil {
			return nil, err
		}
	}
	var err error
	if method, _ := models.Lookup(c.Spec.Method); c.Pictures && method.Stochastic && c.Training.Members == 1 {
		files[termsSuffix], err = lossTerms(ctx, t)
	}
	return files, err
}

func predictionRows(t *experiment.Trained, p *evaluation.Predictions) []Prediction {
	targets, test := t.Targets, t.Experiment.TestRows()
	rows := make([]Prediction, len(p.Values))
	for i, y := range t.Experiment.Targets(test) {
		v, target := p.Values[i], targets[i%len(targets)]
		rows[i] = Prediction{
			Row: int64(test[i/len(targets)]), Target: int64(i % len(targets)), Y: (y - target.Mean) / target.Std,
			Mean: v.Mean, Std: v.Std, StdDrop: v.StdDrop, MeanShift: v.MeanShift,
		}
		if v.NoStd {
			rows[i].Std, rows[i].StdDrop, rows[i].MeanShift = math.NaN(), math.NaN(), math.NaN()
		}
	}
	return rows
}

func predictionsCSV(rows []Prediction, p *evaluation.Predictions) []byte {
	file := []byte(strings.Join(append([]string{predictionHeader}, partNames(p)...), ",") + "\n")
	for i, r := range rows {
		file = fmt.Appendf(file, "%d,%d,%g,%g", r.Row, r.Target, r.Y, r.Mean)
		if p.HasStd() {
			file = fmt.Appendf(file, ",%g,%g,%g", r.Std, r.StdDrop, r.MeanShift)
		} else {
			file = append(file, ",,,"...)
		}
		for _, v := range parts(p.Values[i]) {
			file = fmt.Appendf(file, ",%g", v)
		}
		file = append(file, '\n')
	}
	return file
}

// partNames are the columns of quantiles and probabilities.
func partNames(p *evaluation.Predictions) []string {
	var names []string
	for _, level := range p.Levels {
		names = append(names, fmt.Sprintf("q%g", level))
	}
	for class := range p.Classes {
		names = append(names, fmt.Sprintf("p%d", class))
	}
	return names
}

func parts(v models.Prediction) []float64 { return slices.Concat(v.Quantiles, v.Probabilities) }

// predictionsParquet has the columns of the CSV; a standard deviation that there is
// not is null.
func predictionsParquet(rows []Prediction, p *evaluation.Predictions) ([]byte, error) {
	var file bytes.Buffer
	names := partNames(p)
	if p.HasStd() && len(names) == 0 {
		err := parquet.Write(&file, rows)
		return file.Bytes(), err
	}
	fields := reflect.VisibleFields(reflect.TypeFor[Prediction]())
	plain := len(fields)
	for i := range fields {
		if !p.HasStd() && i >= plain-3 {
			fields[i].Type, fields[i].Tag = reflect.TypeFor[*float64](), fields[i].Tag[:len(fields[i].Tag)-1]+`,optional"`
		}
	}
	for i, name := range names {
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("Part", i), Type: reflect.TypeFor[float64](), Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s"`, name))})
	}
	line := reflect.New(reflect.StructOf(fields)).Elem()
	w := parquet.NewWriter(&file, parquet.SchemaOf(line.Interface()))
	for i, r := range rows {
		from := reflect.ValueOf(r)
		for j := range plain {
			if line.Field(j).Type() == from.Field(j).Type() {
				line.Field(j).Set(from.Field(j))
			}
		}
		for j, v := range parts(p.Values[i]) {
			line.Field(plain + j).SetFloat(v)
		}
		if err := w.Write(line.Interface()); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return file.Bytes(), err
}

const termsSuffix = "terms.json"

// suffixes follow a cell's name in those of the files that it may keep.
var suffixes = []string{"csv", "parquet", termsSuffix}

// lossTerms counts the terms of the loss for the first target of the test rows.
func lossTerms(ctx context.Context, t *experiment.Trained) ([]byte, error) {
	test, target, s := t.Experiment.TestRows(), t.Targets[0], t.Experiment.Sampling()
	rows := t.Experiment.Gather(t.Model, test)
	full, err := evaluation.Full(t.Model, rows, s.Engine)
	if err != nil {
		return nil, err
	}
	lines, err := evaluation.SubNetworks(ctx, t.Model, rows, s, false)
	if err != nil {
		return nil, err
	}
	a := make([]float64, len(full))
	truth := t.Experiment.Data().TargetsOf(test)
	for i, f := range full {
		a[i] = float64(f) - (truth[i*len(t.Targets)]-target.Mean)/target.Std
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

// IsDone tells whether a cell has its scores, and what it kept is as it was written.
func IsDone(dir string, p *Plan, c Planned) bool {
	_, state, _ := Load(dir, p, c)
	return state == Done
}

// Predictions reads the predictions that a cell kept as CSV, without quantiles and
// probabilities.
func Predictions(dir string, p *Plan, c Planned) ([]Prediction, error) {
	path := p.keptPath(dir, c.Name, "csv")
	f, err := safefile.Open(path, maxPredictions)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := csv.NewReader(f)
	records, err := lines.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	const first = 7 // columns that every file has
	if len(records) > 0 && strings.Join(records[0][:min(first, len(records[0]))], ",") != predictionHeader {
		return nil, fmt.Errorf("%s: line 1: want %s", path, predictionHeader)
	}
	rows := make([]Prediction, max(0, len(records)-1))
	for i := range rows {
		v := make([]float64, first)
		for j, field := range records[i+1][:first] {
			if j > 3 && field == "" { // no standard deviation
				v[j] = math.NaN()
				continue
			}
			if v[j], err = strconv.ParseFloat(field, 64); err != nil || math.IsNaN(v[j]) {
				return nil, fmt.Errorf("%s: line %d: %q is not a number", path, i+2, field)
			}
		}
		rows[i] = Prediction{Row: int64(v[0]), Target: int64(v[1]), Y: v[2], Mean: v[3], Std: v[4], StdDrop: v[5], MeanShift: v[6]}
	}
	return rows, nil
}

// LossTerms reads the counts that a cell kept.
func LossTerms(dir string, p *Plan, c Planned) (evaluation.LossTerms, error) {
	var t evaluation.LossTerms
	path := p.keptPath(dir, c.Name, termsSuffix)
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
