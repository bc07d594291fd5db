package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// welford writes the kernel of Welford's update.
type welford struct {
	avx
	mean, m2, x, n reg.Register // addresses of the next numbers, and their number
	inverse        reg.Register // 1/n of the draw, in all lanes
	inverseScalar  reg.Register // 1/n of the draw, in lane 0
}

// moments writes the kernel of Welford's update: whole vectors first, then one number at a time.
func moments(g *generator) {
	forEachISA(g, func(m avx, suffix string) {
		m.function("welford"+suffix, "mean, m2 *float64, x *float32, n int, inverse float64",
			"is kernels.Welford of n numbers, with inverse = 1/n of the draw.")
		w := welford{avx: m}
		w.mean = m.Load(m.Param("mean"), m.GP64())
		w.m2 = m.Load(m.Param("m2"), m.GP64())
		w.x = m.Load(m.Param("x"), m.GP64())
		w.n = m.Load(m.Param("n"), m.GP64())
		inverse, err := m.Param("inverse").Resolve()
		if err != nil {
			panic(err)
		}
		w.inverse = m.new()
		w.inverseScalar = m.XMM()
		m.VBROADCASTSD(inverse.Addr, w.inverse)
		m.VMOVSD(inverse.Addr, w.inverseScalar)

		vectors := m.label("vectors")
		singles := m.label("singles")
		done := m.label("done")
		w.updateVectors(vectors, singles)
		w.updateSingles(singles, done)
		m.Label(done)
		m.writeReturn()
	})
}

// updateVectors writes the loop over whole vectors, which jumps to singles at its end:
// mean += inverse·distance and m2 += distance·(draw − mean) with distance = draw − mean before.
func (w welford) updateVectors(loop, singles string) {
	lanes := w.bytes() / 8
	w.Label(loop)
	w.CMPQ(w.n, Imm(uint64(lanes)))
	w.JLT(LabelRef(singles))
	draw := w.new()
	distance := w.new()
	mean := w.new()
	m2 := w.new()
	w.VCVTPS2PD(address(w.x, 0), draw)
	w.VMOVUPD(address(w.mean, 0), mean)
	w.VMOVUPD(address(w.m2, 0), m2)
	w.VSUBPD(mean, draw, distance)
	w.VFMADD231PD(w.inverse, distance, mean)
	w.VSUBPD(mean, draw, draw) // distance from the new mean
	w.VFMADD231PD(draw, distance, m2)
	w.VMOVUPD(mean, address(w.mean, 0))
	w.VMOVUPD(m2, address(w.m2, 0))
	w.ADDQ(Imm(uint64(4*lanes)), w.x)
	w.ADDQ(Imm(uint64(8*lanes)), w.mean)
	w.ADDQ(Imm(uint64(8*lanes)), w.m2)
	w.SUBQ(Imm(uint64(lanes)), w.n)
	w.JMP(LabelRef(loop))
}

// updateSingles writes the loop over single numbers, with the operations of updateVectors, which jumps to
// done at its end.
func (w welford) updateSingles(loop, done string) {
	w.Label(loop)
	w.TESTQ(w.n, w.n)
	w.JLE(LabelRef(done))
	draw := w.XMM()
	distance := w.XMM()
	mean := w.XMM()
	m2 := w.XMM()
	w.VXORPS(draw, draw, draw) // or else the conversion would wait for the register's old value
	w.VCVTSS2SD(address(w.x, 0), draw, draw)
	w.VMOVSD(address(w.mean, 0), mean)
	w.VMOVSD(address(w.m2, 0), m2)
	w.VSUBSD(mean, draw, distance)
	w.VFMADD231SD(w.inverseScalar, distance, mean)
	w.VSUBSD(mean, draw, draw) // distance from the new mean
	w.VFMADD231SD(draw, distance, m2)
	w.VMOVSD(mean, address(w.mean, 0))
	w.VMOVSD(m2, address(w.m2, 0))
	w.ADDQ(Imm(4), w.x)
	w.ADDQ(Imm(8), w.mean)
	w.ADDQ(Imm(8), w.m2)
	w.DECQ(w.n)
	w.JMP(LabelRef(loop))
}
