package ops

import (
	"reflect"
	"strings"

	"gorgonia.org/gorgonia"
)

// Kind is what an operation does. Most kinds have settings in the fields of Operation.
type Kind uint8

// Kinds are named after the type of the operation in this package, if there is one.
const (
	KindOther           Kind = iota // an operation of Gorgonia that only its printed form describes
	KindInput                       // no operation: an input or a parameter
	KindScalar                      // a constant number
	KindTensor                      // a constant tensor
	KindElementwise                 // an operation of the table: see Operation.Elementwise
	KindProduct                     // product of matrices or vectors: see Form, TransposeX and TransposeY
	KindSum                         // sum over Axes
	KindSize                        // length of the axis Axes[0]: AxisLength, unless that is 0
	KindMaximum                     // maximum of a matrix over Axes[0], which stays with the length 1
	KindRepeat                      // repetition along Axes[0]
	KindReshape                     // the same numbers in another shape
	KindTranspose                   // transpose, whose axes are Axes of the operand
	KindColumns                     // columns From, …, To−1
	KindPadColumns                  // columns From, From+1, … of a matrix of zeros
	KindConcat                      // matrices side by side
	KindStopGradient                // the operand, through which no gradient flows
	KindPatches                     // patches of Window
	KindImages                      // sums of the patches of Window
	KindRows                        // rows of a table by an index
	KindSumByRow                    // sums of rows by an index
	KindCumulativeSum               // cumulative sum over rows: see FromEnd
	KindOrder                       // row numbers of the elements of each column in ascending order
	KindCholesky                    // Cholesky factor
	KindTriangularSolve             // solution of a triangular system: see Upper
	KindTriangle                    // triangle of a matrix: see Upper, and Constant for the factor of the diagonal
	KindUserFunction                // elementwise function of a user: see Function
	KindRandom                      // random numbers that do not depend on a seed
	KindPadSlice                    // the second operand in zeros of the first operand's shape
)

// Form is the kind of a product of matrices or vectors, as Gorgonia numbers them.
type Form uint8

const (
	Matrices     Form = iota // matrix times matrix
	MatrixVector             // matrix times vector
	Inner                    // inner product of two vectors, a scalar
	Outer                    // outer product of two vectors, a matrix
	Batched                  // products of the matrices in two tensors
)

// Operation describes the operation of a node. Fields that its Kind does not mention are zero.
type Operation struct {
	Kind        Kind
	Elementwise *Elementwise // entry of the table; nil for all other operations
	Constant    float64      // constant of an Elementwise that has one, or factor of a triangle's diagonal
	Function    Function     // function that a user wrote
	Boolean     bool         // whether a comparison returns booleans and not numbers

	Form                   Form // kind of a KindProduct
	TransposeX, TransposeY bool // whether a KindProduct transposes its first and second operand
	Axes                   []int
	AxisLength             int
	From, To               int // columns From, …, To−1
	Window                 Window
	FromEnd                bool // whether a cumulative sum begins with the last row
	Upper                  bool // whether a triangular matrix is upper, not lower

	// GradientAdvice says what to write instead of an operation of Gorgonia whose gradient is
	// wrong or missing, "" for all other operations.
	GradientAdvice string
}

// kindByType maps Gorgonia's operations, by the unexported names of their types, to their kinds.
// All other operations of Gorgonia are KindOther.
var kindByType = map[string]Kind{
	"constantScalar": KindScalar,
	"constantTensor": KindTensor,
	"elemUnaryOp":    KindElementwise,
	"elemBinOp":      KindElementwise,
	"minBetween":     KindElementwise,
	"maxBetween":     KindElementwise,
	"linAlgBinOp":    KindProduct,
	"sumOp":          KindSum,
	"sizeOp":         KindSize,
	"repeatOp":       KindRepeat,
	"reshapeOp":      KindReshape,
	"transposeOp":    KindTranspose,
	"randomOp":       KindRandom,
	"dropoutOp":      KindRandom,
	"sliceIncrOp":    KindPadSlice,
}

// gradientAdvice says what to write instead of Gorgonia's operations, by the unexported names of
// their types, whose symbolic derivative is wrong or was never checked. Comparisons with finite
// differences found the wrong ones. Elementwise operations have gradients in the table.
var gradientAdvice = map[string]string{
	"BatchNormOp": "write it with Mean, Sub and Div",
	"GroupNormOp": "write it with Mean, Sub and Div",
	"avgPoolOp":   "use MeanPool of the builder",
	"dtConvOp":    "let the graph compute in one number type",
	"ctcLossOp":   "its gradient has not been checked",
	"yoloOp":      "its gradient has not been checked",
	"dropoutOp":   "use Dropout of the builder",
	"atOp":        "multiply by a constant that is 1 at this element and 0 elsewhere, and take the Sum",
}

// OperationOf returns the operation of n. It recognises the operations of this package by their Go types,
// and Gorgonia's, which are unexported, by the names of their types and fields and by their
// printed form. No other code depends on these names.
func OperationOf(n *gorgonia.Node) Operation {
	if n.Op() == nil {
		return Operation{Kind: KindInput}
	}
	if o, ok := ownOperation(n.Op()); ok {
		return o
	}
	fields := reflect.Indirect(reflect.ValueOf(n.Op()))                        // a struct or a pointer to one
	if fields.Type().PkgPath() != reflect.TypeFor[gorgonia.Node]().PkgPath() { // an operation of a user
		return Operation{}
	}
	return gorgoniaOperation(n.Op(), fields)
}

