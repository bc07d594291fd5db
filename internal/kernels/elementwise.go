package kernels

import (
	"math"

	"sml/internal/portable"
)

// BinaryOp is an operation on two numbers.
type BinaryOp uint8

// The operations on two numbers. Max and Min are NaN if an operand is, and b if both are equal, as
// zeros of different sign are. Comparisons give 1 or 0; comparisons with NaN give 0, except NotEqual. The
// generator of the assembly reads the names and order here. Operations after lastVectorBinary are
// Go code in every implementation.
const (
	_   BinaryOp = iota // no kernel
	Add                 // a + b
	Sub                 // a − b
	Mul                 // a · b
	Div                 // a / b
	Max
	Min
	Greater                              // a > b
	GreaterOrEqual                       // a ≥ b
	Less                                 // a < b
	LessOrEqual                          // a ≤ b
	Equal                                // a = b
	NotEqual                             // a ≠ b
	Gate                                 // a where b > 0, else 0
	lastVectorBinary BinaryOp = iota - 1 // last operation with vector kernels
	Pow              BinaryOp = iota - 1 // a^b: see Power
	lastBinary       BinaryOp = iota - 2 // last operation
)

// UnaryOp is an operation on one number.
type UnaryOp uint8

// The operations on one number. All give NaN for NaN. transcendental.go, normal.go and gamma_step.go
// have the functions from Exp on, and their errors. The generator of the assembly reads the names
// and order here.
const (
	_          UnaryOp = iota // no kernel
	Neg                       // −a
	Abs                       // |a|
	Sign                      // 1, −1, or a where a is a zero or NaN
	Square                    // a·a
	Cube                      // (a·a)·a
	Sqrt                      // correctly rounded
	Reciprocal                // 1/a
	InvSqrt                   // 1/√a, both rounded
	Relu                      // 0 where a < 0, else a: −0 and NaN stay
	Exp                       // e^a
	Expm1                     // e^a − 1
	Log                       // natural
	Log1p                     // log(1+a)
	Softplus                  // log(1+e^a)
	Tanh
	Sigmoid // 1/(1+e^−a)
	Logit   // log(a/(1−a))
	Erf
	Gaussian                           // e^(−a²)
	NormalPDF                          // density of N(0, 1)
	NormalCDF                          // distribution function of N(0, 1)
	LogGammaStep                       // log Γ(a+½) − log Γ(a)
	DigammaStep                        // derivative of LogGammaStep
	lastVectorUnary UnaryOp = iota - 1 // last operation with vector kernels
	lastUnary       UnaryOp = iota - 2 // last operation
)

// Vector reports whether the operation has vector kernels, on CPUs with AVX2 or NEON.
func (op BinaryOp) Vector() bool { return op <= lastVectorBinary }

// Vector reports whether the operation has vector kernels, on CPUs with AVX2 or NEON.
func (op UnaryOp) Vector() bool { return op <= lastVectorUnary }

// Unary writes op(a[i]) to dst[i]. The slices must have the same length; they may be the same slice.
func Unary(op UnaryOp, dst, a []float32) {
	check(len(dst) == len(a), "Unary", "dst and a differ in length")
	check(op > 0 && op <= lastUnary, "Unary", "unknown operation")
	if len(a) == 0 {
		return
	}
	if currentISA != portableISA && op.Vector() {
		vectorUnary(op, dst, a)
		return
	}
	f := unaryFuncs[op]
	for i, x := range a {
		dst[i] = f(x)
	}
}

// Binary writes op(a[i], b[i]) to dst[i]. The slices must have the same length; dst may be a or b.
func Binary(op BinaryOp, dst, a, b []float32) {
	check(len(dst) == len(a) && len(dst) == len(b), "Binary", "dst, a and b differ in length")
	check(op > 0 && op <= lastBinary, "Binary", "unknown operation")
	if len(dst) == 0 {
		return
	}
	if currentISA != portableISA && op.Vector() {
		vectorBinary(op, dst, &a[0], 1, &b[0], 1)
		return
	}
	f := binaryFuncs[op]
	for i, x := range a {
		dst[i] = f(x, b[i])
	}
}

// BinaryScalar writes op(a[i], s) to dst[i]. The slices must have the same length; dst may be a.
func BinaryScalar(op BinaryOp, dst, a []float32, s float32) {
	check(len(dst) == len(a), "BinaryScalar", "dst and a differ in length")
	check(op > 0 && op <= lastBinary, "BinaryScalar", "unknown operation")
	if len(dst) == 0 {
		return
	}
	if currentISA != portableISA && op.Vector() {
		vectorBinary(op, dst, &a[0], 1, &s, 0)
		return
	}
	f := binaryFuncs[op]
	for i, x := range a {
		dst[i] = f(x, s)
	}
}

// ScalarBinary writes op(s, a[i]) to dst[i]. The slices must have the same length; dst may be a.
func ScalarBinary(op BinaryOp, dst []float32, s float32, a []float32) {
	check(len(dst) == len(a), "ScalarBinary", "dst and a differ in length")
	check(op > 0 && op <= lastBinary, "ScalarBinary", "unknown operation")
	if len(dst) == 0 {
		return
	}
	if currentISA != portableISA && op.Vector() {
		vectorBinary(op, dst, &s, 0, &a[0], 1)
		return
	}
	f := binaryFuncs[op]
	for i, x := range a {
		dst[i] = f(s, x)
	}
}

