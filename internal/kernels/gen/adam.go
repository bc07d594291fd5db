package main

// Moments below these bounds become 0: see kernels.Adam.
const (
	minFirstMoment  = 0x1p-100
	minSecondMoment = 0x1p-120
)

// adamWriter writes the kernel of Adam. The registers are named as the kernel's parameters.
type adamWriter struct {
	vectorMath
	theta, grad, first, second stream // weights, gradient and moments
	n                          vector
	beta1, rest1, beta2, rest2 vector
	eps, correction2           vector
	rate, shrink               vector
}

// adam writes the kernel of Adam.
func adam(_ string, forEach isaLoop) {
	forEach(func(m vectorMath, suffix string) {
		m.function("adam"+suffix, "theta, grad, m, v *float32, n int, beta1, rest1, beta2, rest2, eps, correction2, rate, shrink float32",
			"is kernels.Adam, with rest = 1−beta, rate = lr·correction1 and shrink = −lr·decay.")
		a := adamWriter{vectorMath: m}
		a.loadArguments()
		a.writeLoops()
	})
}

// loadArguments loads all arguments into registers.
func (a *adamWriter) loadArguments() {
	a.theta.next = a.argument("theta")
	a.grad.next = a.argument("grad")
	a.first.next = a.argument("m")
	a.second.next = a.argument("v")
	a.n = a.argument("n")
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
	a.jumpIfZeroArgument("shrink", withoutDecay)
	a.writeLoop(true)
	a.place(withoutDecay)
	a.writeLoop(false)
}

// writeLoop writes the loop over the weights and the function's return.
func (a *adamWriter) writeLoop(withDecay bool) {
	a.loop(a.n, vectorLoop{
		in:  []stream{a.theta, a.grad, a.first, a.second},
		out: []stream{a.theta, a.first, a.second},
		body: func(in []vector) []vector {
			theta, first, second := a.update(in[0], in[1], in[2], in[3], withDecay)
			return []vector{theta, first, second}
		},
		unroll: 1,
	})
	a.writeReturn()
}

// update computes the weights theta and their moments after a step.
func (a *adamWriter) update(theta, grad, first, second vector, withDecay bool) (newTheta, newFirst, newSecond vector) {
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
