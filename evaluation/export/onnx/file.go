// Package onnx writes models in the format of the Open Neural Network Exchange (ONNX), which many
// runtimes can execute. Start with NewFile, and with Translation, which adds the nodes of a
// graph.Builder to a file. The package does not read or run such files, and knows nothing of methods
// and predictions: package evaluation/export does.
//
//	file.go         a file with its inputs, outputs and constants
//	operations.go   operations between values of a file
//	normal.go       the normal distribution function, from operations
//	translate.go    nodes of a Builder's graph as operations of a file
//	elementwise.go  elementwise nodes as operations of a file
//	prune.go        removal of operations that no output needs
//	encode.go       the bytes of a file
//
// Source: onnx.proto of ONNX 1.12, https://github.com/onnx/onnx.
package onnx

import (
	"fmt"
	"strconv"
)

// Versions that the file declares. Runtimes refuse newer versions than they know.
const (
	irVersion = 8  // of the format
	opset     = 17 // of the operators
	opsetML   = 2  // of the operators of domainML
)

// Type is the type of a value's elements.
type Type int32

// The values are those of TensorProto.DataType in onnx.proto.
const (
	Float  Type = 1  // float32
	Int64  Type = 7  // int64
	String Type = 8  // text
	Bool   Type = 9  // true or false
	Double Type = 11 // float64
)

// Value is a tensor that is computed when a file runs. The zero Value stands for an omitted operand.
type Value struct {
	Name string
	Type Type
}

// Dim is a length along an axis.
type Dim struct {
	Size int    // the length; 0 if Name is set
	Name string // name for a length that is only known when the file runs; "" if Size is set
}

// File is a model under construction. Its methods do nothing useful after an error: Bytes returns the
// first error.
type File struct {
	*Graph               // the main graph
	Producer string      // name of the program that writes the file
	Version  string      // version of the program
	About    string      // description for people
	Notes    [][2]string // pairs of a key and a value

	usedNames map[string]bool  // names of values and graphs
	nameCount int              // number of the last name that newName returned
	constants map[string]Value // constants without a name of their own, by type, shape and values
	tensors   []tensor         // all constants and weights
	err       error            // first error, or nil
}

// Graph is a list of operations: the main graph of a file, or the body of a loop, which can use all
// values of the graph around it.
type Graph struct {
	file    *File
	name    string
	inputs  []valueInfo
	outputs []valueInfo
	nodes   []node // in an order in which they can be computed
}

// valueInfo is an input or output of a graph.
type valueInfo struct {
	Value
	dims        []Dim  // nil if the shape is not stated
	description string // for people
}

// node is an operation of a graph.
type node struct {
	op         string   // name of the operator
	domain     string   // domain of the operator; "" for ONNX's own
	in         []string // names of the operands; "" for an omitted one
	out        []string // names of the results
	attributes []attribute
}

// attribute is a named setting of an operation.
type attribute struct {
	name  string
	value any // float32, int64, *Graph, []int64 or []string
}

// tensor is a constant of a file.
type tensor struct {
	name        string
	elementType Type
	dims        []int
	data        any // []float32, []float64 or []int64, row by row
}

// NewFile returns an empty file whose main graph has the given name.
func NewFile(name string) *File {
	f := &File{usedNames: make(map[string]bool), constants: make(map[string]Value)}
	f.Graph = &Graph{file: f, name: name}
	return f
}

// Err returns the file's first error, or nil.
func (f *File) Err() error { return f.err }

// Fail makes err the file's error unless it already has one.
func (f *File) Fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// reserve marks a name as used. It makes an error the file's error if the name is empty or used
// already.
func (f *File) reserve(name string) {
	if name == "" || f.usedNames[name] {
		f.Fail(fmt.Errorf("two inputs, outputs or weights of the ONNX file are named %q; each needs a name of its own", name))
	}
	f.usedNames[name] = true
}

// HasName reports whether the file already uses the name.
func (f *File) HasName(name string) bool { return f.usedNames[name] }

// newName returns an unused name that begins with prefix, and marks it as used.
func (f *File) newName(prefix string) string {
	for {
		f.nameCount++
		name := prefix + "_" + strconv.Itoa(f.nameCount)
		if !f.usedNames[name] {
			f.usedNames[name] = true
			return name
		}
	}
}

// Input adds an input of the given element type and shape, and returns its value. The description is
// for people.
func (g *Graph) Input(name string, elementType Type, description string, dims ...Dim) Value {
	g.file.reserve(name)
	v := Value{name, elementType}
	g.inputs = append(g.inputs, valueInfo{Value: v, dims: dims, description: description})
	return v
}

// Output adds an output of the given name and shape with the value v. The description is for people. An
// Identity operation gives the value its second name, since a value can be several outputs.
func (g *Graph) Output(name string, v Value, description string, dims ...Dim) {
	g.file.reserve(name)
	g.nodes = append(g.nodes, node{op: "Identity", in: []string{v.Name}, out: []string{name}})
	out := Value{name, v.Type}
	g.outputs = append(g.outputs, valueInfo{Value: out, dims: dims, description: description})
}

// Weights adds a constant of type Float with the given name, shape and values, row by row.
func (f *File) Weights(name string, dims []int, values []float32) Value {
	f.reserve(name)
	return f.addTensor(tensor{name: name, elementType: Float, dims: dims, data: values})
}

// addTensor adds a constant and returns its value.
func (f *File) addTensor(t tensor) Value {
	f.tensors = append(f.tensors, t)
	return Value{t.name, t.elementType}
}

// constant returns a constant with the given data, and adds it unless an equal one exists.
func (f *File) constant(elementType Type, dims []int, data any) Value {
	key := fmt.Sprint(elementType, dims, data) // texts of different numbers differ
	if v, ok := f.constants[key]; ok {
		return v
	}
	v := f.addTensor(tensor{name: f.newName("constant"), elementType: elementType, dims: dims, data: data})
	f.constants[key] = v
	return v
}

// Numbers returns a constant of type Float, Double or Int64 with the given shape and values, row by
// row.
func (f *File) Numbers(elementType Type, dims []int, values ...float64) Value {
	switch elementType {
	case Float:
		data := make([]float32, len(values))
		for i, v := range values {
			data[i] = float32(v)
		}
		return f.constant(elementType, dims, data)
	case Double:
		return f.constant(elementType, dims, values)
	}
	data := make([]int64, len(values)) // Int64
	for i, v := range values {
		data[i] = int64(v)
	}
	return f.constant(elementType, dims, data)
}

// Number returns a constant without axes.
func (f *File) Number(elementType Type, v float64) Value { return f.Numbers(elementType, nil, v) }

// Ints returns a constant of type Int64 with one axis, such as a list of axes or a shape.
func (f *File) Ints(values ...int) Value {
	numbers := make([]float64, len(values))
	for i, v := range values {
		numbers[i] = float64(v)
	}
	return f.Numbers(Int64, []int{len(values)}, numbers...)
}
