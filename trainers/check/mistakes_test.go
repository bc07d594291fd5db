package check_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
	"sml/models/networks"
	"sml/trainers/check"
)

// Methods that can be built and trained and are wrong all the same, and the finding for each.
func TestMistakesThatTrain(t *testing.T) {
	mse := func(b *graph.Builder, t *models.Task) *graph.Node { return t.MSE(t.Forward(graph.Full), t.Y) }
	residual := func(b *graph.Builder, t *models.Task) *graph.Node { return b.Sub(t.Forward(graph.Full), t.Y) }
	beta := []models.Hyperparameter{{Name: "beta", Default: 0.5}}
	builds, trainings := 0, 0.0
	for name, v := range map[string]verdict{
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
			return b.Add(mse(b, t), b.Log(b.Shift(b.Scale(-1./300, t.Step()), 1)))
		}}, "overfits", check.Failed, "the loss is -Inf at epoch 301, step 1: the objective has no finite value here; try a smaller learning rate than 0.01; the first number that is not finite: log of 0 is -Inf (at mistakes_test.go:"},
		"its weights": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Add(mse(b, t), b.Log(b.Shift(b.Scale(-1./300, t.Step()), 1)))
		}}, "weights", check.Failed, "cannot compare losses: the loss is NaN"},
		"a root of 0": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.Sqrt(b.Square(residual(b, t))))
		}}, "finite", check.Failed, "residuals of 0, seed 1: the gradient of hidden1.weight[0] is NaN; first divide of"},
		"exp in float32 only": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.Exp(b.Square(residual(b, t))))
		}}, "finite", check.Failed, "residuals of 1000, seed 1: the loss is +Inf; first exp of"},
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
		"no sigma": {models.Method{Objective: mse, Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Normal(m.Full[0], b.Scale(0, m.Full[0]))
		}}, "predicts", check.Failed, "let it predict a distribution.Point"},
		"the target on both sides": {models.Method{Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.MSE(b.Add(t.Forward(graph.Full), t.Y), t.Y)
		}}, "overfits", check.Noted, "learned nothing about the targets"},
		"not read": {models.Method{Objective: mse, Hyperparameters: beta}, "settings", check.Noted, "nothing reads the hyperparameter beta"},
		"classes from 1": {models.Method{Classes: models.Range{Min: 3, Max: 3}, Targets: 1, Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return t.Mean(b.CrossEntropy(t.Forward(graph.Full), b.Shift(t.Y, -1)))
		}, Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Classes(b, m.Full)
		}}, "terms", check.Failed, "counted from 0, is -1: want an integer from 0 to 2, not standardised"},
		"outputs that are dropped": {models.Method{DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments, Network: "wrong-drops-its-outputs", Predict: methods.PredictSubNetworks, Objective: methods.DropoutMSE},
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
		v.expect(t, "wrong-user-", name, check.Settings{Seed: 1})
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

// Objectives that passed all checks before: one trains only the first of two targets, others are
// functions of a mean over the batch.
func TestRulesForTargetsAndMeans(t *testing.T) {
	squares := func(b *graph.Builder, t *models.Task) *graph.Node { return t.MSE(t.Forward(graph.Full), t.Y) }
	firstOnly := func(b *graph.Builder, t *models.Task) *graph.Node {
		return t.MSE(b.Columns(t.Forward(graph.Full), 0, 1), b.Columns(t.Y, 0, 1))
	}
	const notMean = "the mean of the losses of three batches is"
	for name, c := range map[string]struct {
		objective models.Objective
		targets   int
		check     string
		status    check.Status
		words     string
	}{
		"first of two": {firstOnly, 0, "terms", check.Failed, "output 0 of the network for target 1, counted from 0, gets no gradient from any term, and the predictor reads it"},
		"first of two, penalty": {func(b *graph.Builder, t *models.Task) *graph.Node {
			out := t.Forward(graph.Full)
			first := t.Mean(b.Square(b.Sub(b.Columns(out, 0, 1), b.Columns(t.Y, 0, 1))))
			return b.Add(first, b.Scale(0.01, t.Mean(b.Square(out)))) // the penalty alone trains the second
		}, 0, "predicts", check.Failed, "this is target 1 of 2, counted from 0"},
		"first of two, set": {firstOnly, 2, "terms", check.Failed, "output 0 of the network for target 1"},
		"second scrambled": {func(b *graph.Builder, t *models.Task) *graph.Node {
			if t.Y.Shape()[1] == 1 {
				return squares(b, t)
			}
			wrong := b.Columns(t.Y, 0, 1) // the first target again, which the second mirrors
			return t.MSE(t.Forward(graph.Full), b.Concat(wrong, wrong))
		}, 0, "predicts", check.Failed, "this is target 1 of 2, counted from 0"},
		"root of mean": {func(b *graph.Builder, t *models.Task) *graph.Node { return b.Sqrt(b.Shift(squares(b, t), 1e-6)) }, 0,
			"mean", check.Noted, notMean},
		"ratio of means": {func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Div(squares(b, t), b.Shift(t.Mean(b.Square(t.Y)), 0.1))
		}, 0, "mean", check.Noted, notMean},
		"log of mean": {func(b *graph.Builder, t *models.Task) *graph.Node { return b.Log1p(squares(b, t)) }, 0,
			"mean", check.Noted, notMean},
		"square of a part": {func(b *graph.Builder, t *models.Task) *graph.Node {
			bias := b.Mean(b.Sub(t.Forward(graph.Full), t.Y)) // the squared mean is no mean of squares
			return b.Add(squares(b, t), b.Scale(0.01, b.Square(bias)))
		}, 0, "mean", check.Noted, notMean},
		"one by stop": {func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Div(squares(b, t), b.StopGradient(squares(b, t)))
		}, 0, "mean", check.Noted, "a gradient differs from the mean of their gradients"},
		"neighbours": {func(b *graph.Builder, t *models.Task) *graph.Node {
			d := b.Sub(t.Forward(graph.Full), t.Y)
			return b.Add(t.Mean(b.Square(d)), t.Mean(b.Mul(d, t.ShiftRows(d, 1))))
		}, 0, "mean", check.Noted, notMean},
	} {
		v := verdict{models.Method{Objective: c.objective}, c.check, c.status, c.words}
		v.expect(t, "wrong-rule-", name, check.Settings{Seed: 1, Targets: c.targets})
	}
}

