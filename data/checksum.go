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

// Checksum identifies a table by its column names and values: a SHA-256 in
// hexadecimal. The only error is that of ctx.
func (t *Table) Checksum(ctx context.Context) (string, error) {
	h := sha256.New()
	for _, name := range slices.Concat(t.Columns, t.Targets) {
		fmt.Fprintf(h, "%q\n", name)
	}
	buffer := make([]byte, 0, 1<<16)
	for _, values := range [][]float64{t.X, t.Y} {
		for _, v := range values {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v))
			if len(buffer) == cap(buffer) {
				if err := ctx.Err(); err != nil {
					return "", err
				}
				h.Write(buffer)
				buffer = buffer[:0]
			}
		}
	}
	h.Write(buffer)
	return hex.EncodeToString(h.Sum(nil)), nil
}
