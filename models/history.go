package models

import (
	"bytes"
	"encoding/csv"
	"errors"
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
func readHistory(r io.Reader) (History, error) {
	lines := csv.NewReader(r)
	header, err := lines.Read()
	if err != nil {
		return History{}, err
	}
	if len(header) < 3 {
		return History{}, errors.New("line 1: want the columns member, epoch and loss, then further logged values")
	}
	h := History{Columns: header[2:]}
	lines.ReuseRecord = true
	for {
		record, err := lines.Read()
		if err == io.EOF {
			return h, nil
		}
		if err != nil {
			return History{}, err
		}
		row, err := parseEpoch(record)
		if err != nil {
			line, _ := lines.FieldPos(0)
			return History{}, fmt.Errorf("line %d: %w", line, err)
		}
		h.Rows = append(h.Rows, row)
	}
}

// parseEpoch returns the row of a record.
func parseEpoch(record []string) (row Epoch, err error) {
	row.Member, err = strconv.Atoi(record[0])
	if err != nil {
		return row, err
	}
	row.Number, err = strconv.Atoi(record[1])
	if err != nil {
		return row, err
	}
	row.Values = make([]float64, len(record)-2)
	for i, field := range record[2:] {
		row.Values[i], err = parseHistoryValue(field)
		if err != nil {
			return row, err
		}
	}
	return row, nil
}

// parseHistoryValue returns the value of a field. An empty field is NaN.
func parseHistoryValue(field string) (float64, error) {
	if field == "" {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(field, 64)
}
