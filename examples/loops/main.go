// Program loops trains networks by training loops of its own, and saves models that "sml predict"
// and "sml evaluate" read:
//
//	go run ./examples/loops curriculum model
//	sml predict model --in rows.csv
//
// Each of the loops curriculum, turns and soup is a file; problem.go has what they share.
package main

import (
	"fmt"
	"os"

	"sml/models"
)

// loops are the training loops by name.
var loops = map[string]func(*problem) (*models.Model, error){
	"curriculum": trainCurriculum,
	"turns":      trainInTurns,
	"soup":       trainSoup,
}

// main runs the loop that the first argument names, and saves the model in the directory that the second
// names. It exits with 2 for wrong arguments and with 1 after an error.
func main() {
	if len(os.Args) != 3 || loops[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: loops curriculum|turns|soup DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "loops:", err)
		os.Exit(1)
	}
}

// run trains a model by the loop with the given name, prints how well it predicts rows that it was not
// trained on, and saves it in dir.
func run(loop, dir string) error {
	p, err := newProblem()
	if err != nil {
		return err
	}
	model, err := loops[loop](p)
	if err != nil {
		return err
	}
	scores, err := p.score(model)
	if err != nil {
		return err
	}
	fmt.Printf("other rows have an R² of %.3f and an NLL of %.3f\n", scores.Get("r2"), scores.Get("nll"))
	return model.Save(dir, false)
}
