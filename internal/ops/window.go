package ops

import (
	"fmt"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// AxisWindow describes how a window moves along one axis of an image. All lengths are in pixels.
type AxisWindow struct {
	Size     int // length of the axis
	Kernel   int // number of pixels that the window sees
	Stride   int // distance between two positions of the window
	Padding  int // zeros before the axis and after it
	Dilation int // distance between two pixels of the window
}

// Positions returns the number of positions of the window, 0 if it does not fit.
func (a AxisWindow) Positions() int {
	span := a.Dilation*(a.Kernel-1) + 1 // from the window's first pixel to its last
	room := a.Size + 2*a.Padding - span
	if room < 0 {
		return 0
	}
	return room/a.Stride + 1
}

// pixelsInside returns the range low, …, high−1 of the window's pixels that lie in the axis and not
// in the padding, if the first pixel is at start, negative in the padding, and the dilation is 1.
func (a AxisWindow) pixelsInside(start int) (low, high int) {
	low = min(max(0, -start), a.Kernel)
	high = max(low, min(a.Kernel, a.Size-start))
	return low, high
}

// Window describes a window that moves over images [Rows, Vertical.Size, Horizontal.Size,
// Channels]. The pixels that it sees at one position are a patch.
type Window struct {
	Rows                 int // number of images
	Vertical, Horizontal AxisWindow
	Channels             int  // numbers of each pixel
	PerChannel           bool // whether each channel of a position is a patch of its own
}

// String returns the window's settings in words, for the names of operations.
func (w Window) String() string {
	suffix := ""
	if w.PerChannel {
		suffix = ", channels apart"
	}
	return fmt.Sprintf("%d×%d of %v, stride %d %d, padding %d %d, dilation %d %d%s",
		w.Vertical.Kernel, w.Horizontal.Kernel, []int(w.imageShape()),
		w.Vertical.Stride, w.Horizontal.Stride,
		w.Vertical.Padding, w.Horizontal.Padding,
		w.Vertical.Dilation, w.Horizontal.Dilation, suffix)
}

// imageShape returns the shape of the images.
func (w Window) imageShape() tensor.Shape {
	return tensor.Shape{w.Rows, w.Vertical.Size, w.Horizontal.Size, w.Channels}
}

// patchShape returns the shape of the matrix of all patches: a row for each position, or with
// PerChannel a row for each channel of each position.
func (w Window) patchShape() tensor.Shape {
	positions := w.Rows * w.Vertical.Positions() * w.Horizontal.Positions()
	pixels := w.Vertical.Kernel * w.Horizontal.Kernel
	if w.PerChannel {
		return tensor.Shape{positions * w.Channels, pixels}
	}
	return tensor.Shape{positions, pixels * w.Channels}
}

// segment is a series of numbers that are neighbours in the images. In the patches they are
// neighbours, too, unless each channel has patches of its own.
type segment struct {
	image int // index of the first number in the images, or padding
	patch int // index of the first number in the patches
	n     int // number of numbers
	step  int // distance of two numbers in the patches: 1 for neighbours
}

// padding is the index in the images of numbers outside of them, which are 0.
const padding = -1

// visitSegments calls visit for the segments of all patches, in the order of the patches: image by
// image, from the top left to the bottom right. A position in the padding above or on the left of an
// image has a negative line or column.
func (w Window) visitSegments(visit func(segment)) {
	v := segmentVisitor{window: w, visit: visit}
	for image := range w.Rows {
		for i := range w.Vertical.Positions() {
			top := i*w.Vertical.Stride - w.Vertical.Padding
			for j := range w.Horizontal.Positions() {
				left := j*w.Horizontal.Stride - w.Horizontal.Padding
				v.visitPosition(image, top, left)
			}
		}
	}
}

// segmentVisitor visits the segments of one position after another.
type segmentVisitor struct {
	window Window
	visit  func(segment)
	patch  int // index in the patches of the present position's first number
}

// visitPosition visits the segments of the window whose first pixel is in line top and column left
// of an image, and moves v.patch on to the next position's place in the patches.
func (v *segmentVisitor) visitPosition(image, top, left int) {
	w := &v.window
	for windowLine := range w.Vertical.Kernel {
		pixel := windowLine * w.Horizontal.Kernel    // index in the window of the line's first pixel
		line := top + windowLine*w.Vertical.Dilation // in the image
		if line < 0 || line >= w.Vertical.Size {     // in the padding
			v.visitPixels(padding, pixel, w.Horizontal.Kernel)
			continue
		}
		lineStart := (image*w.Vertical.Size + line) * w.Horizontal.Size // in pixels of all images
		if w.Horizontal.Dilation == 1 {
			v.visitLine(lineStart, left, pixel)
		} else {
			v.visitDilatedLine(lineStart, left, pixel)
		}
	}
	v.patch += w.Vertical.Kernel * w.Horizontal.Kernel * w.Channels
}

// visitLine visits one line of a window without dilation: the pixels in the padding on the left,
// in the image and in the padding on the right. The line of the image begins at the pixel
// lineStart, the window's line in its column left, and pixel is the window's first pixel there.
func (v *segmentVisitor) visitLine(lineStart, left, pixel int) {
	w := &v.window
	low, high := w.Horizontal.pixelsInside(left)
	if low > 0 {
		v.visitPixels(padding, pixel, low)
	}
	if low < high {
		v.visitPixels((lineStart+left+low)*w.Channels, pixel+low, high-low)
	}
	if high < w.Horizontal.Kernel {
		v.visitPixels(padding, pixel+high, w.Horizontal.Kernel-high)
	}
}

// visitDilatedLine is visitLine for a window with dilation, whose pixels are no neighbours.
func (v *segmentVisitor) visitDilatedLine(lineStart, left, pixel int) {
	w := &v.window
	for k := range w.Horizontal.Kernel {
		column := left + k*w.Horizontal.Dilation
		image := padding
		if column >= 0 && column < w.Horizontal.Size {
			image = (lineStart + column) * w.Channels
		}
		v.visitPixels(image, pixel+k, 1)
	}
}

// visitPixels visits n neighbouring pixels. Their numbers begin at index image of the images, which
// is the constant padding for pixels outside; pixel is the first one's index in the window.
func (v *segmentVisitor) visitPixels(image, pixel, n int) {
	w := &v.window
	if !w.PerChannel {
		v.visit(segment{image: image, patch: v.patch + pixel*w.Channels, n: n * w.Channels, step: 1})
		return
	}
	// The channels of a pixel are neighbours in the image, but each is in the patch of its channel:
	// every pixel is a segment of its own.
	step := w.Vertical.Kernel * w.Horizontal.Kernel // size of a patch
	for k := range n {
		v.visit(segment{image: image, patch: v.patch + pixel + k, n: w.Channels, step: step})
		if image != padding {
			image += w.Channels
		}
	}
}

// Gather copies the patches of the images x to dst. Numbers in the padding are 0. The cases with
// neighbours copy whole slices, which is faster.
func Gather[T float32 | float64](w Window, dst, x []T) {
	w.visitSegments(func(s segment) {
		switch {
		case s.step == 1 && s.image == padding:
			clear(dst[s.patch:][:s.n])
		case s.step == 1:
			copy(dst[s.patch:][:s.n], x[s.image:])
		case s.image == padding:
			for i := range s.n {
				dst[s.patch+i*s.step] = 0
			}
		default:
			for i, v := range x[s.image:][:s.n] {
				dst[s.patch+i*s.step] = v
			}
		}
	})
}

// Scatter sets the images dst to the sums of the patches x at their places. It adds patch by
// patch, so that each sum has one order and one rounding. add, the caller's fastest loop for it,
// adds the numbers of x to those of dst.
func Scatter[T float32 | float64](w Window, dst, x []T, add func(dst, x []T)) {
	clear(dst)
	w.visitSegments(func(s segment) {
		switch {
		case s.image == padding: // no pixel to add to
		case s.step == 1:
			add(dst[s.image:][:s.n], x[s.patch:][:s.n])
		default:
			for i := range s.n {
				dst[s.image+i] += x[s.patch+i*s.step]
			}
		}
	})
}

// patchesOp is the matrix of the patches that a window sees of images: see Window. A convolution
// multiplies it by the kernels.
type patchesOp struct {
	baseOp
	Window Window
}

// NewPatches returns the operation that makes a matrix of the patches of images.
func NewPatches(w Window) gorgonia.Op {
	return patchesOp{baseOp: baseOp{name: fmt.Sprint("patches ", w), arity: 1}, Window: w}
}

// Type returns the type of the operation, from images with 4 axes to a matrix.
func (o patchesOp) Type() hm.Type { return tensorFunctionType(4, 2) }

// InferShape returns the shape of the patches.
func (o patchesOp) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.Window.patchShape(), nil
}

