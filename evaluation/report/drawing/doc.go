// Package drawing makes figures: panels with axes, data and notes, aligned beside and
// below one another, and one legend for all of them.
//
// NewPlot returns an empty plot in the shared look; plotters of gonum, or any type with a
// method Plot, are added to it. A Panel has such a plot, a title above it and a note of
// the values that it does not show. Encoder writes a Figure as SVG or PNG, by the name of
// the file. WriteInline writes it as elements of a page whose style sheet has InlineCSS.
//
// An SVG needs no font on the reader's machine: text is drawn as outlines of the font that
// is compiled into the program. In a dark window each colour is replaced by a dark
// counterpart that stands out from the dark ground. White and OnColour, for text on a
// coloured ground, stay as they are. So do pictures within a figure: choose colours for
// them that stand out from both grounds. A PNG is always light.
//
// A page has each figure twice, since text that suits a wide window is too small on a
// phone: as it is, and in a narrow form with fewer columns, whose panels each have a title
// and labels.
package drawing
