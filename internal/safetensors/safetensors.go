// Package safetensors writes and reads named float32 tensors in files of the safetensors format.
// Start with Write and Read. Tensors of other types are not supported, and metadata is ignored.
//
// A file holds the length of the header as 8 bytes, little-endian; the header, a JSON object with the
// type, shape and byte offsets of each tensor; and the values of all tensors, little-endian and
// without gaps. Source: https://github.com/huggingface/safetensors#format.
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"sml/internal/statistics"
	"sml/internal/strict"
)

// Tensor is a named array of float32 numbers.
type Tensor struct {
	Name   string
	Shape  []int     // lengths of the dimensions, each at least 1
	Values []float32 // in row-major order
}

const (
	// lengthSize is the size, in bytes, of the header's length at the beginning of a file.
	lengthSize = 8

	// maxHeader is the largest size of the header, in bytes, that the format allows.
	maxHeader = 100_000_000

	// valueSize is the size of a float32 in bytes.
	valueSize = 4

	// blockValues is the number of values that Write writes together.
	blockValues = 1 << 13

	// valueType is the format's name of float32.
	valueType = "F32"
)

// tensorInfo is a tensor's entry in the header.
type tensorInfo struct {
	Dtype   string   `json:"dtype"` // valueType
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // first byte of the values after the header, and the byte after the last
}

// Write writes tensors to w, in the given order. It returns the error of w.
func Write(w io.Writer, tensors []Tensor) error {
	header, err := encodeHeader(tensors)
	if err != nil {
		return err
	}
	if err := binary.Write(w, binary.LittleEndian, uint64(len(header))); err != nil {
		return err
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	block := make([]byte, 0, valueSize*blockValues)
	for _, t := range tensors {
		for values := range slices.Chunk(t.Values, blockValues) {
			block = block[:0]
			for _, v := range values {
				block = binary.LittleEndian.AppendUint32(block, math.Float32bits(v))
			}
			if _, err := w.Write(block); err != nil {
				return err
			}
		}
	}
	return nil
}

// encodeHeader returns the JSON header for tensors, with blanks at the end so that its length is a
// multiple of 8: the values after it are then aligned. It writes the object piece by piece, since a
// map would not keep the order of the tensors.
func encodeHeader(tensors []Tensor) ([]byte, error) {
	var header bytes.Buffer
	header.WriteByte('{')
	offset := int64(0)
	for i, t := range tensors {
		if i > 0 {
			header.WriteByte(',')
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return nil, err
		}
		end := offset + valueSize*int64(len(t.Values))
		info, err := json.Marshal(tensorInfo{Dtype: valueType, Shape: t.Shape, Offsets: [2]int64{offset, end}})
		if err != nil {
			return nil, err
		}
		header.Write(name)
		header.WriteByte(':')
		header.Write(info)
		offset = end
	}
	header.WriteByte('}')
	const alignment = 8 // bytes
	for header.Len()%alignment != 0 {
		header.WriteByte(' ')
	}
	return header.Bytes(), nil
}

// Read returns the tensors of a file in the order of their values. It returns an error if the file is
// not allowed by the format, for example because tensors overlap, leave a gap or have another size
// than their shape. It also returns an error if a tensor is no float32, is empty or has a value that
// is not finite.
func Read(file []byte) ([]Tensor, error) {
	if len(file) < lengthSize {
		return nil, fmt.Errorf("the file is cut short: it has %d bytes; want at least %d", len(file), lengthSize)
	}
	headerSize := binary.LittleEndian.Uint64(file)
	if headerSize > maxHeader || headerSize > uint64(len(file)-lengthSize) {
		return nil, fmt.Errorf("the header's length %d does not fit into the file of %d bytes", headerSize, len(file))
	}
	header := file[lengthSize : lengthSize+headerSize]
	data := file[lengthSize+headerSize:]
	entries, err := decodeHeader(header)
	if err != nil {
		return nil, err
	}
	tensors := make([]Tensor, 0, len(entries))
	end := int64(0) // byte offset in data of the end of the tensors read so far
	for _, e := range entries {
		start := e.Offsets[0]
		if start != end {
			return nil, fmt.Errorf("no tensor starts at byte %d of the data; the next one, %q, starts at byte %d", end, e.name, start)
		}
		t, err := e.decodeTensor(data)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", e.name, err)
		}
		tensors = append(tensors, t)
		end = e.Offsets[1]
	}
	if end != int64(len(data)) {
		return nil, fmt.Errorf("%d bytes follow the last tensor; want none", int64(len(data))-end)
	}
	return tensors, nil
}

// entry is a named tensorInfo.
type entry struct {
	name string
	tensorInfo
}

// decodeHeader returns the entries of a header in the order of their values.
func decodeHeader(header []byte) ([]entry, error) {
	texts := make(map[string]json.RawMessage) // JSON of each entry, by the tensor's name
	if err := strict.Unmarshal(header, &texts); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	delete(texts, "__metadata__") // no tensor: the format keeps notes about the file there
	entries := make([]entry, 0, len(texts))
	for name, text := range texts {
		if name == "" {
			return nil, errors.New("header: a tensor has no name")
		}
		e := entry{name: name}
		if err := strict.Unmarshal(text, &e.tensorInfo); err != nil {
			return nil, fmt.Errorf("header: tensor %q: %w", name, err)
		}
		entries = append(entries, e)
	}
	// Two tensors with the same offset are an error, which Read returns later. Their names decide the
	// order, so that it is always the same error.
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.name, b.name))
	})
	return entries, nil
}

// decodeTensor returns the tensor of the entry. data holds the values of all tensors. It returns an error
// if the entry's type, shape and offsets do not agree, or if a value is not finite.
func (e entry) decodeTensor(data []byte) (Tensor, error) {
	if e.Dtype != valueType {
		return Tensor{}, fmt.Errorf("the values have type %s; want %s", e.Dtype, valueType)
	}
	start, end := e.Offsets[0], e.Offsets[1]
	if start < 0 || end <= start || end > int64(len(data)) {
		return Tensor{}, fmt.Errorf("bytes %d to %d are no range of the %d bytes of data", start, end, len(data))
	}
	size := int64(valueSize)
	for _, length := range e.Shape {
		if length < 1 || size > int64(len(data))/int64(length) { // checked before the product can overflow
			return Tensor{}, fmt.Errorf("shape %v does not fit into the file", e.Shape)
		}
		size *= int64(length)
	}
	if size != end-start {
		return Tensor{}, fmt.Errorf("shape %v needs %d bytes, but the offsets give %d", e.Shape, size, end-start)
	}
	values, err := decodeValues(data[start:end])
	return Tensor{Name: e.name, Shape: e.Shape, Values: values}, err
}

// decodeValues returns the float32 numbers in data. It returns an error if one of them is not finite.
func decodeValues(data []byte) ([]float32, error) {
	values := make([]float32, len(data)/valueSize)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[valueSize*i:]))
		if !statistics.IsFinite(float64(values[i])) {
			return nil, fmt.Errorf("value %d is %v; want a finite number", i, values[i])
		}
	}
	return values, nil
}
