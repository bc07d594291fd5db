package ops

import (
	"reflect"
	"strings"

	"gorgonia.org/gorgonia"
)

// Kind is what an operation does.
type Kind uint8

const (
	Other         Kind = iota // known by how it prints alone
	None                      // no operation: an input
	Scalar                    // a constant number
	Numbers                   // a constant tensor
	OnElements                // elementwise: see Table
	Product                   // of matrices or vectors: see Form
	Sum                       // over Axes
	Size                      // the length of an axis, Axes[0]; Known unless that is 0
	Maximum                   // over Axes[0] of a matrix, of which two stay
	Repeat                    // along Axes[0]
	Reshape                   // the same numbers under another shape
	Transpose                 // to Axes
	SubColumns                // From, …, To−1
	PadToColumns              // from column From on, in zeros
	SideBySide                // Concat
	Stopped                   // StopGradient
	WindowPatches             // of Window, in images
	WindowImages              // the sums of such patches
	LookedUp                  // rows of a matrix, by an index
	AddedUp                   // to rows, by an index
	Factor                    // the Cholesky factor of a matrix
	Solution                  // of a triangular system, Upper or lower
	PartTriangle              // the triangle of a matrix, Upper or lower, with Constant times its diagonal
	OfUser                    // by Function, elementwise
	Random                    // numbers that follow from no seed
	PadSlice                  // the second operand at its place in zeros of the first one's shape
)

// Form is which product of matrices and vectors.
type Form uint8

const (
	Matrices Form = iota
	MatrixVector
	Inner
	Outer
	Batched
)

// Operation describes the operation of a node.
type Operation struct {
	Kind        Kind
	Elementwise *Elementwise
	Constant    float64  // of an Elementwise that has one, and of a PartTriangle
	Function    Function // of a user
	Boolean     bool     // a comparison that does not yield numbers

	Form                   Form
	TransposeX, TransposeY bool // of a Product
	Axes                   []int
	AxisLength             int
	From, To               int
	Window                 Window
	Upper                  bool // of a Solution or a PartTriangle

	GradientAdvice string // what to write instead, where Gorgonia's gradient is wrong
}

// kindByType are the kinds of Gorgonia's operations, by the unexported names of their types. Other
// operations of Gorgonia are known by their printed form only.
var kindByType = map[string]Kind{
	"constantScalar": Scalar, "constantTensor": Numbers,
	"elemUnaryOp": OnElements, "elemBinOp": OnElements, "minBetween": OnElements, "maxBetween": OnElements,
	"linAlgBinOp": Product, "sumOp": Sum, "sizeOp": Size, "repeatOp": Repeat, "reshapeOp": Reshape, "transposeOp": Transpose,
	"randomOp": Random, "dropoutOp": Random, "sliceIncrOp": PadSlice,
}

// wrongGradients says what to write instead of operations with a wrong symbolic derivative in
// Gorgonia, by the names of their types. Finite differences found them. The Table covers
// elementwise operations.
var wrongGradients = map[string]string{
	"BatchNormOp": "write it with Mean, Sub and Div",
	"GroupNormOp": "write it with Mean, Sub and Div",
	"avgPoolOp":   "write it with Columns and Add, or Conv2d with a filter that stays",
	"dtConvOp":    "let the graph compute in one number type",
	"ctcLossOp":   "nobody has checked it",
	"yoloOp":      "nobody has checked it",
	"dropoutOp":   "call Dropout of the builder",
	"atOp":        "multiply by a constant that is 1 there and 0 elsewhere, and take the Sum",
}

