package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checkComparable returns an error if the studies cannot be reported together: the cells of a method on a data set may
// differ in splits, folds and seeds only, and the test fraction of a split on a data set must be the same.
func checkComparable(studies []Directory) error {
	first := firstCells{
		methods: make(map[methodOnData]locatedCell),
		splits:  make(map[splitOfData]locatedCell),
	}
	for _, s := range studies {
		if err := first.compare(s); err != nil {
			return err
		}
	}
	return nil
}

// firstCells holds the first cell of each method and of each split on each data set, with which later cells are
// compared.
type firstCells struct {
	methods map[methodOnData]locatedCell
	splits  map[splitOfData]locatedCell
}

// methodOnData identifies the trainings of a method on a data set.
type methodOnData struct{ dataset, method string }

// splitOfData identifies the trainings on a split of a data set.
type splitOfData struct{ dataset, split string }

// locatedCell is a cell and the study that it belongs to.
type locatedCell struct {
	Cell
	study Directory
}

// compare returns an error if a cell of the study cannot be reported together with the first cell of its method or of
// its split. It adds the cells of new methods and splits.
func (f firstCells) compare(s Directory) error {
	compared := make(map[methodOnData]bool) // the cells of one plan are comparable, so one cell of each method is enough
	for _, c := range s.Plan.Cells {
		cell := locatedCell{c.Cell, s}
		if err := f.compareSplit(cell); err != nil {
			return err
		}
		method := methodOnData{c.datasetName(), c.Label}
		if compared[method] {
			continue
		}
		compared[method] = true
		if err := f.compareMethod(method, cell); err != nil {
			return err
		}
	}
	return nil
}

// compareSplit returns an error if the cell and the first cell with its split have different test fractions. The first
// cell of a split is added.
func (f firstCells) compareSplit(cell locatedCell) error {
	split := splitOfData{cell.datasetName(), cell.Training.Split}
	first, isKnown := f.splits[split]
	if !isKnown {
		f.splits[split] = cell
		return nil
	}
	return checkSameTestFraction(first, cell)
}

// compareMethod returns an error if the cell differs from the first cell of its method. The first cell of a method is
// added.
func (f firstCells) compareMethod(method methodOnData, cell locatedCell) error {
	first, isKnown := f.methods[method]
	if !isKnown {
		f.methods[method] = cell
		return nil
	}
	return checkSameMethod(first, cell)
}

// checkSameTestFraction returns an error if two cells with the same split of a data set hold out different fractions
// of the rows.
func checkSameTestFraction(first, second locatedCell) error {
	if first.Training.TestFraction == second.Training.TestFraction {
		return nil
	}
	return fmt.Errorf("the %s split of %s holds out a fraction of %v of the rows in %s and of %v in %s; report the studies separately",
		second.Training.Split, second.datasetName(), second.Training.TestFraction, second.study.Dir, first.Training.TestFraction, first.study.Dir)
}

// checkSameMethod returns an error if two cells of a method on a data set differ in the table, the version of the
// program, or a setting other than split, fold and seed.
func checkSameMethod(first, second locatedCell) error {
	if first.Table.Checksum != second.Table.Checksum {
		return fmt.Errorf("%s is another table in %s than in %s; report the studies separately, or give one table another name", second.datasetName(), second.study.Dir, first.study.Dir)
	}
	subject := fmt.Sprintf("%s on %s", second.Label, second.datasetName())
	firstVersion := first.study.Plan.Version
	secondVersion := second.study.Plan.Version
	if firstVersion != secondVersion {
		return fmt.Errorf("%s was computed by version %s of the program in %s, and by version %s in %s; report the studies separately", subject, secondVersion, second.study.Dir, firstVersion, first.study.Dir)
	}
	d, isDifferent := firstDifference(first.sharedSettings(), second.sharedSettings())
	if !isDifferent {
		return nil
	}
	return fmt.Errorf("%s has %s %s in %s, and %s in %s; studies that are reported together may differ in splits, folds and seeds only: report them separately, or plan one study with both values",
		subject, d.key, d.second, second.study.Dir, d.first, first.study.Dir)
}

// sharedSettings returns the cell's settings without split, fold and seed, as JSON. All cells of one method on one data
// set in a study have them in common.
func (c Cell) sharedSettings() []byte {
	c.setPlace(place{}) // c is a copy
	s := c.Settings
	s.Table.Name = c.datasetName() // the file may lie in another folder
	return mustJSON(s)
}

// difference is a key with different values in two JSON objects.
type difference struct {
	key           string // innermost key, such as "epochs" for {"training": {"epochs": 3}}; "" for two other values
	first, second string // values of the key in the two objects, for messages
}

// firstDifference compares two JSON values. It returns the first key, in alphabetical order, with different values, and
// whether the two differ. It looks into nested objects. Other values, such as lists, are compared as a whole.
func firstDifference(first, second []byte) (d difference, differ bool) {
	if bytes.Equal(first, second) {
		return difference{}, false
	}
	var firstFields, secondFields map[string]json.RawMessage
	firstErr := json.Unmarshal(first, &firstFields)
	secondErr := json.Unmarshal(second, &secondFields)
	areObjects := firstErr == nil && secondErr == nil && firstFields != nil && secondFields != nil // null gives a nil map
	if !areObjects {
		return difference{first: displayJSON(first), second: displayJSON(second)}, true
	}
	for _, key := range unionKeys(firstFields, secondFields) {
		inner, isDifferent := firstDifference(firstFields[key], secondFields[key]) // nil for a missing key
		if !isDifferent {
			continue
		}
		if inner.key == "" { // the values themselves differ, not a field in them
			inner.key = key
		}
		return inner, true
	}
	return difference{}, false
}

// unionKeys returns the keys of both maps in alphabetical order, without repetitions.
func unionKeys(a, b map[string]json.RawMessage) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// displayJSON returns a JSON value for a message: without quotes, "nothing" for a missing value.
func displayJSON(text []byte) string {
	if len(text) == 0 {
		return "nothing"
	}
	return strings.Trim(string(text), `"`)
}
