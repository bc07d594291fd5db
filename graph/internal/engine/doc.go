// Package engine compiles a Gorgonia expression graph into a fixed list of
// steps over one block of memory, and runs it without allocating.
//
// The way of a graph through the package:
//
//	read      Gorgonia nodes become values; what a value is made of is folded,
//	          shared and simplified as it is made                  (read.go, value.go)
//	fuse      elementwise work moves into the tail of the product before it,
//	          sums of products accumulate in place                 (fuse.go)
//	schedule  only what the outputs need, in an order that leaves what masks
//	          do not reach at the front                            (schedule.go)
//	arena     every value gets a place; places are used again      (arena.go)
//	emit      each value becomes one call of a kernel              (emit.go)
//	chain     elementwise calls over large values run block by block, in
//	          one pass over memory                                 (chain.go)
//	share     where there is a pool of goroutines, large calls and
//	          chains are done by all of them, part by part         (share.go)
//
// Nothing about the graph has to be special: an operation that is not known
// here runs through Gorgonia's own Do (fallback.go).
package engine
