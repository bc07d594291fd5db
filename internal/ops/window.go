package ops

import (
	"fmt"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// AxisWindow is how a window moves along an axis.
type AxisWindow struct {
	Size, Kernel, Stride, Padding, Dilation int
}

// Positions is the number of places that the window has along the axis, none if it does
// not fit.
func (a AxisWindow) Positions() int {
	room := a.Size + 2*a.Padding - a.Dilation*(a.Kernel-1) - 1
	if room < 0 {
		return 0
	}
	return room/a.Stride + 1
}

// inside cuts what lies in the axis out of a window that begins at from, of kernel
// elements one beside another.
func (a AxisWindow) inside(from int) (low, high int) {
	low = min(max(0, -from), a.Kernel)
	return low, max(low, min(a.Kernel, a.Size-from))
}

// Window is how a window moves over images [Rows, High.Size, Wide.Size, Channels].
type Window struct {
	Rows                 int
	Vertical, Horizontal AxisWindow
	Channels             int
	PerChannel           bool // channels are rows of their own
}

func (w Window) String() string {
	apart := ""
	if w.PerChannel {
		apart = ", channels apart"
	}
	return fmt.Sprintf("%d×%d of %v, stride %d %d, padding %d %d, dilation %d %d%s", w.Vertical.Kernel, w.Horizontal.Kernel, []int(w.images()),
		w.Vertical.Stride, w.Horizontal.Stride, w.Vertical.Padding, w.Horizontal.Padding, w.Vertical.Dilation, w.Horizontal.Dilation, apart)
}

func (w Window) images() tensor.Shape {
	return tensor.Shape{w.Rows, w.Vertical.Size, w.Horizontal.Size, w.Channels}
}

// patches is [rows·places, kernel·channels], or with channels apart
// [rows·places·channels, kernel].
func (w Window) patches() tensor.Shape {
	places, kernel := w.Rows*w.Vertical.Positions()*w.Horizontal.Positions(), w.Vertical.Kernel*w.Horizontal.Kernel
	if w.PerChannel {
		return tensor.Shape{places * w.Channels, kernel}
	}
	return tensor.Shape{places, kernel * w.Channels}
}

// spans visits all patches in order: n numbers from image on are those from patch on,
// step by step. What lies in the padding has an image of −1.
func (w Window) spans(visit func(image, patch, n, step int)) {
	kernel, wide := w.Vertical.Kernel*w.Horizontal.Kernel, w.Horizontal.Positions()
	run := func(image, patch, from, to int) {
		if !w.PerChannel {
			visit(image, patch+from*w.Channels, (to-from)*w.Channels, 1)
			return
		}
		for k := from; k < to; k++ {
			visit(image, patch+k, w.Channels, kernel)
			if image >= 0 {
				image += w.Channels
			}
		}
	}
	patch := 0
	for row := range w.Rows {
		for i := range w.Vertical.Positions() {
			for j := range wide {
				left := j*w.Horizontal.Stride - w.Horizontal.Padding
				for k := range w.Vertical.Kernel {
					first := k * w.Horizontal.Kernel
					y := i*w.Vertical.Stride - w.Vertical.Padding + k*w.Vertical.Dilation
					line := (row*w.Vertical.Size + y) * w.Horizontal.Size
					switch {
					case y < 0 || y >= w.Vertical.Size:
						run(-1, patch, first, first+w.Horizontal.Kernel)
					case w.Horizontal.Dilation == 1:
						low, high := w.Horizontal.inside(left)
						if low > 0 {
							run(-1, patch, first, first+low)
						}
						if low < high {
							run((line+left+low)*w.Channels, patch, first+low, first+high)
						}
						if high < w.Horizontal.Kernel {
							run(-1, patch, first+high, first+w.Horizontal.Kernel)
						}
					default:
						for l := range w.Horizontal.Kernel {
							image := -1
							if x := left + l*w.Horizontal.Dilation; 0 <= x && x < w.Horizontal.Size {
								image = (line + x) * w.Channels
							}
							run(image, patch, first+l, first+l+1)
						}
					}
				}
				patch += kernel * w.Channels
			}
		}
	}
}

// Gather copies the patches of images x to dst, zeros where they lie in the padding.
func Gather[T float32 | float64](w Window, dst, x []T) {
	w.spans(func(image, patch, n, step int) {
		switch {
		case step == 1 && image < 0:
			clear(dst[patch:][:n])
		case step == 1:
			copy(dst[patch:][:n], x[image:])
		case image < 0:
			for i := range n {
				dst[patch+i*step] = 0
			}
		default:
			for i, v := range x[image:][:n] {
				dst[patch+i*step] = v
			}
		}
	})
}

// Scatter adds patches x to images dst, which begin as zeros: patch by patch, so that
// the sums have one order. add does it for numbers that lie side by side.
func Scatter[T float32 | float64](w Window, dst, x []T, add func(dst, x []T)) {
	clear(dst)
	w.spans(func(image, patch, n, step int) {
		switch {
		case image < 0:
		case step == 1:
			add(dst[image:][:n], x[patch:][:n])
		default:
			for i := range n {
				dst[image+i] += x[patch+i*step]
			}
		}
	})
}

// Patches is what a window sees of images, a matrix with a row for each place.
type Patches struct {
	baseOp
	Window Window
}

// NewPatches cuts out what the window sees.
func NewPatches(w Window) Patches { return Patches{baseOp{fmt.Sprint("patches ", w), 1}, w} }

func (o Patches) Type() hm.Type { return betweenAxes(4, 2) }

func (o Patches) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.Window.patches(), nil
}

func (o Patches) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return newValue(in[0], o.Window.patches(),
		func(dst, x []float32) { Gather(o.Window, dst, x) },
		func(dst, x []float64) { Gather(o.Window, dst, x) })
}

func (o Patches) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(newImages(o.Window), grad))
}

// Images adds patches up to images: the gradient of Patches.
type Images struct {
	baseOp
	Window Window
}

func newImages(w Window) Images { return Images{baseOp{fmt.Sprint("sum of patches ", w), 1}, w} }

func (o Images) Type() hm.Type { return betweenAxes(2, 4) }

func (o Images) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.Window.images(), nil
}

func (o Images) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return newValue(in[0], o.Window.images(),
		func(dst, x []float32) { Scatter(o.Window, dst, x, addEach) },
		func(dst, x []float64) { Scatter(o.Window, dst, x, addEach) })
}

func (o Images) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewPatches(o.Window), grad))
}

func addEach[T float32 | float64](dst, x []T) {
	for i, v := range x {
		dst[i] += v
	}
}

// betweenAxes is the type of an operation that changes how many axes there are.
func betweenAxes(from, to int) hm.Type {
	number := hm.TypeVariable('a')
	return hm.NewFnType(gorgonia.TensorType{Dims: from, Of: number}, gorgonia.TensorType{Dims: to, Of: number})
}
