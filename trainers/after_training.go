package trainers

import (
	"context"

	"sml/models"
)

// AfterTrainingProgress is the progress of Method.AfterTraining in a pass over the training rows of a member.
type AfterTrainingProgress struct {
	Member, Members int // member from 0
	Done, Rows      int
}

// afterTraining calls the method's AfterTraining for each member, with the model's weights,
// and returns the stored matrices.
func afterTraining(ctx context.Context, members []*member, o Options) ([][]models.Matrix, error) {
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
		if stored[i], err = m.afterTraining(ctx, o.Workers*o.Threads, progress); err != nil {
			return nil, err
		}
	}
	return stored, models.CheckStored(stored)
}

// afterTraining calls the method's AfterTraining for the member.
func (m *member) afterTraining(ctx context.Context, workers int, progress func(done, rows int)) ([]models.Matrix, error) {
	rows := models.AfterTrainingRows{
		Count:   len(m.trainRows),
		Prepare: m.setScalers,
		Load:    func(s *models.Step, from, to int) { m.loadRows(s, m.trainRows[from:to], m.trainMeanWeight) },
	}
	if m.rows.W != nil {
		for _, r := range m.trainRows {
			rows.Weights = append(rows.Weights, m.rows.W[r]/m.trainMeanWeight)
		}
	}
	return m.spec.RunAfterTraining(ctx, rows, models.AfterTrainingOptions{
		Params:   m.params,
		Kept:     m.state.Kept,
		Seed:     m.seed,
		Engine:   m.settings.Engine,
		Workers:  workers,
		Progress: progress,
	})
}