// Do returns the patches.
func (o patchesOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	return newValue(inputs[0], o.Window.patchShape(),
		func(dst, x []float32) { Gather(o.Window, dst, x) },
		func(dst, x []float64) { Gather(o.Window, dst, x) })
}

// SymDiff returns the gradient with respect to the images: the sum over the patches that see a
// pixel.
func (o patchesOp) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(newImages(o.Window), grad))
}

// imagesOp adds patches to images of zeros. It is the gradient of patchesOp.
type imagesOp struct {
	baseOp
	Window Window
}

// newImages returns the operation that adds patches to images of zeros.
func newImages(w Window) imagesOp {
	return imagesOp{baseOp: baseOp{name: fmt.Sprint("sum of patches ", w), arity: 1}, Window: w}
}

// Type returns the type of the operation, from a matrix to images with 4 axes.
func (o imagesOp) Type() hm.Type { return tensorFunctionType(2, 4) }

// InferShape returns the shape of the images.
func (o imagesOp) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.Window.imageShape(), nil
}

// Do returns the images.
func (o imagesOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	return newValue(inputs[0], o.Window.imageShape(),
		func(dst, x []float32) { Scatter(o.Window, dst, x, addNumbers) },
		func(dst, x []float64) { Scatter(o.Window, dst, x, addNumbers) })
}

// SymDiff returns the gradient with respect to the patches: the patches of grad.
func (o imagesOp) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewPatches(o.Window), grad))
}

// addNumbers adds x to dst, number by number.
func addNumbers[T float32 | float64](dst, x []T) {
	for i, v := range x {
		dst[i] += v
	}
}

// tensorFunctionType returns the type of a function from tensors with a number of axes to tensors
// with another number of axes and the same type of numbers.
func tensorFunctionType(fromAxes, toAxes int) hm.Type {
	number := hm.TypeVariable('a')
	return hm.NewFnType(gorgonia.TensorType{Dims: fromAxes, Of: number}, gorgonia.TensorType{Dims: toAxes, Of: number})
}
