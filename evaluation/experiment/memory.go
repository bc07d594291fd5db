package experiment

import (
	"cmp"
	"fmt"
	"runtime"

	"sml/data/read"
	"sml/trainers"
)

// freeMemory returns the number of bytes that the process may still take. Tests replace it.
var freeMemory = read.FreeMemory

// Bytes that a training keeps, as measured for one and eight networks on tables of 3 to 12,000 inputs.
const (
	// Of a weight of each network: the weights now and before the training, two numbers of the optimizer, the average and
	// the best weights (4 bytes each), and copies for the checkpoint and the result.
	bytesPerWeight = 44

	// Of a weight of each network that is being trained: gradients for whole batches and for the last one, and copies
	// while the average and the best weights take turns.
	bytesPerTrainedWeight = 16

	bytesPerNumber = 4 // of a feature, standardised, and of an activation: float32

	// Of the distribution of a target of a row, as predicted and as calibrated, and of each network output that it has.
	bytesPerPrediction = 320
	bytesPerParameter  = 48

	programBytes = 28 << 20 // the program, its libraries and stacks

	largeTraining = 64 << 20 // from so many bytes on, garbage is collected often
)

// memory returns the number of bytes that the training keeps beside the table, for networks of which this many are trained
// at the same time. Predictions of held-out rows follow the training, which has then freed its own.
func (e *Experiment) memory(workers int) int64 {
	a := e.Spec.Architecture
	weights := int64(a.CountWeights())
	members := int64(e.Training.Members)
	trained := min(members, int64(workers))
	numbersPerRow := int64(4 * a.Inputs) // features, what the first layer makes of them, and their gradients
	for _, width := range a.Hidden {
		const arrays = 8 // outputs, activations and masks, with their gradients
		numbersPerRow += arrays * int64(width)
	}
	rows := len(e.Rows.Train)
	validation := int(e.Training.Validation * float64(rows))
	calibration := len(e.Rows.Calibration)
	if e.Training.RotatesValidation() {
		validation = rows / 3 // at most: of a bootstrap, e⁻¹ of the rows are left out
		calibration = rows
	}
	const predictedTogether = 256                                                      // rows at most
	rowsInGraphs := 2*min(e.Training.Batch, rows) + min(predictedTogether, validation) // two: whole batches and the last one
	bytesPerRow := int64(a.Targets*bytesPerPrediction + a.Outputs*bytesPerParameter)
	training := members*bytesPerWeight*weights +
		trained*(bytesPerTrainedWeight*weights+bytesPerNumber*numbersPerRow*int64(rowsInGraphs)+bytesPerRow/2*int64(validation))
	predictions := bytesPerRow * int64(max(calibration, len(e.Rows.Test)))
	return bytesPerNumber*int64(len(e.prepared.X)) + max(training, predictions)
}

// checkMemory returns an error if the training does not fit into the memory that there is: Go would end the process.
func (e *Experiment) checkMemory(o trainers.Options) error {
	memory := e.memory(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)))
	free := freeMemory()
	if memory < largeTraining && free > 4*largeTraining {
		return nil // without a collection of garbage, which takes longer than the smallest trainings
	}
	runtime.GC() // what reading and preparing the table has left does not count
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	kept := int64(now.HeapAlloc) + memory
	const garbage = garbagePercent + 10 // a collection takes time, in which the training goes on
	needed := programBytes + kept + kept*garbage/100
	held := int64(now.Sys - now.HeapReleased)
	if needed-held <= free {
		return nil
	}
	a := e.Spec.Architecture
	return fmt.Errorf("the training needs about %d MiB in all, and the program has %d MiB and can take %d MiB more (networks: %d, weights of each: %d, inputs: %d); choose fewer or narrower layers, no bins, fewer members, or fewer input columns",
		needed>>20, held>>20, free>>20, e.Training.Members, a.CountWeights(), a.Inputs)
}
