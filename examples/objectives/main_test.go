package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sml/cmd"
	"sml/data"
	_ "sml/examples/plain"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
	"sml/trainers/check"
)

// The methods and networks of this program pass the checks of "sml check", some of them also in a short run.
func TestChecks(t *testing.T) {
	for _, method := range []string{"pretraining", "global-noise", "median", "two-moments"} {
		check.Test(t, method, nil)
	}
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	registerSmallAttention(t)
	for _, network := range []string{"residual", "layer-norm", "conv1d", "small-attention", "generator"} {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			check.TestNetwork(t, network)
		})
	}
	for _, method := range append([]string{"poisson", "negative-binomial", "zero-inflated", "weibull", "gamma", "faithful", "laplace",
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

// Correlations pass the checks with four targets, too.
func TestChecksOfFourTargets(t *testing.T) {
	r := expect.Must(check.Method("correlated", check.Settings{Targets: 4, Seed: 2}))
	if !r.Passed() {
		t.Errorf("%s", r)
	}
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
	m := expect.Must(models.Load(dir))
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
