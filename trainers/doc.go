// Package trainers fits the weights of models to rows: batches run through a computation graph, and
// an optimizer follows the gradient. Start with Train, Settings and Options; a training can be
// interrupted, and resumes from a checkpoint to the same bytes. The package neither reads tables
// nor scores predictions: packages data and evaluation do.
//
// Results depend only on the model, the rows and the settings, never on the clock or on the number of
// goroutines. The order of rows in an epoch follows from the seed, the member and the epoch; a
// dropout mask follows from the seed, the member, the step, the layer, the row and the column.
package trainers
