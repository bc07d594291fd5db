// Package kernels holds the float32 loops of the compiled engine: small
// matrix products, elementwise families, reductions, Adam, dropout masks, noise.
//
// There are three implementations of each loop: portable Go, AVX2 with FMA,
// and AVX-512. They are chosen at start by what the CPU has, or by the
// environment variable SML_KERNELS (see Path, Use and Err), and they give the
// same bits for every input: the portable code is the definition, and the
// generated assembly repeats its operations in its order. What makes that
// possible:
//
//   - where a definition says fma, every path rounds a·b+c once (see fma);
//   - where it says a·b and then +c, every path rounds twice;
//   - sums run over a fixed number of interleaved lanes and end in a fixed
//     tree, whatever the width of a vector register;
//   - exp, log and their kin are polynomials of our own, never the math
//     package's nor the platform's;
//   - denormal numbers are neither flushed on the way in nor on the way out.
//
// Cholesky factors and triangular systems (triangular.go) are portable Go alone, for
// float32 and float64, and sum in float64.
//
// NaN comes out wherever the portable loop has it, but its payload and sign
// are not part of the promise.
//
// No kernel reads or writes outside the slices it was given, and none
// allocates, but for room that large products keep for the next ones. Kernels may
// run at the same time. Sizes that do not fit are a programmer's error and panic. A
// destination may be the same slice as an operand of an elementwise kernel;
// any other overlap is not allowed.
//
// The assembly is written by the program in gen, a module of its own so that
// users never download its dependencies.
package kernels

//go:generate go run -C gen . ..
