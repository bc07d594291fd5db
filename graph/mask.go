package graph

import (
	"fmt"
	"hash/fnv"
	"math"

	"sml/graph/internal/kernels"
)

// Pass says which units a forward pass keeps: all of them (Full), or those of
// one dropout sub-network (Drop). Passes compare with ==.
type Pass uint32

// Full is the pass through the full network: no unit is dropped.
const Full Pass = 0

// Drop returns the pass through sub-network i = 0, 1, …. Different i have
// independent masks, and every MaskKey makes all of them anew.
func Drop(i int) Pass {
	if i < 0 || i >= maxPasses {
		panic(fmt.Sprintf("graph.Drop(%d): sub-networks have numbers from 0 to %d", i, maxPasses-1))
	}
	return Pass(i + 1)
}

// maxPasses is how many sub-networks there are masks for: a stream of random
// numbers is named by 24 bits of the pass and 8 of the layer.
const maxPasses = 1<<24 - 1

// levels is the resolution of a keep probability: masks compare 16 random
// bits with a threshold.
const levels = 1 << 16

// mask is what SampleMasks fills: a dropout mask, 1/keep for a kept unit and 0 for a
// dropped one, or noise.
type mask struct {
	*buffer
	drawn
	stream        uint32
	rows, columns int
	cost          int // of a number, in multiplications

	// Of the present numbers, for whoever makes some rows of them.
	values []float32
	at     MaskKey
	key    uint64
	room   []kernels.Noise // of each goroutine of a pool
	part   func(worker, from, to int)
}

// drawn is what the numbers of a mask are.
type drawn struct {
	kind      string // dropout, normal or uniform
	scope     string // prefix of the network that they belong to, "" for the first
	threshold uint32 // of dropout
	shared    bool   // noise that is not of rows
}

// Dropout drops each unit of x [rows, units], which may have more axes, with
// probability rate and scales the kept ones by 1/(1−rate); in the Full pass it
// returns x itself. The rate is rounded to a multiple of 2⁻¹⁶, and the scale with it,
// so that the mask's mean is 1. layer tells the masks of one pass apart: the same
// pass and layer have the same mask.
func (b *Builder) Dropout(x *Node, pass Pass, layer int, rate float64) *Node {
	if !(rate >= 0 && rate < 1) {
		b.fail("Dropout", Nodes{x}, "rate %v is not in [0, 1)", rate)
	}
	if threshold(rate) == 0 {
		b.fail("Dropout", Nodes{x}, "rate %v keeps no unit: masks have 16 bits, so want less than %.6g", rate, 1-0.5/levels)
	}
	if b.err != nil || pass == Full || !DropsAt(rate) {
		return x
	}
	mask := b.mask(x, pass, layer, threshold(rate))
	if b.err == nil {
		mask = b.Reshape(mask, x.Shape()...)
	}
	return b.Mul(x, mask)
}

// threshold is how many levels of random bits keep a unit.
func threshold(rate float64) uint32 { return uint32(math.Round((1 - rate) * levels)) }

// DropsAt tells whether Dropout drops any unit at a rate: 0, and what is
// rounded to it, drops none.
func DropsAt(rate float64) bool { return threshold(rate) != levels }

func (b *Builder) mask(x *Node, pass Pass, layer int, threshold uint32) *Node {
	return b.apply("Dropout", Nodes{x}, func() (*Node, error) {
		if x.Dims() < 2 || layer < 0 || layer > 255 {
			return nil, fmt.Errorf("want a matrix [rows units] and a layer from 0 to 255, not %d", layer)
		}
		stream := uint32(pass)<<8 | uint32(layer)
		rows := x.Shape()[0]
		columns := x.Shape().TotalSize() / rows
		d := drawn{kind: dropout, scope: b.scope.prefix, threshold: threshold}
		for _, m := range b.masks {
			if m.kind != dropout || m.scope != d.scope || m.stream != stream {
				continue
			}
			if m.rows != rows || m.columns != columns || m.drawn != d {
				return nil, fmt.Errorf("layer %d of this pass has a [%d %d] mask of another shape or rate already", layer, m.rows, m.columns)
			}
			return m.node, nil
		}
		return b.draws(fmt.Sprintf("mask of %ssub-network %d, layer %d", d.scope, pass-1, layer), d, stream, rows, columns)
	})
}

// draws is a node that SampleMasks fills.
func (b *Builder) draws(name string, d drawn, stream uint32, rows, columns int) (*Node, error) {
	buf, err := b.newBuffer(name, rows, columns)
	if err != nil {
		return nil, err
	}
	b.masks = append(b.masks, &mask{buffer: buf, drawn: d, stream: stream, rows: rows, columns: columns, cost: drawing[d.kind]})
	return buf.node, nil
}

// MaskKey names one set of masks. Each mask element is a function of these
// numbers, the pass, the layer, and its row and column: nothing else, and no
// generator state, so masks can be drawn again at any time in any order.
type MaskKey struct {
	Seed   uint64 // from the seed
	Step   uint32 // training step, or number of the sub-network in evaluation
	Row    uint32 // number of the first row of the batch
	Shared bool   // every row uses the mask of row Row

	// Every is the number of rows of one step: those behind them are of the next steps,
	// of row Row and what follows it again. 0: all rows are of one. Noise that is not of
	// rows is that of Step alone.
	Every int
}

func (m *mask) fill(d MaskKey, p *Pool) {
	values := m.single
	if values == nil {
		values = make([]float32, m.size)
	}
	key := d.Seed
	if m.scope != "" { // a further network has masks of its own
		h := fnv.New64a()
		h.Write([]byte(m.scope))
		key = Seed(d.Seed, h.Sum64())
	}
	m.values, m.at, m.key = values, d, key
	if m.kind != dropout && len(m.room) < p.Threads() {
		m.room = make([]kernels.Noise, p.Threads())
	}
	if n := m.rows * m.columns; !d.Shared && p.Worth(n*m.cost, n) {
		if m.part == nil {
			m.part = m.draw
		}
		p.Do(m.rows, m.part)
	} else {
		m.draw(0, 0, m.rows)
	}
	for i := range m.double {
		m.double[i] = float64(values[i])
	}
}

// drawing is what a random number costs, in multiplications.
var drawing = map[string]int{dropout: 16, uniformNoise: 32, normalNoise: 128}

// draw makes some rows of a mask.
func (m *mask) draw(worker, from, to int) {
	every := m.at.Every
	if every <= 0 || m.shared {
		every = m.rows
	}
	for from < to {
		first, d := from%every, m.at
		d.Step += uint32(from / every)
		n := min(every-first, to-from)
		values := m.values[from*m.columns:][:n*m.columns]
		if m.kind == dropout {
			kernels.Masks(values, n, m.columns, m.key, d.Row+uint32(first), d.Step, m.stream, d.Shared, m.threshold, levels/float32(m.threshold))
		} else {
			m.noise(&m.room[worker], values, first, n, d)
		}
		from += n
	}
}
