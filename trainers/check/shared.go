package check

import (
	"fmt"
	"strings"

	"sml/graph"
	"sml/models"
)

// sharing counts the network's parameters, and notes parameters that several layers share.
func sharing(s models.Spec) Finding {
	const check = "parameters"
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	f, err := s.Forward(b, rows)
	if err != nil {
		return failedFinding(check, err)
	}
	out := f(graph.Full)
	if err := b.Err(); err != nil {
		return failedFinding(check, err)
	}
	return sharedFinding(b, out, fmt.Sprintf("%d numbers in %d parameters", params.Len(), len(params.List())))
}

// sharedFinding notes parameters that several layers share: two layers of one name and
// size have the same weights, meant or not.
func sharedFinding(b *graph.Builder, out *graph.Node, says string) Finding {
	f := Finding{Check: "parameters", Status: Passed, Says: says}
	if shared := graph.Inspect(b).SharedParameters(out, graph.Inspect(b).Input(models.InputX)); len(shared) > 0 {
		f.Status = Noted
		f.Says += fmt.Sprintf("; several layers share %s: give layers that are to have weights of their own a name each", strings.Join(shared, ", "))
	}
	return f
}