// ownOperation describes an operation of this package. It returns false for all others.
func ownOperation(op gorgonia.Op) (o Operation, ok bool) {
	switch op := op.(type) {
	case stopGradientOp:
		return Operation{Kind: KindStopGradient}, true
	case columnsOp:
		return Operation{Kind: KindColumns, From: op.From, To: op.To}, true
	case padColumnsOp:
		return Operation{Kind: KindPadColumns, From: op.From}, true
	case concatOp:
		return Operation{Kind: KindConcat}, true
	case sumOverOp:
		return Operation{Kind: KindSum, Axes: []int{int(op.Axis)}}, true
	case maxOverOp:
		return Operation{Kind: KindMaximum, Axes: []int{int(op.Axis)}}, true
	case repeatOverOp:
		return Operation{Kind: KindRepeat, Axes: []int{int(op.Axis)}}, true
	case transposeOp:
		return Operation{Kind: KindTranspose, Axes: op.permutation()}, true
	case reshapeOp:
		return Operation{Kind: KindReshape}, true
	case patchesOp:
		return Operation{Kind: KindPatches, Window: op.Window}, true
	case imagesOp:
		return Operation{Kind: KindImages, Window: op.Window}, true
	case rowsOp:
		return Operation{Kind: KindRows}, true
	case sumByRowOp:
		return Operation{Kind: KindSumByRow}, true
	case cumulativeSumOp:
		return Operation{Kind: KindCumulativeSum, FromEnd: op.FromEnd}, true
	case orderOp:
		return Operation{Kind: KindOrder}, true
	case choleskyOp:
		return Operation{Kind: KindCholesky}, true
	case triangularSolveOp:
		return Operation{Kind: KindTriangularSolve, Upper: op.Upper}, true
	case triangleOp:
		return Operation{Kind: KindTriangle, Upper: op.Upper, Constant: op.Diagonal}, true
	case UserFunction:
		return Operation{Kind: KindUserFunction, Function: op.function}, true
	case tableOp:
		return Operation{Kind: KindElementwise, Elementwise: op.entry, Constant: op.constant}, true
	}
	return Operation{}, false
}

// gorgoniaOperation describes an operation of Gorgonia. fields is the operation's struct, whose
// unexported fields hold its settings. It returns KindOther for an elementwise operation that
// is not in the table.
func gorgoniaOperation(op gorgonia.Op, fields reflect.Value) Operation {
	typeName := fields.Type().Name()
	o := Operation{Kind: kindByType[typeName], GradientAdvice: gradientAdvice[typeName]}
	if strings.HasSuffix(typeName, "DiffOp") || typeName == "col2imOp" {
		// Such a gradient inherits the derivative of its forward operation by mistake.
		o.GradientAdvice = "it is a gradient itself, and Gorgonia has no gradients of it: write the function with operations that have second derivatives"
	}
	switch o.Kind {
	case KindElementwise:
		// The printed form of a comparison continues with the type of its result.
		symbol, _, _ := strings.Cut(op.String(), " ")
		entry := byGorgonia[symbol]
		if entry == nil {
			return Operation{}
		}
		o.Elementwise = entry
		o.Boolean = entry.isComparison() && !fields.FieldByName("retSame").Bool()
	case KindProduct:
		o.Form = Form(fields.FieldByName("āBinaryOperator").Uint())
		o.TransposeX = fields.FieldByName("transA").Bool()
		o.TransposeY = fields.FieldByName("transB").Bool()
	case KindSum, KindRepeat:
		o.Axes = fieldInts(fields.FieldByName("along"))
	case KindSize:
		o.Axes = fieldInts(fields.FieldByName("axis"))
		o.AxisLength = int(fields.FieldByName("val").Int())
	case KindTranspose:
		o.Axes = fieldInts(fields.FieldByName("pattern"))
	}
	return o
}

// MayBeView reports whether Gorgonia may compute n without new memory, as a view of its first operand.
// Operations of this package have new memory.
func MayBeView(n *gorgonia.Node) bool {
	if n.Op() == nil || len(n.Shape()) == 0 {
		return false
	}
	if _, isOwn := ownOperation(n.Op()); isOwn {
		return false
	}
	switch OperationOf(n).Kind {
	case KindReshape, KindRepeat, KindTranspose, KindOther:
		return true
	}
	return false
}

// Is reports whether the operation of n is the elementwise operation with the given name in the
// table.
func Is(n *gorgonia.Node, name string) bool {
	e := OperationOf(n).Elementwise
	return e != nil && e.Name == name
}

// Label returns the name of n's operation in drawings, "" for a node without an operation.
func Label(n *gorgonia.Node) string {
	o := OperationOf(n)
	switch {
	case o.Kind == KindInput:
		return ""
	case o.Elementwise != nil && !o.Elementwise.HasConstant:
		return o.Elementwise.label()
	}
	return n.Op().String()
}

// fieldInts returns the integers of a struct's field that holds one integer or a slice of integers.
func fieldInts(field reflect.Value) []int {
	if field.Kind() != reflect.Slice {
		return []int{int(field.Int())}
	}
	ints := make([]int, field.Len())
	for i := range ints {
		ints[i] = int(field.Index(i).Int())
	}
	return ints
}
