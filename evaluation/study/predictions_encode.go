package study

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"

	"sml/evaluation"
)

// encodeCSV writes predictions as CSV. A field without a value is empty.
func encodeCSV(rows []Prediction, p *evaluation.Predictions) []byte {
	header := append([]string{predictionHeader}, extraColumns(p)...)
	file := []byte(strings.Join(header, ",") + "\n")
	for i, r := range rows {
		file = fmt.Appendf(file, "%d,%d,%g,%g", r.Row, r.Target, r.Y, r.Mean)
		if p.HasStd() {
			file = fmt.Appendf(file, ",%g,%g,%g", r.Std, r.DropoutStd, r.DropoutOffset)
		} else {
			file = append(file, ",,,"...)
		}
		for _, v := range extraValues(p, i) {
			file = fmt.Appendf(file, ",%g", v)
		}
		file = append(file, '\n')
	}
	return file
}

// extraColumns names the columns after the fields of a Prediction: quantiles.
func extraColumns(p *evaluation.Predictions) []string {
	var names []string
	for _, level := range p.Family.Levels {
		names = append(names, fmt.Sprintf("q%g", level))
	}
	return names
}

// extraValues returns the values of the extra columns.
func extraValues(p *evaluation.Predictions, i int) []float64 {
	var values []float64
	for _, level := range p.Family.Levels {
		values = append(values, p.Values[i].Quantile(level))
	}
	return values
}

// encodeParquet writes predictions with the columns of the CSV. A missing value is
// null.
func encodeParquet(rows []Prediction, p *evaluation.Predictions) ([]byte, error) {
	var file bytes.Buffer
	names := extraColumns(p)
	if p.HasStd() && len(names) == 0 {
		err := parquet.Write(&file, rows)
		return file.Bytes(), err
	}
	own := reflect.TypeFor[Prediction]().NumField()
	line := reflect.New(reflect.StructOf(parquetFields(names, p.HasStd()))).Elem()
	w := parquet.NewWriter(&file, parquet.SchemaOf(line.Interface()))
	for i, r := range rows {
		from := reflect.ValueOf(r)
		for j := range own {
			if line.Field(j).Type() == from.Field(j).Type() { // otherwise it stays null
				line.Field(j).Set(from.Field(j))
			}
		}
		for j, v := range extraValues(p, i) {
			line.Field(own + j).SetFloat(v)
		}
		if err := w.Write(line.Interface()); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return file.Bytes(), err
}

// parquetFields returns the fields of a Prediction, followed by a number for each extra
// column. Without a standard deviation Std, DropoutStd and DropoutOffset are optional.
func parquetFields(extra []string, hasStd bool) []reflect.StructField {
	fields := reflect.VisibleFields(reflect.TypeFor[Prediction]())
	for i, f := range fields {
		if !hasStd && (f.Name == "Std" || f.Name == "DropoutStd" || f.Name == "DropoutOffset") {
			fields[i].Type = reflect.TypeFor[*float64]()
			fields[i].Tag = reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, f.Tag.Get("parquet")))
		}
	}
	for i, name := range extra {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("Part", i),
			Type: reflect.TypeFor[float64](),
			Tag:  reflect.StructTag(fmt.Sprintf(`parquet:"%s"`, name)),
		})
	}
	return fields
}
