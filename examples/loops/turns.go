package main

import (
	"math/rand/v2"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/trainers/optimizer"
)

// init registers the losses of the two turns as methods. The saved model is of method pu, which reads the same
// two outputs, so every sml can load it.
func init() {
	models.Register(models.Method{
		Name:      "turn-mean",
		Summary:   "squared error of the mean",
		Outputs:   models.Outputs(2),
		Objective: meanLoss,
		Predict:   methods.PredictNormal,
	})
	models.Register(models.Method{
		Name:      "turn-std",
		Summary:   "likelihood of σ around a fixed mean",
		Outputs:   models.Outputs(2),
		Objective: stdLoss,
		Predict:   methods.PredictNormal,
	})
}

// meanLoss returns the mean squared error of the predicted mean, a scalar.
func meanLoss(b *graph.Builder, t *models.Task) *graph.Node {
	mean, _ := methods.MeanAndStd(b, t.Forward(graph.Full))
	return t.MSE(mean, t.Y)
}

// stdLoss returns the Gaussian negative log-likelihood, a scalar, whose gradient reaches only the
// standard deviation.
func stdLoss(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := methods.MeanAndStd(b, t.Forward(graph.Full))
	return t.Mean(methods.RowNLL(b, b.StopGradient(mean), std, t.Y))
}

// turn is a loss with an optimizer of its own.
type turn struct {
	method string          // registered name of the loss
	rate   float64         // learning rate
	step   *models.Step    // loss and gradient, compiled
	adam   optimizer.State // moves the weights
	steps  int             // number of steps so far
}

// trainInTurns trains the mean in the first third of the steps, and then standard deviation and mean
// alternately. Each turn has a graph of its own over the same weights, so that a step computes one loss
// only. Source: Detlefsen et al. 2019, section 3.2.
func trainInTurns(p *problem) (*models.Model, error) {
	params, err := p.spec.NewParams(seed)
	if err != nil {
		return nil, err
	}
	turns := []*turn{
		{method: "turn-mean", rate: 0.003},
		{method: "turn-std", rate: 0.001},
	}
	for _, t := range turns {
		if err := t.start(p, params); err != nil {
			return nil, err
		}
		defer t.step.Close()
	}
	const steps = 2000
	random := rand.New(rand.NewPCG(seed, 0))
	for number := range steps {
		t := turns[0]
		if number > steps/3 {
			t = turns[number%len(turns)]
		}
		rows := random.Perm(p.table.Rows())[:batch]
		if err := p.runStep(t.step, rows, number, steps); err != nil {
			return nil, err
		}
		t.steps++
		t.adam.Step(params.Float32s(), t.step.Gradient(), optimizer.StepInfo{Step: t.steps, Rate: t.rate})
	}
	return p.model(params), nil
}

// start compiles the turn's loss over the weights, and starts its optimizer. The caller must close
// t.step.
func (t *turn) start(p *problem, params *graph.Params) error {
	spec, err := models.NewSpec(t.method, nil, p.spec.Architecture)
	if err != nil {
		return err
	}
	t.step, err = spec.NewStep(graph.Compiled, params, batch)
	if err != nil {
		return err
	}
	t.adam, err = newAdam(params)
	return err
}
