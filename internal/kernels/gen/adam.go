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

// adamWriter writes the kernel of Adam. The registers are named as the kernel's parameters.
type adamWriter struct {
	vectorMath
	theta, grad, first, second stream // weights, gradient and moments
	n                          reg.Register
	beta1, rest1, beta2, rest2 reg.Register
	eps, correction2           reg.Register
	rate, shrink               reg.Register
}

// adam writes the kernel of Adam.
func adam(g *generator) {
	forEachISA(g, func(m vectorMath, suffix string) {
		m.function("adam"+suffix, "theta, grad, m, v *float32, n int, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink float32",
			"is kernels.Adam, with rest = 1−beta, rate = lr·correction1 and shrink = −lr·decay.")
		a := adamWriter{vectorMath: m}
		a.loadArguments()
		a.writeLoops()
	})
}

// loadArguments loads all arguments into registers.
func (a *adamWriter) loadArguments() {
	a.theta.next = a.Load(a.Param("theta"), a.GP64())
	a.grad.next = a.Load(a.Param("grad"), a.GP64())
	a.first.next = a.Load(a.Param("m"), a.GP64())
	a.second.next = a.Load(a.Param("v"), a.GP64())
	a.n = a.Load(a.Param("n"), a.GP64())
	a.beta1 = a.broadcastArgument("beta1")
	a.rest1 = a.broadcastArgument("rest1")
	a.beta2 = a.broadcastArgument("beta2")
	a.rest2 = a.broadcastArgument("rest2")
	a.eps = a.broadcastArgument("eps")
	a.correction2 = a.broadcastArgument("correction2")
	a.rate = a.broadcastArgument("rate")
	a.shrink = a.broadcastArgument("shrink")
}

// writeLoops writes a loop with weight decay and a loop without, and chooses the second if shrink is 0.
func (a *adamWriter) writeLoops() {
	withoutDecay := a.label("plain")
	bits := a.GP32()
	shrink, err := a.Param("shrink").Resolve()
	if err != nil {
		panic(err)
	}
	a.MOVL(shrink.Addr, bits)
	a.SHLL(Imm(1), bits) // removes the sign of −0
	a.JEQ(LabelRef(withoutDecay))
	a.writeLoop(true)
	a.Label(withoutDecay)
	a.writeLoop(false)
}

// writeLoop writes the loop over the weights and the function's return.
func (a *adamWriter) writeLoop(withDecay bool) {
	a.loop(a.n, vectorLoop{
		in:  []stream{a.theta, a.grad, a.first, a.second},
		out: []stream{a.theta, a.first, a.second},
		body: func(in []reg.Register) []reg.Register {
			theta, first, second := a.update(in[0], in[1], in[2], in[3], withDecay)
			return []reg.Register{theta, first, second}
		},
		unroll: 1,
	})
	a.writeReturn()
}

// update computes the weights theta and their moments after a step.
func (a *adamWriter) update(theta, grad, first, second reg.Register, withDecay bool) (newTheta, newFirst, newSecond reg.Register) {
	first = a.fma(a.beta1, first, a.mul(a.rest1, grad))
	first = a.zeroUnless(a.compare(notLess, a.abs(first), a.float(minFirstMoment)), first)
	second = a.fma(a.beta2, second, a.mul(a.mul(a.rest2, grad), grad))
	second = a.zeroUnless(a.compare(notLess, second, a.float(minSecondMoment)), second)
	if withDecay {
		theta = a.fma(a.shrink, theta, theta)
	}
	numerator := a.mul(a.rate, first)
	denominator := a.add(a.sqrt(a.mul(second, a.correction2)), a.eps)
	step := a.div(numerator, denominator)
	return a.sub(theta, step), first, second
}
