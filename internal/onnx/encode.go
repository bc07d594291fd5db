package onnx

import (
	"encoding/binary"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

const domainML = "ai.onnx.ml"

// maxBytes is the maximum size of a message of Protocol Buffers.
const maxBytes = math.MaxInt32

// Bytes returns the encoded file. Equal files have equal bytes. It returns the file's first
// error, if any.
func (f *File) Bytes() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	f.prune()
	var b message
	b.int(1, irVersion)
	b.text(2, f.Producer)
	b.text(3, f.Version)
	b.text(6, f.About)
	b.message(7, f.encode(f.numbers))
	for _, s := range []struct {
		domain  string
		version int64
	}{{"", opset}, {domainML, opsetML}} {
		var set message
		set.text(1, s.domain)
		set.int(2, s.version)
		b.message(8, set)
	}
	for _, n := range f.Notes {
		var entry message
		entry.text(1, n[0])
		entry.text(2, n[1])
		b.message(14, entry)
	}
	if len(b) > maxBytes {
		return nil, fmt.Errorf("the ONNX file would have %d bytes, and at most %d can be read: export members one by one", len(b), maxBytes)
	}
	return b, nil
}

// message is an encoded message of Protocol Buffers.
type message []byte

func (b *message) int(field protowire.Number, v int64) {
	*b = protowire.AppendVarint(protowire.AppendTag(*b, field, protowire.VarintType), uint64(v))
}

func (b *message) text(field protowire.Number, v string) {
	if v != "" {
		b.message(field, message(v))
	}
}

func (b *message) message(field protowire.Number, v message) {
	*b = protowire.AppendBytes(protowire.AppendTag(*b, field, protowire.BytesType), v)
}

func (g *Graph) encode(numbers []tensor) (b message) {
	for _, n := range g.nodes {
		b.message(1, n.encode())
	}
	b.text(2, g.name)
	for _, t := range numbers {
		b.message(5, t.encode())
	}
	for _, in := range g.inputs {
		b.message(11, in.encode())
	}
	for _, out := range g.outputs {
		b.message(12, out.encode())
	}
	return b
}

func (n node) encode() (b message) {
	for _, name := range n.in {
		b.message(1, message(name)) // an empty name is an omitted operand
	}
	for _, name := range n.out {
		b.text(2, name)
	}
	b.text(4, n.op)
	for _, a := range n.attributes {
		b.message(5, a.encode())
	}
	b.text(7, n.domain)
	return b
}

func (a attribute) encode() (b message) {
	b.text(1, a.name)
	kind := int64(0)
	switch v := a.value.(type) {
	case float32:
		kind = 1
		b = protowire.AppendFixed32(protowire.AppendTag(b, 2, protowire.Fixed32Type), math.Float32bits(v))
	case int64:
		kind = 2
		b.int(3, v)
	case *Graph:
		kind = 5
		b.message(6, v.encode(nil))
	case []int64:
		kind = 7
		for _, i := range v {
			b.int(8, i)
		}
	case []string:
		kind = 8
		for _, s := range v {
			b.message(9, message(s))
		}
	}
	b.int(20, kind)
	return b
}

func (t tensor) encode() (b message) {
	for _, n := range t.dims {
		b.int(1, int64(n))
	}
	b.int(2, int64(t.of))
	b.text(8, t.name)
	var raw message
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
	b.message(9, raw)
	return b
}

func (i info) encode() (b message) {
	b.text(1, i.Name)
	var of, shape, kind message
	of.int(1, int64(i.Type))
	for _, d := range i.dims {
		var dim message
		if d.Name != "" {
			dim.text(2, d.Name)
		} else {
			dim.int(1, int64(d.Size))
		}
		shape.message(1, dim)
	}
	if i.dims != nil {
		of.message(2, shape)
	}
	kind.message(1, of)
	b.message(2, kind)
	b.text(3, i.says)
	return b
}
