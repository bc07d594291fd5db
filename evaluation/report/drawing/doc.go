// Package drawing makes figures: rows and columns of panels with axes, data and notes, and one
// legend for all panels.
//
// NewPlot returns an empty plot in the style of all figures. Add gonum's plotters, or any type
// with a method Plot, to it. A Panel has a plot, a title above it, and a note on values that the
// plot does not show. WriteSVG and WritePNG write a Figure as a file.
// WriteInline writes it into an HTML page whose style sheet has InlineCSS.
//
// An SVG needs no font on the reader's machine: text is drawn as outlines of the font in
// the program. In dark mode an SVG replaces each colour by another that contrasts with the dark
// background. White and OnColour, for text on a coloured background, do not change, nor do
// pictures within a figure: give them colours that contrast with both backgrounds. A PNG is
// always light.
//
// A page has each figure twice, since text that suits a wide window is too small on a phone. The
// narrow form has fewer columns, and each of its panels has a title and labels.
package drawing
