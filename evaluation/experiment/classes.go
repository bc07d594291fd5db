package experiment

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"sml/data"
)

// classLabels returns the labels of each target's classes, or nil if the targets are not
// classes with labels.
func classLabels(t *data.Table) [][]string {
	var labels [][]string
	for _, field := range t.TargetFields {
		labels = append(labels, field.Categories)
	}
	return labels
}

// classLabel returns the label of a class of a target, or its number if it has no label.
func classLabel(t *data.Table, target, class int) string {
	var field data.Field
	if t.TargetFields != nil {
		field = t.TargetFields[target]
	}
	return field.Show(float64(class))
}

// countClasses returns the number of the given rows that have each class of a target. If the
// target has labels, their number replaces classes.
func countClasses(t *data.Table, rows []int, target, classes int) []int {
	if t.TargetFields != nil {
		classes = len(t.TargetFields[target].Categories)
	}
	counts := make([]int, classes)
	for _, row := range rows {
		class := int(t.Y[row*len(t.Targets)+target])
		isKnown := class >= 0 && class < classes // a test row may have a class that no training row has
		if isKnown {
			counts[class]++
		}
	}
	return counts
}

// checkClasses returns an error if the targets of a table are classes and the method predicts
// numbers, if the network has too few classes, if all training rows have the same class, or if
// the classes are numbers that look like measurements.
func checkClasses(s Settings, t *data.Table, train []int) error {
	classes := s.Spec.Architecture.Classes
	if classes == 0 {
		if t.TargetFields != nil {
			return fmt.Errorf("the targets of %s are classes, but method %s predicts numbers", t.Name, s.Spec.Method)
		}
		return nil
	}
	tableClasses := t.CountClasses()
	if tableClasses > classes {
		return fmt.Errorf("a network of %d classes does not fit %s, which has %d", classes, t.Name, tableClasses)
	}
	for target, name := range t.Targets {
		present := presentClasses(countClasses(t, train, target, classes))
		if len(present) == 1 {
			return fmt.Errorf("%s: classification needs training rows of at least two classes, and there is one: %s is %q in each of the %d training rows",
				t.Name, name, classLabel(t, target, present[0]), len(train))
		}
		if areMeasurements(t, target, present, len(train)) {
			return fmt.Errorf("%s: %s has %d different numbers in %d training rows, too many to be classes: choose a method that predicts numbers, such as crps, or write texts in place of the numbers, such as \"no. 7\", if they are names of classes",
				t.Name, name, len(present), len(train))
		}
	}
	return nil
}

// Bounds on classes whose labels are numbers. Grades, counts of doors and digits stay within them; ages and prices
// do not.
const (
	maxNumberClasses = 20 // beyond it, classes need minRowsPerClass
	minRowsPerClass  = 10 // mean number of training rows; a class of fewer is hardly learned
)

// areMeasurements reports whether the labels of the present classes of a target are many numbers that are not whole,
// or of which each has few training rows.
func areMeasurements(t *data.Table, target int, present []int, rows int) bool {
	if len(present) <= maxNumberClasses {
		return false
	}
	areWhole := true
	for _, class := range present {
		number, err := strconv.ParseFloat(classLabel(t, target, class), 64)
		if err != nil {
			return false
		}
		areWhole = areWhole && number == math.Trunc(number)
	}
	return !areWhole || rows < minRowsPerClass*len(present)
}

// presentClasses returns the classes that at least one row has.
func presentClasses(counts []int) []int {
	var present []int
	for class, rows := range counts {
		if rows > 0 {
			present = append(present, class)
		}
	}
	return present
}

// maxListedClasses is the largest number of classes that a warning lists.
const maxListedClasses = 10

// absentClassWarnings returns a warning for each target that has classes without a training
// row.
func (e *Experiment) absentClassWarnings() []string {
	classes := e.Spec.Architecture.Classes
	if classes == 0 {
		return nil
	}
	t := e.table.Table
	var warnings []string
	for target, name := range t.Targets {
		var absent []string
		for class, rows := range countClasses(t, e.Rows.Train, target, classes) {
			if rows == 0 {
				absent = append(absent, strconv.Quote(classLabel(t, target, class)))
			}
		}
		if len(absent) > 0 {
			warnings = append(warnings, fmt.Sprintf("no training row has the class %s of %s: the model will hardly predict it", shortList(absent, maxListedClasses), name))
		}
	}
	return warnings
}

// shortList joins at most maxListed texts by commas and says how many more there are.
func shortList(texts []string, maxListed int) string {
	list := strings.Join(texts[:min(len(texts), maxListed)], ", ")
	if more := len(texts) - maxListed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
