package kernels

import "math"

// BinaryOp is an operation on two numbers.
type BinaryOp uint8

// The operations on two numbers. Max and Min are NaN where either operand
// is, and b where both are equal (zeros of unlike sign are). Comparisons give
// 1 or 0; those with NaN are 0, except Ne.
const (
	Add BinaryOp = iota // a + b
	Sub                 // a − b
	Mul                 // a · b
	Div                 // a / b
	Max
	Min
	Gt  // a > b
	Gte // a ≥ b
	Lt  // a < b
	Lte // a ≤ b
	Eq  // a = b
	Ne  // a ≠ b
	binaryOps
)

// UnaryOp is an operation on one number.
type UnaryOp uint8

// The operations on one number. All are NaN at NaN. The transcendental ones
// are described with their functions in transcendental.go, with the largest
// error met.
const (
	Copy     UnaryOp = iota // a
	Neg                     // −a
	Abs                     // |a|
	Sign                    // 1, −1, or a where a is a zero or NaN
	Square                  // a·a
	Cube                    // (a·a)·a
	Sqrt                    // correctly rounded
	Inv                     // 1/a
	InvSqrt                 // 1/√a, both rounded
	Relu                    // 0 where a < 0, else a: −0 and NaN stay
	Exp                     // e^a
	Expm1                   // e^a − 1
	Log                     // natural
	Log1p                   // log(1+a)
	Softplus                // log(1+e^a)
	Tanh
	Sigmoid // 1/(1+e^−a)
	unaryOps
)

// Unary writes op(a[i]) to dst[i]. The slices have one length and may be the
// same.
func Unary(op UnaryOp, dst, a []float32) {
	check(len(dst) == len(a), "Unary", "dst and a differ in length")
	check(op < unaryOps, "Unary", "unknown operation")
	if len(a) == 0 {
		return
	}
	switch active {
	case avx512:
		unaryAVX512(int(op), &dst[0], &a[0], 1, len(dst))
	case avx2:
		unaryAVX2(int(op), &dst[0], &a[0], 1, len(dst))
	default:
		unaryPortable(op, dst, a)
	}
}

// Binary writes op(a[i], b[i]) to dst[i]. The slices have one length; dst may
// be a or b.
func Binary(op BinaryOp, dst, a, b []float32) {
	check(len(dst) == len(a) && len(dst) == len(b), "Binary", "dst, a and b differ in length")
	check(op < binaryOps, "Binary", "unknown operation")
	if len(dst) == 0 {
		return
	}
	switch active {
	case avx512:
		binaryAVX512(int(op), &dst[0], &a[0], 1, &b[0], 1, len(dst))
	case avx2:
		binaryAVX2(int(op), &dst[0], &a[0], 1, &b[0], 1, len(dst))
	default:
		for i, x := range a {
			dst[i] = binary(op, x, b[i])
		}
	}
}

// BinaryScalar writes op(a[i], s) to dst[i]. dst may be a.
func BinaryScalar(op BinaryOp, dst, a []float32, s float32) {
	check(len(dst) == len(a), "BinaryScalar", "dst and a differ in length")
	check(op < binaryOps, "BinaryScalar", "unknown operation")
	if len(dst) == 0 {
		return
	}
	switch active {
	case avx512:
		binaryAVX512(int(op), &dst[0], &a[0], 1, &s, 0, len(dst))
	case avx2:
		binaryAVX2(int(op), &dst[0], &a[0], 1, &s, 0, len(dst))
	default:
		for i, x := range a {
			dst[i] = binary(op, x, s)
		}
	}
}

// ScalarBinary writes op(s, a[i]) to dst[i]. dst may be a.
func ScalarBinary(op BinaryOp, dst []float32, s float32, a []float32) {
	check(len(dst) == len(a), "ScalarBinary", "dst and a differ in length")
	check(op < binaryOps, "ScalarBinary", "unknown operation")
	if len(dst) == 0 {
		return
	}
	switch active {
	case avx512:
		binaryAVX512(int(op), &dst[0], &s, 0, &a[0], 1, len(dst))
	case avx2:
		binaryAVX2(int(op), &dst[0], &s, 0, &a[0], 1, len(dst))
	default:
		for i, x := range a {
			dst[i] = binary(op, s, x)
		}
	}
}

// binary is the definition of the operations on two numbers.
func binary(op BinaryOp, a, b float32) float32 {
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Div:
		return a / b
	case Max:
		if a > b || a != a {
			return a
		}
		return b
	case Min:
		if a < b || a != a {
			return a
		}
		return b
	case Gt:
		return oneIf(a > b)
	case Gte:
		return oneIf(a >= b)
	case Lt:
		return oneIf(a < b)
	case Lte:
		return oneIf(a <= b)
	case Eq:
		return oneIf(a == b)
	default:
		return oneIf(a != b)
	}
}

func oneIf(yes bool) float32 {
	if yes {
		return 1
	}
	return 0
}

// unaryPortable is the definition of the operations on one number.
func unaryPortable(op UnaryOp, dst, a []float32) {
	f := unaryFuncs[op]
	for i, x := range a {
		dst[i] = f(x)
	}
}

var unaryFuncs = [unaryOps]func(float32) float32{
	Copy: func(x float32) float32 { return x },
	Neg:  func(x float32) float32 { return -x },
	Abs:  abs,
	Sign: func(x float32) float32 {
		if x > 0 {
			return 1
		}
		if x < 0 {
			return -1
		}
		return x
	},
	Square:  func(x float32) float32 { return x * x },
	Cube:    func(x float32) float32 { return float32(x*x) * x },
	Sqrt:    sqrt,
	Inv:     func(x float32) float32 { return 1 / x },
	InvSqrt: func(x float32) float32 { return 1 / sqrt(x) },
	Relu: func(x float32) float32 {
		if x < 0 {
			return 0
		}
		return x
	},
	Exp: exp, Expm1: expm1, Log: log, Log1p: log1p, Softplus: softplus, Tanh: tanh, Sigmoid: sigmoid,
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// sqrt is correctly rounded: a root in float64 has bits enough that rounding
// it again does no harm.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// gate is the operation of ternaryAVX512 and ternaryAVX2, as gen numbers it.
const gate = 0

// one stands for an absent mask, again and again.
var one float32 = 1

// opt is the address and step of a mask: of one where there is none.
func opt(x []float32) (*float32, int) {
	if len(x) == 0 {
		return &one, 0
	}
	return &x[0], 1
}

// Gate writes x[i]·mask[i] to dst[i] where gates[i] > 0, and 0 elsewhere: the
// backward pass of a ReLU with a mask. mask is nil for one of ones. dst may be
// any of the others.
func Gate(dst, x, mask, gates []float32) {
	n := len(dst)
	check(len(x) == n && len(gates) == n && (mask == nil || len(mask) == n), "Gate", "dst, x, mask and gates differ in length")
	if n == 0 {
		return
	}
	m, step := opt(mask)
	switch active {
	case avx512:
		ternaryAVX512(gate, &dst[0], &x[0], 1, m, step, &gates[0], 1, n)
	case avx2:
		ternaryAVX2(gate, &dst[0], &x[0], 1, m, step, &gates[0], 1, n)
	default:
		for i := range dst {
			dst[i] = gated(x[i], mask, gates, i)
		}
	}
}

// gated is v·mask[i] where gates[i] > 0, else 0; a nil mask is all ones.
func gated(v float32, mask, gates []float32, i int) float32 {
	if !(gates[i] > 0) {
		return 0
	}
	if mask != nil {
		v *= mask[i]
	}
	return v
}