// A row that is mixed or compared with one of the next rows of the batch meets its own copy on a network with copies; by
// Task.ShiftRows it does not. Without a combination of copies there is nothing to note.
func TestCopiesThatMeet(t *testing.T) {
	roll := func(by int) func(b *graph.Builder, t *models.Task, x *graph.Node) *graph.Node {
		return func(b *graph.Builder, t *models.Task, x *graph.Node) *graph.Node {
			n, columns := x.Shape()[0], x.Shape()[1]
			values := b.Reshape(x, 1, n*columns)
			first := by % n * columns
			if first == 0 {
				return x
			}
			return b.Reshape(b.Concat(b.Columns(values, first, n*columns), b.Columns(values, 0, first)), n, columns)
		}
	}
	next := roll(1)
	shift := func(_ *graph.Builder, t *models.Task, x *graph.Node) *graph.Node { return t.ShiftRows(x, 1) }
	type pairing = func(b *graph.Builder, t *models.Task, x *graph.Node) *graph.Node
	mixInputs := func(other pairing) models.Objective {
		return func(b *graph.Builder, t *models.Task) *graph.Node {
			mix := func(x *graph.Node) *graph.Node { return b.Add(b.Scale(0.7, x), b.Scale(0.3, other(b, t, x))) }
			return t.MSE(t.ForwardAt(mix(t.X), graph.Full), mix(t.Y))
		}
	}
	compareErrors := func(other pairing) models.Objective {
		return func(b *graph.Builder, t *models.Task) *graph.Node {
			d := b.Sub(t.Forward(graph.Full), t.Y)
			return b.Add(t.Mean(b.Square(d)), t.Mean(b.Square(b.Sub(d, other(b, t, d)))))
		}
	}
	for name, c := range map[string]struct {
		objective models.Objective
		isNoted   bool
	}{
		"mixed-with-next":     {mixInputs(next), true},
		"mixed-with-fifth":    {mixInputs(roll(5)), true},
		"mixed-by-shift":      {mixInputs(shift), false},
		"compared-with-next":  {compareErrors(next), true},
		"compared-with-shift": {compareErrors(shift), false},
	} {
		name = "wrong-copies-" + name
		models.Register(models.Method{Name: name, Objective: c.objective, Predict: methods.PredictFullNetwork, Combine: models.CombineByFamily})
		r := examine(t, name, check.Settings{Seed: 1})
		noted := slices.ContainsFunc(r.Findings, func(f check.Finding) bool {
			return f.Check == "copies" && f.Status == check.Noted && strings.Contains(f.Message, "a row is mixed or compared with its own copy")
		})
		if noted != c.isNoted {
			t.Errorf("%s: noted %v, want %v:\n%s", name, noted, c.isNoted, r)
		}
	}
}

