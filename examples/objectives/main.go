// Program objectives is sml with two more methods and a network, one file each:
// quantile regression with a predictor of its own, the "two moments" loss, and a
// residual network for any method.
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
