package graph

import (
	"fmt"
	"hash/fnv"
	"math"

	"sml/internal/kernels"
)

// Pass identifies a forward pass by the units that it keeps: Full keeps all units, Drop(i) those of
// sub-network i. Passes compare with ==.
type Pass uint32

// Full is the pass through the full network: no unit is dropped.
const Full Pass = 0

// Drop returns the pass through sub-network i, a number from 0 to 2²⁴−2. Different sub-networks have
// independent masks, and every MaskKey draws all masks anew. Drop panics if i is outside this range.
func Drop(i int) Pass {
	if i < 0 || i >= maxPasses {
		panic(fmt.Sprintf("graph.Drop(%d): sub-networks have numbers from 0 to %d", i, maxPasses-1))
	}
	return Pass(i + 1)
}

// A stream number has 32 bits: the upper 24 have the pass and the lower 8 the layer of Dropout, or
// Noise.Stream.
const (
	layerBits      = 8
	streamsPerPass = 1 << layerBits
	maxPasses      = 1<<(32-layerBits) - 1 // number of sub-networks; one pass more is Full
)

// streamNumber returns the number of the random stream of a layer or noise in a pass.
func streamNumber(pass Pass, layer int) uint32 { return uint32(pass)<<layerBits | uint32(layer) }

// Dropout drops each unit of x [rows, units] with probability rate, in [0, 1), and multiplies the
// other units by 1/(1−rate). In the Full pass it returns x. x may have more axes. Calls with the
// same pass and layer, a number from 0 to 255, share a mask.
//
// The rate is rounded to a multiple of 2⁻¹⁶, and the factor follows from the rounded rate, so that
// the mean of the mask is 1. The builder fails if the rate keeps no unit, or if calls that share a
// mask differ in shape or rate.
func (b *Builder) Dropout(x *Node, pass Pass, layer int, rate float64) *Node {
	if !(rate >= 0 && rate < 1) {
		b.failOperation("Dropout", Nodes{x}, "rate %v is not in [0, 1)", rate)
	}
	if keepThreshold(rate) == 0 {
		b.failOperation("Dropout", Nodes{x}, "rate %v keeps no unit: masks have 16 bits, so want less than %.6g", rate, 1-0.5/keepLevels)
	}
	if b.err != nil || pass == Full || !DropsUnits(rate) {
		return x // also after the failures above, which set b.err
	}
	mask := b.dropoutMask(x, pass, layer, keepThreshold(rate))
	if b.err == nil {
		mask = b.Reshape(mask, x.Shape()...)
	}
	return b.Mul(x, mask)
}

// DropsUnits reports whether Dropout drops any unit at this rate. It drops none if the rate is 0 or
// rounded to 0.
func DropsUnits(rate float64) bool { return keepThreshold(rate) != keepLevels }

// keepLevels is the number of values of 16 random bits. A threshold of keepLevels keeps all units.
const keepLevels = 1 << 16

// keepThreshold returns the threshold of a dropout rate: a unit is kept if its 16 random bits are
// below it.
func keepThreshold(rate float64) uint32 { return uint32(math.Round((1 - rate) * keepLevels)) }

// dropoutMask returns the dropout mask for x, [rows, units]. It is the mask of an earlier call with
// the same pass and layer, if there is one.
func (b *Builder) dropoutMask(x *Node, pass Pass, layer int, threshold uint32) *Node {
	return b.apply("Dropout", Nodes{x}, func() (*Node, error) {
		if x.Dims() < 2 || layer < 0 || layer >= streamsPerPass {
			return nil, fmt.Errorf("want a matrix [rows units] and a layer from 0 to 255, not %d", layer)
		}
		rows := x.Shape()[0]
		mask := &randomNode{
			kind:      dropout,
			scope:     b.scope.prefix,
			stream:    streamNumber(pass, layer),
			threshold: threshold,
			rows:      rows,
			columns:   x.Shape().TotalSize() / rows,
		}
		if other := b.findRandomNode(mask); other != nil {
			if !other.drawsLike(mask) {
				return nil, fmt.Errorf("layer %d of this pass has a [%d %d] mask of another shape or rate already", layer, other.rows, other.columns)
			}
			return other.value, nil
		}
		return b.addRandomNode(fmt.Sprintf("mask of %ssub-network %d, layer %d", mask.scope, pass-1, layer), mask)
	})
}

// Noise identifies a stream of random numbers. A number depends on the MaskKey, the pass, the
// stream, and its row and column, and on nothing else.
type Noise struct {
	Pass   Pass // sub-network that the noise belongs to; Full for noise of an objective
	Stream int  // number of the noise in the pass, from 0 to 255, independent of the layers of Dropout
	Shared bool // whether the numbers do not belong to rows but, say, to weights: all batches draw the same
}

