package graph

import (
	"fmt"

	"sml/graph/internal/kernels"
)

// Noise names a stream of random numbers. Like those of masks they are a function of
// the MaskKey, the pass, the stream, and of row and column: nothing else.
type Noise struct {
	Pass   Pass // the sub-network that the noise belongs to; Full: noise of an objective, of no network
	Stream int  // 0 to 255, tells the noise of one pass apart; streams have nothing to do with layers of Dropout
	Shared bool // the numbers are not of rows, but of weights for instance: the same for whatever rows a run is of
}

// kinds of what SampleMasks fills.
const (
	dropout      = "dropout"
	normalNoise  = "normal"
	uniformNoise = "uniform"
)

// Normal returns random numbers of N(0, 1), [rows, columns], made anew by each
// Runner.SampleMasks. No gradient flows into them: σ·Normal + μ is the
// reparameterisation of N(μ, σ²). The same noise is the same node.
func (b *Builder) Normal(of Noise, rows, columns int) *Node {
	return b.noise("Normal", of, drawn{kind: normalNoise, shared: of.Shared}, rows, columns)
}

// Uniform is Normal with random numbers of U(0, 1), neither 0 nor 1.
func (b *Builder) Uniform(of Noise, rows, columns int) *Node {
	return b.noise("Uniform", of, drawn{kind: uniformNoise, shared: of.Shared}, rows, columns)
}

func (b *Builder) noise(op string, of Noise, d drawn, rows, columns int) *Node {
	return b.apply(op, nil, func() (*Node, error) {
		if of.Stream < 0 || of.Stream > 255 {
			return nil, fmt.Errorf("want a stream from 0 to 255, not %d", of.Stream)
		}
		d.scope = b.scope.prefix
		stream := uint32(of.Pass)<<8 | uint32(of.Stream)
		for _, m := range b.masks {
			if m.kind == dropout || m.scope != d.scope || m.stream != stream {
				continue
			}
			if m.rows != rows || m.columns != columns || m.drawn != d {
				return nil, fmt.Errorf("stream %d of this pass is [%d %d] %s noise already: give each noise a stream of its own", of.Stream, m.rows, m.columns, m.kind)
			}
			return m.node, nil
		}
		whose := "noise of " + d.scope
		if of.Pass != Full {
			whose += fmt.Sprintf("sub-network %d, ", of.Pass-1)
		}
		return b.draws(fmt.Sprintf("%s %sstream %d", d.kind, whose, of.Stream), d, stream, rows, columns)
	})
}

// noise fills values, rows of it from one on.
func (m *mask) noise(room *kernels.Noise, values []float32, from, rows int, d MaskKey) {
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
