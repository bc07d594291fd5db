package experiment

import (
	"fmt"

	"sml/data/read"
)

// Memory of a training. The peak of the process, measured for one and eight networks on tables of 1 to 12,000 inputs with
// and without bins, is within a tenth of bytesPerWeight for each weight of all networks, beside the table: each network
// has its weights, gradients, moments, averaged and best weights twice, for training and for the checkpoint, and further
// copies for predictions; Go keeps as much again before it frees what is no longer used.
const (
	bytesPerWeight  = 128
	bytesPerFeature = 12 // a prepared feature as float64, and standardised as float32
)

// freeMemory returns the number of bytes that the process may still take. Tests replace it.
var freeMemory = read.FreeMemory

// memory returns the number of bytes that the training needs, beside the table as it was read.
func (e *Experiment) memory() int64 {
	weights := int64(e.Training.Members) * int64(e.Spec.Architecture.CountWeights())
	features := int64(len(e.prepared.X))
	return bytesPerWeight*weights + bytesPerFeature*features
}

// checkMemory returns an error if the training does not fit into the memory that is free: Go would end the process.
func (e *Experiment) checkMemory() error {
	needed, free := e.memory(), freeMemory()
	if needed <= free {
		return nil
	}
	a := e.Spec.Architecture
	return fmt.Errorf("the training needs about %d MiB, and %d MiB are free (networks: %d, weights of each: %d, inputs: %d); choose fewer or narrower layers, no bins, fewer members, or fewer input columns",
		needed>>20, free>>20, e.Training.Members, a.CountWeights(), a.Inputs)
}
