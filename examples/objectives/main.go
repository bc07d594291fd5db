// Program objectives is sml with more methods and networks, one file each. Copy a file into a program of
// your own, with the function main of this file, and change it. To begin with, censored.go is a short
// method, residual.go a short network, and quantiles.go a method with a predictor of its own.
// running_totals.go adds an operation, laplace.go a family of distributions, conditional_gan.go a second
// network, and leave_one_out.go a calculation after the training. The prediction of global_noise.go reads a
// parameter, manifold_mixup.go changes a hidden layer, and pretraining.go uses rows without a target. muon.go is an
// optimizer.
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
