// Package engine compiles a Gorgonia expression graph into a program: a fixed list of
// instructions, each one call of a kernel, over one block of memory. Start reading at
// Compile and Program.Run in program.go. The package does not build or differentiate
// graphs, and it has no random numbers: dropout masks are inputs.
//
// Compile works in these stages:
//
//	read      Gorgonia nodes become values; constants are folded, equal
//	          values are shared, simple identities are applied     (read.go, value.go)
//	fuse      elementwise operations move into the matrix product before
//	          them, sums of products accumulate in place           (fuse.go)
//	schedule  values that no output needs are dropped; for sampling,
//	          values that depend on no mask come first             (schedule.go)
//	arena     every value gets an offset in one block of memory;
//	          memory is reused after a value's last use            (arena.go)
//	emit      every value becomes one instruction                  (emit.go)
//	chain     adjacent elementwise instructions over large values run
//	          block by block, in one pass over memory              (chain.go)
//	share     large instructions are divided among the goroutines
//	          of a pool                                            (share.go)
//
// An operation without a kernel runs through Gorgonia's own Do method (fallback.go), so
// that every graph of numbers compiles.
package engine
