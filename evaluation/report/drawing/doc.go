// Package drawing is what the figures of reports are made of: panels with axes,
// data and notes, aligned beside and below one another, and their legend.
//
// A figure is made of plots in the shared look (NewPlot), each in a Panel with a
// title above it and a note of what it does not show; further plotters of gonum or of
// this package (Cloud, Message, a type with a method Plot) are added to a plot. Axes
// have RoundTicks unless they are given others, such as DecadeTicks. WriteSVG and
// WritePNG make files of it, which Encoder chooses by their names, and WriteInline the
// elements of a page whose style sheet has InlineCSS.
//
// An SVG needs nothing of its reader's machine: its text is drawn as outlines of the
// font that is compiled into the program. It is dark where the reader's windows are:
// each colour has another one in the dark (Dark), and those of this package are chosen
// to stand out from both grounds. White and OnColour stay as they are; they are for what
// stands on a coloured ground. Pixels within a figure (Raster) stay as well, so their
// colours have to do for both, as translucent ones do. A PNG is light.
//
// On a page each figure is there twice, since text that can be read in a wide window is
// too small on a phone: as it is, and Narrow, or with its panels in fewer columns, each
// of which then says by its title and the labels of its axes what it shows.
package drawing
