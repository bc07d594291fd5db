package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Moments below these bounds become 0: see kernels.Adam.
const (
	minFirstMoment  = 0x1p-100
	minSecondMoment = 0x1p-120
)

// adam writes the kernels of Adam: two loops, with and without weight decay.
func adam(g *generator) {
	forEachISA(g, func(m vectorMath, suffix string) {
		m.function("adam"+suffix, "theta, grad, m, v *float32, n int, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink float32",
			"is kernels.Adam, with rest = 1−beta, rate = lr·correction1 and shrink = −lr·decay.")
		theta := stream{next: m.Load(m.Param("theta"), m.GP64())}
		grad := stream{next: m.Load(m.Param("grad"), m.GP64())}
		first := stream{next: m.Load(m.Param("m"), m.GP64())}
		second := stream{next: m.Load(m.Param("v"), m.GP64())}
		n := m.Load(m.Param("n"), m.GP64())
		beta1, rest1 := m.broadcastArgument("beta1"), m.broadcastArgument("rest1")
		beta2, rest2 := m.broadcastArgument("beta2"), m.broadcastArgument("rest2")
		eps, correction2 := m.broadcastArgument("eps"), m.broadcastArgument("correction2")
		rate, shrink := m.broadcastArgument("rate"), m.broadcastArgument("shrink")
		writeLoop := func(withDecay bool) {
			body := func(in []reg.Register) []reg.Register {
				theta, grad, first, second := in[0], in[1], in[2], in[3]
				first = m.fma(beta1, first, m.mul(rest1, grad))
				first = m.zeroUnless(m.compare(notLess, m.abs(first), m.float(minFirstMoment)), first)
				second = m.fma(beta2, second, m.mul(m.mul(rest2, grad), grad))
				second = m.zeroUnless(m.compare(notLess, second, m.float(minSecondMoment)), second)
				if withDecay {
					theta = m.fma(shrink, theta, theta)
				}
				step := m.div(m.mul(rate, first), m.add(m.sqrt(m.mul(second, correction2)), eps))
				return []reg.Register{m.sub(theta, step), first, second}
			}
			m.loop(n, vectorLoop{
				in:     []stream{theta, grad, first, second},
				out:    []stream{theta, first, second},
				body:   body,
				unroll: 1,
			})
			m.writeReturn()
		}
		withoutDecay, bits := m.label("plain"), m.GP32()
		shrinkArg, err := m.Param("shrink").Resolve()
		if err != nil {
			panic(err)
		}
		m.MOVL(shrinkArg.Addr, bits)
		m.SHLL(Imm(1), bits) // 0 for 0 and −0
		m.JEQ(LabelRef(withoutDecay))
		writeLoop(true)
		m.Label(withoutDecay)
		writeLoop(false)
	})
}
