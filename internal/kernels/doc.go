// Package kernels has the inner loops of the compiled engine: products of small float32
// matrices, elementwise operations, reductions, Adam steps, dropout masks and random numbers.
// Start reading at Gemm, Binary and Implementation. The package knows nothing of graphs, and it does not
// divide work among goroutines.
//
// Every loop has four implementations: portable Go, AVX2 with FMA and AVX-512 on amd64, and NEON on
// arm64. The CPU, or the environment variable SML_KERNELS, determines which is used (see Implementation,
// UseImplementation and EnvironmentErr). All give the same bits for every input: the portable code is the
// definition, and the generated assembly repeats its operations in its order. The rules that make this
// possible:
//
//   - where a definition says fma, a·b+c is rounded once (see fma);
//   - where it says a·b and then +c, both results are rounded;
//   - sums run over a fixed number of interleaved lanes, which are then added as a fixed tree,
//     whatever the width of a vector register;
//   - exp, log and similar functions are polynomials of this package, not of package math or
//     the platform;
//   - denormal numbers are not flushed to zero.
//
// A result is NaN exactly where the portable loop gives NaN, but the payload and sign of a NaN
// may differ.
//
// Cholesky factors and triangular systems (triangular.go) are portable Go alone, for float32
// and float64, and sum in float64.
//
// No kernel reads or writes outside the slices it is given. Only large products and products in
// portable Go allocate memory, which later products reuse. Kernels may run at the same time. Sizes
// that do not fit panic. The destination of an elementwise kernel may be the same slice as an
// operand; slices must not overlap otherwise.
//
// The program in gen writes the assembly. It is a module of its own, so that users never download its
// dependencies.
package kernels

//go:generate go run -C gen . ..
