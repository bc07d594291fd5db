package drawing

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

var svgText = regexp.MustCompile(`<text ([^>]*font-size:([0-9.]+)px[^>]*)>([^<]*)</text>`)

// withTextLengths says in an SVG how long each text is. Texts are placed by
// the widths of the Liberation fonts; a reader who has neither these nor a font
// of the same widths sees another one stretched to them, so that a subscript
// does not run into the letter before it.
func withTextLengths(image string) string {
	return svgText.ReplaceAllStringFunc(image, func(element string) string {
		parts := svgText.FindStringSubmatch(element)
		size, err := strconv.ParseFloat(parts[2], 64)
		visible := strings.TrimSpace(html.UnescapeString(parts[3])) // as SVG shows it
		if err != nil || visible == "" {
			return element
		}
		face := writer.Fonts.Lookup(TextStyle(vg.Length(size)).Font, vg.Length(size))
		return fmt.Sprintf(`<text textLength="%.5g" lengthAdjust="spacingAndGlyphs" %s>%s</text>`, face.Width(visible).Points(), parts[1], parts[3])
	})
}
