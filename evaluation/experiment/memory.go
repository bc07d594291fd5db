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
	// For a weight of each network: the weights now and before the training, two numbers of the optimizer, the average and
	// the best weights (4 bytes each), and copies for the checkpoint and the result.
	bytesPerWeight = 44

	// For a weight of each network while it trains: gradients for whole batches and for the last one, and copies
	// while the average and the best weights take turns.
	bytesPerTrainedWeight = 16

	bytesPerNumber = 4 // for a standardised feature or an activation: float32

	// For the distribution of a row's target, as predicted and as calibrated, and for each network output that it has.
	bytesPerPrediction = 320
	bytesPerParameter  = 48

	programBytes = 28 << 20 // the program, its libraries and stacks

	largeTraining = 64 << 20 // garbage is collected often during trainings that need as much
)

// memory returns the number of bytes that the training needs in addition to the table, if workers networks are trained at the
// same time. Predictions of held-out rows follow the training, which has then freed its own memory.
func (e *Experiment) memory(workers int) int64 {
	standardised := bytesPerNumber * int64(len(e.prepared.X))
	return standardised + max(e.trainingBytes(workers), e.predictionBytes())
}

// trainingBytes returns the memory of all networks, and of the graphs and validation predictions of the workers' networks.
func (e *Experiment) trainingBytes(workers int) int64 {
	members := int64(e.Training.Members)
	trained := min(members, int64(workers))
	weights := int64(e.Spec.Architecture.CountWeights())
	validation := e.validationRows()

	const predictedTogether = 256 // validation rows at most
	const batchGraphs = 2         // of whole batches, and of the last one
	rowsInGraphs := batchGraphs*min(e.Training.Batch, len(e.Rows.Train)) + min(predictedTogether, validation)
	ofGraphs := bytesPerNumber * e.numbersPerRow() * int64(rowsInGraphs)
	ofPredictions := e.bytesPerPredictedRow() / 2 * int64(validation) // as predicted alone: no calibration follows
	return members*bytesPerWeight*weights + trained*(bytesPerTrainedWeight*weights+ofGraphs+ofPredictions)
}

// predictionBytes returns the memory of the predictions of calibration rows or, if they are more, of test rows.
func (e *Experiment) predictionBytes() int64 {
	calibration := len(e.Rows.Calibration)
	if e.Training.RotatesValidation() {
		calibration = len(e.Rows.Train)
	}
	return e.bytesPerPredictedRow() * int64(max(calibration, len(e.Rows.Test)))
}

// validationRows returns the number of validation rows of a network, at most.
func (e *Experiment) validationRows() int {
	if e.Training.RotatesValidation() {
		return len(e.Rows.Train) / 3 // about e⁻¹ of the rows in a bootstrap, and fewer in a cross-validation
	}
	return int(e.Training.Validation * float64(len(e.Rows.Train)))
}

// numbersPerRow returns how many numbers the graph of a network has for each row of its batch.
func (e *Experiment) numbersPerRow() int64 {
	const (
		perInput = 4 // feature, its encoding in front of the first layer, and their gradients
		perUnit  = 8 // output, activation and mask of a hidden layer, and their gradients
	)
	numbers := perInput * int64(e.Spec.Architecture.Inputs)
	for _, width := range e.Spec.Architecture.Hidden {
		numbers += perUnit * int64(width)
	}
	return numbers
}

// bytesPerPredictedRow returns the memory of a row's distributions, as predicted and as calibrated.
func (e *Experiment) bytesPerPredictedRow() int64 {
	a := e.Spec.Architecture
	return int64(a.Targets*bytesPerPrediction + a.Outputs*bytesPerParameter)
}

// checkMemory returns an error if the training does not fit into the free memory: Go would end the process.
func (e *Experiment) checkMemory(o trainers.Options) error {
	training := e.memory(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)))
	free := freeMemory()
	isSmall := training < largeTraining && free > 4*largeTraining
	if isSmall { // the collection of garbage below would take longer than the smallest trainings
		return nil
	}
	runtime.GC() // garbage of reading and preparing the table does not count
	var process runtime.MemStats
	runtime.ReadMemStats(&process)
	held := int64(process.Sys - process.HeapReleased) // by the process, from the system
	live := int64(process.HeapAlloc) + training
	const garbage = garbagePercent + 10 // percent of live; the training goes on while garbage is collected
	needed := programBytes + live + live*garbage/100
	if needed <= held+free {
		return nil
	}
	a := e.Spec.Architecture
	return fmt.Errorf("the training needs about %d MiB in all, and the program has %d MiB and can take %d MiB more (networks: %d, weights of each: %d, inputs: %d); choose fewer or narrower layers, no bins, fewer members, or fewer input columns",
		needed>>20, held>>20, free>>20, e.Training.Members, a.CountWeights(), a.Inputs)
}
