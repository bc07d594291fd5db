package graph

import (
	"cmp"
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// Images are [rows, height, width, channels] and sequences [rows, length, channels]:
// channels come last, where PyTorch has them behind the rows. A matrix [rows,
// height·width·channels] becomes images with Reshape.

// Window is what a convolution, or a pooling, sees at once, and how it moves. Of
// sequences the width is along the length, and there is no height.
type Window struct {
	Height, Width int // in pixels
	Stride        int // default 1; of a pooling the size of the window, one beside another
	Padding       int // zeros that are put around on each side
	Dilation      int // distance of the pixels that are seen, default 1
}

// Conv2D returns the convolution of images x [rows, height, width, channels] with
// kernels w [k.Height·k.Width·channels, out], whose rows are in the order of the
// window's lines, then its pixels, then their channels, plus a bias [1, out] for each
// place, if it is not nil: [rows, places, places, out]. A size of n has
// ⌊(n + 2·Padding − Dilation·(k − 1) − 1)/Stride⌋ + 1 places, as torch.nn.Conv2d; like
// there the kernel is not mirrored. It is a product of Patches.
func (b *Builder) Conv2D(x, w, bias *Node, k Window) *Node {
	return b.convolution("Conv2D", 4, x, w, bias, k)
}

// Conv1D returns the convolution of sequences x [rows, length, channels] with kernels
// w [k.Width·channels, out] plus a bias: [rows, places, out]. See Conv2D.
func (b *Builder) Conv1D(x, w, bias *Node, k Window) *Node {
	return b.convolution("Conv1D", 3, x, w, bias, k)
}

func (b *Builder) convolution(name string, axes int, x, w, bias *Node, k Window) *Node {
	window, ok := b.window(name, axes, x, k, false)
	if !ok {
		return x
	}
	kernel := window.High.Kernel * window.Wide.Kernel * window.Channels
	if w == nil || w.Dims() != 2 || w.Shape()[0] != kernel {
		b.fail(name, Nodes{x, w}, "x has %d channels: want a kernel [%d out] for a window of %d·%d", window.Channels, kernel, window.High.Kernel, window.Wide.Kernel)
		return x
	}
	y := b.MatMul(b.patches(name, x, window), w)
	if bias != nil {
		y = b.Add(y, bias)
	}
	return b.placed(y, x, window)
}

// Patches returns what a window sees of images x [rows, height, width, channels]:
// [rows·places, k.Height·k.Width·channels], with zeros where that lies in the padding.
// It is what a convolution multiplies.
func (b *Builder) Patches(x *Node, k Window) *Node {
	if window, ok := b.window("Patches", 4, x, k, false); ok {
		return b.patches("Patches", x, window)
	}
	return x
}

// MaxPool returns the maximum of each channel over a window of images, or of sequences:
// [rows, places, places, channels], NaN where one is. There is no padding. The gradient
// is shared evenly among pixels that are the maximum.
func (b *Builder) MaxPool(x *Node, k Window) *Node {
	return b.pool("MaxPool", b.MaxColumns, x, k)
}

// MeanPool returns the mean of each channel over a window of images, or of sequences:
// see MaxPool. A window of their size gives the mean of all pixels.
func (b *Builder) MeanPool(x *Node, k Window) *Node {
	return b.pool("MeanPool", b.MeanColumns, x, k)
}

func (b *Builder) pool(name string, over func(*Node) *Node, x *Node, k Window) *Node {
	axes := 4
	if x != nil && x.Dims() == 3 {
		axes = 3
	}
	if k.Padding != 0 {
		b.fail(name, Nodes{x}, "there is no padding")
	}
	window, ok := b.window(name, axes, x, k, true)
	if !ok {
		return x
	}
	return b.placed(over(b.patches(name, x, window)), x, window)
}

// window is how k moves over x, which has so many axes; with channels apart it pools.
func (b *Builder) window(name string, axes int, x *Node, k Window, apart bool) (ops.Window, bool) {
	k.Dilation = cmp.Or(k.Dilation, 1)
	err := func() error {
		switch {
		case x == nil:
			return errors.New("an operand is nil")
		case x.Dims() != axes && axes == 3:
			return errors.New("want sequences [rows length channels]: make a matrix [rows length·channels] such with b.Reshape")
		case x.Dims() != axes:
			return errors.New("want images [rows height width channels]: make a matrix [rows height·width·channels] such with b.Reshape")
		case axes == 3 && k.Height != 0:
			return fmt.Errorf("the window has a height of %d, and sequences have none", k.Height)
		case axes == 4 && k.Height < 1, k.Width < 1, k.Stride < 0, k.Padding < 0, k.Dilation < 1:
			return fmt.Errorf("there is no window %+v", k)
		}
		return nil
	}()
	if err != nil {
		b.fail(name, Nodes{x}, "%v", err)
	}
	if b.err != nil {
		return ops.Window{}, false
	}
	shape := x.Shape()
	along := func(size, kernel int) ops.Along {
		stride := 1
		if apart {
			stride = kernel
		}
		return ops.Along{Size: size, Kernel: kernel, Stride: cmp.Or(k.Stride, stride), Padding: k.Padding, Dilation: k.Dilation}
	}
	w := ops.Window{
		Rows:     shape[0],
		High:     ops.Along{Size: 1, Kernel: 1, Stride: 1, Dilation: 1},
		Wide:     along(shape[axes-2], k.Width),
		Channels: shape[axes-1],
		Apart:    apart,
	}
	if axes == 4 {
		w.High = along(shape[1], k.Height)
	}
	for _, a := range []ops.Along{w.High, w.Wide} {
		if a.Places() == 0 {
			b.fail(name, Nodes{x}, "a window of %d, with a dilation of %d, is larger than %d with a padding of %d on each side", a.Kernel, a.Dilation, a.Size, a.Padding)
			return w, false
		}
	}
	return w, true
}

func (b *Builder) patches(name string, x *Node, w ops.Window) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) {
		images, err := reshaped(x, w.Rows, w.High.Size, w.Wide.Size, w.Channels)
		if err != nil {
			return nil, err
		}
		return gorgonia.ApplyOp(ops.NewPatches(w), images)
	})
}

// placed gives y, whose rows are places of a window over x, the axes of x.
func (b *Builder) placed(y, x *Node, w ops.Window) *Node {
	if b.err != nil {
		return y
	}
	shape := []int{w.Rows, w.High.Places(), w.Wide.Places(), y.Shape().TotalSize() / (w.Rows * w.High.Places() * w.Wide.Places())}
	if x.Dims() == 3 {
		shape = append(shape[:1], shape[2:]...)
	}
	return b.Reshape(y, shape...)
}
