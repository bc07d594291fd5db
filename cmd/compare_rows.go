package cmd

import (
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/models"
)

// comparison is what "sml compare" compares: competitors that predict the same rows.
type comparison struct {
	name        string      // name of the table
	rowsName    string      // part of the table, such as test; with --methods, the kind of split
	table       *data.Table // the table as it was read
	classes     int         // number of classes of the target; 0 if it is a number
	folds       []comparedFold
	seeds       []uint64 // seeds that methods are trained from; nil without --methods
	competitors []*competitor

	groupColumn string   // column of groups; "" if the rows are independent
	groups      []string // value of the column in each row of the table; nil if the rows are independent
}

// comparedFold has the test rows of a fold. A comparison without --methods has one.
type comparedFold struct {
	number    int   // number of the fold in the split; 0 without --methods
	rows      []int // numbers of the rows in the table, ascending
	knownRows int   // number of rows that methods were trained or calibrated on
}

// Kinds of competitors.
const (
	modelKind       = "model"
	methodKind      = "method"
	predictionsKind = "predictions"
	baselineKind    = "baseline"
)

// competitor predicts the rows of a comparison.
type competitor struct {
	name   string              // model's directory, label of a method, name of a file, or name of a baseline
	kind   string              // modelKind, methodKind, predictionsKind or baselineKind
	losses [][]measure.RowLoss // losses of the rows, by fold
}

// addLosses adds the losses of the rows of a fold by a competitor, which is added with its first fold.
func (k *comparison) addLosses(name, kind string, losses []measure.RowLoss) {
	last := len(k.competitors) - 1
	if last < 0 || k.competitors[last].name != name || k.competitors[last].kind != kind {
		k.competitors = append(k.competitors, &competitor{name: name, kind: kind})
		last++
	}
	k.competitors[last].losses = append(k.competitors[last].losses, losses)
}

// weights returns the weights of the rows of a fold, nil if all count the same.
func (k *comparison) weights(f comparedFold) []float64 { return k.table.WeightsOf(f.rows) }

// sortByKind orders the competitors: models, methods, files, baselines.
func (k *comparison) sortByKind() {
	order := []string{modelKind, methodKind, predictionsKind, baselineKind}
	slices.SortStableFunc(k.competitors, func(a, b *competitor) int {
		return slices.Index(order, a.kind) - slices.Index(order, b.kind)
	})
}

// checkTarget returns an error unless a network predicts one target, of the same kind as the first competitor. name
// names the model or method for people.
func (k *comparison) checkTarget(a models.Architecture, name string) error {
	switch {
	case a.Targets != 1:
		return fmt.Errorf("%s predicts %d targets; want one, since only single targets are compared", name, a.Targets)
	case a.Classes != k.classes:
		return fmt.Errorf("%s predicts %s, and the first competitor %s; want the same", name, describeTargetKind(a.Classes), describeTargetKind(k.classes))
	}
	return nil
}

// describeTargetKind returns a text such as "one of 3 classes" for a target with classes, or "a number" for 0 classes.
func describeTargetKind(classes int) string {
	if classes == 0 {
		return "a number"
	}
	return fmt.Sprintf("one of %d classes", classes)
}
