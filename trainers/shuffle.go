package trainers

import (
	"iter"
	"math/rand/v2"

	"sml/data"
	"sml/internal/portable"
)

// Shuffle returns the rows of blocks in a random order that follows from the seed, in blocks of the same sizes. It keeps
// bufferRows rows in memory: each new row takes the place of a random row in the buffer, and Shuffle passes on the row
// that was there. A row is thus passed on at most bufferRows before its place in blocks, and any number behind. If
// neighbours in a file are alike, sort the rows once in random order, or read parts of the file in another order in each
// epoch. Of blocks, only X, Y, E and W are read; targets is the number of targets, at least 1. Shuffle ends with the first
// error of blocks.
func Shuffle(blocks iter.Seq2[data.Subset, error], targets, bufferRows int, seed uint64) iter.Seq2[data.Subset, error] {
	return func(yield func(data.Subset, error) bool) {
		b := &shuffleBuffer{targets: targets, size: max(1, bufferRows), random: rand.New(rand.NewPCG(seed, bufferStream))}
		for block, err := range blocks {
			if err != nil {
				yield(data.Subset{}, err)
				return
			}
			if passed := b.exchange(block); len(passed.Y) > 0 && !yield(passed, nil) {
				return
			}
		}
		if b.count > 0 {
			yield(b.rest(), nil)
		}
	}
}

// shuffleBuffer holds the rows that Shuffle keeps.
type shuffleBuffer struct {
	targets int
	size    int // maximum number of rows
	count   int // number of rows
	rows    data.Subset
	passed  data.Subset // rows that exchange returned last, whose memory it reuses
	random  *rand.Rand
}

// exchange puts the rows of a block into the buffer, and returns the rows that they drive out once the buffer is full.
func (b *shuffleBuffer) exchange(block data.Subset) data.Subset {
	b.passed.X = b.passed.X[:0]
	b.passed.Y = b.passed.Y[:0]
	b.passed.E = b.passed.E[:0]
	b.passed.W = b.passed.W[:0]
	rows := len(block.Y) / b.targets
	for i := range rows {
		if b.count < b.size {
			b.rows = appendRow(b.rows, block, i, rows)
			b.count++
			continue
		}
		j := int(portable.UintN(b.random, uint64(b.size)))
		b.passed = appendRow(b.passed, b.rows, j, b.size)
		copy(rowOf(b.rows.X, j, b.size), rowOf(block.X, i, rows))
		copy(rowOf(b.rows.Y, j, b.size), rowOf(block.Y, i, rows))
		copy(rowOf(b.rows.E, j, b.size), rowOf(block.E, i, rows))
		copy(rowOf(b.rows.W, j, b.size), rowOf(block.W, i, rows))
	}
	return b.passed
}

// rest returns the rows in the buffer in a random order.
func (b *shuffleBuffer) rest() data.Subset {
	var rest data.Subset
	for _, i := range portable.Perm(b.random, b.count) {
		rest = appendRow(rest, b.rows, i, b.count)
	}
	return rest
}

// appendRow appends row i of a table with the given number of rows to dst.
func appendRow(dst, table data.Subset, i, rows int) data.Subset {
	dst.X = append(dst.X, rowOf(table.X, i, rows)...)
	dst.Y = append(dst.Y, rowOf(table.Y, i, rows)...)
	dst.E = append(dst.E, rowOf(table.E, i, rows)...)
	dst.W = append(dst.W, rowOf(table.W, i, rows)...)
	return dst
}

// rowOf returns row i of a matrix with the given number of rows, row-major.
func rowOf(matrix []float64, i, rows int) []float64 {
	columns := len(matrix) / rows
	return matrix[i*columns : (i+1)*columns]
}
