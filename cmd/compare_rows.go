package cmd

import (
	"fmt"
	"slices"
	"sync"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/evaluation/measure"
	"sml/models"
)

// comparison is what "sml compare" compares: competitors that predict the same rows.
type comparison struct {
	comparisonRows
	classes     int // number of classes of each target; 0 if targets are numbers
	targetCount int // number of targets; each has a comparison of its own
	folds       []comparedFold
	competitors []*competitor // in the order of the tables: models, methods, files, baselines
	lock        sync.Mutex    // held while losses are added
}

// comparisonRows describes the rows of a comparison.
type comparisonRows struct {
	name     string      // name of the table
	rowsName string      // part of the table, such as test; with --methods, the kind of split
	table    *data.Table // the table as it was read
	seeds    []uint64    // seeds that methods are trained from; nil without --methods

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
	name     string       // model's directory, label of a method, name of a file, or name of a baseline
	kind     string       // modelKind, methodKind, predictionsKind or baselineKind
	byTarget []foldLosses // losses of each target, in its known rows; nil without predictions
}

// foldLosses are the losses of rows, by fold and seed. Only methods have several seeds.
type foldLosses [][][]measure.RowLoss

// declare adds competitors of a kind, unless they are there. Their predictions follow.
func (k *comparison) declare(kind string, names ...string) {
	for _, name := range names {
		isDeclared := func(c *competitor) bool { return c.name == name && c.kind == kind }
		if !slices.ContainsFunc(k.competitors, isDeclared) {
			k.competitors = append(k.competitors, &competitor{name: name, kind: kind})
		}
	}
}

// add adds the predictions of the rows of a fold by a declared competitor, a column for each target. fold and seed are
// indices. Several goroutines may call add at the same time.
func (k *comparison) add(name, kind string, fold, seed int, predictions []*measure.Column) {
	var losses [][]measure.RowLoss // by target
	for _, column := range predictions {
		losses = append(losses, column.RowLosses()) // takes time, and therefore comes before the lock
	}
	k.lock.Lock()
	defer k.lock.Unlock()
	for _, c := range k.competitors {
		if c.name != name || c.kind != kind {
			continue
		}
		if c.byTarget == nil {
			c.byTarget = make([]foldLosses, len(losses))
		}
		for target, rows := range losses {
			byFold := &c.byTarget[target]
			for len(*byFold) <= fold {
				*byFold = append(*byFold, make([][]measure.RowLoss, max(1, len(k.seeds))))
			}
			(*byFold)[fold][seed] = rows
		}
	}
}

// meanLosses returns the losses of rows as means over the trainings from several seeds. A baseline has no losses but for
// the first seed.
func meanLosses(bySeed [][]measure.RowLoss) []measure.RowLoss {
	means := bySeed[0]
	trainings := 1
	for _, losses := range bySeed[1:] {
		if losses == nil {
			continue
		}
		trainings++
		for i, loss := range losses {
			for row, value := range loss.Values {
				means[i].Values[row] += value
			}
		}
	}
	for _, mean := range means {
		for row := range mean.Values {
			mean.Values[row] /= float64(trainings)
		}
	}
	return means
}

// weights returns the weights of the rows of a fold, nil if all count the same.
func (k *comparisonRows) weights(f comparedFold) []float64 { return k.table.WeightsOf(f.rows) }

// checkTarget returns an error unless a network predicts as many targets as the first competitor, of the same kind. name
// names the model or method for people.
func (k *comparison) checkTarget(a models.Architecture, name string) error {
	switch {
	case a.Targets != k.targetCount:
		return fmt.Errorf("%s predicts %s, and the first competitor %d; want the same", name, terminal.Count(a.Targets, "target"), k.targetCount)
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
