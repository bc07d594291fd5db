package cmd

import (
	"fmt"
	"sync"

	"sml/cmd/internal/terminal"
	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/paired"
	"sml/internal/linear"
	"sml/models"
)

// comparison is what "sml compare" compares: competitors that predict the same rows.
type comparison struct {
	name     string      // name of the table
	rowsName string      // part of the table, such as test; with --methods, the kind of split
	table    *data.Table // the table as it was read
	folds    []comparedFold
	seeds    []uint64 // seeds that methods are trained from; nil without --methods

	groupColumn string   // column of groups; "" if the rows are independent
	groups      []string // value of the column in each row of the table; nil if the rows are independent

	classes     int           // number of classes of each target; 0 if targets are numbers
	targetCount int           // number of targets, which are compared one after the other
	competitors []*competitor // in the order of the tables: models, methods, files, baselines
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
	name   string                               // model's directory, label of a method, name of a file, or name of a baseline
	kind   string                               // modelKind, methodKind, predictionsKind or baselineKind
	losses map[foldOfTarget][][]measure.RowLoss // losses of the fold's rows with a known target, by seed; empty without predictions
	lock   sync.Mutex                           // held while losses are added
}

// foldOfTarget has the indices of a fold and of a target.
type foldOfTarget struct{ fold, target int }

// declare returns the competitor of a kind with a name. A new competitor has no predictions: add adds them.
func (k *comparison) declare(kind, name string) *competitor {
	for _, c := range k.competitors {
		if c.kind == kind && c.name == name {
			return c
		}
	}
	c := &competitor{name: name, kind: kind, losses: make(map[foldOfTarget][][]measure.RowLoss)}
	k.competitors = append(k.competitors, c)
	return c
}

// declareAll declares the competitors of a kind with these names.
func (k *comparison) declareAll(kind string, names []string) {
	for _, name := range names {
		k.declare(kind, name)
	}
}

// add adds the predictions of the rows of a fold, a column for each target. fold and seed are indices; only methods have
// several seeds. Several goroutines may call add at the same time.
func (c *competitor) add(fold, seed int, predictions []*measure.Column) {
	for target, column := range predictions {
		losses := column.RowLosses() // takes time, and therefore comes before the lock
		c.lock.Lock()
		bySeed := c.losses[foldOfTarget{fold, target}]
		for len(bySeed) <= seed {
			bySeed = append(bySeed, nil)
		}
		bySeed[seed] = losses
		c.losses[foldOfTarget{fold, target}] = bySeed
		c.lock.Unlock()
	}
}

// lossesOf returns the losses of the target with an index, in the given number of folds, as means over the seeds.
func (c *competitor) lossesOf(target, folds int) paired.Losses {
	var losses paired.Losses
	for fold := range folds {
		losses = append(losses, meanLosses(c.losses[foldOfTarget{fold, target}]))
	}
	return losses
}

// meanLosses returns the losses of rows as means over the trainings from several seeds.
func meanLosses(bySeed [][]measure.RowLoss) []measure.RowLoss {
	means := bySeed[0]
	for _, losses := range bySeed[1:] {
		for i, loss := range losses {
			linear.AddScaled(means[i].Values, 1, loss.Values)
		}
	}
	for _, mean := range means {
		for row := range mean.Values {
			mean.Values[row] /= float64(len(bySeed))
		}
	}
	return means
}

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
