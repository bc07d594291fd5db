// Package safetensors writes and reads files of named float32 tensors in the safetensors
// format.
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

// Tensor is a named float32 matrix in a safetensors file.
type Tensor struct {
	Name   string
	Shape  []int
	Values []float32
}

// maxHeader is the largest safetensors header that the format allows.
const maxHeader = 100_000_000

// tensorInfo is a tensor's entry in the header.
type tensorInfo struct {
	Dtype   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Write writes tensors in the safetensors format: the header's length
// as 8 little-endian bytes, a JSON header padded with blanks to a multiple of
// 8, then all values as little-endian float32, in the order given.
func Write(w io.Writer, tensors []Tensor) error {
	var header bytes.Buffer
	header.WriteByte('{')
	offset := int64(0)
	for i, t := range tensors {
		if i > 0 {
			header.WriteByte(',')
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return err
		}
		size := 4 * int64(len(t.Values))
		info, err := json.Marshal(tensorInfo{"F32", t.Shape, [2]int64{offset, offset + size}})
		if err != nil {
			return err
		}
		header.Write(name)
		header.WriteByte(':')
		header.Write(info)
		offset += size
	}
	header.WriteByte('}')
	for header.Len()%8 != 0 {
		header.WriteByte(' ')
	}
	if err := binary.Write(w, binary.LittleEndian, uint64(header.Len())); err != nil {
		return err
	}
	if _, err := w.Write(header.Bytes()); err != nil {
		return err
	}
	for _, t := range tensors {
		if err := binary.Write(w, binary.LittleEndian, t.Values); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a whole safetensors file of float32 tensors, in the
// order of their data. Anything that the format does not allow is an
// error: overlaps and gaps, sizes that do not fit shapes, data cut short or
// left over. So is a value that is not finite.
func Read(file []byte) ([]Tensor, error) {
	if len(file) < 8 {
		return nil, errors.New("cut short: there is no header length")
	}
	length := binary.LittleEndian.Uint64(file)
	if length > maxHeader || length > uint64(len(file)-8) {
		return nil, fmt.Errorf("the header's length %d does not fit into the file", length)
	}
	data := file[8+length:]
	entries, err := readHeader(file[8 : 8+length])
	if err != nil {
		return nil, err
	}
	tensors := make([]Tensor, 0, len(entries))
	end := int64(0)
	for _, e := range entries {
		if e.Offsets[0] != end {
			return nil, fmt.Errorf("no tensor starts at byte %d of the data: tensor %q, the next, starts at byte %d", end, e.name, e.Offsets[0])
		}
		t, err := readTensor(e, data)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", e.name, err)
		}
		end = e.Offsets[1]
		tensors = append(tensors, t)
	}
	if end != int64(len(data)) {
		return nil, fmt.Errorf("%d bytes follow the last tensor", int64(len(data))-end)
	}
	return tensors, nil
}

// entry is a tensor of a header.
type entry struct {
	name string
	tensorInfo
}

// readHeader returns the tensors in the order of their data.
func readHeader(header []byte) ([]entry, error) {
	raw := make(map[string]json.RawMessage)
	if err := strict.Unmarshal(header, &raw); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	delete(raw, "__metadata__")
	entries := make([]entry, 0, len(raw))
	for name, text := range raw {
		if name == "" {
			return nil, errors.New("a tensor has no name")
		}
		e := entry{name: name}
		if err := strict.Unmarshal(text, &e.tensorInfo); err != nil {
			return nil, fmt.Errorf("header of tensor %q: %w", name, err)
		}
		entries = append(entries, e)
	}
	// Two can start at one offset only if one of them is empty, which is an
	// error later; names keep that error the same.
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.name, b.name))
	})
	return entries, nil
}

func readTensor(info entry, data []byte) (Tensor, error) {
	if info.Dtype != "F32" {
		return Tensor{}, fmt.Errorf("values are %s, want F32", info.Dtype)
	}
	from, to := info.Offsets[0], info.Offsets[1]
	if from < 0 || to <= from || to > int64(len(data)) {
		return Tensor{}, fmt.Errorf("bytes %d to %d are not in the file", from, to)
	}
	size := int64(4)
	for _, n := range info.Shape {
		if n < 1 || size > int64(len(data))/int64(n) {
			return Tensor{}, fmt.Errorf("shape %v does not fit into the file", info.Shape)
		}
		size *= int64(n)
	}
	if size != to-from {
		return Tensor{}, fmt.Errorf("shape %v has %d bytes, and %d are given", info.Shape, size, to-from)
	}
	values := make([]float32, size/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[from+4*int64(i):]))
		if v := float64(values[i]); !statistics.Finite(v) {
			return Tensor{}, fmt.Errorf("value %d is %v", i, v)
		}
	}
	return Tensor{Name: info.name, Shape: info.Shape, Values: values}, nil
}