// vectorUnary is Unary in assembly.
func vectorUnary(op UnaryOp, dst, a []float32) {
	switch currentISA {
	case avx512:
		unaryAVX512(int(op), &dst[0], &a[0], 1, len(dst))
	case avx2:
		unaryAVX2(int(op), &dst[0], &a[0], 1, len(dst))
	case neon:
		unaryNEON(int(op), &dst[0], &a[0], 1, len(dst))
	}
}

// vectorBinary writes op(a[i], b[i]) to dst[i] in assembly. An operand with a step of 0 is one number, with
// 1 a slice.
func vectorBinary(op BinaryOp, dst []float32, a *float32, aStep int, b *float32, bStep int) {
	switch currentISA {
	case avx512:
		binaryAVX512(int(op), &dst[0], a, aStep, b, bStep, len(dst))
	case avx2:
		binaryAVX2(int(op), &dst[0], a, aStep, b, bStep, len(dst))
	case neon:
		binaryNEON(int(op), &dst[0], a, aStep, b, bStep, len(dst))
	}
}

// binaryFuncs are the definitions of the operations on two numbers.
var binaryFuncs = [lastBinary + 1]func(a, b float32) float32{
	Add: func(a, b float32) float32 { return a + b },
	Sub: func(a, b float32) float32 { return a - b },
	Mul: func(a, b float32) float32 { return a * b },
	Div: func(a, b float32) float32 { return a / b },
	Max: func(a, b float32) float32 {
		if a > b || a != a {
			return a
		}
		return b
	},
	Min: func(a, b float32) float32 {
		if a < b || a != a {
			return a
		}
		return b
	},
	Greater:        func(a, b float32) float32 { return oneIf(a > b) },
	GreaterOrEqual: func(a, b float32) float32 { return oneIf(a >= b) },
	Less:           func(a, b float32) float32 { return oneIf(a < b) },
	LessOrEqual:    func(a, b float32) float32 { return oneIf(a <= b) },
	Equal:          func(a, b float32) float32 { return oneIf(a == b) },
	NotEqual:       func(a, b float32) float32 { return oneIf(a != b) },
	Pow:            func(a, b float32) float32 { return float32(Power(float64(a), float64(b))) },
	Gate:           func(a, b float32) float32 { return zeroIf(!(b > 0), a) },
}

// Power returns x^y: the definition of Pow, in float64. For y = ½ and −½ it is √x and 1/√x for
// every x, so that it is NaN at −∞, too.
func Power(x, y float64) float64 {
	switch y {
	case 0.5:
		return math.Sqrt(x)
	case -0.5:
		return 1 / math.Sqrt(x)
	}
	return portable.Pow(x, y)
}

// oneIf returns 1 for true and 0 for false.
func oneIf(condition bool) float32 {
	if condition {
		return 1
	}
	return 0
}

// zeroIf returns 0 if the condition holds, or else x. It chooses between integers, since the
// compiler makes that a conditional move: a branch would often be predicted wrongly.
func zeroIf(condition bool, x float32) float32 {
	bits := math.Float32bits(x)
	if condition {
		bits = 0
	}
	return math.Float32frombits(bits)
}

// unaryFuncs are the definitions of the operations on one number.
var unaryFuncs = [lastUnary + 1]func(float32) float32{
	Neg: func(x float32) float32 { return -x },
	Abs: abs,
	Sign: func(x float32) float32 {
		if x > 0 {
			return 1
		}
		if x < 0 {
			return -1
		}
		return x
	},
	Square:       func(x float32) float32 { return x * x },
	Cube:         func(x float32) float32 { return float32(x*x) * x },
	Sqrt:         sqrt,
	Reciprocal:   func(x float32) float32 { return 1 / x },
	InvSqrt:      func(x float32) float32 { return 1 / sqrt(x) },
	Relu:         func(x float32) float32 { return zeroIf(x < 0, x) },
	Exp:          exp,
	Expm1:        expm1,
	Log:          log,
	Log1p:        log1p,
	Softplus:     softplus,
	Tanh:         tanh,
	Sigmoid:      sigmoid,
	Logit:        logit,
	Erf:          roundResult(erf64),
	Gaussian:     roundResult(gaussian64),
	NormalPDF:    roundResult(normalPDF64),
	NormalCDF:    roundResult(normalCDF64),
	LogGammaStep: roundResult(logGammaStep64),
	DigammaStep:  roundResult(digammaStep64),
}

// roundResult returns a float32 function that computes in float64.
func roundResult(f func(float64) float64) func(float32) float32 {
	return func(x float32) float32 { return float32(f(float64(x))) }
}

// abs returns |x|, also for NaN: it clears the sign bit.
func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// sqrt returns √x, correctly rounded: float64 has more than twice the bits of float32, so that rounding
// twice gives the same as rounding once.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