// Normal returns random numbers from N(0, 1), [rows, columns]. Each Runner.SampleMasks draws them
// anew. No gradient flows into them: σ·Normal + μ is the reparameterisation of N(μ, σ²). Calls with
// equal noise return one node. The builder fails if they differ in shape or distribution.
func (b *Builder) Normal(noise Noise, rows, columns int) *Node {
	return b.noiseNode("Normal", normalNoise, noise, rows, columns)
}

// Uniform returns random numbers from U(0, 1), never 0 or 1, [rows, columns]. All else is as in
// Normal.
func (b *Builder) Uniform(noise Noise, rows, columns int) *Node {
	return b.noiseNode("Uniform", uniformNoise, noise, rows, columns)
}

// noiseNode returns the node of a stream of noise: the node of an earlier call with the same pass
// and stream, if there is one.
func (b *Builder) noiseNode(op, kind string, noise Noise, rows, columns int) *Node {
	return b.apply(op, nil, func() (*Node, error) {
		if noise.Stream < 0 || noise.Stream >= streamsPerPass {
			return nil, fmt.Errorf("want a stream from 0 to 255, not %d", noise.Stream)
		}
		n := &randomNode{
			kind:    kind,
			scope:   b.scope.prefix,
			stream:  streamNumber(noise.Pass, noise.Stream),
			shared:  noise.Shared,
			rows:    rows,
			columns: columns,
		}
		if other := b.findRandomNode(n); other != nil {
			if !other.drawsLike(n) {
				return nil, fmt.Errorf("stream %d of this pass is [%d %d] %s noise already: give each noise a stream of its own", noise.Stream, other.rows, other.columns, other.kind)
			}
			return other.value, nil
		}
		owner := n.scope
		if noise.Pass != Full {
			owner += fmt.Sprintf("sub-network %d, ", noise.Pass-1)
		}
		return b.addRandomNode(fmt.Sprintf("%s noise of %sstream %d", kind, owner, noise.Stream), n)
	})
}

// findRandomNode returns the node of the graph that has n's scope and stream, or nil. Masks and
// noise have separate streams.
func (b *Builder) findRandomNode(n *randomNode) *randomNode {
	for _, other := range b.randomNodes {
		sameStreams := (other.kind == dropout) == (n.kind == dropout)
		if sameStreams && other.scope == n.scope && other.stream == n.stream {
			return other
		}
	}
	return nil
}

// addRandomNode adds n to the graph under a name and returns its value. If all rows share the numbers
// (Inspection.OneDraw), it draws a single row and repeats it.
func (b *Builder) addRandomNode(name string, n *randomNode) (*Node, error) {
	n.drawnRows = n.rows
	if b.inspection.OneDraw && !n.shared {
		n.drawnRows = 1
	}
	in, err := b.newInputNode(name, n.drawnRows, n.columns)
	if err != nil {
		return nil, err
	}
	n.inputNode = in
	n.value = b.Repeat(in.node, n.rows, n.columns)
	b.randomNodes = append(b.randomNodes, n)
	return n.value, b.err
}

// The kinds of random numbers.
const (
	dropout      = "dropout"
	normalNoise  = "normal"
	uniformNoise = "uniform"
)

// drawCost returns the estimated time of drawing one number of a kind, in multiplications, the unit of
// Pool.ShouldShare: noise takes whole random words, and normal noise a table or a logarithm as well.
func drawCost(kind string) int {
	switch kind {
	case dropout:
		return 16
	case uniformNoise:
		return 32
	}
	return 128
}

// randomNode is a matrix of random numbers that SampleMasks draws: a dropout mask, which is 1/keep
// for a kept unit and 0 for a dropped one, or noise.
type randomNode struct {
	*inputNode
	kind          string // dropout, normalNoise or uniformNoise
	scope         string // prefix of the network's scope, "" for the first network
	stream        uint32 // number of the random stream in the scope
	threshold     uint32 // a mask keeps a unit if its 16 random bits are below threshold; 0 for noise
	shared        bool   // Noise.Shared: whether the numbers do not belong to rows of the batch
	rows, columns int    // size of value
	drawnRows     int    // rows that are drawn: all, or 1 if value repeats it (Inspection.OneDraw)
	value         *Node  // the numbers, [rows, columns]

	// current is the present draw, for the goroutines that draw a part of the rows. It stays in the
	// node so that its memory is allocated once.
	current drawing
}

// drawing is one call of randomNode.sample.
type drawing struct {
	key     MaskKey
	seed    uint64          // key.Seed, combined with the scope
	values  []float32       // numbers to draw, row by row
	buffers []kernels.Noise // working memory of each goroutine; nil for masks

	// drawRows is the method sampleRows of the node as a function, which a call would allocate.
	drawRows func(worker, from, to int)
}

