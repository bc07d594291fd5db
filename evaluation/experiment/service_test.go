package experiment_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
)

// A service reads a model once, and answers requests of a row each with the networks that
// a predictor keeps. A row gets the same prediction whenever it comes, as it is row 0 of
// what is predicted each time.
func Example_service() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := trainInto(ctx, dir); err != nil {
		log.Fatal(err)
	}

	m, err := models.Load(dir)
	if err != nil {
		log.Fatal(err)
	}
	calibration, err := experiment.CalibrationOf(m)
	if err != nil {
		log.Fatal(err)
	}
	transforms, err := experiment.TransformsOf(m)
	if err != nil {
		log.Fatal(err)
	}
	settings, err := experiment.Of(m)
	if err != nil {
		log.Fatal(err)
	}
	p, err := evaluation.NewPredictor(m, evaluation.Sampling{Seed: settings.Training.FoldSeed()})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()

	answer := func(inputs []float64) (models.Prediction, error) {
		found, err := p.Predict(ctx, data.Subset{X: inputs, XScale: trainers.Scaler(m.Inputs)}, 0)
		if err != nil { // an *evaluation.NotFinite: the row is too far from all that was trained on
			return models.Prediction{}, err
		}
		if calibration != nil {
			found = calibration.Apply(found, nil)
		}
		var transform evaluation.Transform
		if transforms != nil {
			transform = transforms[0]
		}
		return evaluation.InUnit(found.Values[0], m.Targets[0], transform), nil
	}
	middle, other := slices.Repeat([]float64{0.5}, 10), []float64{0.1, 0.9, 0.4, 0.2, 0.8, 0, 1, 0, 1, 0}
	for _, row := range [][]float64{middle, other, middle} {
		v, err := answer(row)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.2f ± %.2f\n", v.Mean, v.Std)
	}
	// Output:
	// 14.08 ± 0.47
	// 10.26 ± 2.02
	// 14.08 ± 0.47
}

// trainInto trains a small model and saves it.
func trainInto(ctx context.Context, dir string) error {
	s := experiment.Settings{
		Table:    experiment.Source{Name: "friedman"},
		Training: trainers.Settings{Epochs: 60, Seed: 1, Protocol: data.Sound},
	}
	table, err := s.Table.Read(ctx, "", s.Training.Protocol)
	if err != nil {
		return err
	}
	s.Spec, err = models.NewSpec("sml", nil, models.Architecture{Inputs: len(table.Columns), Targets: 1, Hidden: []int{50, 50}, Dropout: 0.1})
	if err != nil {
		return err
	}
	e, err := experiment.Prepare(ctx, s, experiment.Share(table))
	if err != nil {
		return err
	}
	trained, err := e.Train(ctx, trainers.Options{})
	if err != nil {
		return err
	}
	return trained.Model.Save(dir, true)
}
