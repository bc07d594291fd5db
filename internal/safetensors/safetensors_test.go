package safetensors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"sml/internal/expect"
)

func TestRoundTrip(t *testing.T) {
	want := []Tensor{{"b", []int{2, 1}, []float32{1, -2}}, {"a \"quoted\"", []int{3}, []float32{0, math.MaxFloat32, math.SmallestNonzeroFloat32}}}
	var file bytes.Buffer
	expect.NoError(t, Write(&file, want))
	// The layout by hand: 8 bytes of length, a header that ends on a multiple
	// of 8, 5 floats.
	header := int(file.Bytes()[0]) + int(file.Bytes()[1])<<8
	if header%8 != 0 || file.Len() != 8+header+5*4 {
		t.Errorf("header of %d bytes in a file of %d", header, file.Len())
	}
	got := expect.Must(Read(file.Bytes()))
	for i := range want {
		if got[i].Name != want[i].Name || len(got[i].Values) != len(want[i].Values) {
			t.Fatalf("tensor %d is %+v, want %+v", i, got[i], want[i])
		}
		for j, v := range want[i].Values {
			if got[i].Values[j] != v {
				t.Errorf("%s[%d] is %v, want %v", want[i].Name, j, got[i].Values[j], v)
			}
		}
	}
}

func FuzzTensors(f *testing.F) {
	var file bytes.Buffer
	if err := Write(&file, []Tensor{{"a", []int{2, 2}, []float32{1, 2, 3, 4}}, {"b", []int{1}, []float32{5}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := Read(data)
		if err != nil {
			return
		}
		total := 0
		for _, tensor := range tensors {
			size := 1
			for _, n := range tensor.Shape {
				size *= n
			}
			if size != len(tensor.Values) || size == 0 {
				t.Fatalf("shape %v of %d values", tensor.Shape, len(tensor.Values))
			}
			total += size
		}
		if 4*total > len(data) {
			t.Fatal("more values than bytes")
		}
	})
}

// To look for each tensor among all took twenty seconds here.
func TestReadMany(t *testing.T) {
	tensors := make([]Tensor, 60_000)
	for i := range tensors {
		tensors[i] = Tensor{Name: fmt.Sprint("t", i), Shape: []int{1}, Values: []float32{float32(i)}}
	}
	var file bytes.Buffer
	expect.NoError(t, Write(&file, tensors))
	got, err := Read(file.Bytes())
	if err != nil || len(got) != len(tensors) {
		t.Fatalf("%d tensors, %v", len(got), err)
	}
	for i, tensor := range got {
		if tensor.Name != tensors[i].Name || tensor.Values[0] != float32(i) {
			t.Fatalf("tensor %d is %+v", i, tensor)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for header, want := range map[string]string{
		`{"a":{"dtype":"F32","shape":[1]}}`:                                        "bytes 0 to 0 are no range",
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`:                   "no tensor starts at byte 0",
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}}`:          `unknown key "more"`,
		`{"a":{"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]}}`: "does not fit",
	} {
		file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
		expect.Error(t, expect.ErrorOf(Read(append(file, 0, 0, 128, 63))), want)
	}
}
