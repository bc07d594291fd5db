package graph

import (
	"fmt"
	"hash/fnv"
	"math"

	"sml/internal/kernels"
)

// Pass says which units a forward pass keeps: all of them (Full), or those of one dropout
// sub-network (Drop). Passes compare with ==.
type Pass uint32

// Full is the pass through the full network: no unit is dropped.
const Full Pass = 0

// Drop returns the pass through sub-network i = 0, 1, …. Different sub-networks have
// independent masks, and every MaskKey draws all of them anew.
func Drop(i int) Pass {
	if i < 0 || i >= maxPasses {
		panic(fmt.Sprintf("graph.Drop(%d): sub-networks have numbers from 0 to %d", i, maxPasses-1))
	}
	return Pass(i + 1)
}

// maxPasses is the number of sub-networks that have masks: 24 bits of a stream's number
// are the pass, and 8 the layer.
const maxPasses = 1<<24 - 1

// Dropout drops each unit of x [rows, units] with probability rate and multiplies the kept
// units by 1/(1−rate); in the Full pass it returns x. x may have more axes. The rate is
// rounded to a multiple of 2⁻¹⁶, and the factor with it, so that the mask's mean is 1.
// layer numbers the masks of a pass: calls with the same pass and layer share a mask.
func (b *Builder) Dropout(x *Node, pass Pass, layer int, rate float64) *Node {
	if !(rate >= 0 && rate < 1) {
		b.fail("Dropout", Nodes{x}, "rate %v is not in [0, 1)", rate)
	}
	if keepThreshold(rate) == 0 {
		b.fail("Dropout", Nodes{x}, "rate %v keeps no unit: masks have 16 bits, so want less than %.6g", rate, 1-0.5/keepLevels)
	}
	if b.err != nil || pass == Full || !DropsAt(rate) {
		return x
	}
	mask := b.dropoutMask(x, pass, layer, keepThreshold(rate))
	if b.err == nil {
		mask = b.Reshape(mask, x.Shape()...)
	}
	return b.Mul(x, mask)
}

// DropsAt reports whether Dropout drops any unit at this rate. It drops none at 0, nor at
// rates that are rounded to 0.
func DropsAt(rate float64) bool { return keepThreshold(rate) != keepLevels }

// keepLevels is the resolution of a keep probability: masks compare 16 random bits with a
// threshold.
const keepLevels = 1 << 16

// keepThreshold returns how many of the levels keep a unit.
func keepThreshold(rate float64) uint32 { return uint32(math.Round((1 - rate) * keepLevels)) }

// dropoutMask returns the dropout dropoutMask for x.
func (b *Builder) dropoutMask(x *Node, pass Pass, layer int, threshold uint32) *Node {
	return b.apply("Dropout", Nodes{x}, func() (*Node, error) {
		if x.Dims() < 2 || layer < 0 || layer > 255 {
			return nil, fmt.Errorf("want a matrix [rows units] and a layer from 0 to 255, not %d", layer)
		}
		stream := uint32(pass)<<8 | uint32(layer)
		rows := x.Shape()[0]
		columns := x.Shape().TotalSize() / rows
		d := drawSettings{kind: dropout, scope: b.scope.prefix, threshold: threshold}
		for _, m := range b.randomNodes {
			if m.kind != dropout || m.scope != d.scope || m.stream != stream {
				continue
			}
			if m.rows != rows || m.columns != columns || m.drawSettings != d {
				return nil, fmt.Errorf("layer %d of this pass has a [%d %d] mask of another shape or rate already", layer, m.rows, m.columns)
			}
			return m.node, nil
		}
		return b.newRandomNode(fmt.Sprintf("mask of %ssub-network %d, layer %d", d.scope, pass-1, layer), d, stream, rows, columns)
	})
}

// Noise names a stream of random numbers. A number depends on the MaskKey, the pass, the
// stream, and its row and column, and on nothing else.
type Noise struct {
	Pass   Pass // sub-network that the noise belongs to; Full for noise of an objective
	Stream int  // number of the noise within the pass, 0 to 255; layers of Dropout have other numbers
	Shared bool // the numbers belong to weights, say, not to rows: a run over other rows draws the same
}

// Normal returns random numbers from N(0, 1), [rows, columns], which each
// Runner.SampleMasks draws anew. No gradient flows into them: σ·Normal + μ is the
// reparameterisation of N(μ, σ²). Equal noise is one node.
func (b *Builder) Normal(of Noise, rows, columns int) *Node {
	return b.noiseNode("Normal", of, drawSettings{kind: normalNoise, shared: of.Shared}, rows, columns)
}

// Uniform returns random numbers from U(0, 1), never 0 or 1. See Normal.
func (b *Builder) Uniform(of Noise, rows, columns int) *Node {
	return b.noiseNode("Uniform", of, drawSettings{kind: uniformNoise, shared: of.Shared}, rows, columns)
}

// noiseNode returns the node of a stream of noiseNode.
func (b *Builder) noiseNode(op string, of Noise, d drawSettings, rows, columns int) *Node {
	return b.apply(op, nil, func() (*Node, error) {
		if of.Stream < 0 || of.Stream > 255 {
			return nil, fmt.Errorf("want a stream from 0 to 255, not %d", of.Stream)
		}
		d.scope = b.scope.prefix
		stream := uint32(of.Pass)<<8 | uint32(of.Stream)
		for _, m := range b.randomNodes {
			if m.kind == dropout || m.scope != d.scope || m.stream != stream {
				continue
			}
			if m.rows != rows || m.columns != columns || m.drawSettings != d {
				return nil, fmt.Errorf("stream %d of this pass is [%d %d] %s noise already: give each noise a stream of its own", of.Stream, m.rows, m.columns, m.kind)
			}
			return m.node, nil
		}
		whose := "noise of " + d.scope
		if of.Pass != Full {
			whose += fmt.Sprintf("sub-network %d, ", of.Pass-1)
		}
		return b.newRandomNode(fmt.Sprintf("%s %sstream %d", d.kind, whose, of.Stream), d, stream, rows, columns)
	})
}

