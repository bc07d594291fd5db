// Program objectives is sml with two more methods and three networks, one file each:
// quantile regression with a predictor of its own, the "two moments" loss, and for any
// method a residual network, one with layer norms, and convolutions along the inputs.
//
//	go run ./examples/objectives methods
//	go run ./examples/objectives check two-moments
//	go run ./examples/objectives train --data friedman --method sml --network residual --out model
package main

import (
	"os"

	"sml/cmd"
)

func main() { os.Exit(cmd.Main()) }
