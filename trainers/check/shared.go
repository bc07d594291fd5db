package check

import (
	"fmt"
	"strings"

	"sml/graph"
	"sml/models"
)

// checkSharing counts the network's parameters, and notes parameters that several layers share.
func checkSharing(s models.Spec) Finding {
	const check = "parameters"
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	forward, err := s.Forward(b, smallBatchRows)
	if err != nil {
		return failedFinding(check, err)
	}
	output := forward(graph.Full)
	if err := b.Err(); err != nil {
		return failedFinding(check, err)
	}
	return sharingFinding(b, output, fmt.Sprintf("%d numbers in %d parameters", params.Len(), len(params.List())))
}

// sharingFinding returns a finding with the given message. It notes parameters that several layers
// before output share: two layers with the same name and size share their weights, which may be a
// mistake.
func sharingFinding(b *graph.Builder, output *graph.Node, message string) Finding {
	f := Finding{Check: "parameters", Status: Passed, Message: message}
	inspect := graph.Inspect(b)
	shared := inspect.SharedParameters(output, inspect.Input(models.InputX))
	if len(shared) > 0 {
		f.Status = Noted
		f.Message += fmt.Sprintf("; several layers share %s: give each layer a name of its own unless you mean it", strings.Join(shared, ", "))
	}
	return f
}