// newRandomNode returns a new node that SampleMasks fills.
func (b *Builder) newRandomNode(name string, d drawSettings, stream uint32, rows, columns int) (*Node, error) {
	buf, err := b.newInputNode(name, rows, columns)
	if err != nil {
		return nil, err
	}
	b.randomNodes = append(b.randomNodes, &randomNode{inputNode: buf, drawSettings: d, stream: stream, rows: rows, columns: columns, cost: drawCost[d.kind]})
	return buf.node, nil
}

// The kinds of random numbers.
const (
	dropout      = "dropout"
	normalNoise  = "normal"
	uniformNoise = "uniform"
)

// randomNode is a node that SampleMasks fills: a dropout randomNode, 1/keep for a kept unit and 0 for
// a dropped one, or noise.
type randomNode struct {
	*inputNode
	drawSettings
	stream        uint32
	rows, columns int
	cost          int // cost of a number, in multiplications

	// The present call of fill, for the goroutines that draw a part of the rows.
	values []float32
	at     MaskKey
	key    uint64
	room   []kernels.Noise            // working memory of each goroutine
	part   func(worker, from, to int) // draw as a value, made once
}

// drawSettings describes the random numbers of a mask.
type drawSettings struct {
	kind      string // dropout, normal or uniform
	scope     string // prefix of the network's scope, "" for the first network
	threshold uint32 // number of levels that keep a unit, 0 for noise
	shared    bool   // Noise.Shared
}

// MaskKey names one set of masks. Each element of a mask is a function of these numbers,
// the pass, the layer, its row and its column. There is no generator state, so masks can
// be drawn again at any time and in any order.
type MaskKey struct {
	Seed   uint64 // seed of the training or prediction, from Seed
	Step   uint32 // training step, or number of the sub-network in evaluation
	Row    uint32 // number of the first row of the batch
	Shared bool   // every row uses the mask of row Row

	// StepRows is the number of rows of one step, 0 if all rows belong to Step. With StepRows,
	// the graph's rows are several steps, one after another: step Step, then Step+1, …,
	// each with its rows numbered from Row. Noise that is Shared belongs to Step alone.
	StepRows int
}

// sample draws all numbers of a mask.
func (m *randomNode) sample(d MaskKey, p *Pool) {
	values := m.float32s
	if values == nil {
		values = make([]float32, m.size)
	}
	key := d.Seed
	if m.scope != "" { // further networks have other masks than the first
		h := fnv.New64a()
		h.Write([]byte(m.scope))
		key = Seed(d.Seed, h.Sum64())
	}
	m.values, m.at, m.key = values, d, key
	if m.kind != dropout && len(m.room) < p.Threads() {
		m.room = make([]kernels.Noise, p.Threads())
	}
	if n := m.rows * m.columns; !d.Shared && p.ShouldShare(n*m.cost, n) {
		if m.part == nil {
			m.part = m.sampleRows
		}
		p.Do(m.rows, m.part)
	} else {
		m.sampleRows(0, 0, m.rows)
	}
	for i := range m.float64s {
		m.float64s[i] = float64(values[i])
	}
}

// drawCost is the cost of a random number, in multiplications.
var drawCost = map[string]int{dropout: 16, uniformNoise: 32, normalNoise: 128}

// sampleRows draws the rows from, …, to−1 of a mask.
func (m *randomNode) sampleRows(worker, from, to int) {
	every := m.at.StepRows
	if every <= 0 || m.shared {
		every = m.rows
	}
	for from < to {
		first, d := from%every, m.at
		d.Step += uint32(from / every)
		n := min(every-first, to-from)
		values := m.values[from*m.columns:][:n*m.columns]
		if m.kind == dropout {
			kernels.Masks(values, n, m.columns, m.key, d.Row+uint32(first), d.Step, m.stream, d.Shared, m.threshold, keepLevels/float32(m.threshold))
		} else {
			m.sampleNoise(&m.room[worker], values, first, n, d)
		}
		from += n
	}
}

// sampleNoise fills values with rows of sampleNoise, of which the first is row from of its step.
func (m *randomNode) sampleNoise(room *kernels.Noise, values []float32, from, rows int, d MaskKey) {
	drawn, first := rows, d.Row+uint32(from)
	switch {
	case m.shared:
		first = uint32(from)
	case d.Shared:
		drawn = 1
	}
	if m.kind == uniformNoise {
		room.Uniforms(values, drawn, m.columns, m.key, first, d.Step, m.stream)
	} else {
		room.Normals(values, drawn, m.columns, m.key, first, d.Step, m.stream)
	}
	for r := drawn; r < rows; r++ {
		copy(values[r*m.columns:], values[:m.columns])
	}
}

// Seed derives a seed from another seed and from numbers that name its purpose, such as a
// member of an ensemble, a fold or a kind of draw. Different seeds stay different for the
// same numbers. Source of the mixing: splitmix64, Steele et al. 2014.
func Seed(seed uint64, numbers ...uint64) uint64 {
	for _, n := range numbers {
		seed += (n + 1) * 0x9E3779B97F4A7C15
		seed = (seed ^ seed>>30) * 0xBF58476D1CE4E5B9
		seed = (seed ^ seed>>27) * 0x94D049BB133111EB
		seed ^= seed >> 31
	}
	return seed
}
