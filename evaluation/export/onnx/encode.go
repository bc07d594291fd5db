package onnx

import (
	"encoding/binary"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// domainML is the domain of operators for classical machine learning, such as LabelEncoder.
const domainML = "ai.onnx.ml"

// maxBytes is the largest size of a message of Protocol Buffers, in bytes.
const maxBytes = math.MaxInt32

// Bytes returns the encoded file. Equal files have equal bytes. It returns the file's first error, or
// an error if the file would be too large for the format.
//
// An ONNX file is a message of Protocol Buffers. Numbers in calls of addInt, addText and addMessage
// are the numbers of fields in onnx.proto, here and in all functions named encode; a comment gives the
// field's name.
func (f *File) Bytes() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	f.prune()
	var b message
	b.addInt(1, irVersion)                                // ir_version
	b.addText(2, f.Producer)                              // producer_name
	b.addText(3, f.Version)                               // producer_version
	b.addText(6, f.About)                                 // doc_string
	b.addMessage(7, f.encode(f.tensors))                  // graph
	b.addMessage(8, encodeOperatorSet("", opset))         // opset_import
	b.addMessage(8, encodeOperatorSet(domainML, opsetML)) // opset_import
	for _, note := range f.Notes {
		var entry message
		entry.addText(1, note[0]) // key
		entry.addText(2, note[1]) // value
		b.addMessage(14, entry)   // metadata_props
	}
	if len(b) > maxBytes {
		return nil, fmt.Errorf("the ONNX file would have %d bytes; at most %d can be read; export the members of the ensemble one by one", len(b), maxBytes)
	}
	return b, nil
}

// encodeOperatorSet returns the OperatorSetIdProto of a domain of operators. The integers are the
// numbers of its fields in onnx.proto.
func encodeOperatorSet(domain string, version int64) (b message) {
	b.addText(1, domain) // domain
	b.addInt(2, version) // version
	return b
}

// message is an encoded message of Protocol Buffers.
type message []byte

// addInt appends a field with an integer.
func (b *message) addInt(field protowire.Number, v int64) {
	*b = protowire.AppendVarint(protowire.AppendTag(*b, field, protowire.VarintType), uint64(v))
}

// addText appends a field with a text, unless it is "": that is the value of an absent field.
func (b *message) addText(field protowire.Number, v string) {
	if v != "" {
		b.addMessage(field, message(v))
	}
}

// addMessage appends a field with a message, or with any other bytes.
func (b *message) addMessage(field protowire.Number, v message) {
	*b = protowire.AppendBytes(protowire.AppendTag(*b, field, protowire.BytesType), v)
}

// encode returns the GraphProto of the graph with the given constants. The integers are the numbers of
// its fields in onnx.proto.
func (g *Graph) encode(tensors []tensor) (b message) {
	for _, n := range g.nodes {
		b.addMessage(1, n.encode()) // node
	}
	b.addText(2, g.name) // name
	for _, t := range tensors {
		b.addMessage(5, t.encode()) // initializer
	}
	for _, in := range g.inputs {
		b.addMessage(11, in.encode()) // input
	}
	for _, out := range g.outputs {
		b.addMessage(12, out.encode()) // output
	}
	return b
}

// encode returns the NodeProto of the operation. The integers are the numbers of its fields in
// onnx.proto.
func (n node) encode() (b message) {
	for _, name := range n.in {
		b.addMessage(1, message(name)) // input; addText would leave out "", which is an omitted operand
	}
	for _, name := range n.out {
		b.addText(2, name) // output
	}
	b.addText(4, n.op) // op_type
	for _, a := range n.attributes {
		b.addMessage(5, a.encode()) // attribute
	}
	b.addText(7, n.domain) // domain
	return b
}

// Types of attributes: AttributeProto.AttributeType.
const (
	floatAttribute   = 1
	intAttribute     = 2
	graphAttribute   = 5
	intsAttribute    = 7
	stringsAttribute = 8
)

// encode returns the AttributeProto of the attribute. Each type of value has a field of its own; the
// integers are the numbers of the fields in onnx.proto. It panics for values of other types.
func (a attribute) encode() (b message) {
	b.addText(1, a.name) // name
	var kind int64
	switch v := a.value.(type) {
	case float32:
		kind = floatAttribute
		b = protowire.AppendFixed32(protowire.AppendTag(b, 2, protowire.Fixed32Type), math.Float32bits(v)) // f
	case int64:
		kind = intAttribute
		b.addInt(3, v) // i
	case *Graph:
		kind = graphAttribute
		b.addMessage(6, v.encode(nil)) // g
	case []int64:
		kind = intsAttribute
		for _, i := range v {
			b.addInt(8, i) // ints
		}
	case []string:
		kind = stringsAttribute
		for _, s := range v {
			b.addMessage(9, message(s)) // strings
		}
	default:
		panic(fmt.Sprintf("onnx: attribute %q has a value of type %T", a.name, a.value))
	}
	b.addInt(20, kind) // type
	return b
}

// encode returns the TensorProto of the constant. The integers are the numbers of its fields in
// onnx.proto.
func (t tensor) encode() (b message) {
	for _, length := range t.dims {
		b.addInt(1, int64(length)) // dims
	}
	b.addInt(2, int64(t.elementType)) // data_type
	b.addText(8, t.name)              // name
	b.addMessage(9, t.rawData())      // raw_data
	return b
}

// rawData returns the bytes of the constant's numbers, row by row, in little-endian order.
func (t tensor) rawData() (raw message) {
	switch data := t.data.(type) {
	case []float32:
		for _, v := range data {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
	case []float64:
		for _, v := range data {
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
		}
	case []int64:
		for _, v := range data {
			raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
		}
	}
	return raw
}

// encode returns the ValueInfoProto of the input or output. The integers are the numbers of the fields
// of this message and its parts in onnx.proto.
func (i valueInfo) encode() (b message) {
	b.addText(1, i.Name) // name
	var tensorType, typeProto message
	tensorType.addInt(1, int64(i.Type)) // elem_type
	if i.dims != nil {
		tensorType.addMessage(2, encodeShape(i.dims)) // shape
	}
	typeProto.addMessage(1, tensorType) // tensor_type
	b.addMessage(2, typeProto)          // type
	b.addText(3, i.description)         // doc_string
	return b
}

// encodeShape returns the TensorShapeProto of a shape. The integers are the numbers of its fields, and
// of those of its dimensions, in onnx.proto.
func encodeShape(dims []Dim) (b message) {
	for _, d := range dims {
		var dim message
		if d.Name != "" {
			dim.addText(2, d.Name) // dim_param
		} else {
			dim.addInt(1, int64(d.Size)) // dim_value
		}
		b.addMessage(1, dim) // dim
	}
	return b
}
