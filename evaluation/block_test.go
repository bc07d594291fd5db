package evaluation

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

// Blocks are as large as memory for all that is computed allows, and values do not
// depend on them.
func TestBlocks(t *testing.T) {
	const size, channels = 16, 64
	models.RegisterNetwork(models.Network{Name: "test-images", Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			h := b.Reshape(x, x.Shape()[0], size, size, 1)
			for i, name := range []string{"conv1", "conv2"} {
				h = b.Dropout(b.ReLU(networks.Conv2D(b, name, h, channels, graph.Window{Height: 3, Width: 3, Padding: 1})), pass, i, 0.1)
			}
			h = b.MeanPool(h, graph.Window{Height: size, Width: size})
			return networks.Dense(b, "output", b.Reshape(h, x.Shape()[0], channels), a.Outputs)
		}
	}})
	images := untrained(t, "mc", 1, func(a *models.Architecture) {
		a.Network, a.Inputs, a.Hidden = "test-images", size*size, []int{channels}
	})
	const patches = size * size * 9 * channels // that the second convolution multiplies, a row and pass
	for _, c := range []struct {
		name        string
		model       *models.Model
		sampled     bool
		least, most int
	}{
		{"usual", untrained(t, "mc", 1, nil), true, maxBlockRows, maxBlockRows},
		{"ensemble of 20", untrained(t, "sml-de", 20, nil), true, maxBlockRows, maxBlockRows},
		{"images", images, false, (1 << 24) / (3 * patches), (1 << 24) / patches},
		{"images, sub-networks too", images, true, (1 << 24) / (6 * patches), (1 << 24) / (2 * patches)},
	} {
		p := expect.Must(newProbe(c.model, c.sampled, SampledMoments))
		if got := p.blockRows(); got < c.least || got > c.most {
			t.Errorf("%s: blocks of %d rows, want %d to %d", c.name, got, c.least, c.most)
		}
	}

	p := expect.Must(newProbe(images, true, SampledMoments))
	few := p.blockRows()
	x := make([]float64, (few+3)*size*size)
	for i := range x {
		x[i] = math.Sin(float64(i))
	}
	whole := predict(t, images, x, Sampling{Samples: 2, Workers: 1})
	alone := predict(t, images, x[:3*size*size], Sampling{Samples: 2, Workers: 1}) // a block of 8
	if !slices.EqualFunc(alone.Values, whole.Values[:3], models.Prediction.Equal) {
		t.Errorf("predictions %v in a smaller block, %v in a larger", alone.Values, whole.Values[:3])
	}
}
