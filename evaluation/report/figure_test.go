package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"
)

func TestEncoder(t *testing.T) {
	for _, name := range []string{"figure.svg", "figure.PNG"} {
		if first, second := encoded(t, name, wobbling(5)), encoded(t, name, wobbling(5)); !bytes.Equal(first, second) {
			t.Errorf("%s: the same figure gave other bytes", name)
		}
	}
	if _, err := Encoder("figure.jpg"); err == nil || !strings.Contains(err.Error(), `unknown extension ".jpg": there is .svg, .png`) {
		t.Errorf("error is %v; want the known extensions", err)
	}
}

func TestFigureIsDrawnTwice(t *testing.T) {
	// Drawing must not use the figure up.
	figure, err := Figure1(wobbling(5))
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := errors.Join(writeSVG(&first, figure), writeSVG(&second, figure)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("a figure looks different when it is drawn again")
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	panels := wobbling(2)
	panels[0].Title = `a < b & "c"`
	image := encoded(t, "figure.svg", panels)
	decoder := xml.NewDecoder(bytes.NewReader(image))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestPNGHasWhiteBorder(t *testing.T) {
	// Whatever touches the border would be clipped there.
	panels := append(wobbling(20), SubNetworks{Title: "large", X: []float64{-1e-7, 12345678}, Truth: []float64{-2e7, 3e9}})
	image := encoded(t, "figure.png", panels)
	decoded, err := png.Decode(bytes.NewReader(image))
	if err != nil {
		t.Fatal(err)
	}
	white := color.RGBA{0xff, 0xff, 0xff, 0xff}
	size := decoded.Bounds()
	for x := size.Min.X; x < size.Max.X; x++ {
		for y := size.Min.Y; y < size.Max.Y; y++ {
			inside := x > size.Min.X && x < size.Max.X-1 && y > size.Min.Y && y < size.Max.Y-1
			if !inside && color.RGBAModel.Convert(decoded.At(x, y)) != white {
				t.Fatalf("pixel (%d, %d) at the border is %v; want white", x, y, decoded.At(x, y))
			}
		}
	}
}

func encoded(t *testing.T, name string, panels []SubNetworks) []byte {
	t.Helper()
	figure, err := Figure1(panels)
	if err != nil {
		t.Fatal(err)
	}
	encode, err := Encoder(name)
	if err != nil {
		t.Fatal(err)
	}
	var image bytes.Buffer
	if err := encode(&image, figure); err != nil {
		t.Fatal(err)
	}
	return image.Bytes()
}
