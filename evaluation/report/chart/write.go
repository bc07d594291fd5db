package chart

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// darkRule turns a figure dark: it inverts brightness and keeps hues.
const darkRule = "filter: invert(.92) hue-rotate(180deg)"

// CSS is the part of a page's style sheet for the elements of WriteHTML. Figures are as wide as their container, which
// must be able to scroll: on a phone, a figure is wider, since its text would be too small.
const CSS = `.drawing { display: block; width: 100%; max-width: 60rem; height: auto; margin: 0 auto; }
@media screen and (prefers-color-scheme: dark) {
  .drawing { ` + darkRule + ` }
}
`

// svgStyle is the beginning of an SVG file: a white background, and the rule for dark mode.
const svgStyle = `<style>@media screen and (prefers-color-scheme: dark) { svg { ` + darkRule + ` } }</style>
<rect width="100%" height="100%" fill="#FFFFFF"/>
`

// WriteSVG writes the figure as an SVG file. Equal figures give equal bytes.
func (f Figure) WriteSVG(w io.Writer) error {
	element, err := f.svg()
	if err != nil {
		return err
	}
	start, rest, _ := strings.Cut(element, ">\n") // the end of the svg element's attributes
	_, err = io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+start+">\n"+svgStyle+rest)
	return err
}

// svg returns the figure as an svg element without a background.
func (f Figure) svg() (string, error) {
	width, height := f.size()
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height), vgsvg.EmbedFonts(false))
	f.draw(draw.New(canvas))
	var file bytes.Buffer
	_, err := canvas.WriteTo(&file)
	_, element, _ := strings.Cut(file.String(), "<svg")
	const font = "font-family:Liberation Sans" // widths of texts are measured by it; Arial and Helvetica have the same
	return "<svg" + strings.ReplaceAll(element, font, font+",Arial,Helvetica,sans-serif"), err
}

// WritePNG writes the figure as a PNG file with 300 dots per inch, on a white background.
func (f Figure) WritePNG(w io.Writer) error { return f.writePixels(w, density) }

// writePixels writes the figure as a PNG file with the given number of dots per inch.
func (f Figure) writePixels(w io.Writer, dotsPerInch int) error {
	width, height := f.size()
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dotsPerInch))
	f.draw(draw.New(canvas))
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// WriteHTML writes the figure as an element of an HTML page whose style sheet has CSS: an SVG, or pixels if the SVG is
// so large that a phone would take seconds to draw it, each time the page scrolls. label describes the figure to readers
// who do not see it.
func (f Figure) WriteHTML(w io.Writer, label string) error {
	const (
		maxSize       = 1 << 20 // of an SVG, in bytes
		minLetterSize = 9       // of notes, in pixels
		dotsPerInch   = 200     // of pixels
	)
	element, err := f.svg()
	if err != nil {
		return err
	}
	label = html.EscapeString(label)
	minWidth := math.Ceil(float64(f.width()) * minLetterSize / noteSize)
	attributes := fmt.Sprintf(`class="drawing" style="min-width: %.0fpx"`, minWidth)
	if len(element) <= maxSize {
		element = strings.Replace(element, "<svg", fmt.Sprintf(`<svg %s role="img" aria-label="%s"`, attributes, label), 1)
		_, err = io.WriteString(w, element)
		return err
	}
	var pixels bytes.Buffer
	if err := f.writePixels(&pixels, dotsPerInch); err != nil {
		return err
	}
	source := "data:image/png;base64," + base64.StdEncoding.EncodeToString(pixels.Bytes())
	_, err = fmt.Fprintf(w, `<img %s alt="%s" src="%s">`+"\n", attributes, label, source)
	return err
}
