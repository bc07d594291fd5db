package study

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/internal/kernels"
	"sml/models"
	"sml/models/methods"
	"sml/trainers"
)

// friedman makes rows of Friedman's function, as they are.
func friedman(n int) data.Subset {
	t := data.Friedman(n, 1)
	return t.Subset(nil, data.FitScalers(t.X, t.Columns, nil), data.FitScalers(t.Y, t.Targets, nil))
}

// teacher is the model that the method "taught" reads.
var teacher string

func init() {
	models.Register(models.Method{
		Name: "taught", Predict: methods.PredictFullNetwork,
		// The squared distance from what the teacher says of two fixed rows,
		// and all that an objective can do to know it.
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			m, err := models.Load(teacher)
			if err != nil {
				b.Fail(err)
				return nil
			}
			p, err := evaluation.Predict(context.Background(), m, friedman(2), evaluation.Sampling{Samples: 2, Workers: 2})
			if err != nil {
				b.Fail(err)
				return nil
			}
			trained, err := trainers.Train(context.Background(), m.Spec, friedman(20), trainers.Settings{Epochs: 1, Batch: 10, Members: 2, Seed: 1}, trainers.Options{Workers: 2})
			if err != nil {
				b.Fail(err)
				return nil
			}
			other := graph.New(graph.Float32, trained.Members[0])
			g, err := m.Forward(other, 2)
			if err != nil {
				b.Fail(err)
				return nil
			}
			run, err := graph.NewRunner(graph.Compiled, other, g(graph.Full))
			if err != nil {
				b.Fail(err)
				return nil
			}
			defer run.Close()
			rows := friedman(2)
			kernels.GatherStandardised(run.Input(models.InputX), rows.X, 10, rows.RowNumbers(10), rows.XScale.Means(), rows.XScale.Stds())
			if err := run.Run(); err != nil {
				b.Fail(err)
				return nil
			}
			toTeacher := b.AddConst(t.Forward(graph.Full), -p.Values[0].Mean())
			return b.Add(b.Mean(b.Square(toTeacher)), b.Scale(float64(run.Output(0)[0]), b.MSE(t.Forward(graph.Full), t.Y)))
		},
	})
}

// An objective may load a model, predict with it, train another and run its
// graph: none of it waits for the objective itself to be built.
func TestAnObjectiveMayBuildAndTrain(t *testing.T) {
	spec := func(method string) models.Spec {
		s, err := models.NewSpec(method, nil, models.Architecture{Inputs: 10, Targets: 1, Hidden: []int{8, 8}, Activation: "relu", Dropout: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	short := trainers.Settings{Epochs: 5, Batch: 10, Seed: 7}
	made, err := trainers.Train(t.Context(), spec("de"), friedman(50), short, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &models.Model{Spec: spec("de"), Members: made.Members, Targets: data.Scalers{{Name: "y", Std: 1}}}
	for i := range 10 {
		m.Inputs = append(m.Inputs, data.Scaler{Name: fmt.Sprint("x", i), Std: 1})
	}
	teacher = filepath.Join(t.TempDir(), "teacher")
	if err := m.Save(teacher, false); err != nil {
		t.Fatal(err)
	}
	done := make(chan *trainers.Result)
	for range 2 {
		go func() {
			r, err := trainers.Train(context.Background(), spec("taught"), friedman(50), short, trainers.Options{Workers: 2})
			if err != nil {
				t.Error(err)
			}
			done <- r
		}()
	}
	var weightsOf [2][][]float32
	for i := range 2 {
		select {
		case r := <-done:
			if r != nil {
				for _, p := range r.Members {
					weightsOf[i] = append(weightsOf[i], p.Float32s())
				}
			}
		case <-time.After(time.Minute):
			t.Fatal("a training whose objective trains does not end")
		}
	}
	if !slices.EqualFunc(weightsOf[0], weightsOf[1], slices.Equal[[]float32]) {
		t.Error("two such trainings at the same time differ")
	}
}
