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

// numberTable is the content of a file of numbers: predictions that a cell has written.
type numberTable struct {
	names []string    // names of the columns
	rows  [][]float64 // one number for each column; NaN for a missing value
}

// readCSV reads a CSV file of numbers whose first line names the columns. An empty field is a missing value.
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
		row, err := parseNumbers(record)
		if err != nil {
			lineNumber := len(t.rows) + 2 // the header is line 1
			return t, fmt.Errorf("line %d: %w", lineNumber, err)
		}
		t.rows = append(t.rows, row)
	}
}

// parseNumbers returns the numbers in the fields of a line: NaN for an empty field.
func parseNumbers(fields []string) ([]float64, error) {
	numbers := make([]float64, len(fields))
	for i, field := range fields {
		if field == "" {
			numbers[i] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", field)
		}
		numbers[i] = v
	}
	return numbers, nil
}

// parquetBlockRows is the number of rows to read at a time from a Parquet file.
const parquetBlockRows = 1000

// readParquet reads a Parquet file of numbers. A null is a missing value.
func readParquet(content []byte) (numberTable, error) {
	var t numberTable
	file, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return t, err
	}
	for _, path := range file.Schema().Columns() {
		t.names = append(t.names, strings.Join(path, "."))
	}
	reader := parquet.NewReader(file)
	defer reader.Close()
	block := make([]parquet.Row, parquetBlockRows)
	for {
		n, err := reader.ReadRows(block) // with the last rows it may return io.EOF
		for _, values := range block[:n] {
			t.rows = append(t.rows, parquetNumbers(values, len(t.names)))
		}
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return t, err
		}
	}
}

// parquetNumbers returns the numbers of a row of a Parquet file with whole numbers and floating-point numbers, in the
// order of its columns: NaN for null.
func parquetNumbers(values parquet.Row, columns int) []float64 {
	numbers := make([]float64, columns)
	for _, v := range values {
		column := v.Column()
		switch {
		case v.IsNull():
			numbers[column] = math.NaN()
		case v.Kind() == parquet.Int64:
			numbers[column] = float64(v.Int64())
		default:
			numbers[column] = v.Double()
		}
	}
	return numbers
}
