package models

import (
	"errors"
	"fmt"
	"slices"

	"sml/internal/safetensors"
	"sml/internal/statistics"
)

// Matrix is a named matrix that a method keeps during a training (Trajectory.Keep) or stores with the
// model (TrainedNetwork.Store).
type Matrix struct {
	matrixShape
	Values []float32 // row by row
}

// matrixShape is a Matrix without its values, as model.json lists it.
type matrixShape struct {
	Name    string `json:"name"`
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
}

// shapesOf returns the names and shapes of matrices.
func shapesOf(matrices []Matrix) []matrixShape {
	var shapes []matrixShape
	for _, m := range matrices {
		shapes = append(shapes, m.matrixShape)
	}
	return shapes
}

// newMatrix returns a matrix with the values rounded to float32. It returns an error if they are
// not as many as the shape has, or not finite.
func newMatrix(shape matrixShape, values []float64) (Matrix, error) {
	m := Matrix{matrixShape: shape, Values: make([]float32, len(values))}
	if err := checkShapes([]matrixShape{shape}, 1); err != nil {
		return m, err
	}
	if len(values) != shape.Rows*shape.Columns {
		return m, fmt.Errorf("matrix %q has %d values; want %d for [%d %d]", shape.Name, len(values), shape.Rows*shape.Columns, shape.Rows, shape.Columns)
	}
	for i, v := range values {
		m.Values[i] = float32(v)
		if !statistics.IsFinite(float64(m.Values[i])) {
			return m, fmt.Errorf("matrix %q has the value %v in row %d, column %d, from 0: want finite float32 numbers", shape.Name, v, i/shape.Columns, i%shape.Columns)
		}
	}
	return m, nil
}

// checkShapes returns an error unless the matrices have names of their own and at least one element
// each, and at most MaxWeights elements together in all members.
func checkShapes(shapes []matrixShape, members int) error {
	perMember := 0.0 // a float64 does not wrap around as an int: a file may list shapes of any size
	for i, s := range shapes {
		isSameName := func(other matrixShape) bool { return other.Name == s.Name }
		switch {
		case s.Name == "":
			return errors.New("a stored matrix needs a name")
		case slices.ContainsFunc(shapes[:i], isSameName):
			return fmt.Errorf("two stored matrices are named %q", s.Name)
		case s.Rows < 1 || s.Columns < 1:
			return fmt.Errorf("matrix %q cannot be [%d %d]", s.Name, s.Rows, s.Columns)
		}
		perMember += float64(float64(s.Rows) * float64(s.Columns))
	}
	total := perMember * float64(members)
	if total > MaxWeights {
		return fmt.Errorf("the stored matrices have %.0f elements in %d members: want at most %d", total, members, MaxWeights)
	}
	return nil
}

// storedTensors returns the matrices of every member as tensors named "members.N.NAME".
func storedTensors(members [][]Matrix) []safetensors.Tensor {
	var tensors []safetensors.Tensor
	for k, matrices := range members {
		for _, m := range matrices {
			tensors = append(tensors, safetensors.Tensor{
				Name:   fmt.Sprintf("members.%d.%s", k, m.Name),
				Shape:  []int{m.Rows, m.Columns},
				Values: m.Values,
			})
		}
	}
	return tensors
}

// storedSize returns an upper bound of the size in bytes of the file with the stored matrices of a number
// of members, which have these shapes each.
func storedSize(shapes []matrixShape, members int) int64 {
	size := int64(headerLengthBytes + headerNotesBytes)
	for _, s := range shapes {
		entry := tensorEntryBytes + nameByteInJSON*int64(len(s.Name))
		values := float32Bytes * int64(s.Rows) * int64(s.Columns)
		size += int64(members) * (entry + values)
	}
	return size
}

// copyTensors copies the values of tensors to the tensors of the same name in dst. It returns an error
// unless both have the same names and shapes.
func copyTensors(dst, tensors []safetensors.Tensor) error {
	if len(dst) != len(tensors) {
		return fmt.Errorf("there are %d tensors, want %d", len(tensors), len(dst))
	}
	byName := make(map[string]safetensors.Tensor, len(tensors))
	for _, t := range tensors {
		byName[t.Name] = t
	}
	for _, d := range dst {
		t, ok := byName[d.Name]
		if !ok {
			return fmt.Errorf("tensor %q is missing", d.Name)
		}
		if !slices.Equal(t.Shape, d.Shape) {
			return fmt.Errorf("tensor %q is %v, want %v", t.Name, t.Shape, d.Shape)
		}
		copy(d.Values, t.Values)
	}
	return nil
}
