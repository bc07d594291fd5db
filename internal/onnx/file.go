// Package onnx writes models of the Open Neural Network Exchange, and puts graphs of a
// Builder into them:
//
//	file.go         a file: its inputs, outputs and numbers
//	operations.go   operations between its values
//	encode.go       its bytes
//	translate.go    nodes of a Builder's graph as operations of the file
//	elementwise.go  elementwise nodes as operations of the file
//
// Source: onnx.proto of ONNX 1.12, https://github.com/onnx/onnx.
package onnx

import (
	"fmt"
	"math"
	"strconv"
)

// Versions of the format, of the operators, and of the operators on texts.
const (
	irVersion = 8
	opset     = 17
	opsetML   = 2
)

// Type is the type of a value's elements.
type Type int32

// The numbers of ONNX's TensorProto.DataType.
const (
	Float  Type = 1  // float32
	Int64  Type = 7  // int64
	String Type = 8  // text
	Bool   Type = 9  // true or false
	Double Type = 11 // float64
)

// Value is a tensor that a file computes. The zero Value stands for an omitted operand.
type Value struct {
	Name string
	Type Type
}

// Dim is a length along an axis: a number, or a name if only a run knows the length.
type Dim struct {
	Size int
	Name string
}

// File is a model under construction. It keeps its first error.
type File struct {
	*Graph
	Producer, Version string
	About             string      // description for people
	Notes             [][2]string // pairs of a key and a value

	names     map[string]bool
	made      int
	constants map[string]Value // constants by type, shape and values
	numbers   []tensor
	err       error
}

// Graph is a list of operations: the main graph of a file, or the body of a loop, which sees all
// values of the file.
type Graph struct {
	file            *File
	name            string
	inputs, outputs []info
	nodes           []node
}

type info struct {
	Value
	dims []Dim
	says string
}

type node struct {
	op, domain string
	in, out    []string
	attributes []attribute
}

type attribute struct {
	name  string
	value any // int64, float32, string, []int64, []string, *Graph
}

type tensor struct {
	name string
	of   Type
	dims []int
	data any // []float32, []float64, []int64, []string
}

// NewFile returns an empty file. name is the name of its graph.
func NewFile(name string) *File {
	f := &File{names: make(map[string]bool), constants: make(map[string]Value)}
	f.Graph = &Graph{file: f, name: name}
	return f
}

// Err returns the first error.
func (f *File) Err() error { return f.err }

// Fail makes err the file's error unless there is one.
func (f *File) Fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// reserve reserves a name. The file fails if the name is empty or used already.
func (f *File) reserve(name string) {
	if name == "" || f.names[name] {
		f.Fail(fmt.Errorf("two things of an ONNX file are named %q, and each needs a name of its own", name))
	}
	f.names[name] = true
}

// Taken reports whether the file uses a name.
func (f *File) Taken(name string) bool { return f.names[name] }

// newName returns an unused name for a result of an operator.
func (f *File) newName(op string) string {
	for {
		f.made++
		if name := op + "_" + strconv.Itoa(f.made); !f.names[name] {
			f.names[name] = true
			return name
		}
	}
}

// Input adds an input. says describes it for people.
func (g *Graph) Input(name string, of Type, says string, dims ...Dim) Value {
	g.file.reserve(name)
	v := Value{name, of}
	g.inputs = append(g.inputs, info{v, dims, says})
	return v
}

// Output adds an output: a name for a value. says describes it for people.
func (g *Graph) Output(name string, v Value, says string, dims ...Dim) {
	g.file.reserve(name)
	g.nodes = append(g.nodes, node{op: "Identity", in: []string{v.Name}, out: []string{name}})
	g.outputs = append(g.outputs, info{Value{name, v.Type}, dims, says})
}

// Weights adds a named constant.
func (f *File) Weights(name string, dims []int, values []float32) Value {
	f.reserve(name)
	return f.add(tensor{name, Float, dims, values})
}

func (f *File) add(t tensor) Value {
	f.numbers = append(f.numbers, t)
	return Value{t.name, t.of}
}

// constant adds a constant without a name of its own, or returns an equal constant.
func (f *File) constant(of Type, dims []int, data any, bits func(i int) uint64, n int) Value {
	key := fmt.Sprint(of, dims)
	for i := range n {
		key += " " + strconv.FormatUint(bits(i), 36)
	}
	if v, ok := f.constants[key]; ok {
		return v
	}
	v := f.add(tensor{f.newName("constant"), of, dims, data})
	f.constants[key] = v
	return v
}

// Numbers returns a constant tensor with the given values. Its type is Float, Double or Int64.
func (f *File) Numbers(of Type, dims []int, values ...float64) Value {
	n := len(values)
	switch of {
	case Float:
		data := make([]float32, n)
		for i, v := range values {
			data[i] = float32(v)
		}
		return f.constant(of, dims, data, func(i int) uint64 { return uint64(math.Float32bits(data[i])) }, n)
	case Double:
		return f.constant(of, dims, values, func(i int) uint64 { return math.Float64bits(values[i]) }, n)
	}
	data := make([]int64, n)
	for i, v := range values {
		data[i] = int64(v)
	}
	return f.constant(of, dims, data, func(i int) uint64 { return uint64(data[i]) }, n)
}

// Number returns a constant without axes.
func (f *File) Number(of Type, v float64) Value { return f.Numbers(of, nil, v) }

// Ints returns a constant list of integers, such as axes or a shape.
func (f *File) Ints(values ...int) Value {
	list := make([]float64, len(values))
	for i, v := range values {
		list[i] = float64(v)
	}
	return f.Numbers(Int64, []int{len(values)}, list...)
}