// drawsLike reports whether m and n, which have one stream, draw the same numbers: whether their shapes
// and distributions are equal.
func (m *randomNode) drawsLike(n *randomNode) bool {
	return m.rows == n.rows && m.columns == n.columns &&
		m.kind == n.kind && m.threshold == n.threshold && m.shared == n.shared
}

// MaskKey identifies one draw of all masks and noise. Each number is a function of these fields, the
// pass, the layer or stream, and its row and column. There is no generator with a state, so that
// numbers can be drawn again at any time and in any order.
type MaskKey struct {
	Seed uint64 // seed of the training or prediction, from Seed
	Step uint32 // training step, or number of the sub-network in evaluation
	Row  uint32 // number of the first row of the batch

	// StepRows is 0 if every row has numbers of its own. Otherwise the graph's rows are several steps of
	// StepRows rows, one after another: step Step, then Step+1, …, and all rows of a step have the
	// numbers of row Row. Noise that is Shared belongs to Step alone.
	StepRows int
}

// sample draws all numbers of the node. The goroutines of the pool, which may be nil, share the
// work if it is large.
func (m *randomNode) sample(key MaskKey, p *Pool) {
	d := &m.current
	d.key = key
	d.seed = m.scopeSeed(key.Seed)
	d.values = m.float32s
	if d.values == nil { // the graph computes in float64, and the kernels draw in float32
		d.values = make([]float32, m.size)
	}
	if m.kind != dropout && len(d.buffers) < p.Workers() {
		d.buffers = make([]kernels.Noise, p.Workers())
	}
	if p.ShouldShare(m.size*drawCost(m.kind), m.size) {
		if d.drawRows == nil {
			d.drawRows = m.sampleRows
		}
		p.Do(m.drawnRows, d.drawRows)
	} else {
		m.sampleRows(0, 0, m.drawnRows)
	}
	for i := range m.float64s {
		m.float64s[i] = float64(d.values[i])
	}
}

// scopeSeed returns the seed of the node's scope: the seed itself for the first network, and another
// one for each further network, so that their masks differ.
func (m *randomNode) scopeSeed(seed uint64) uint64 {
	if m.scope == "" {
		return seed
	}
	h := fnv.New64a()
	h.Write([]byte(m.scope))
	return Seed(seed, h.Sum64())
}

// sampleRows draws the rows from, …, to−1. worker is the index of the goroutine.
func (m *randomNode) sampleRows(worker, from, to int) {
	key := m.current.key
	switch {
	case m.shared: // the numbers belong to the matrix, so that its rows count from 0 in every batch
		m.drawStep(worker, from, to, uint32(from), key.Step)
		return
	case key.StepRows <= 0:
		m.drawStep(worker, from, to, key.Row+uint32(from), key.Step)
		return
	}
	for from < to { // each turn draws the first row of a step and copies it to the others
		step := from / key.StepRows
		end := min((step+1)*key.StepRows, to)
		m.drawStep(worker, from, from+1, key.Row, key.Step+uint32(step))
		values := m.current.values[from*m.columns : end*m.columns]
		for copied := m.columns; copied < len(values); copied *= 2 {
			copy(values[copied:], values[:copied])
		}
		from = end
	}
}

// drawStep draws the rows from, …, to−1 of one step. number is the number of the first of them.
func (m *randomNode) drawStep(worker, from, to int, number, step uint32) {
	d := &m.current
	values := d.values[from*m.columns : to*m.columns]
	switch m.kind {
	case dropout:
		keptValue := keepLevels / float32(m.threshold) // 1/(1 − rate)
		kernels.Masks(values, to-from, m.columns, d.seed, number, step, m.stream, m.threshold, keptValue)
	case uniformNoise:
		d.buffers[worker].Uniforms(values, to-from, m.columns, d.seed, number, step, m.stream)
	default:
		d.buffers[worker].Normals(values, to-from, m.columns, d.seed, number, step, m.stream)
	}
}

// Seed returns a seed that is derived from another seed and from numbers that name its purpose, such
// as a member of an ensemble, a fold or a kind of draw. For the same numbers, different seeds stay
// different. It mixes the bits as splitmix64 does: Steele et al. 2014, "Fast splittable
// pseudorandom number generators".
func Seed(seed uint64, numbers ...uint64) uint64 {
	// The shifts and factors are those of splitmix64. The first factor is 2⁶⁴ divided by the golden
	// ratio; n + 1 lets a 0 among the numbers change the seed, too.
	for _, n := range numbers {
		seed += (n + 1) * 0x9E3779B97F4A7C15
		seed = (seed ^ seed>>30) * 0xBF58476D1CE4E5B9
		seed = (seed ^ seed>>27) * 0x94D049BB133111EB
		seed ^= seed >> 31
	}
	return seed
}
