package check_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
	"sml/trainers/check"
)

// What builds, trains and is wrong all the same: what the check says of it.
func TestMistakesThatTrain(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	mse := func(b *graph.Builder, t *models.Task) *graph.Node { return t.MSE(t.Forward(graph.Full), t.Y) }
	residual := func(b *graph.Builder, t *models.Task) *graph.Node { return b.Sub(t.Forward(graph.Full), t.Y) }
	beta := []models.Hyperparameter{{Name: "beta", Default: 0.5}}
	builds, trainings := 0, 0.0
	for name, c := range map[string]struct {
		method models.Method
		check  string
		status check.Status
		words  string
	}{
		"sigma is not trained": {models.Method{Outputs: models.Outputs(2), Predict: methods.PredictNormal, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			mean, _ := methods.MeanAndStd(b, t.Forward(graph.Full))
			return t.MSE(mean, t.Y)
		}}, "terms", check.Failed, "output 1 of the network, counted from 0, gets no gradient from any term, and the predictor reads it"},
		"an output too many": {models.Method{Outputs: models.Outputs(2), Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.MSE(b.Split(t.Forward(graph.Full), 2)[0], t.Y)
		}}, "terms", check.Noted, "output 1 of the network, counted from 0, gets no gradient from any term"},
		"sigma without softplus": {models.Method{Outputs: models.Outputs(2), Predict: methods.PredictNormal, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			out := b.Split(t.Forward(graph.Full), 2)
			return t.Mean(methods.RowNLL(b, out[0], out[1], t.Y))
		}}, "gradients", check.Failed, "the value is NaN on the compiled engine; first log of -"},
		"a log that turns negative": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Add(mse(b, t), b.Log(b.AddConst(b.Scale(-1./300, t.Step()), 1)))
		}}, "overfits", check.Failed, "the loss is -Inf at epoch 301, step 1: the objective has no finite value here; try a smaller learning rate than 0.01; the first number that is not finite: log of 0 is -Inf (at user_mistakes_test.go:"},
		"its weights": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Add(mse(b, t), b.Log(b.AddConst(b.Scale(-1./300, t.Step()), 1)))
		}}, "weights", check.Failed, "cannot compare losses: the loss is NaN"},
		"a root of 0": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.Sqrt(b.Square(residual(b, t))))
		}}, "finite", check.Failed, "residuals of 0, seed 1: the gradient of hidden1.weight[0] is NaN; first divide of"},
		"exp in float32 only": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.Exp(b.Square(residual(b, t))))
		}}, "finite", check.Failed, "first exp of"},
		"zero times infinity": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.Add(b.Square(residual(b, t)), b.Mul(b.Greater(t.Y, b.Const(0)), b.Log(b.ReLU(t.Y)))))
		}}, "gradients", check.Failed, "seed 1: the value is NaN on the tape engine; first log of 0 is -Inf"},
		"a standard deviation of the batch": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.MSE(t.Forward(graph.Full), b.Div(b.Sub(t.Y, b.MeanRows(t.Y)), b.Sqrt(b.VarianceRows(t.Y))))
		}}, "finite", check.Failed, "identical rows"},
		"another loss for small batches": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			if t.Y.Shape()[0] < 32 {
				return b.Scale(0.01, mse(b, t))
			}
			return mse(b, t)
		}}, "mean", check.Noted, "with every row 16 times"},
		"shapes that two targets find": {models.Method{Outputs: models.Outputs(2), Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.Square(residual(b, t)))
		}}, "gradients", check.Failed, "2 target(s), seed 1: Sub([6 4], [6 2]): want equal shapes"},
		"a call that is counted": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			if builds++; builds > 9 {
				return b.Scale(2, mse(b, t))
			}
			return mse(b, t)
		}}, "determinism", check.Failed, "changed since the first of these checks"},
		"matrices that count calls": {models.Method{Objective: mse, AfterTraining: func(_ context.Context, n *models.TrainedNetwork) error {
			if n.Rows() > 8 { // not the invented rows of Spec.Examine
				trainings++
			}
			return n.Store("trainings", 1, 1, []float64{trainings})
		}}, "determinism", check.Failed, "store different matrices"},
		"the unit of the target": {models.Method{Objective: mse, Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Point(b.Add(b.Mul(m.Full[0], m.TargetStd), m.TargetMean))
		}}, "predicts", check.Failed, "an R² of -101, below the 0 of a constant, but output 0 of the network, counted from 0, has an R² of 1: the predictor uses another output, or another unit"},
		"another output": {models.Method{Outputs: models.Outputs(2), Objective: methods.GaussianNLL, Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Normal(m.Full[1], methods.SoftplusAtLeast(b, m.Full[0], 1e-6))
		}}, "predicts", check.Failed, "below the 0 of a constant"},
		"no sigma": {models.Method{Objective: mse, Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Normal(m.Full[0], b.Scale(0, m.Full[0]))
		}}, "predicts", check.Failed, "let it predict a distribution.Point"},
		"maximised": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node { return b.Neg(mse(b, t)) }},
			"overfits", check.Noted, "learned nothing about the targets"},
		"the target on both sides": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.MSE(b.Add(t.Forward(graph.Full), t.Y), t.Y)
		}}, "overfits", check.Noted, "learned nothing about the targets"},
		"not read": {models.Method{Objective: mse, Hyperparameters: beta}, "settings", check.Noted, "nothing reads the hyperparameter beta"},
		"classes from 1": {models.Method{Classes: models.Range{Min: 3, Max: 3}, Targets: 1, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.CrossEntropy(t.Forward(graph.Full), b.AddConst(t.Y, -1)))
		}, Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Classes(b, m.Full)
		}}, "terms", check.Failed, "counted from 0, is -1: want an integer from 0 to 2, not standardised"},
		"outputs that are dropped": {models.Method{DropLayers: models.AllLayers, UsesSubNetworks: true, Network: "wrong-drops-its-outputs", Predict: methods.PredictSubNetworks, Objective: methods.DropoutMSE},
			"sub-networks", check.Noted, "which also drop outputs of the network"},
		"a wrong derivative": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			cube := func(x float64) float64 { return x * x * x }
			return t.Mean(b.Elementwise("cube", b.Abs(residual(b, t)), cube, func(x float64) float64 { return 2 * x * x }))
		}}, "gradients", check.Failed, "disagree with finite differences"},
		"a derivative that is NaN": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			root := func(x float64) float64 { return math.Sqrt(math.Abs(x)) }
			return t.Mean(b.Elementwise("root", residual(b, t), root, func(x float64) float64 { return 0.5 / math.Sqrt(x) }))
		}}, "gradients", check.Failed, "first derivative of root of -"},
	} {
		m := c.method
		m.Name = "wrong-user-" + strings.ReplaceAll(name, " ", "-")
		if m.Predict == nil {
			m.Predict = methods.PredictFullNetwork
		}
		models.Register(m)
		r, err := check.Method(m.Name, check.Settings{Seed: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		said := false
		for _, f := range r.Findings {
			said = said || f.Check == c.check && f.Status == c.status && strings.Contains(f.Message+"\n"+strings.Join(f.Details, "\n"), c.words)
		}
		if !said {
			t.Errorf("%s: %s does not say %q:\n%s", name, c.check, c.words, r)
		}
	}
}

func init() {
	models.RegisterNetwork(models.Network{Name: "wrong-drops-its-outputs", Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			h := b.ReLU(networks.Dense(b, "hidden", x, 20))
			return b.Dropout(networks.Dense(b, "output", h, a.Outputs), pass, 0, a.Dropout)
		}
	}})
}
