package data

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
)

// Checksum returns a SHA-256, in hexadecimal, of the names and values of all columns. The only
// error is the error of ctx.
func (t *Table) Checksum(ctx context.Context) (string, error) {
	h := sha256.New()
	for _, name := range slices.Concat(t.Columns, t.Targets) {
		fmt.Fprintf(h, "%q\n", name)
	}
	for _, name := range t.Extras {
		fmt.Fprintf(h, "extra %q\n", name)
	}
	if t.Weight != "" {
		fmt.Fprintf(h, "weight %q\n", t.Weight)
	}
	for _, f := range append(t.Fields[:len(t.Fields):len(t.Fields)], t.ByField) {
		if f.Kind != "" && f.Kind != Number {
			fmt.Fprintf(h, "%s %q %q\n", f.Kind, f.Layout, f.Categories)
		}
	}
	for _, f := range t.TargetFields {
		fmt.Fprintf(h, "classes %q\n", f.Categories)
	}
	if t.By != "" {
		fmt.Fprintf(h, "by %q\n", t.By)
	}
	var bytes []byte
	for _, g := range t.Groups() {
		for part := range slices.Chunk(*g.Values, 1<<13) {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			bytes = appendBits(bytes[:0], part)
			h.Write(bytes)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// appendBits appends the bits of values, little-endian.
func appendBits(dst []byte, values []float64) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}
