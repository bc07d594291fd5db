package graph_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sml/graph"
)

// imageOperations returns operations on images and sequences, whose results are matrices.
func imageOperations() (all []operation) {
	flat := func(b builder, y node) node {
		if b.Err() != nil || y.Dims() <= 2 {
			return y
		}
		return b.Reshape(y, y.Shape()[0], y.Shape().TotalSize()/y.Shape()[0])
	}
	images := func(b builder, p maker) node { return b.Reshape(p(2, 5*4*3), 2, 5, 4, 3) }
	add := func(name string, op func(b builder, p maker) node) {
		all = append(all, operation{name, func(b builder, p maker) node { return flat(b, op(b, p)) }})
	}
	for _, k := range windows {
		add(fmt.Sprintf("Conv2D %+v", k), func(b builder, p maker) node {
			return b.Conv2D(images(b, p), p(3*2*3, 2), p(1, 2), k)
		})
		add(fmt.Sprintf("Conv2D %+v, ReLU and Dropout", k), func(b builder, p maker) node {
			y := b.ReLU(b.Conv2D(images(b, p), p(3*2*3, 2), p(1, 2), k))
			return b.Add(b.Dropout(y, graph.Drop(0), 0, 0.4), b.Square(y))
		})
		sequence := k
		sequence.Height = 0
		add(fmt.Sprintf("Conv1D %+v", k), func(b builder, p maker) node {
			return b.Conv1D(b.Reshape(p(2, 5*3), 2, 5, 3), p(2*3, 4), p(1, 4), sequence)
		})
	}
	add("two convolutions", func(b builder, p maker) node {
		y := b.ReLU(b.Conv2D(images(b, p), p(3*3*3, 4), p(1, 4), graph.Window{Height: 3, Width: 3, Padding: 1}))
		return b.Conv2D(b.Dropout(y, graph.Drop(0), 0, 0.4), p(2*2*4, 2), nil, graph.Window{Height: 2, Width: 2})
	})
	add("1×1", func(b builder, p maker) node {
		return b.Tanh(b.Conv2D(images(b, p), p(3, 2), p(1, 2), graph.Window{Height: 1, Width: 1}))
	})
	for name, pool := range map[string]func(b builder, x node, k graph.Window) node{"MaxPool": builder.MaxPool, "MeanPool": builder.MeanPool} {
		for _, k := range []graph.Window{{Height: 2, Width: 2}, {Height: 5, Width: 4}, {Height: 3, Width: 2, Stride: 1}, {Height: 2, Width: 2, Dilation: 2}} {
			add(fmt.Sprintf("%s %+v", name, k), func(b builder, p maker) node { return pool(b, b.Square(images(b, p)), k) })
		}
		add(name+" of a sequence", func(b builder, p maker) node {
			return pool(b, b.Reshape(p(2, 5*3), 2, 5, 3), graph.Window{Width: 2})
		})
	}
	add("Sub of images", func(b builder, p maker) node { return b.Sub(images(b, p), b.Square(images(b, p))) })
	add("Div by channel", func(b builder, p maker) node { return b.Div(images(b, p), b.Exp(p(1, 3))) })
	add("Sub by channel, reversed", func(b builder, p maker) node { return b.Square(b.Sub(p(1, 3), images(b, p))) })
	add("Mul by a scalar", func(b builder, p maker) node { return b.Mul(b.Sum(p(2, 2)), images(b, p)) })
	add("scalar times matrix", func(b builder, p maker) node { return b.Mul(b.Sum(p(2, 2)), b.Square(p(3, 4))) })
	add("images times scalar", func(b builder, p maker) node { return b.Mul(images(b, p), b.Sum(p(2, 2))) })
	add("Max of images", func(b builder, p maker) node { return b.Max(images(b, p), p(1, 3)) })
	add("Where of images", func(b builder, p maker) node {
		x := images(b, p)
		return b.Where(x, b.Exp(x), b.Square(x))
	})
	add("sums of images", func(b builder, p maker) node {
		x := images(b, p)
		return b.Add(b.Mul(b.Sum(b.Square(x)), b.Mean(x)), b.MSE(x, b.StopGradient(b.Exp(x))))
	})
	return all
}

var windows = []graph.Window{
	{Height: 3, Width: 2},
	{Height: 3, Width: 2, Stride: 2, Padding: 1},
	{Height: 3, Width: 2, Padding: 2, Dilation: 2},
	{Height: 3, Width: 2, Padding: 4},
}

// number returns element i of seq in the PyTorch script below.
func number(i int) float64 { return float64(7*i%11-5) / 8 }

// weightedTotal returns Σ number(i)·v[i].
func weightedTotal(values []float64) (sum float64) {
	for i, v := range values {
		sum += float64(number(i) * v)
	}
	return sum
}

