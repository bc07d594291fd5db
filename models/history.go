package models

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"sml/internal/statistics"
)

// History is the log of a training: one row for each member and epoch. A term of weight 0 may have a
// value that is not finite; its field in the file is empty.
type History struct {
	Columns []string // names of the values: loss, its terms, and further logged values
	Rows    []Epoch
}

// Epoch is one row of a History.
type Epoch struct {
	Member int       `json:"member"` // from 0
	Number int       `json:"epoch"`  // from 1
	Values []float64 `json:"values"` // one value for each of History.Columns
}

// write writes the history as CSV: member, epoch and the columns of h.
func (h History) write(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write(append([]string{"member", "epoch"}, h.Columns...))
	for _, row := range h.Rows {
		record := []string{strconv.Itoa(row.Member), strconv.Itoa(row.Number)}
		for _, v := range row.Values {
			field := ""
			if statistics.IsFinite(v) {
				field = strconv.FormatFloat(v, 'g', -1, 32)
			}
			record = append(record, field)
		}
		c.Write(record)
	}
	c.Flush()
	return c.Error()
}

// maxHistoryFile bounds the size of a history that LoadHistory reads, in bytes: maxHistory lines of 200 bytes.
const maxHistoryFile = 1 << 30

// LoadHistory returns the history of the model in a directory. It returns an error that wraps ErrChanged if the file was
// changed since the model was written.
func LoadHistory(dir string) (History, error) {
	files, err := newFileReader(dir, false)
	if err != nil {
		return History{}, err
	}
	content, err := files.read(historyFile, maxHistoryFile)
	if err != nil {
		return History{}, err
	}
	h, err := readHistory(bytes.NewReader(content))
	if err != nil {
		return History{}, fmt.Errorf("%s: %w", filepath.Join(dir, historyFile), err)
	}
	return h, nil
}

// readHistory returns the history in a CSV text that write has written.
func readHistory(r io.Reader) (h History, err error) {
	records, err := csv.NewReader(r).ReadAll()
	if err != nil || len(records) == 0 {
		return h, err
	}
	h.Columns = records[0][2:]
	for _, record := range records[1:] {
		row, err := parseEpoch(record)
		if err != nil {
			return History{}, err
		}
		h.Rows = append(h.Rows, row)
	}
	return h, nil
}

// parseEpoch returns the row of a record. An empty value is NaN.
func parseEpoch(record []string) (row Epoch, err error) {
	row.Member, err = strconv.Atoi(record[0])
	if err != nil {
		return row, err
	}
	row.Number, err = strconv.Atoi(record[1])
	if err != nil {
		return row, err
	}
	for _, field := range record[2:] {
		value := math.NaN()
		if field != "" {
			value, err = strconv.ParseFloat(field, 64)
		}
		if err != nil {
			return row, err
		}
		row.Values = append(row.Values, value)
	}
	return row, nil
}
