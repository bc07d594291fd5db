package experiment

import (
	"fmt"
	"strconv"
	"strings"

	"sml/data"
)

// labels returns the labels of each target's classes, nil if there are none.
func classLabels(t *data.Table) [][]string {
	var all [][]string
	for _, f := range t.TargetFields {
		all = append(all, f.Categories)
	}
	return all
}

// labelOf returns the label of a class of a target, or its number if it has no label.
func classLabel(t *data.Table, target, class int) string {
	var f data.Field
	if t.TargetFields != nil {
		f = t.TargetFields[target]
	}
	return f.Show(float64(class))
}

// countClasses returns the number of rows with each class of a target, among the rows with these
// numbers. There are as many classes as there are labels, or else as classes says.
func countClasses(t *data.Table, rows []int, target, classes int) []int {
	if t.TargetFields != nil {
		classes = len(t.TargetFields[target].Categories)
	}
	counts := make([]int, classes)
	for _, r := range rows {
		if class := int(t.Y[r*len(t.Targets)+target]); class >= 0 && class < classes {
			counts[class]++
		}
	}
	return counts
}

// checkClasses returns an error if a method for classes does not fit the targets of a table, or if
// all training rows are of one class.
func checkClasses(s Settings, t *data.Table, train []int) error {
	classes := s.Spec.Architecture.Classes
	switch found := t.CountClasses(); {
	case classes == 0 && t.TargetFields != nil:
		return fmt.Errorf("the targets of %s are classes, and method %s is for numbers", t.Name, s.Spec.Method)
	case classes == 0:
		return nil
	case found > classes:
		return fmt.Errorf("a network of %d classes does not fit %s, which has %d", classes, t.Name, found)
	}
	for target, name := range t.Targets {
		present, last := 0, 0
		for class, rows := range countClasses(t, train, target, classes) {
			if rows > 0 {
				present, last = present+1, class
			}
		}
		if present == 1 {
			return fmt.Errorf("%s: classification needs training rows of at least two classes, and there is one: %s is %q in each of the %d training rows",
				t.Name, name, classLabel(t, target, last), len(train))
		}
	}
	return nil
}

// maxListedClasses is the number of classes that a warning lists.
const maxListedClasses = 10

// warnOfClasses returns a warning for each target with classes that no training row has.
func (e *Experiment) absentClassWarnings() []string {
	t, classes := e.table.Table, e.Spec.Architecture.Classes
	if classes == 0 {
		return nil
	}
	var warnings []string
	for target, name := range t.Targets {
		var missing []string
		for class, rows := range countClasses(t, e.Rows.Train, target, classes) {
			if rows == 0 {
				missing = append(missing, strconv.Quote(classLabel(t, target, class)))
			}
		}
		if len(missing) == 0 {
			continue
		}
		text := strings.Join(missing[:min(len(missing), maxListedClasses)], ", ")
		if more := len(missing) - maxListedClasses; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		warnings = append(warnings, fmt.Sprintf("no training row has the class %s of %s: the model will hardly predict it", text, name))
	}
	return warnings
}
