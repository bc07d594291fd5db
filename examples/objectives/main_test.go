package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sml/cmd"
	"sml/data"
	_ "sml/examples/plain"
	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
	"sml/trainers/check"
)

// choices lists methods of this program, and the second-moment loss on its networks.
var choices = []choice{{"median", ""}, {"two-moments", ""}, {"sml", "residual"}, {"sml", "layer-norm"}, {"sml", "conv1d"}}

type choice struct{ method, network string }

// Gradients agree with finite differences, and each parameter has one.
func TestGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, c := range append(choices, choice{"cgan", ""}, choice{"correlated", ""}) {
		for _, targets := range []int{1, 2, 4} {
			gradients := expect.Must(gradcheck.Check(lossOf(t, spec(t, c.method, c.network, 3, targets), 6), gradcheck.Settings{Seed: 2}))
			for _, g := range gradients {
				if !(g.Error <= 1e-6) || c.method == "cgan" && g.Zero {
					t.Errorf("%s, %d targets: gradient of %s is wrong by %.1e, or 0: %v", c, targets, g.Name, g.Error, g.Zero)
				}
			}
		}
	}
}

// The methods and networks of this program pass the checks of "sml check", two of them also in a short run.
func TestChecks(t *testing.T) {
	for _, method := range []string{"pretraining", "global-noise"} {
		check.Test(t, method, nil)
	}
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	registerSmallAttention(t)
	for _, network := range []string{"residual", "layer-norm", "conv1d", "small-attention", "generator", "batch-norm"} {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			check.TestNetwork(t, network)
		})
	}
	for _, method := range append([]string{"median", "two-moments", "poisson", "negative-binomial", "zero-inflated", "weibull", "gamma", "faithful", "laplace",
		"smooth", "tobit", "three-classes", "vicreg", "sam", "mixup", "manifold-mixup", "trimmed", "correlated", "cgan", "running-totals"}, afterTraining...) {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			check.Test(t, method, nil)
		})
	}
}

// registerSmallAttention registers the network attention with two heads of two units by default. With its own defaults it has many times
// as many weights, and the check moves each of them.
func registerSmallAttention(t *testing.T) {
	t.Helper()
	network := expect.Must(models.LookupNetwork("attention"))
	network.Name = "small-attention"
	network.Hyperparameters = slices.Clone(network.Hyperparameters)
	for i := range network.Hyperparameters {
		network.Hyperparameters[i].Default = 2.0
	}
	models.RegisterNetwork(network)
}

// A student passes the checks with a teacher that was trained before.
func TestStudentPassesChecks(t *testing.T) {
	table := writeFile(t, "f.csv", "a,b,c,y\n1,2,0.5,1\n0.3,-1,2,2\n-1,0.2,0.1,0\n2,1,-1,3\n0.5,0.4,0.3,1.5\n")
	teacher := filepath.Join(t.TempDir(), "teacher")
	run(t, "train", "--data", table, "--method", "de", "--members", "1", "--epochs", "3", "--batch", "5", "--quiet", "--out", teacher)
	r, err := check.Method("student", check.Settings{Hyperparameters: models.Hyperparameters{"teacher": teacher}, Targets: 1, Seed: 1}) // as many as the teacher has
	if err != nil || !r.Passed() {
		t.Errorf("%v\n%s", err, r)
	}
}

// The program trains any method on the network, and its files say so.
func TestProgram(t *testing.T) {
	defer func(args []string) { os.Args = args }(os.Args)
	dir := filepath.Join(t.TempDir(), "model")
	os.Args = []string{"sml", "train", "--data", "friedman", "--method", "mc", "--network", "residual", "--hidden", "8,8", "--dropout-layers", "last", "--epochs", "1", "--quiet", "--out", dir}
	if code := cmd.Main(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	m := load(t, dir)
	if a := m.Architecture; a.Network != "residual" || a.Drop != models.LastLayer || m.Members[0].List()[0].Name != "block1.weight" {
		t.Errorf("%+v", a)
	}
	for what, flags := range map[string][]string{
		"starts from another network's weights":                   {"--init-from", dir},
		"chooses the activation of a network that has one itself": {"--method", "plain", "--activation", "tanh"},
	} {
		os.Args = append([]string{"sml", "train", "--data", "friedman", "--hidden", "8,8", "--epochs", "1", "--quiet", "--out", dir + "-no"}, flags...)
		if code := cmd.Main(); code != 2 {
			t.Errorf("exit code %d of a training that %s", code, what)
		}
	}
}

// Trained on Friedman's function each is far better than the mean, and its
// uncertainty is of the size of its error.
func TestTheyLearn(t *testing.T) {
	rows, _, _ := friedman(500, 1)
	for _, c := range choices {
		s := spec(t, c.method, c.network, 10, 1)
		r := mustTrain(t, s, rows, trainers.Settings{Epochs: 60, Batch: 50, LearningRate: 0.005}, trainers.Options{})
		if sc := judge(t, &models.Model{Spec: s, Members: r.Members}, rows); !(sc.Get("r2") > 0.8) || !(sc.Get("nll") < 1) || math.IsInf(sc.Get("ws"), 0) {
			t.Errorf("%s: %+v", c, sc)
		}
	}
}

// The paper's variant that lets the second term reach the full network too:
// the same objective with a switch. It learns as well, and other weights.
func TestThrough(t *testing.T) {
	rows, _, _ := friedman(300, 4)
	var last []float64
	for through := range 2 {
		s, err := models.NewSpec("sml", models.Hyperparameters{"through": float64(through)}, models.Architecture{
			Inputs: 10, Targets: 1, Hidden: []int{20, 20}, Activation: "relu", Dropout: 0.1,
		})
		expect.NoError(t, err)
		r := mustTrain(t, s, rows, trainers.Settings{Epochs: 60, Batch: 50, LearningRate: 0.005}, trainers.Options{})
		last = append(last, r.History.Rows[59].Values[1])
		if regression := last[through]; regression > 0.15 {
			t.Errorf("through = %d: regression loss %v after training", through, regression)
		}
	}
	if last[0] == last[1] {
		t.Error("the switch makes no difference")
	}
}

// The paper's outlook: an MC network that is trained further with the second-moment loss is better
// calibrated than before.
func TestPostTraining(t *testing.T) {
	rows, x, y := friedman(500, 2)
	test := data.Friedman(500, 3)
	judged := func(method string, members []*graph.Params) float64 {
		return judge(t, &models.Model{Spec: spec(t, method, "", 10, 1), Members: members}, test.Subset(nil, x, y)).Get("ws")
	}
	settings := trainers.Settings{Epochs: 200, Batch: 50, LearningRate: 0.002}
	mc := mustTrain(t, spec(t, "mc", "", 10, 1), rows, settings, trainers.Options{})
	settings.Epochs = 40
	post := mustTrain(t, spec(t, "sml", "", 10, 1), rows, settings, trainers.Options{Initial: mc.Members})
	if before, after := judged("mc", mc.Members), judged("sml", post.Members); !(after < before) {
		t.Errorf("WS %v with MC, %v after 40 epochs of SML", before, after)
	}
}
