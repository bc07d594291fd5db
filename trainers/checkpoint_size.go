package trainers

import "sml/models"

// Bounds of a checkpoint's files, in bytes.
const (
	maxState   = 1 << 30                        // the longest history there can be, a line of 200 bytes for each epoch
	maxTensors = 4*4*models.MaxWeights + 64<<20 // values, moments and best values of as many weights as there can be, and a header
)
