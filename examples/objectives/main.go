// Program objectives is sml with a few more methods, one file each: quantile
// regression with a predictor of its own, the "two moments" loss, and a residual
// network.
//
//	go run ./examples/objectives methods
//	go run ./examples/objectives check two-moments
package main

import (
	"os"

	"sml/cmd"
)

func main() { os.Exit(cmd.Main()) }
