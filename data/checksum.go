package data

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
)

// Checksum returns a SHA-256, in hexadecimal, of the names and values of all columns. It returns
// an error only if ctx ends.
func (t *Table) Checksum(ctx context.Context) (string, error) {
	h := sha256.New()
	t.writeDescription(h)
	var encoded []byte
	for _, g := range t.Groups() {
		for part := range slices.Chunk(*g.Values, checksumChunk) {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			encoded = appendBits(encoded[:0], part)
			h.Write(encoded)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checksumChunk is the number of values that are encoded before they are hashed: 64 KiB.
const checksumChunk = 1 << 13

// writeDescription writes the names and kinds of the columns for the checksum. Columns of numbers
// write nothing but their names.
func (t *Table) writeDescription(h io.Writer) {
	for _, name := range slices.Concat(t.Columns, t.Targets) {
		fmt.Fprintf(h, "%q\n", name)
	}
	for _, name := range t.Extras {
		fmt.Fprintf(h, "extra %q\n", name)
	}
	if t.Weight != "" {
		fmt.Fprintf(h, "weight %q\n", t.Weight)
	}
	for _, f := range slices.Concat(t.Fields, []Field{t.SplitField}) {
		if f.Kind != "" && f.Kind != Number {
			fmt.Fprintf(h, "%s %q %q\n", f.Kind, f.Layout, f.Categories)
		}
	}
	for _, f := range t.TargetFields {
		fmt.Fprintf(h, "classes %q\n", f.Categories)
	}
	if t.SplitColumn != "" {
		fmt.Fprintf(h, "by %q\n", t.SplitColumn)
	}
}

// appendBits appends the bits of values, little-endian.
func appendBits(dst []byte, values []float64) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}