// Expected: PyTorch 1.13, float64, of
//
//	def seq(*shape): return torch.tensor([((7*i)%11-5)/8 for i in range(math.prod(shape))]).reshape(shape)
//	x, w, c = seq(2,5,4,3), seq(3*2*3,2), seq(1,2)          # all requires_grad_()
//	y = F.conv2d(x.permute(0,3,1,2), w.reshape(3,2,3,2).permute(3,2,0,1), c[0], stride, padding, dilation).permute(0,2,3,1)
//	l = (y**3).sum(); g = torch.autograd.grad(l, [x, w, c]); print(l, [(t*seq(*t.shape)).sum() for t in g])
//
// likewise with F.conv1d of x = seq(2,9,3) and w = seq(4*3,2) as reshape(4,3,2).permute(2,1,0); with
// F.max_pool2d(v, 2, stride=1) and F.avg_pool2d(v, (3,2)) of seq + 0.001·i, so that no
// two numbers are equal.
func TestConvolutionsAgainstPyTorch(t *testing.T) {
	type build = func(b builder, in func(rows, columns int) node) (y node, by nodes)
	conv2D := func(k graph.Window) build {
		return func(b builder, in func(rows, columns int) node) (node, nodes) {
			x, w, c := in(2, 5*4*3), in(3*2*3, 2), in(1, 2)
			return b.Conv2D(b.Reshape(x, 2, 5, 4, 3), w, c, k), nodes{x, w, c}
		}
	}
	conv1D := func(b builder, in func(rows, columns int) node) (node, nodes) {
		x, w, c := in(2, 9*3), in(4*3, 2), in(1, 2)
		return b.Conv1D(b.Reshape(x, 2, 9, 3), w, c, graph.Window{Width: 4, Stride: 2, Padding: 1, Dilation: 2}), nodes{x, w, c}
	}
	pool := func(f func(b builder, x node, k graph.Window) node, k graph.Window) build {
		return func(b builder, in func(rows, columns int) node) (node, nodes) {
			x := in(2, 5*4*3)
			return f(b, b.Reshape(x, 2, 5, 4, 3), k), nodes{x}
		}
	}
	for _, c := range []struct {
		name  string
		build build
		want  []float64
	}{
		{"conv2d stride 1", conv2D(windows[0]), []float64{-10.116569519042969, -13.092018127441406, -13.092018127441406, -17.2576904296875}},
		{"conv2d stride 2, padding 1", conv2D(windows[1]), []float64{-8.000816345214844, -6.653938293457031, -6.653938293457031, -17.3485107421875}},
		{"conv2d padding 2, dilation 2", conv2D(windows[2]), []float64{-50.89820098876953, -83.68196868896484, -83.68196868896484, -69.01263427734375}},
		{"conv1d", conv1D, []float64{-3.379680633544922, -1.8654212951660156, -1.8654212951660156, -8.27362060546875}},
		{"F.max_pool2d", pool(builder.MaxPool, graph.Window{Height: 2, Width: 2, Stride: 1}), []float64{12.064098521, 32.38912125}},
		{"F.avg_pool2d", pool(builder.MeanPool, graph.Window{Height: 3, Width: 2}), []float64{0.021398781157407412, 0.03887330555555557}},
	} {
		for _, engine := range graph.Engines() {
			b := graph.New(graph.Float64, new(graph.Params))
			count := 0
			y, by := c.build(b, func(rows, columns int) node { count++; return b.Input(fmt.Sprint(count), rows, columns) })
			loss := b.Sum(b.Mul(y, b.Square(y)))
			r := newRunner(t, engine, b, append(graph.Nodes{loss}, b.Grad(loss, by...)...)...)
			for _, name := range r.Inputs() {
				for i := range r.Input64(name) {
					if r.Input64(name)[i] = number(i); strings.HasPrefix(c.name, "F.") {
						r.Input64(name)[i] += 0.001 * float64(i)
					}
				}
			}
			run(t, r)
			got := []float64{r.Output64(0)[0]}
			for i := range by {
				got = append(got, weightedTotal(r.Output64(i+1)))
			}
			for i, want := range c.want {
				if !(math.Abs(got[i]-want) <= 1e-12*math.Max(1, math.Abs(want))) {
					t.Errorf("%s, %s engine: number %d is %v, PyTorch's %v", c.name, engine, i, got[i], want)
				}
			}
		}
	}
}

// No operation of a convolution falls back to Gorgonia, the bias, ReLU, masks and gates are fused with
// the product, and a run allocates nothing.
func TestConvolutionSteps(t *testing.T) {
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	k := graph.Window{Height: 3, Width: 3, Padding: 1}
	x := b.Reshape(b.Input("x", 4, 8*8*3), 4, 8, 8, 3)
	h := b.ReLU(b.Conv2D(x, b.Param("w", 27, 5, graph.Normal(0.2)), b.Param("b", 1, 5, graph.Normal(0.2)), k))
	h = b.Dropout(h, graph.Drop(0), 0, 0.3)
	y := b.Conv2D(h, b.Param("v", 45, 2, graph.Normal(0.2)), b.Param("c", 1, 2, graph.Normal(0.2)), k)
	loss := b.Mean(b.Square(y))
	r := newRunner(t, graph.Compiled, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	r.Input("x")
	r.SampleMasks(graph.MaskKey{})
	if list := r.Program().Fallbacks(); list != nil {
		t.Errorf("fallbacks: %v", list)
	}
	text := strings.Join(instructionsOf(r), "\n")
	for _, want := range []string{"product + bias + relu + mask + both kept [256 5 27]", "sum of patches"} {
		if !strings.Contains(text, want) {
			t.Errorf("no step %s in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "sum of patches"); n != 1 {
		t.Errorf("%d gradients to images, and none is needed to x:\n%s", n, text)
	}
	if n := testing.AllocsPerRun(3, func() { r.Run() }); n > 0 {
		t.Errorf("a run allocates %v times", n)
	}
}
