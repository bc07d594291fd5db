package data

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
)

// Checksum identifies a table by its column names and values, those of further columns
// and of the weight among them: a SHA-256 in hexadecimal. The only error is that of ctx.
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
			fmt.Fprintf(h, "%s %q %q\n", f.Kind, f.Layout, f.Levels)
		}
	}
	if t.By != "" {
		fmt.Fprintf(h, "by %q\n", t.By)
	}
	for _, g := range t.groups() {
		for part := range slices.Chunk(*g.values, 1<<13) {
			if err := ctx.Err(); err != nil {
				return "", err
			}
			binary.Write(h, binary.LittleEndian, part)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
