// Package trainers fits the weights of models: mini-batches through a computation
// graph, whose gradients Adam or another optimizer of package trainers/optimizer
// follows; one goroutine for each member of an ensemble, with checkpoints from
// which an interrupted training continues to the same bytes.
//
// Nothing in a training depends on the clock, on how many run at once, or on
// generator state: the shuffle of an epoch is a function of seed, member and
// epoch, a mask one of seed, member, step, layer, row and column.
package trainers
