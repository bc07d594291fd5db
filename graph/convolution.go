package graph

import (
	"cmp"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// Window is the window of a convolution or a pooling that moves over images [rows, height, width,
// channels] or sequences [rows, length, channels]. The channels come last; in PyTorch they follow
// the rows. All its fields are in pixels, or in steps of a sequence.
type Window struct {
	Height   int // height of the window, 0 for sequences
	Width    int // width of the window, along the length of a sequence
	Stride   int // distance between two positions; 0 means 1, or for a pooling the size of the window
	Padding  int // number of zeros on each side of the image
	Dilation int // distance between two pixels of the window; 0 means 1
}

// Conv2D returns the convolution of images x [rows, height, width, channels] with kernels
// w [k.Height·k.Width·channels, out]: [rows, vertical positions, horizontal positions, out]. The
// rows of w are in the order of the window's lines, their pixels, and the pixels' channels. bias
// [1, out] is added at each position unless it is nil.
//
// Along an axis of length n, a window of size s has
// ⌊(n + 2·Padding − Dilation·(s − 1) − 1)/Stride⌋ + 1 positions, and the kernel is not mirrored, as
// in torch.nn.Conv2d. The builder fails if the shapes do not agree or the window does not fit.
func (b *Builder) Conv2D(x, w, bias *Node, k Window) *Node {
	return b.convolution("Conv2D", imageAxes, x, w, bias, k)
}

// Conv1D returns the convolution of sequences x [rows, length, channels] with kernels
// w [k.Width·channels, out] plus a bias [1, out], which may be nil: [rows, positions, out]. See
// Conv2D.
func (b *Builder) Conv1D(x, w, bias *Node, k Window) *Node {
	return b.convolution("Conv1D", sequenceAxes, x, w, bias, k)
}

// The numbers of axes of images and sequences.
const (
	imageAxes    = 4
	sequenceAxes = 3
)

// convolution returns the convolution of x, which must have the given number of axes. It multiplies
// the matrix of the pixels in each window by the kernels.
func (b *Builder) convolution(name string, axes int, x, w, bias *Node, k Window) *Node {
	window, ok := b.convolutionWindow(name, axes, x, k)
	if !ok {
		return x
	}
	inputs := window.Vertical.Kernel * window.Horizontal.Kernel * window.Channels // numbers in a patch
	if w == nil || w.Dims() != 2 || w.Shape()[0] != inputs {
		b.failOperation(name, Nodes{x, w}, "x has %d channels: want a kernel [%d out] for a window of %d·%d", window.Channels, inputs, window.Vertical.Kernel, window.Horizontal.Kernel)
		return x
	}
	y := b.MatMul(b.patches(name, x, window), w)
	if bias != nil {
		y = b.Add(y, bias)
	}
	return b.restoreAxes(y, x, window)
}

// MaxPool returns the maximum of each channel in each window over images or sequences x:
// [rows, vertical positions, horizontal positions, channels], or [rows, positions, channels]. It is
// NaN if the window contains a NaN. Pixels that share the maximum share the gradient evenly. The
// builder fails if k has a padding.
func (b *Builder) MaxPool(x *Node, k Window) *Node {
	return b.pool("MaxPool", b.MaxColumns, x, k)
}

// MeanPool returns the mean of each channel in each window over images or sequences x, with shapes
// as in MaxPool. A window of the images' size gives the mean of all pixels.
func (b *Builder) MeanPool(x *Node, k Window) *Node {
	return b.pool("MeanPool", b.MeanColumns, x, k)
}

// pool reduces the pixels of each window, channel by channel. reduce returns a column from a matrix
// with a row for each window and channel.
func (b *Builder) pool(name string, reduce func(*Node) *Node, x *Node, k Window) *Node {
	axes := imageAxes
	if x != nil && x.Dims() == sequenceAxes {
		axes = sequenceAxes
	}
	if k.Padding != 0 {
		b.failOperation(name, Nodes{x}, "a pooling has no padding")
	}
	window, ok := b.poolingWindow(name, axes, x, k)
	if !ok {
		return x
	}
	return b.restoreAxes(reduce(b.patches(name, x, window)), x, window)
}

// convolutionWindow returns the window k of a convolution over x, which must have the given number of
// axes. It returns false if the builder has failed.
func (b *Builder) convolutionWindow(name string, axes int, x *Node, k Window) (w ops.Window, ok bool) {
	if !b.checkWindow(name, axes, x, k) {
		return ops.Window{}, false
	}
	strides := cmp.Or(k.Stride, 1)
	return b.windowOver(name, x, k, strides, strides)
}

// poolingWindow returns the window k of a pooling over x, which must have the given number of axes:
// the pixels of each channel are a patch, and by default windows do not overlap. It returns false
// if the builder has failed.
func (b *Builder) poolingWindow(name string, axes int, x *Node, k Window) (w ops.Window, ok bool) {
	if !b.checkWindow(name, axes, x, k) {
		return ops.Window{}, false
	}
	w, ok = b.windowOver(name, x, k, cmp.Or(k.Stride, k.Height), cmp.Or(k.Stride, k.Width))
	w.PerChannel = true
	return w, ok
}

// checkWindow makes the builder fail unless x has the given number of axes and k is a window over
// them. It returns false if the builder has failed.
func (b *Builder) checkWindow(name string, axes int, x *Node, k Window) bool {
	switch {
	case x == nil:
		b.failOperation(name, Nodes{x}, "an operand is nil")
	case x.Dims() != axes && axes == sequenceAxes:
		b.failOperation(name, Nodes{x}, "want sequences [rows length channels]: make them of a matrix [rows length·channels] with b.Reshape")
	case x.Dims() != axes:
		b.failOperation(name, Nodes{x}, "want images [rows height width channels]: make them of a matrix [rows height·width·channels] with b.Reshape")
	case axes == sequenceAxes && k.Height != 0:
		b.failOperation(name, Nodes{x}, "the window has a height of %d, and sequences have none", k.Height)
	case axes == imageAxes && k.Height < 1:
		b.failOperation(name, Nodes{x}, "the window has a height of %d; want 1 or more", k.Height)
	case k.Width < 1:
		b.failOperation(name, Nodes{x}, "the window has a width of %d; want 1 or more", k.Width)
	case k.Stride < 0, k.Padding < 0, k.Dilation < 0:
		b.failOperation(name, Nodes{x}, "the window has a stride of %d, a padding of %d and a dilation of %d; want 0 or more", k.Stride, k.Padding, k.Dilation)
	}
	return b.err == nil
}

// windowOver returns the window k, with the given strides, over images or sequences x. It returns
// false if the window does not fit, which makes the builder fail.
func (b *Builder) windowOver(name string, x *Node, k Window, verticalStride, horizontalStride int) (ops.Window, bool) {
	shape := x.Shape()
	axis := ops.AxisWindow{Padding: k.Padding, Dilation: cmp.Or(k.Dilation, 1)}
	horizontal := axis
	horizontal.Size = shape[len(shape)-2] // the width of images or the length of sequences, before the channels
	horizontal.Kernel = k.Width
	horizontal.Stride = horizontalStride
	vertical := ops.AxisWindow{Size: 1, Kernel: 1, Stride: 1, Dilation: 1} // sequences have one line
	if len(shape) == imageAxes {
		vertical = axis
		vertical.Size = shape[1]
		vertical.Kernel = k.Height
		vertical.Stride = verticalStride
	}
	w := ops.Window{
		Rows:       shape[0],
		Vertical:   vertical,
		Horizontal: horizontal,
		Channels:   shape[len(shape)-1],
	}
	for _, a := range []ops.AxisWindow{vertical, horizontal} {
		if a.Positions() == 0 {
			b.failOperation(name, Nodes{x}, "a window of %d, with a dilation of %d, is larger than %d with a padding of %d on each side", a.Kernel, a.Dilation, a.Size, a.Padding)
			return w, false
		}
	}
	return w, true
}

// patches returns the pixels in each window over x, 0 in the padding: [rows·positions,
// pixels·channels] for a convolution, [rows·positions·channels, pixels] for a pooling.
func (b *Builder) patches(name string, x *Node, w ops.Window) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) {
		images, err := reshapeNode(x, w.Rows, w.Vertical.Size, w.Horizontal.Size, w.Channels)
		if err != nil {
			return nil, err
		}
		return gorgonia.ApplyOp(ops.NewPatches(w), images)
	})
}

// restoreAxes reshapes y, which has some numbers for each position of a window over x, to the axes of
// x: images of positions or sequences of positions, whose channels are these numbers.
func (b *Builder) restoreAxes(y, x *Node, w ops.Window) *Node {
	if b.err != nil {
		return y
	}
	height := w.Vertical.Positions()
	width := w.Horizontal.Positions()
	channels := y.Shape().TotalSize() / (w.Rows * height * width)
	if x.Dims() == sequenceAxes {
		return b.Reshape(y, w.Rows, width, channels)
	}
	return b.Reshape(y, w.Rows, height, width, channels)
}
