package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// adam writes one step of Adam: two loops, with and without decay.
func adam(g *gen) {
	both(g, func(m maths, suffix string) {
		m.function("adam"+suffix, "theta, grad, m, v *float32, n int, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink float32",
			"is kernels.Adam, with rest = 1−beta, rate = lr·correction1 and shrink = −lr·decay.")
		var s []stream
		for _, name := range []string{"theta", "grad", "m", "v"} {
			s = append(s, stream{at: m.Load(m.Param(name), m.GP64())})
		}
		n := m.Load(m.Param("n"), m.GP64())
		beta1, rest1 := m.argument("beta1"), m.argument("rest1")
		beta2, rest2 := m.argument("beta2"), m.argument("rest2")
		eps, correction2 := m.argument("eps"), m.argument("correction2")
		rate, shrink := m.argument("rate"), m.argument("shrink")
		write := func(decay bool) {
			m.loop(n, []stream{s[0], s[2], s[3]}, s, 1, func(x []reg.Register) []reg.Register {
				theta, grad := x[0], x[1]
				first := m.fma(beta1, x[2], m.mul(rest1, grad))
				first = m.keep(m.compare(notLess, m.abs(first), m.float(0x1p-100)), first)
				second := m.fma(beta2, x[3], m.mul(m.mul(rest2, grad), grad))
				second = m.keep(m.compare(notLess, second, m.float(0x1p-120)), second)
				if decay {
					theta = m.fma(shrink, theta, theta)
				}
				step := m.div(m.mul(rate, first), m.add(m.sqrt(m.mul(second, correction2)), eps))
				return []reg.Register{m.sub(theta, step), first, second}
			})
			m.finish()
		}
		plain, bits := m.label("plain"), m.GP32()
		shrinkArg, err := m.Param("shrink").Resolve()
		if err != nil {
			panic(err)
		}
		m.MOVL(shrinkArg.Addr, bits)
		m.SHLL(Imm(1), bits) // a zero of either sign
		m.JEQ(LabelRef(plain))
		write(true)
		m.Label(plain)
		write(false)
	})
}
