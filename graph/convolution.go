package graph

import (
	"cmp"
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// Images are [rows, height, width, channels] and sequences [rows, length, channels]. The
// channels come last; PyTorch has them after the rows. Reshape makes images of a matrix
// [rows, height·width·channels].

// Window is the window of a convolution or a pooling, and how it moves. In sequences its
// width is along the length, and it has no height.
type Window struct {
	Height, Width int // in pixels
	Stride        int // distance of two windows, default 1; for a pooling, default the size of the window
	Padding       int // number of zeros on each side of the image
	Dilation      int // distance of two pixels in the window, default 1
}

// Conv2D returns the convolution of images x [rows, height, width, channels] with kernels
// w [k.Height·k.Width·channels, out]: [rows, places, places, out]. The rows of w are in
// the order of the window's lines, their pixels, and the pixels' channels. bias [1, out]
// is added at each place unless it is nil. An axis of length n has
// ⌊(n + 2·Padding − Dilation·(k − 1) − 1)/Stride⌋ + 1 places, and the kernel is not
// mirrored, as in torch.nn.Conv2d. It is a matrix product with Patches.
func (b *Builder) Conv2D(x, w, bias *Node, k Window) *Node {
	return b.convolution("Conv2D", 4, x, w, bias, k)
}

// Conv1D returns the convolution of sequences x [rows, length, channels] with kernels
// w [k.Width·channels, out] plus a bias: [rows, places, out]. See Conv2D.
func (b *Builder) Conv1D(x, w, bias *Node, k Window) *Node {
	return b.convolution("Conv1D", 3, x, w, bias, k)
}

// convolution returns the convolution of x, which has 3 or 4 axes.
func (b *Builder) convolution(name string, axes int, x, w, bias *Node, k Window) *Node {
	window, ok := b.window(name, axes, x, k, false)
	if !ok {
		return x
	}
	kernel := window.Vertical.Kernel * window.Horizontal.Kernel * window.Channels
	if w == nil || w.Dims() != 2 || w.Shape()[0] != kernel {
		b.fail(name, Nodes{x, w}, "x has %d channels: want a kernel [%d out] for a window of %d·%d", window.Channels, kernel, window.Vertical.Kernel, window.Horizontal.Kernel)
		return x
	}
	y := b.MatMul(b.patches(name, x, window), w)
	if bias != nil {
		y = b.Add(y, bias)
	}
	return b.restoreAxes(y, x, window)
}

// MaxPool returns the maximum of each channel in each window over images or sequences:
// [rows, places, places, channels], NaN if the window contains one. There is no padding.
// Pixels that share the maximum share the gradient evenly.
func (b *Builder) MaxPool(x *Node, k Window) *Node {
	return b.pool("MaxPool", b.MaxColumns, x, k)
}

// MeanPool returns the mean of each channel in each window over images or sequences, with
// shapes as in MaxPool. A window of the images' size gives the mean of all pixels.
func (b *Builder) MeanPool(x *Node, k Window) *Node {
	return b.pool("MeanPool", b.MeanColumns, x, k)
}

// pool reduces the pixels of each window with over, channel by channel.
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
	return b.restoreAxes(over(b.patches(name, x, window)), x, window)
}

// window returns the geometry of k over x, which must have that many axes. If apart is
// set, it is the geometry of a pooling: patches have one channel, and the default stride
// is the window's size. It returns false if the builder has failed.
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
	along := func(size, kernel int) ops.AxisWindow {
		stride := 1
		if apart {
			stride = kernel
		}
		return ops.AxisWindow{Size: size, Kernel: kernel, Stride: cmp.Or(k.Stride, stride), Padding: k.Padding, Dilation: k.Dilation}
	}
	w := ops.Window{
		Rows:       shape[0],
		Vertical:   ops.AxisWindow{Size: 1, Kernel: 1, Stride: 1, Dilation: 1},
		Horizontal: along(shape[axes-2], k.Width),
		Channels:   shape[axes-1],
		PerChannel: apart,
	}
	if axes == 4 {
		w.Vertical = along(shape[1], k.Height)
	}
	for _, a := range []ops.AxisWindow{w.Vertical, w.Horizontal} {
		if a.Positions() == 0 {
			b.fail(name, Nodes{x}, "a window of %d, with a dilation of %d, is larger than %d with a padding of %d on each side", a.Kernel, a.Dilation, a.Size, a.Padding)
			return w, false
		}
	}
	return w, true
}

// patches returns the pixels in each window over x, 0 in the padding: [rows·places,
// pixels·channels]. A convolution multiplies them with its kernels.
func (b *Builder) patches(name string, x *Node, w ops.Window) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) {
		images, err := reshapeNode(x, w.Rows, w.Vertical.Size, w.Horizontal.Size, w.Channels)
		if err != nil {
			return nil, err
		}
		return gorgonia.ApplyOp(ops.NewPatches(w), images)
	})
}

// restoreAxes reshapes y, whose rows are places of a window over x, to the axes of x.
func (b *Builder) restoreAxes(y, x *Node, w ops.Window) *Node {
	if b.err != nil {
		return y
	}
	shape := []int{w.Rows, w.Vertical.Positions(), w.Horizontal.Positions(), y.Shape().TotalSize() / (w.Rows * w.Vertical.Positions() * w.Horizontal.Positions())}
	if x.Dims() == 3 {
		shape = append(shape[:1], shape[2:]...)
	}
	return b.Reshape(y, shape...)
}
