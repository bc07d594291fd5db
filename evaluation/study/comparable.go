package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// checkComparable returns an error if studies differ in more than splits, folds and seeds for
// a method on a data set that several of them have.
func checkComparable(studies []Directory) error {
	methods := make(map[methodOnData]firstCell)
	splits := make(map[splitOfData]firstCell)
	for _, s := range studies {
		seen := make(map[methodOnData]bool) // cells of one plan differ in splits, folds and seeds alone
		for _, c := range s.Plan.Cells {
			cell := firstCell{c.Cell, s}
			split := splitOfData{c.datasetName(), c.Training.Split}
			if before, known := splits[split]; !known {
				splits[split] = cell
			} else if err := checkTestShare(before, cell); err != nil {
				return err
			}
			method := methodOnData{c.datasetName(), c.Label}
			if seen[method] {
				continue
			}
			seen[method] = true
			if before, known := methods[method]; !known {
				methods[method] = cell
			} else if err := checkSameMethod(before, cell); err != nil {
				return err
			}
		}
	}
	return nil
}

type methodOnData struct{ dataset, method string }

type splitOfData struct{ dataset, split string }

// firstCell is a cell and the study that it belongs to.
type firstCell struct {
	Cell
	study Directory
}

func checkTestShare(before, now firstCell) error {
	if before.Training.TestShare == now.Training.TestShare {
		return nil
	}
	return fmt.Errorf("the %s split of %s tests on a share of %v in %s, and of %v in %s: report them apart",
		now.Training.Split, now.datasetName(), now.Training.TestShare, now.study.Dir, before.Training.TestShare, before.study.Dir)
}

func checkSameMethod(before, now firstCell) error {
	if before.Table.Checksum != now.Table.Checksum {
		return fmt.Errorf("%s is another table in %s than in %s: report them apart, or give one another name", now.datasetName(), now.study.Dir, before.study.Dir)
	}
	subject := fmt.Sprintf("%s on %s", now.Label, now.datasetName())
	if is, was := now.study.Plan.Version, before.study.Plan.Version; is != was {
		return fmt.Errorf("%s was computed by version %s of the program in %s, and by version %s in %s: their results are not mixed", subject, is, now.study.Dir, was, before.study.Dir)
	}
	if key, is, was := firstDifference(now.sharedSettings(), before.sharedSettings()); key != "" {
		return fmt.Errorf("%s has %s %s in %s, and %s in %s: studies that are reported together differ in splits, folds and seeds alone; report them apart, or plan one study with both values", subject, key, is, now.study.Dir, was, before.study.Dir)
	}
	return nil
}

// sharedSettings returns the settings that all cells of one method on one data set have in
// common, as JSON.
func (c Cell) sharedSettings() []byte {
	c.setPlace(place{})
	s := c.Settings
	s.Table.Name = c.datasetName() // the file may lie in another folder
	return mustJSON(s)
}

// firstDifference returns the first key in which two JSON objects differ, in alphabetical
// order and within inner objects, and the values of both. It returns "" if they are equal.
func firstDifference(a, b []byte) (key, inA, inB string) {
	if bytes.Equal(a, b) {
		return "", "", ""
	}
	var x, y map[string]json.RawMessage
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || x == nil || y == nil {
		return "value", displayJSON(a), displayJSON(b)
	}
	var keys []string
	for _, object := range []map[string]json.RawMessage{x, y} {
		for k := range object {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		inner, inX, inY := firstDifference(x[k], y[k])
		switch inner {
		case "":
			continue
		case "value":
			return k, inX, inY
		}
		return inner, inX, inY
	}
	return "", "", ""
}

// displayJSON returns a JSON value as messages show it.
func displayJSON(text []byte) string {
	if len(text) == 0 {
		return "nothing"
	}
	return strings.Trim(string(text), `"`)
}
