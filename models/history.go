package models

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
)

// History is what a training logged: for each member and epoch one row with
// a value for each column.
type History struct {
	Columns []string // after member and epoch: loss, its terms, …
	Rows    []Epoch
}

// Epoch is one row of a History.
type Epoch struct {
	Member int       `json:"member"` // from 0
	Epoch  int       `json:"epoch"`  // from 1
	Values []float64 `json:"values"`
}

func (h History) write(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write(append([]string{"member", "epoch"}, h.Columns...))
	for _, row := range h.Rows {
		record := []string{strconv.Itoa(row.Member), strconv.Itoa(row.Epoch)}
		for _, v := range row.Values {
			text := ""
			if !math.IsNaN(v) {
				text = strconv.FormatFloat(v, 'g', -1, 32)
			}
			record = append(record, text)
		}
		c.Write(record)
	}
	c.Flush()
	return c.Error()
}

// LoadHistory reads the history of the model in a directory.
func LoadHistory(dir string) (History, error) {
	path := filepath.Join(dir, historyFile)
	f, err := os.Open(path)
	if err != nil {
		return History{}, err
	}
	defer f.Close()
	h, err := readHistory(f)
	if err != nil {
		return History{}, fmt.Errorf("%s: %w", path, err)
	}
	return h, nil
}

func readHistory(r io.Reader) (History, error) {
	records, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return History{}, err
	}
	if len(records) == 0 || len(records[0]) < 3 {
		return History{}, fmt.Errorf("there are no columns after member and epoch")
	}
	h := History{Columns: records[0][2:]}
	for i, record := range records[1:] {
		fail := func(column int, err error) error {
			return fmt.Errorf("line %d: column %q: %w", i+2, records[0][column], err)
		}
		var row Epoch
		if row.Member, err = strconv.Atoi(record[0]); err != nil {
			return History{}, fail(0, err)
		}
		if row.Epoch, err = strconv.Atoi(record[1]); err != nil {
			return History{}, fail(1, err)
		}
		for j, field := range record[2:] {
			v := math.NaN()
			if field != "" {
				if v, err = strconv.ParseFloat(field, 64); err != nil {
					return History{}, fail(j+2, err)
				}
			}
			row.Values = append(row.Values, v)
		}
		h.Rows = append(h.Rows, row)
	}
	return h, nil
}
