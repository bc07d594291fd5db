package study

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"sml/evaluation"
)

// encodeCSV returns a CSV file with predictions and the quantiles of their family. A field without a value is empty.
func encodeCSV(rows []Prediction, p *evaluation.Predictions) []byte {
	header := append([]string{predictionHeader}, quantileColumns(p)...)
	file := []byte(strings.Join(header, ",") + "\n")
	for i, r := range rows {
		file = fmt.Appendf(file, "%d,%d,%g,%g", r.Row, r.Target, r.Y, r.Mean)
		if p.HasStd() {
			file = fmt.Appendf(file, ",%g,%g,%g", r.Std, r.DropoutStd, r.DropoutOffset)
		} else {
			file = append(file, ",,,"...)
		}
		for _, v := range quantiles(p, i) {
			file = fmt.Appendf(file, ",%g", v)
		}
		file = append(file, '\n')
	}
	return file
}

// quantileColumns returns the names of the columns of quantiles, such as q0.05: one for each level that the method
// predicts, none for most methods.
func quantileColumns(p *evaluation.Predictions) []string {
	var names []string
	for _, level := range p.Family.Levels {
		names = append(names, fmt.Sprintf("q%g", level))
	}
	return names
}

// quantiles returns the values of the quantile columns for the prediction with index i.
func quantiles(p *evaluation.Predictions, i int) []float64 {
	var values []float64
	for _, level := range p.Family.Levels {
		values = append(values, p.Values[i].Quantile(level))
	}
	return values
}

// encodeParquet returns a Parquet file with predictions, with the columns of encodeCSV. A missing value is
// null.
func encodeParquet(rows []Prediction, p *evaluation.Predictions) ([]byte, error) {
	var file bytes.Buffer
	names := quantileColumns(p)
	if p.HasStd() && len(names) == 0 {
		err := parquet.Write(&file, rows)
		return file.Bytes(), err
	}
	// The package takes the columns from the fields of a struct, so a struct type with the columns is made.
	rowType := reflect.StructOf(parquetFields(names, p.HasStd()))
	record := reflect.New(rowType).Elem() // reused for every row
	w := parquet.NewWriter(&file, parquet.SchemaOf(record.Interface()))
	for i, r := range rows {
		setParquetRecord(record, r, quantiles(p, i))
		if err := w.Write(record.Interface()); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return file.Bytes(), err
}

// setParquetRecord sets the fields of a struct with the fields of parquetFields. Optional fields, which are pointers,
// stay nil: the predictions have no value for them.
func setParquetRecord(record reflect.Value, r Prediction, quantiles []float64) {
	prediction := reflect.ValueOf(r)
	for i := range prediction.NumField() {
		if record.Field(i).Type() == prediction.Field(i).Type() {
			record.Field(i).Set(prediction.Field(i))
		}
	}
	for i, v := range quantiles {
		record.Field(prediction.NumField() + i).SetFloat(v)
	}
}

// parquetFields returns the fields of a Prediction, followed by a number for each column of
// quantiles. Without a standard deviation the fields Std, DropoutStd and DropoutOffset are optional.
func parquetFields(quantileNames []string, hasStd bool) []reflect.StructField {
	needStd := []string{"Std", "DropoutStd", "DropoutOffset"}
	fields := reflect.VisibleFields(reflect.TypeFor[Prediction]())
	for i, f := range fields {
		if !hasStd && slices.Contains(needStd, f.Name) {
			fields[i].Type = reflect.TypeFor[*float64]()
			fields[i].Tag = reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, f.Tag.Get("parquet")))
		}
	}
	for i, name := range quantileNames {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("Quantile", i), // any exported name: the column is called by its tag
			Type: reflect.TypeFor[float64](),
			Tag:  reflect.StructTag(fmt.Sprintf(`parquet:"%s"`, name)),
		})
	}
	return fields
}
