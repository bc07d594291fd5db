package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// moments writes the kernel of Welford's update: whole vectors first, then one number at a time.
func moments(g *generator) {
	forEachISA(g, func(m vectorMath, suffix string) {
		m.function("welford"+suffix, "mean, m2 *float64, x *float32, n int, inverse float64",
			"is kernels.Welford of n numbers, with inverse = 1/n of the draw.")
		mean := m.Load(m.Param("mean"), m.GP64())
		m2 := m.Load(m.Param("m2"), m.GP64())
		x := m.Load(m.Param("x"), m.GP64())
		n := m.Load(m.Param("n"), m.GP64())
		arg, _ := m.Param("inverse").Resolve()
		inverse, one := m.new(), m.XMM()
		m.VBROADCASTSD(arg.Addr, inverse)
		m.VMOVSD(arg.Addr, one)

		lanes := m.bytes() / 8
		vectors, singles, done := m.label("vectors"), m.label("singles"), m.label("done")
		m.Label(vectors)
		m.CMPQ(n, Imm(uint64(lanes)))
		m.JLT(LabelRef(singles))
		draw, d, mu, sum := m.new(), m.new(), m.new(), m.new()
		m.VCVTPS2PD(address(x, 0), draw)
		m.VMOVUPD(address(mean, 0), mu)
		m.VMOVUPD(address(m2, 0), sum)
		m.VSUBPD(mu, draw, d)
		m.VFMADD231PD(inverse, d, mu)
		m.VSUBPD(mu, draw, draw)
		m.VFMADD231PD(draw, d, sum)
		m.VMOVUPD(mu, address(mean, 0))
		m.VMOVUPD(sum, address(m2, 0))
		m.ADDQ(Imm(uint64(4*lanes)), x)
		m.ADDQ(Imm(uint64(8*lanes)), mean)
		m.ADDQ(Imm(uint64(8*lanes)), m2)
		m.SUBQ(Imm(uint64(lanes)), n)
		m.JMP(LabelRef(vectors))

		m.Label(singles)
		m.TESTQ(n, n)
		m.JLE(LabelRef(done))
		scalar := func() reg.VecVirtual { return m.XMM() }
		sx, sd, smu, ssum := scalar(), scalar(), scalar(), scalar()
		m.VXORPS(sx, sx, sx)
		m.VCVTSS2SD(address(x, 0), sx, sx)
		m.VMOVSD(address(mean, 0), smu)
		m.VMOVSD(address(m2, 0), ssum)
		m.VSUBSD(smu, sx, sd)
		m.VFMADD231SD(one, sd, smu)
		m.VSUBSD(smu, sx, sx)
		m.VFMADD231SD(sx, sd, ssum)
		m.VMOVSD(smu, address(mean, 0))
		m.VMOVSD(ssum, address(m2, 0))
		m.ADDQ(Imm(4), x)
		m.ADDQ(Imm(8), mean)
		m.ADDQ(Imm(8), m2)
		m.DECQ(n)
		m.JMP(LabelRef(singles))
		m.Label(done)
		m.writeReturn()
	})
}
