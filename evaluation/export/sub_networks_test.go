package export

import (
	"math"
	"testing"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/export/onnx/ort"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

func init() {
	models.RegisterNetwork(models.Network{
		Name: "shaped", Title: "shaped", Summary: "transforms every parameter before it meets the inputs", Source: "this test",
		Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(graph.Pass) *graph.Node {
				width := a.Hidden[0]
				weight := b.Mul(b.Weight("weight", x.Shape()[1], width, graph.Normal(1)), b.Exp(b.Param("log_scale", 1, width, graph.Fill(0))))
				code := b.Constant(1, 2, []float64{1, -0.5})
				bias := b.MatMul(code, b.Softmax(b.Param("bias", 2, width, graph.Normal(1))))
				h := b.Tanh(b.Add(b.MatMul(x, weight), bias))
				return b.MatMul(h, b.Transpose(b.Param("output", a.Outputs, width, graph.Normal(0.1))))
			}
		},
	})
}

// A file has the stored sub-networks that the program predicts with, whatever a network makes of its parameters before
// they meet the inputs.
func TestStoredSubNetworks(t *testing.T) {
	ort.RequireRuntime(t)
	for _, method := range models.Methods() {
		if method.AfterTraining == nil || !method.UsesSubNetworks() {
			continue
		}
		for _, a := range []models.Architecture{{Network: "mlp"}, {Network: "realmlp"}, {Network: "shaped"}} {
			t.Run(method.Name+" "+a.Network, func(t *testing.T) {
				m := trained(t, method.Name, a)
				defer m.Close()
				m.Sampling.Samples = m.SubNetworks(0).Len()
				if m.Sampling.Samples == 0 {
					t.Fatal("the model stores no sub-networks")
				}
				rows, inputs := tenRows(m.Inputs.Names())
				file := expect.Must(ONNX(m, Options{}))
				got := ort.Run(t, file, inputs)
				predictions := expect.Must(m.Predict(t.Context(), rows, experiment.Outputs{}))
				for i, p := range predictions {
					if mean, std := got["mean"].Numbers[i], got["std"].Numbers[i]; math.Abs(mean-*p[0].Mean) > 1e-4 || math.Abs(std-*p[0].Std) > 1e-4 {
						t.Errorf("row %d has the mean %v and the standard deviation %v; want %v and %v", i, mean, std, *p[0].Mean, *p[0].Std)
					}
				}
			})
		}
	}
}

// trained returns a model of Friedman's first function, whose target has the standard deviation 5.
func trained(t *testing.T, method string, a models.Architecture) *experiment.Model {
	t.Helper()
	s := experiment.Settings{
		Table:    experiment.Source{Name: "friedman"},
		Training: trainers.Settings{Epochs: 4, Seed: 1, LearningRate: 0.01, Split: "random", Protocol: data.Sound},
	}
	table := expect.Must(s.Table.Read(t.Context(), "", s.Training.Protocol))
	a.Inputs, a.Targets, a.Hidden = len(table.Columns), 1, []int{8}
	s.Spec = expect.Must(models.NewSpec(method, nil, a))
	e := expect.Must(experiment.Prepare(t.Context(), s, experiment.NewTable(table)))
	model := expect.Must(e.Train(t.Context(), trainers.Options{}))
	return decoded(t, model.Model)
}

// tenRows returns rows of numbers between 0 and 1, and the same rows as inputs of a file.
func tenRows(columns []string) (rows []experiment.Row, inputs map[string]ort.Tensor) {
	inputs = make(map[string]ort.Tensor)
	for i := range 10 {
		row := make(experiment.Row)
		for j, name := range columns {
			row[name] = math.Abs(math.Sin(float64(7*i + 3*j)))
			v := inputs[name]
			inputs[name] = ort.Tensor{Type: "float64", Dims: []int{i + 1}, Numbers: append(v.Numbers, row[name].(float64))}
		}
		rows = append(rows, row)
	}
	return rows, inputs
}
