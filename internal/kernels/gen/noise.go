package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// noise writes the kernels that draw random words and turn them into random numbers.
func noise(g *generator) {
	forEachISA(g, func(m avx, suffix string) {
		m.function("words"+suffix, "dst *uint32, pairs int, key uint64, step, stream uint32, counters *uint64, rows, blocks, last, width uint64",
			"writes random words, four of each counter, for pairs of batches: see Noise.drawPaddedWords.")
		(&wordWriter{philox: philox{avx: m}}).write()
		m.function("uniforms"+suffix, "dst *float32, words *uint32, n int", "is kernels.uniforms.")
		uniforms(vectorMath{m})
		m.function("normals"+suffix, "dst *float32, words *uint32, n int, inside *uint32, width *float32, outside *uint64",
			normalsDoc)
		numberWriter{avx: m}.normals()
	})
}

// normalsDoc is the doc comment of the kernels of normal numbers.
const normalsDoc = "makes a normal number of each of n words. A bit in outside marks a number that needs further words; it is computed again."

// wordWriter writes the kernel that draws random words, for two batches of counters at a time.
type wordWriter struct {
	philox
	rows, blocks [2]Mem // row and first word of the next counter in each lane, per batch
}

// write writes the whole function: a loop that turns two batches of counters at a time into words. The
// first batch has registers 0 to 5, the second 6 to 11, as in philox.
func (w *wordWriter) write() {
	for i := range 2 {
		w.rows[i], w.blocks[i] = w.AllocLocal(w.bytes()), w.AllocLocal(w.bytes())
	}
	w.setRounds()
	w.setJoin()
	w.setCounters()
	dst := w.Load(w.Param("dst"), w.GP64())
	pairs := w.Load(w.Param("pairs"), w.GP64())
	next := w.label("pairs")
	done := w.label("done")
	w.Label(next)
	w.TESTQ(pairs, pairs)
	w.JLE(LabelRef(done))
	for i := range 2 {
		w.takeCounters(i)
	}
	words := w.rounds()
	for i := range 2 {
		w.join(6*i, words)
		for j := range 2 {
			w.VMOVUPS(w.reg(6*i+j), address(dst, (2*i+j)*w.bytes()))
		}
	}
	w.ADDQ(U32(4*w.bytes()), dst)
	w.DECQ(pairs)
	w.JMP(LabelRef(next))
	w.Label(done)
	w.writeReturn()
}

// setCounters sets the counters of the first two batches, from the function's argument: 16 rows, of 8
// bytes each, and then 16 first words. It puts them in the order of the lanes that join needs.
func (w *wordWriter) setCounters() {
	const rowsBytes = 16 * 8
	from := w.Load(w.Param("counters"), w.GP64())
	if w.isAVX512 {
		w.VMOVUPS(w.order(), zmm[0])
	}
	for i := range 2 {
		for j, to := range []Mem{w.rows[i], w.blocks[i]} {
			source := address(from, rowsBytes*j+w.bytes()*i)
			if w.isAVX512 {
				w.VPERMQ(source, zmm[0], zmm[1])
			} else {
				w.VPERMQ(Imm(0b11_01_10_00), source, ymm[1]) // exchanges lanes 1 and 2
			}
			w.VMOVUPS(w.reg(1), to)
		}
	}
}

