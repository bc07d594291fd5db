package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation/experiment"
	"sml/internal/rowset"
	"sml/internal/safefile"
	"sml/models"
)

// loadTrainingRows reads the hashes of a model's training rows from its directory into m.TrainingRows. It returns an
// error if their file was changed since the model was written, unless the command has --force. If they cannot be read
// for another reason, it prints why and leaves m.TrainingRows nil: the training rows are not known.
func loadTrainingRows(c *cli.Context, m *experiment.Model, dir string) error {
	rows, err := models.LoadTrainingRows(safefile.ResolveDotDot(dir))
	if errors.Is(err, models.ErrChanged) && !c.Bool("force") {
		return err
	}
	if err != nil {
		note(c, "which rows %s was trained on is not known: %v", dir, err)
	}
	m.TrainingRows = rows
	return nil
}

// trainingOverlap finds the training rows of the model among the judged rows. It uses the split
// if the model was trained on the same table, and otherwise the hashes of training rows that the
// model keeps. The positions in Overlap.Equal count the judged rows, not the rows of the table. isKnown is
// false if the training rows are unknown.
func (j *judgedRows) trainingOverlap(m *experiment.Model) (overlap rowset.Overlap, isKnown bool) {
	if !j.isTrainingTable {
		return experiment.TrainingOverlap(m.Model, j.table, j.targets, j.indices)
	}
	overlap = rowset.Overlap{Rows: j.count(), Compared: j.count()}
	for position := range j.count() {
		_, isTrained := slices.BinarySearch(j.split.Train, j.tableIndex(position))
		if isTrained {
			overlap.Equal = append(overlap.Equal, position)
		}
	}
	if len(overlap.Equal) > 0 || m.Parent == nil { // otherwise the split keeps these rows apart from the training rows
		return overlap, true
	}
	// The model that this one started from may have been trained on these rows by another split.
	return experiment.TrainingOverlap(m.Model, j.table, j.targets, j.indices)
}

// describeOverlap describes how many of the judged rows are training rows, such as "3 of the 50 rows of a.csv
// were trained on (rows 2, 7, 9)".
func (j *judgedRows) describeOverlap(overlap rowset.Overlap) string {
	equal := len(overlap.Equal)
	text := fmt.Sprintf("all %d rows of %s were trained on", overlap.Rows, j.name)
	if equal < overlap.Rows {
		text = fmt.Sprintf("%d of the %d rows of %s were trained on", equal, overlap.Rows, j.name)
		if overlap.Compared < overlap.Rows { // a model keeps the hashes of only a part of many training rows
			text += fmt.Sprintf(", of %d that can be compared", overlap.Compared)
		}
		if !j.isTrainingTable { // in the training table, the split tells which rows these are
			text += j.listRows(overlap.Equal)
		}
	}
	if overlap.Chance > 0 {
		text += fmt.Sprintf("; by chance at most %d would be equal to training rows", overlap.Chance)
	}
	return text
}

// listRows lists the numbers in the file, from 1, of the first of the judged rows at these positions, such as
// " (rows 2, 7, 9)".
func (j *judgedRows) listRows(positions []int) string {
	const maxListed = 20 // numbers that fit on about one line
	var numbers []string
	for _, position := range positions {
		numbers = append(numbers, strconv.Itoa(j.targets.RowNumber(j.tableIndex(position))))
	}
	noun := "row"
	if len(positions) > 1 {
		noun = "rows"
	}
	return fmt.Sprintf(" (%s %s)", noun, terminal.First(numbers, maxListed))
}

// checkFresh returns an error if the model in dir was trained on some of the judged rows, since its errors on
// them are smaller than on other rows. It allows as many equal rows as chance explains, and prints a note about
// them, and a warning if the training rows are unknown. remedy ends the error if all rows of the table may have
// been trained on.
func checkFresh(c *cli.Context, m *experiment.Model, dir string, j *judgedRows, remedy string) error {
	overlap, isKnown := j.trainingOverlap(m)
	if !isKnown {
		note(c, "warning: %s keeps no training rows: make sure that it was not trained on rows of %s", dir, j.name)
		return nil
	}
	if overlap.ExplainedByChance() {
		if equal := len(overlap.Equal); equal > 0 {
			note(c, "%d of the %d rows of %s are equal to training rows, which chance explains: %.2g%% of the training rows are equal to another one",
				equal, overlap.Rows, j.name, 100*overlap.TwinFraction)
		}
		return nil
	}
	if !j.isTrainingTable || m.Parent != nil {
		remedy = "leave these rows out, or name other rows with --data"
	}
	return fmt.Errorf("%s: errors on rows that the model knows say nothing about other rows; %s", j.describeOverlap(overlap), remedy)
}

// warnTrainingRows warns about training rows among the judged rows, unless --on train asks
// for them. It returns the number of training rows, 0 if chance explains them, nil if it is not known.
func warnTrainingRows(c *cli.Context, m *experiment.Model, j *judgedRows) *int {
	overlap, isKnown := j.trainingOverlap(m)
	if !isKnown {
		return nil
	}
	trained := 0
	if overlap.ExplainedByChance() {
		return &trained
	}
	trained = len(overlap.Equal)
	if c.String("on") != trainRows {
		note(c, "warning: %s: errors on rows that the model knows are smaller than on others, and its intervals cover more of them; judge other rows with --data, or hold some out when training, with train --split", j.describeOverlap(overlap))
	}
	return &trained
}

// warnParent prints which parts of the model from a training does not take over, and warns if that model was
// trained on test rows. The training starts from the weights of from.
func warnParent(c *cli.Context, e *experiment.Experiment, from *experiment.Model) {
	name := e.InitFrom
	isCalibrated := e.Training.Calibrate > 0 || e.Training.RotatesValidation()
	if from.Calibration != nil && !isCalibrated {
		remedy := fmt.Sprintf("calibrate the new model with \"sml calibrate %s\"", c.String("out"))
		if lookupFlag(c.Command.Flags, "calibrate") != nil {
			remedy = "train with --calibrate, or " + remedy
		}
		note(c, "the calibration of %s is not taken over, as it holds for its weights only: %s", name, remedy)
	}
	if from.TrainingRows == nil {
		note(c, "%s keeps no training rows: whether it was trained on rows that are held out here is not known", name)
	}
	overlap := e.ParentOverlap()
	if !overlap.ExplainedByChance() {
		note(c, "warning: %s was trained on %d of the %d rows that are held out: errors on rows that the model knows are smaller than on others; use the --split, --fold and --seed that it was trained with", name, len(overlap.Equal), overlap.Rows)
	}
}
