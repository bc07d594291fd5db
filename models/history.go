package models

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
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

// Bounds of a history that LoadHistory reads.
const (
	maxHistoryFile    = 1 << 30 // bytes: maxHistory lines of 200 bytes
	maxHistoryColumns = 50      // after member and epoch; no objective has nearly as many terms and watched nodes
)

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

// readHistory returns the history in a CSV text. It returns an error unless write could have written the
// text: members one after another from 0, the epochs of each from 1, and float32 numbers.
func readHistory(r io.Reader) (History, error) {
	lines := csv.NewReader(r)
	lines.ReuseRecord = true
	header, err := lines.Read()
	if err != nil && err != io.EOF {
		return History{}, err
	}
	reader := &historyReader{lines: lines, names: slices.Clone(header)}
	if err := reader.checkHeader(); err != nil {
		return History{}, err
	}
	h := History{Columns: reader.names[2:]}
	for {
		record, err := lines.Read()
		if err == io.EOF {
			return h, nil
		}
		if err != nil {
			return History{}, err
		}
		if len(h.Rows) == maxHistory {
			return History{}, reader.errorf(0, "there are more than %d rows", maxHistory)
		}
		row, err := reader.parse(record)
		if err != nil {
			return History{}, err
		}
		h.Rows = append(h.Rows, row)
	}
}

// historyReader parses the lines of a history and checks their order.
type historyReader struct {
	lines *csv.Reader
	names []string // all columns, member and epoch included

	members int // number of members so far
	epochs  int // number of epochs of the last member so far
}

// checkHeader returns an error unless the columns are member, epoch, loss and a limited number of others.
func (r *historyReader) checkHeader() error {
	if len(r.names) < 3 || r.names[0] != "member" || r.names[1] != "epoch" {
		return errors.New("line 1: want the columns member, epoch and loss, then further logged values")
	}
	if n := len(r.names) - 2; n > maxHistoryColumns {
		return fmt.Errorf("line 1: there are %d columns after member and epoch: want at most %d", n, maxHistoryColumns)
	}
	return nil
}

// errorf returns an error that names the current line and a column.
func (r *historyReader) errorf(column int, format string, args ...any) error {
	line, _ := r.lines.FieldPos(column)
	return fmt.Errorf("line %d: column %q: %w", line, r.names[column], fmt.Errorf(format, args...))
}

// parse returns the row of a record. It returns an error unless the row is the next epoch of the last
// member, or the first epoch of the next member.
func (r *historyReader) parse(record []string) (Epoch, error) {
	row := Epoch{Values: make([]float64, len(record)-2)}
	var err error
	row.Member, err = strconv.Atoi(record[0])
	if err != nil {
		return row, r.errorf(0, "%q is not a whole number", record[0])
	}
	row.Number, err = strconv.Atoi(record[1])
	if err != nil {
		return row, r.errorf(1, "%q is not a whole number", record[1])
	}
	if row.Member == r.members && r.members < int(Limits.Members.Max) {
		r.members++
		r.epochs = 0
	}
	if row.Member < 0 || row.Member != r.members-1 {
		return row, r.errorf(0, "member %d comes after %d members: want them one after another, from 0, at most %v", row.Member, r.members, Limits.Members.Max)
	}
	r.epochs++
	if row.Number != r.epochs {
		return row, r.errorf(1, "epoch %d of member %d comes in place of epoch %d", row.Number, row.Member, r.epochs)
	}
	for i, field := range record[2:] {
		row.Values[i], err = parseHistoryValue(field)
		if err != nil {
			return row, r.errorf(i+2, "%w", err)
		}
	}
	return row, nil
}

// parseHistoryValue returns the value of a field. An empty field is NaN.
func parseHistoryValue(field string) (float64, error) {
	if field == "" {
		return math.NaN(), nil
	}
	asFloat32, err := strconv.ParseFloat(field, 32)
	if err != nil || !statistics.IsFinite(asFloat32) {
		return 0, fmt.Errorf("%q is not a float32", field)
	}
	return strconv.ParseFloat(field, 64)
}
