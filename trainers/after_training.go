package trainers

import (
	"context"

	"sml/models"
)

// AfterTrainingProgress is the progress of Method.AfterTraining in a pass over the training rows of a
// member.
type AfterTrainingProgress struct {
	Member  int // index of the ensemble member, from 0
	Members int // number of ensemble members
	Done    int // number of rows done
	Rows    int // number of training rows
}

// runAfterTraining calls the method's AfterTraining for each member, with the weights of the trained
// model, and returns the stored matrices by member. It returns nil if the method has no
// AfterTraining.
func runAfterTraining(ctx context.Context, members []*member, o Options) ([][]models.Matrix, error) {
	method, err := models.Lookup(members[0].spec.Method)
	if err != nil || method.AfterTraining == nil {
		return nil, err
	}
	stored := make([][]models.Matrix, len(members))
	for i, m := range members {
		progress := func(done, rows int) {
			if o.AfterTrainingProgress != nil {
				o.AfterTrainingProgress(AfterTrainingProgress{Member: i, Members: len(members), Done: done, Rows: rows})
			}
		}
		stored[i], err = m.runAfterTraining(ctx, o.Workers*o.Threads, progress)
		if err != nil {
			return nil, err
		}
	}
	return stored, models.CheckStored(stored)
}

// runAfterTraining calls the method's AfterTraining for the member, and returns the matrices that it
// stored. progress is called with the number of training rows done.
func (m *member) runAfterTraining(ctx context.Context, workers int, progress func(done, rows int)) ([]models.Matrix, error) {
	rows := models.AfterTrainingRows{
		Count:    len(m.trainRows),
		Position: m.position(),
		Prepare:  m.setScalers,
		Load:     func(s *models.Step, from, to int) { m.loadRows(s, m.trainRows[from:to], m.trainMeanWeight) },
	}
	if m.rows.W != nil {
		for _, r := range m.trainRows {
			rows.Weights = append(rows.Weights, m.rows.W[r]/m.trainMeanWeight)
		}
	}
	return m.spec.RunAfterTraining(ctx, rows, models.AfterTrainingOptions{
		Params:       m.params,
		KeptMatrices: m.state.Kept,
		Seed:         m.seed,
		Engine:       m.settings.Engine,
		Workers:      workers,
		Progress:     progress,
	})
}
