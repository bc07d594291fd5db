package cmd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/terminal"
	"sml/evaluation/experiment"
	"sml/internal/rowset"
	"sml/internal/safefile"
	"sml/models"
)

// loadTrainingRows reads the training rows of a model directory into the model. If they
// cannot be read, it prints why, and the training rows are not known.
func loadTrainingRows(c *cli.Context, m *experiment.Model, dir string) {
	rows, err := models.LoadTrainingRows(safefile.ResolveDotDot(dir))
	if err != nil {
		note(c, "which rows %s was trained on is not known: %v", dir, err)
	}
	m.TrainingRows = rows
}

// trainingOverlap finds the training rows of the model among the judged rows. It uses the split
// if the model was trained on the same table, and otherwise the hashes of training rows that the
// model keeps. It returns false if the training rows are unknown. Overlap.Equal has positions among
// the judged rows.
func (j *judgedRows) trainingOverlap(m *experiment.Model) (rowset.Overlap, bool) {
	switch {
	case j.isTrainingTable && j.on == allRows:
		return rowset.Overlap{Rows: j.targets.Rows(), Compared: j.targets.Rows(), Equal: j.rows.Train}, true
	case j.isTrainingTable && j.on == trainRows:
		o := rowset.Overlap{Rows: len(j.numbers), Compared: len(j.numbers)}
		for i := range j.numbers {
			o.Equal = append(o.Equal, i)
		}
		return o, true
	case j.isTrainingTable && m.Parent == nil:
		// The split separates the judged rows from the training rows. A model that started from another
		// one may know them from there.
		return rowset.Overlap{Rows: len(j.numbers), Compared: len(j.numbers)}, true
	}
	return experiment.TrainingOverlap(m.Model, j.table, j.targets, j.numbers)
}

// describeOverlap describes the training rows among the judged rows.
func (j *judgedRows) describeOverlap(o rowset.Overlap) string {
	var s strings.Builder
	switch {
	case len(o.Equal) == o.Rows:
		fmt.Fprintf(&s, "all %d rows of %s were trained on", o.Rows, j.name)
	case o.Compared < o.Rows:
		fmt.Fprintf(&s, "%d of the %d rows of %s were trained on, of %d that can be compared", len(o.Equal), o.Rows, j.name, o.Compared)
	default:
		fmt.Fprintf(&s, "%d of the %d rows of %s were trained on", len(o.Equal), o.Rows, j.name)
	}
	if len(o.Equal) < o.Rows && !j.isTrainingTable {
		s.WriteString(j.listRows(o.Equal))
	}
	if o.Chance > 0 {
		fmt.Fprintf(&s, "; by chance at most %d would be equal to training rows", o.Chance)
	}
	return s.String()
}

// listRows lists the first of the judged rows at these positions by their numbers in the file, from 1. It
// returns "" if rows of the file were left out, since the table does not record the numbers of the others.
func (j *judgedRows) listRows(positions []int) string {
	const maxListed = 20
	t := j.targets
	if t.UnlabelledRows+t.BlankRows+t.IncompleteRows > 0 {
		return ""
	}
	var numbers []string
	for _, position := range positions {
		row := position
		if j.numbers != nil { // only some rows of the table are judged
			row = j.numbers[position]
		}
		numbers = append(numbers, strconv.Itoa(row+1))
	}
	word := "row"
	if len(positions) > 1 {
		word = "rows"
	}
	return fmt.Sprintf(" (%s %s)", word, terminal.First(numbers, maxListed))
}

// checkFresh returns an error if the model in dir was trained on some of the judged rows, since calibration
// needs errors on rows that the model does not know. It allows as many equal rows as chance explains, and
// prints a note about them, and a warning if the training rows are unknown.
func checkFresh(c *cli.Context, m *experiment.Model, dir string, j *judgedRows) error {
	o, known := j.trainingOverlap(m)
	switch {
	case !known:
		note(c, "warning: %s keeps no training rows: make sure that it was not trained on rows of %s", dir, j.name)
	case !o.ExplainedByChance() && j.isTrainingTable && m.Parent == nil:
		return fmt.Errorf("%s: errors on rows that the model knows say nothing about other rows; name other rows with --data, or keep some when training, with train --calibrate 0.2", j.describeOverlap(o))
	case !o.ExplainedByChance():
		return fmt.Errorf("%s: errors on rows that the model knows say nothing about other rows; leave these rows out, or name other rows with --data", j.describeOverlap(o))
	case len(o.Equal) > 0:
		note(c, "%d of the %d rows of %s are equal to training rows, which chance explains: %.2g%% of the training rows are equal to another one",
			len(o.Equal), o.Rows, j.name, 100*o.TwinFraction)
	}
	return nil
}

// warnTrainingRows warns about training rows among the judged rows, unless --on train asks
// for them. It returns their number, 0 if chance explains them, nil if it is not known.
func warnTrainingRows(c *cli.Context, m *experiment.Model, j *judgedRows) *int {
	o, known := j.trainingOverlap(m)
	if !known {
		return nil
	}
	overlapping := 0
	if o.ExplainedByChance() {
		return &overlapping
	}
	if c.String("on") != trainRows {
		note(c, "warning: %s: errors on rows that the model knows are smaller than on others, and its intervals cover more of them; judge other rows with --data, or hold some out when training, with train --split", j.describeOverlap(o))
	}
	overlapping = len(o.Equal)
	return &overlapping
}

// warnParent prints what the training does not take over from the model that it starts
// from, and warns if that model was trained on test rows.
func warnParent(c *cli.Context, e *experiment.Experiment, from *experiment.Model) {
	name := e.InitFrom
	if from.Calibration != nil && e.Training.Calibrate == 0 {
		note(c, "the calibration of %s is not taken over, as it holds for its weights only: train with --calibrate, or calibrate the new model with \"sml calibrate %s\"", name, c.String("out"))
	}
	if from.TrainingRows == nil {
		note(c, "%s keeps no training rows: whether it was trained on rows that are held out here is not known", name)
	}
	if o := e.ParentOverlap(); !o.ExplainedByChance() {
		note(c, "warning: %s was trained on %d of the %d rows that are held out: errors on rows that the model knows are smaller than on others; use the --split, --fold and --seed that it was trained with", name, len(o.Equal), o.Rows)
	}
}
