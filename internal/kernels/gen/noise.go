package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// noise writes random words, and the random numbers that they make.
func noise(g *gen) {
	both(g, func(m maths, suffix string) {
		m.function("words"+suffix, "dst *uint32, pairs int, key uint64, step, stream uint32, counters *uint64, rows, blocks, last, width uint64",
			"writes random words, four of each counter, for pairs of batches: see Noise.draw.")
		(&worder{philox: philox{maths: m}}).write()
		m.function("uniforms"+suffix, "dst *float32, words *uint32, n int", "is kernels.uniforms.")
		drawer{maths: m}.uniforms()
		m.function("normals"+suffix, "dst *float32, words *uint32, n int, inside *uint32, width *float32, outside *uint64",
			"makes n words normal numbers, and sets a bit for those that need more than their word, whose numbers are rubbish.")
		drawer{maths: m}.normals()
	})
}

// worder writes random words.
type worder struct {
	philox
	rows, blocks [2]Mem // of the next two batches' counters, dealt to lanes
}

func (w *worder) write() {
	for i := range 2 {
		w.rows[i], w.blocks[i] = w.AllocLocal(w.bytes()), w.AllocLocal(w.bytes())
	}
	w.setRounds()
	w.setJoin()
	w.setCounters()
	dst, pairs := w.Load(w.Param("dst"), w.GP64()), w.Load(w.Param("pairs"), w.GP64())
	next, done := w.label("pairs"), w.label("done")
	w.Label(next)
	w.TESTQ(pairs, pairs)
	w.JLE(LabelRef(done))
	for i := range 2 {
		w.take(i)
	}
	words := w.rounds()
	for i := range 2 {
		w.join(6*i, words)
		for j := range 2 {
			w.VMOVUPS(w.reg(6*i+j), mem(dst, (2*i+j)*w.bytes()))
		}
	}
	w.ADDQ(U32(4*w.bytes()), dst)
	w.DECQ(pairs)
	w.JMP(LabelRef(next))
	w.Label(done)
	w.finish()
}

// setCounters deals the first counters to lanes.
func (w *worder) setCounters() {
	from := w.Load(w.Param("counters"), w.GP64())
	if w.wide {
		w.VMOVUPS(w.order(), zmm[0])
	}
	for i := range 2 {
		for j, to := range []Mem{w.rows[i], w.blocks[i]} {
			source := mem(from, 128*j+w.bytes()*i)
			if w.wide {
				w.VPERMQ(source, zmm[0], zmm[1])
			} else {
				w.VPERMQ(Imm(0b11_01_10_00), source, ymm[1])
			}
			w.VMOVUPS(w.reg(1), to)
		}
	}
}

// take sets the counters of batch i and goes on to those that it has after them.
func (w *worder) take(i int) {
	block, row, nextBlock, nextRow, beyond, t := w.reg(6*i), w.reg(6*i+1), w.reg(6*i+2), w.reg(6*i+3), w.reg(6*i+4), w.reg(6*i+5)
	argument := func(name string) reg.VecPhysical {
		arg, err := w.Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		w.VPBROADCASTQ(arg.Addr, t)
		return t
	}
	w.VMOVUPS(w.blocks[i], block)
	w.VMOVUPS(w.rows[i], row)
	w.VPADDQ(block, argument("blocks"), nextBlock)
	w.VPADDQ(row, argument("rows"), nextRow)
	if w.wide {
		w.VPCMPGTQ(argument("last"), nextBlock, reg.K3)
		w.VPMOVM2Q(reg.K3, beyond)
	} else {
		w.VPCMPGTQ(argument("last"), nextBlock, beyond)
	}
	w.VPSUBQ(beyond, nextRow, nextRow) // minus −1
	w.VMOVUPS(nextRow, w.rows[i])
	w.VANDPS(argument("width"), beyond, beyond)
	w.VPSUBQ(beyond, nextBlock, nextBlock)
	w.VMOVUPS(nextBlock, w.blocks[i])
}

// drawer makes words numbers.
type drawer struct {
	maths
	inside, width lookup
	outside       reg.Register // where the bits of the next numbers go
}

