package study

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// numberTable is a file of kept predictions.
type numberTable struct {
	names []string
	rows  [][]float64 // NaN for a missing value
}

// readCSV reads a CSV file of numbers. An empty field is a missing value.
func readCSV(text []byte) (numberTable, error) {
	var t numberTable
	lines := csv.NewReader(bytes.NewReader(text))
	lines.ReuseRecord = true
	for {
		record, err := lines.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return t, err
		}
		if t.names == nil {
			t.names = slices.Clone(record)
			continue
		}
		row := make([]float64, len(record))
		for i, field := range record {
			row[i] = math.NaN()
			if field == "" {
				continue
			}
			if row[i], err = strconv.ParseFloat(field, 64); err != nil {
				return t, fmt.Errorf("line %d: %q is not a number", len(t.rows)+2, field)
			}
		}
		t.rows = append(t.rows, row)
	}
}

// readParquet reads a Parquet file of numbers. A null is a missing value.
func readParquet(text []byte) (numberTable, error) {
	var t numberTable
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return t, err
	}
	for _, path := range file.Schema().Columns() {
		t.names = append(t.names, strings.Join(path, "."))
	}
	lines := parquet.NewReader(file)
	defer lines.Close()
	block := make([]parquet.Row, 1000)
	for {
		n, err := lines.ReadRows(block)
		for _, line := range block[:n] {
			t.rows = append(t.rows, parquetNumbers(line, len(t.names)))
		}
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return t, err
		}
	}
}

func parquetNumbers(line parquet.Row, columns int) []float64 {
	row := make([]float64, columns)
	for _, v := range line {
		switch {
		case v.IsNull():
			row[v.Column()] = math.NaN()
		case v.Kind() == parquet.Int64:
			row[v.Column()] = float64(v.Int64())
		default:
			row[v.Column()] = v.Double()
		}
	}
	return row
}
