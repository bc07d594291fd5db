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

// Checksum returns a SHA-256, in hexadecimal, of the names, kinds and values of all columns. Models and
// checkpoints store it to recognise a table. It returns an error only if ctx ends.
func (t *Table) Checksum(ctx context.Context) (string, error) {
	hash := sha256.New()
	t.writeDescription(hash)
	var encoded []byte
	for _, g := range t.Groups() {
		for values := range slices.Chunk(*g.Values, checksumChunk) {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			encoded = appendBits(encoded[:0], values)
			hash.Write(encoded)
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// checksumChunk is the number of values encoded before they are hashed, 64 KiB.
const checksumChunk = 1 << 13

// writeDescription writes the names and kinds of the columns to w, for the checksum. Checksums are
// stored in models and in the list of data sets, so that the texts must not change: a part that a
// table lacks writes nothing, and a column of numbers writes only its name.
func (t *Table) writeDescription(w io.Writer) {
	for _, name := range slices.Concat(t.Columns, t.Targets) {
		fmt.Fprintf(w, "%q\n", name)
	}
	for _, name := range t.Extras {
		fmt.Fprintf(w, "extra %q\n", name)
	}
	if t.Weight != "" {
		fmt.Fprintf(w, "weight %q\n", t.Weight)
	}
	for _, f := range slices.Concat(t.Fields, []Field{t.SplitField}) {
		if f.Kind != "" && f.Kind != Number {
			fmt.Fprintf(w, "%s %q %q\n", f.Kind, f.Layout, f.Categories)
		}
	}
	for _, f := range t.TargetFields {
		fmt.Fprintf(w, "classes %q\n", f.Categories)
	}
	if t.SplitColumn != "" {
		fmt.Fprintf(w, "by %q\n", t.SplitColumn)
	}
}

// appendBits appends the eight bytes of each value, the lowest byte first.
func appendBits(dst []byte, values []float64) []byte {
	for _, v := range values {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}