func (d drawer) each(number func(words reg.Register) reg.Register) {
	dst, words := d.Load(d.Param("dst"), d.GP64()), d.Load(d.Param("words"), d.GP64())
	n := d.Load(d.Param("n"), d.GP64())
	d.loop(n, []stream{{at: dst}}, []stream{{at: words}}, 1, func(x []reg.Register) []reg.Register {
		return []reg.Register{number(x[0])}
	})
	d.finish()
}

// uniforms takes the high 23 bits of a word with a one behind them.
func (d drawer) uniforms() {
	d.each(func(words reg.Register) reg.Register {
		high := d.new()
		d.VPSRLD(Imm(8), words, high)
		return d.mul(d.toFloat(d.or(high, d.constant(1))), d.float(0x1p-24))
	})
}

// normals takes place 128·k + 64 of strip i, −2²⁴ ≤ k < 2²⁴. One fma of 128·k,
// width[i] and 64·width[i], all of which are exact, rounds (128·k + 64)·width[i] once.
func (d drawer) normals() {
	d.outside = d.Load(d.Param("outside"), d.GP64())
	d.inside, d.width = d.table("inside"), d.table("width")
	d.each(func(words reg.Register) reg.Register {
		strip := d.strip(words)
		k := d.and(words, d.constant(^uint32(strips-1)))
		width := d.at(d.width, strip)
		distance := d.new()
		d.VPABSD(d.or(k, d.constant(strips/2)), distance)
		inside := d.at(d.inside, strip)
		if d.wide {
			in, out := d.K(), d.K()
			d.VPCMPGTD(distance, inside, in)
			d.KNOTW(in, out)
			d.KMOVW(out, mem(d.outside, 0))
		} else {
			in, out := d.new(), d.GP32()
			d.VPCMPGTD(distance, inside, in)
			d.VMOVMSKPS(in, out)
			d.NOTL(out)
			d.MOVB(out.As8(), mem(d.outside, 0))
		}
		d.ADDQ(Imm(uint64(d.bytes()/32)), d.outside)
		return d.fma(d.toFloat(k), width, d.mul(width, d.float(strips/2)))
	})
}

// strips is the number of the ziggurat's strips.
const strips = 128

// lookup is a table of a number for each strip: AVX-512 has it in registers, which
// is faster than gathering from memory.
type lookup struct {
	from reg.Register
	in   [8]reg.Register
}

func (d drawer) table(name string) lookup {
	t := lookup{from: d.Load(d.Param(name), d.GP64())}
	for i := range t.in {
		if d.wide {
			t.in[i] = d.load(mem(t.from, 64*i))
		}
	}
	return t
}

// strip selects numbers of a table: by the low 7 bits of words, of which AVX-512 has
// two as conditions.
type strip struct {
	number     reg.Register
	bit5, bit6 condition
}

func (d drawer) strip(words reg.Register) strip {
	if !d.wide {
		return strip{number: d.and(words, d.constant(strips-1))}
	}
	s := strip{number: words, bit5: d.K(), bit6: d.K()}
	d.VPTESTMD(d.constant(1<<5), words, s.bit5)
	d.VPTESTMD(d.constant(1<<6), words, s.bit6)
	return s
}

func (d drawer) at(t lookup, s strip) reg.Register {
	if !d.wide {
		r, all := d.zero(), d.new() // a gather waits for what its destination was
		d.VPCMPEQD(all, all, all)
		d.VPGATHERDD(all, Mem{Base: t.from, Index: s.number, Scale: 4}, r)
		return r
	}
	var r [4]reg.VecVirtual // from a quarter of the table each, by bits 0 to 4
	for i := range r {
		r[i] = d.new()
		d.VMOVDQA64(s.number, r[i])
		d.VPERMI2D(t.in[2*i+1], t.in[2*i], r[i])
	}
	d.VMOVDQA32(r[1], s.bit5, r[0])
	d.VMOVDQA32(r[3], s.bit5, r[2])
	d.VMOVDQA32(r[2], s.bit6, r[0])
	return r[0]
}