// Of recognises a node's operation. Only this function knows Gorgonia's operations: by the
// unexported names of their types and fields, and by their printed form.
func Of(n *gorgonia.Node) Operation {
	switch op := n.Op().(type) {
	case nil:
		return Operation{Kind: None}
	case StopGradient:
		return Operation{Kind: Stopped}
	case Columns:
		return Operation{Kind: SubColumns, From: op.From, To: op.To}
	case PadColumns:
		return Operation{Kind: PadToColumns, From: op.From}
	case Concat:
		return Operation{Kind: SideBySide}
	case SumOver:
		return Operation{Kind: Sum, Axes: []int{int(op.Axis)}}
	case MaxOver:
		return Operation{Kind: Maximum, Axes: []int{int(op.Axis)}}
	case RepeatOver:
		return Operation{Kind: Repeat, Axes: []int{int(op.Axis)}}
	case Transposed:
		return Operation{Kind: Transpose, Axes: [][]int{2: {1, 0}, 3: {0, 2, 1}}[op.axes]}
	case Reshaped:
		return Operation{Kind: Reshape}
	case Patches:
		return Operation{Kind: WindowPatches, Window: op.Window}
	case Images:
		return Operation{Kind: WindowImages, Window: op.Window}
	case Rows:
		return Operation{Kind: LookedUp}
	case SumByRow:
		return Operation{Kind: AddedUp}
	case Cholesky:
		return Operation{Kind: Factor}
	case TriangularSolve:
		return Operation{Kind: Solution, Upper: op.Upper}
	case Triangle:
		return Operation{Kind: PartTriangle, Upper: op.Upper, Constant: op.Diagonal}
	case UserFunction:
		return Operation{Kind: OfUser, Function: op.function}
	case TableOp:
		return Operation{Kind: OnElements, Elementwise: op.entry, Constant: op.c}
	}
	fields := reflect.Indirect(reflect.ValueOf(n.Op()))
	if fields.Type().PkgPath() != reflect.TypeFor[gorgonia.Node]().PkgPath() {
		return Operation{}
	}
	name := fields.Type().Name()
	o := Operation{Kind: kindByType[name], GradientAdvice: wrongGradients[name]}
	if strings.HasSuffix(name, "DiffOp") || name == "col2imOp" {
		// It inherits the derivative of the operation whose gradient it is.
		o.GradientAdvice = "it is a gradient itself, and Gorgonia has none of second order: write the function with operations that have"
	}
	switch o.Kind {
	case OnElements:
		text, _, _ := strings.Cut(n.Op().String(), " ") // a comparison says whether it yields numbers
		if o.Elementwise = byGorgonia[text]; o.Elementwise == nil {
			return Operation{}
		}
		o.Boolean = o.Elementwise.comparison() && !fields.FieldByName("retSame").Bool()
	case Product:
		o.Form = Form(fields.FieldByName("āBinaryOperator").Uint())
		o.TransposeX, o.TransposeY = fields.FieldByName("transA").Bool(), fields.FieldByName("transB").Bool()
	case Sum:
		o.Axes = ints(fields.FieldByName("along"))
	case Size:
		o.Axes, o.AxisLength = ints(fields.FieldByName("axis")), int(fields.FieldByName("val").Int())
	case Repeat:
		o.Axes = ints(fields.FieldByName("along"))
	case Transpose:
		o.Axes = ints(fields.FieldByName("pattern"))
	}
	return o
}

// Is reports whether a node's operation is the elementwise operation with a name.
func Is(n *gorgonia.Node, name string) bool {
	e := Of(n).Elementwise
	return e != nil && e.Name == name
}

// Label returns the name of a node's operation in drawings, "" for a node without an operation.
func Label(n *gorgonia.Node) string {
	switch o := Of(n); {
	case o.Kind == None:
		return ""
	case o.Elementwise != nil && !o.Elementwise.HasConstant:
		return o.Elementwise.label()
	}
	return n.Op().String()
}

func ints(v reflect.Value) []int {
	if v.Kind() != reflect.Slice {
		return []int{int(v.Int())}
	}
	list := make([]int, v.Len())
	for i := range list {
		list[i] = int(v.Index(i).Int())
	}
	return list
}