// A likelihood of Student's t whose location and scale are predicted as a normal distribution fails; the distribution of
// the likelihood passes, and the normal distribution with its mean and standard deviation is noted. A squared error with
// any standard deviation is no likelihood that the outputs decide.
func TestLikelihoodOfAnotherDistribution(t *testing.T) {
	parameters := func(b *graph.Builder, out []*graph.Node) []*graph.Node {
		return []*graph.Node{out[0], methods.SoftplusAtLeast(b, out[1], methods.MinStd), b.Shift(b.Softplus(out[2]), 2.05)}
	}
	student := func(b *graph.Builder, t *models.Task) *graph.Node {
		return t.Mean(distribution.StudentT.NLL(b, parameters(b, b.Split(t.Forward(graph.Full), 3)), t.Y))
	}
	predictBy := func(std func(b *graph.Builder, p []*graph.Node) *graph.Node) models.Predictor {
		return func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Normal(m.Full[0], std(b, parameters(b, m.Full)))
		}
	}
	for name, c := range map[string]struct {
		objective models.Objective
		predict   models.Predictor
		status    check.Status // "" if there is no finding
		words     string
	}{
		"scale as std": {student, predictBy(func(_ *graph.Builder, p []*graph.Node) *graph.Node { return p[1] }), check.Failed, "the objective is the likelihood of another distribution than the predicted one"},
		"normal with its std": {student, predictBy(func(b *graph.Builder, p []*graph.Node) *graph.Node {
			return b.Mul(p[1], b.Sqrt(b.Div(p[2], b.Shift(p[2], -2))))
		}), check.Noted, "with the same mean and standard deviation"},
		"student": {student, func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return models.PredictionNodes{Family: distribution.StudentT, Parameters: parameters(b, m.Full)}
		}, check.Passed, ""},
		"squares": {func(b *graph.Builder, t *models.Task) *graph.Node {
			out := b.Split(t.Forward(graph.Full), 3)
			return t.Mean(b.Square(b.Sub(out[0], t.Y)))
		}, predictBy(func(_ *graph.Builder, p []*graph.Node) *graph.Node { return p[1] }), "", ""},
	} {
		name = "wrong-likelihood-" + strings.ReplaceAll(name, " ", "-")
		models.Register(models.Method{Name: name, Objective: c.objective, Predict: c.predict, Outputs: models.Outputs(3)})
		r := examine(t, name, check.Settings{Seed: 1})
		var status check.Status
		message := ""
		for _, f := range r.Findings {
			if f.Check == "likelihood" {
				status, message = f.Status, f.Message
			}
		}
		if status != c.status || !strings.Contains(message, c.words) {
			t.Errorf("%s: %q says %q; want %q, %q", name, status, message, c.status, c.words)
		}
	}
}

// verdict is a method, and the finding that a check must have.
type verdict struct {
	method models.Method
	check  string
	status check.Status
	words  string // part of the message or its details
}

// expect registers the method, which predicts the full network if it has no predictor, under a prefix and the name
// of its mistake, and reports an error unless each examination has the finding.
func (v verdict) expect(t *testing.T, prefix, mistake string, settings ...check.Settings) {
	t.Helper()
	m := v.method
	m.Name = prefix + strings.NewReplacer(" ", "-", ",", "").Replace(mistake)
	if m.Predict == nil {
		m.Predict = methods.PredictFullNetwork
	}
	models.Register(m)
	t.Run(m.Name, func(t *testing.T) {
		t.Parallel()
		for _, s := range settings {
			v.expectIn(t, examine(t, m.Name, s))
		}
	})
}

// expectIn reports an error unless a report has the finding.
func (v verdict) expectIn(t *testing.T, r check.Report) {
	t.Helper()
	isFound := slices.ContainsFunc(r.Findings, func(f check.Finding) bool {
		return f.Check == v.check && f.Status == v.status && strings.Contains(f.Message+"\n"+strings.Join(f.Details, "\n"), v.words)
	})
	if !isFound {
		t.Errorf("seed %d: %s does not say %q, %s:\n%s", r.Seed, v.check, v.words, v.status, r)
	}
}

// examine returns the report about a method.
func examine(t *testing.T, method string, s check.Settings) check.Report {
	t.Helper()
	r, err := check.Method(method, s)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return r
}
