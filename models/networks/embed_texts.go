package networks

import (
	"fmt"

	"sml/graph"
	"sml/models"
)

// EmbedTexts puts a learnt row of numbers in the place of each text of the inputs x
// [rows, a.Inputs] (models.Architecture.Texts), and all other inputs before them. A text
// of n levels has min(width, ⌈n/2⌉) numbers: parameter text1.weight [n, numbers] and so
// on, which start from N(0, 1) as torch.nn.Embedding's. The row of a level that is
// missing is 0. Source: Guo and Berkhahn 2016.
func EmbedTexts(b *graph.Builder, x *graph.Node, a models.Architecture, width int) *graph.Node {
	if len(a.Texts) == 0 {
		return x
	}
	var parts, embedded []*graph.Node
	from := 0
	others := func(to int) {
		if from < to {
			parts = append(parts, b.Columns(x, from, to))
		}
	}
	for i, t := range a.Texts {
		others(t.First)
		from = t.First + t.Levels
		table := b.Weight(fmt.Sprintf("text%d.weight", i+1), t.Levels, min(width, (t.Levels+1)/2), graph.Normal(1))
		embedded = append(embedded, b.MatMul(b.Columns(x, t.First, from), table))
	}
	others(a.Inputs)
	return b.Concat(append(parts, embedded...)...)
}
