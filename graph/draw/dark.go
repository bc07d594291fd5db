package draw

import (
	"fmt"
	"strings"
)

// darkColour replaces the colour of an attribute of an SVG element on dark screens.
type darkColour struct{ element, attribute, light, dark string }

// darkColours are the replacements. Other colours have enough contrast on both
// backgrounds.
var darkColours = []darkColour{
	{"#ground", "fill", "#ffffff", "#15181b"},

	{"text", "fill", "#111827", "#e5e7eb"},
	{"text", "fill", "#374151", "#c5ccd4"},
	{"text", "fill", "#8f1414", "#ffb9b9"},
	{"text", "fill", "#ffffff", "#111827"}, // in the loss, whose box becomes light
	{"text", "fill", "#c81e1e", "#f2676c"},
	{"text", "fill", "#5b6770", "#97a2ac"},

	{"rect", "fill", "#ffffff", "#23282d"},
	{"rect", "fill", "#ede4fb", "#3b2a5c"},
	{"rect", "fill", "#1f2937", "#e5e7eb"},
	{"rect", "fill", "#fff6f6", "#3a2528"},
	{"polygon", "fill", "#dbeafe", "#1e3a5f"},
	{"polygon", "fill", "#fde2e1", "#5a1f1f"},
	{"path", "fill", "#fdf3e1", "#4a3417"},
	{"path", "fill", "#f9cf8f", "#7a4f14"},
	{"path", "fill", "#fdebcf", "#5a3f1a"},

	{"rect", "fill", "#f1f8f1", "#1a241c"}, // frames of clusters
	{"rect", "fill", "#f3f6fa", "#1b2027"},
	{"rect", "fill", "#fffafa", "#231c1d"},
	{"rect", "stroke", "#e3b5b8", "#7a5558"},

	{"polygon", "stroke", "#2563eb", "#6b9cf5"},
	{"rect", "stroke", "#7c3aed", "#a98bf5"},
	{"rect", "stroke", "#1f2937", "#e5e7eb"},
	{"rect", "stroke", "#5b6770", "#97a2ac"},
	{"path", "stroke", "#5b6770", "#97a2ac"},
	{"path", "fill", "#5b6770", "#97a2ac"}, // arrow heads
	{"polygon", "stroke", "#c81e1e", "#f2676c"},
	{"path", "stroke", "#c81e1e", "#f2676c"},
	{"path", "fill", "#c81e1e", "#f2676c"},
}

// darkStyle returns the style element that replaces the colours on dark screens.
func darkStyle() string {
	var rules strings.Builder
	for _, c := range darkColours {
		fmt.Fprintf(&rules, "%s[%s='%s']{%s:%s}\n", c.element, c.attribute, c.light, c.attribute, c.dark)
	}
	return "<style>@media screen and (prefers-color-scheme: dark){\n" + rules.String() + "}</style>\n"
}
