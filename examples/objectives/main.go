// Program objectives is sml with more methods and networks, one file each: among them
// quantile regression with a predictor of its own, the "two moments" loss, a conditional GAN, and for
// any method a residual network, one with layer norms, and convolutions along the inputs.
//
//	go run ./examples/objectives methods
//	go run ./examples/objectives check two-moments
//	go run ./examples/objectives train --data friedman --method sml --network residual --out model
//	go run ./examples/objectives train --data friedman --method cgan --average "ema(0.999)" --out gan
package main

import (
	"os"

	"sml/cmd"
)

func main() { os.Exit(cmd.Main()) }