// takeCounters loads the counters of batch i and stores the next counters. A counter is a row and a block
// of four words in the row. In each lane it adds the numbers of rows and blocks between a counter and the
// next. A block beyond the row's last block then belongs to the next row: the row grows by 1 and the block
// shrinks by the row's width.
func (w *wordWriter) takeCounters(i int) {
	block, row := w.reg(6*i), w.reg(6*i+1)
	nextBlock := w.reg(6*i + 2)
	nextRow := w.reg(6*i + 3)
	exceeds := w.reg(6*i + 4) // −1 in lanes whose next block is after the row's last one, 0 elsewhere
	t := w.reg(6*i + 5)
	argument := func(name string) reg.VecPhysical { // copies an argument to all lanes of t
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
	if w.isAVX512 {
		w.VPCMPGTQ(argument("last"), nextBlock, reg.K3)
		w.VPMOVM2Q(reg.K3, exceeds)
	} else {
		w.VPCMPGTQ(argument("last"), nextBlock, exceeds)
	}
	w.VPSUBQ(exceeds, nextRow, nextRow) // adds 1 where exceeds is −1
	w.VMOVUPS(nextRow, w.rows[i])
	w.VANDPS(argument("width"), exceeds, exceeds)
	w.VPSUBQ(exceeds, nextBlock, nextBlock)
	w.VMOVUPS(nextBlock, w.blocks[i])
}

// numberWriter writes the kernels that turn random words into random numbers.
type numberWriter struct {
	avx
	inside, width stripTable   // for normals
	outside       reg.Register // for normals: address of the next marks
}

// forEachVector writes a loop that turns each vector of words into a vector of numbers, and the function's
// return.
func forEachVector(m vectorMath, number func(words vector) vector) {
	dst := m.argument("dst")
	words := m.argument("words")
	n := m.argument("n")
	m.loop(n, vectorLoop{
		in:     []stream{{next: words}},
		out:    []stream{{next: dst}},
		body:   func(in []vector) []vector { return []vector{number(in[0])} },
		unroll: 1,
	})
	m.writeReturn()
}

// uniforms writes the kernel of uniform numbers: the high 23 bits of a word, followed by a 1 bit.
func uniforms(m vectorMath) {
	forEachVector(m, func(words vector) vector {
		high := m.shiftRightUnsigned(words, 8)
		return m.mul(m.toFloat(m.or(high, m.constant(1))), m.float(0x1p-24))
	})
}

// normals writes the kernel of normal numbers by the ziggurat method (Marsaglia and Tsang 2000),
// which covers the density by 128 strips. A word chooses a strip i by its low 7 bits and a place
// 128·k + 64 in it by the others, −2²⁴ ≤ k < 2²⁴. A place inside the density gives the number
// (128·k + 64)·width[i], rounded once: one fma of 128·k, width[i] and 64·width[i], which are exact.
// Other places are marked in outside; kernels.Noise draws their numbers again.
func (d numberWriter) normals() {
	d.outside = d.Load(d.Param("outside"), d.GP64())
	d.inside, d.width = d.loadTable("inside"), d.loadTable("width")
	forEachVector(vectorMath{d}, func(words vector) vector {
		strip := d.strip(words)
		k := d.and(words, d.constant(^uint32(strips-1)))
		width := d.lookUp(d.width, strip)
		distance := d.new()
		d.VPABSD(d.or(k, d.constant(strips/2)), distance)
		inside := d.lookUp(d.inside, strip)
		if d.isAVX512 {
			in, out := d.K(), d.K()
			d.VPCMPGTD(distance, inside, in)
			d.KNOTW(in, out)
			d.KMOVW(out, address(d.outside, 0))
		} else {
			in, out := d.new(), d.GP32()
			d.VPCMPGTD(distance, inside, in)
			d.VMOVMSKPS(in, out)
			d.NOTL(out)
			d.MOVB(out.As8(), address(d.outside, 0))
		}
		d.ADDQ(Imm(uint64(d.bytes()/32)), d.outside)
		return d.fma(d.toFloat(k), width, d.mul(width, d.float(strips/2)))
	})
}

// strips is the number of strips of the ziggurat.
const strips = 128

// stripTable is a table with a number for each strip of the ziggurat.
type stripTable struct {
	memory    reg.Register // address
	registers [8]vector    // AVX-512: all numbers, since gathering from memory is slower
}

// loadTable returns the table that an argument of the function points to.
func (d numberWriter) loadTable(name string) stripTable {
	t := stripTable{memory: d.Load(d.Param(name), d.GP64())}
	for i := range t.registers {
		if d.isAVX512 {
			t.registers[i] = d.load(address(t.memory, 64*i))
		}
	}
	return t
}

// strip is the strip that each word chooses.
type strip struct {
	number     vector    // low 7 bits of the words; with AVX-512, the words
	bit5, bit6 condition // AVX-512: bits 5 and 6 of the number
}

// strip returns the strips that words choose.
func (d numberWriter) strip(words vector) strip {
	if !d.isAVX512 {
		return strip{number: d.and(words, d.constant(strips-1))}
	}
	s := strip{number: words, bit5: d.K(), bit6: d.K()}
	d.VPTESTMD(d.constant(1<<5), words, s.bit5)
	d.VPTESTMD(d.constant(1<<6), words, s.bit6)
	return s
}

// lookUp returns the number of each strip in a table.
func (d numberWriter) lookUp(t stripTable, s strip) vector {
	if !d.isAVX512 {
		r, all := d.zero(), d.new() // zero, since a gather waits for the old value of its destination
		d.VPCMPEQD(all, all, all)
		d.VPGATHERDD(all, indexedAddress(t.memory, s.number, 4, 0), r)
		return r
	}
	var r [4]reg.VecVirtual // numbers of one quarter of the table each, chosen by bits 0 to 4
	for i := range r {
		r[i] = d.new()
		d.VMOVDQA64(s.number, r[i])
		d.VPERMI2D(t.registers[2*i+1], t.registers[2*i], r[i])
	}
	d.VMOVDQA32(r[1], s.bit5, r[0])
	d.VMOVDQA32(r[3], s.bit5, r[2])
	d.VMOVDQA32(r[2], s.bit6, r[0])
	return r[0]
}
