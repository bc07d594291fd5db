package models

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"sml/internal/safefile"
	"sml/internal/statistics"
)

// History is what a training logged: for each member and epoch one row with
// a value for each column. A term of weight 0 may have a value that is not finite; its
// field in the file is empty.
type History struct {
	Columns []string // after member and epoch: loss, its terms, …
	Rows    []Epoch
}

// Epoch is one row of a History.
type Epoch struct {
	Member int       `json:"member"` // from 0
	Number int       `json:"epoch"`  // from 1
	Values []float64 `json:"values"`
}

func (h History) write(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write(append([]string{"member", "epoch"}, h.Columns...))
	for _, row := range h.Rows {
		record := []string{strconv.Itoa(row.Member), strconv.Itoa(row.Number)}
		for _, v := range row.Values {
			text := ""
			if statistics.Finite(v) {
				text = strconv.FormatFloat(v, 'g', -1, 32)
			}
			record = append(record, text)
		}
		c.Write(record)
	}
	c.Flush()
	return c.Error()
}

// Bounds of a history that is read.
const (
	maxHistoryFile    = 1 << 30 // bytes: as many lines as there can be, of 200 bytes
	maxHistoryColumns = 50      // after member and epoch; each is a panel of a figure
)

// LoadHistory reads the history of the model in a directory.
func LoadHistory(dir string) (History, error) {
	path := filepath.Join(dir, historyFile)
	f, err := safefile.Open(path, maxHistoryFile)
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

// readHistory reads what write wrote: members one after another from 0, of
// each the epochs from 1, and numbers that float32 knows.
func readHistory(r io.Reader) (History, error) {
	lines := csv.NewReader(r)
	lines.ReuseRecord = true
	header, err := lines.Read()
	if err != nil && err != io.EOF {
		return History{}, err
	}
	names := slices.Clone(header)
	if len(names) < 3 || names[0] != "member" || names[1] != "epoch" {
		return History{}, errors.New("line 1: want the columns member, epoch and loss, and what else was logged")
	}
	if len(names)-2 > maxHistoryColumns {
		return History{}, fmt.Errorf("line 1: there are %d columns after member and epoch: want at most %d", len(names)-2, maxHistoryColumns)
	}
	h := History{Columns: names[2:]}
	members, epochs := 0, 0 // of which there are rows; the last member's last epoch
	for {
		record, err := lines.Read()
		if err == io.EOF {
			return h, nil
		}
		if err != nil {
			return History{}, err
		}
		fail := func(column int, format string, args ...any) (History, error) {
			line, _ := lines.FieldPos(column)
			return History{}, fmt.Errorf("line %d: column %q: %w", line, names[column], fmt.Errorf(format, args...))
		}
		if len(h.Rows) == maxHistory {
			return fail(0, "there are more than %d rows", maxHistory)
		}
		row := Epoch{Values: make([]float64, len(h.Columns))}
		if row.Member, err = strconv.Atoi(record[0]); err != nil {
			return fail(0, "%q is no whole number", record[0])
		}
		if row.Number, err = strconv.Atoi(record[1]); err != nil {
			return fail(1, "%q is no whole number", record[1])
		}
		if row.Member == members && members < int(Limits.Members.Max) {
			members, epochs = members+1, 0
		}
		if row.Member < 0 || row.Member != members-1 {
			return fail(0, "member %d comes after %d members: want them one after another, from 0, at most %v", row.Member, members, Limits.Members.Max)
		}
		if epochs++; row.Number != epochs {
			return fail(1, "epoch %d of member %d comes where epoch %d would", row.Number, row.Member, epochs)
		}
		for j, field := range record[2:] {
			if row.Values[j], err = loss(field); err != nil {
				return fail(j+2, "%w", err)
			}
		}
		h.Rows = append(h.Rows, row)
	}
}

// loss reads a number of a history. An empty field, which stands for a number that was not
// finite, is NaN.
func loss(field string) (float64, error) {
	if field == "" {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(field, 32)
	if err != nil || !statistics.Finite(v) {
		return 0, fmt.Errorf("%q is no number of float32", field)
	}
	if v, err = strconv.ParseFloat(field, 64); err != nil {
		return 0, err
	}
	return v, nil
}
