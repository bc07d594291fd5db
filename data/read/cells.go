package read

// cells counts the cells of a column.
type cells struct {
	*column
	values       []float64 // rows of values; the values of the column are values[first], values[first+width] and so on
	first, width int
	texts        []string // different texts other than numbers, in the order of their first lines
	firstLines   []int    // line of the first cell with each text
	counts       []int    // number of cells with each text
	textCells    int      // number of cells with one of the texts
	numbers      int      // number of cells with a number
	distinct     map[float64]bool
	droppedTexts int    // number of cells with a number whose text was not kept
	percentages  int    // number of cells with a fraction that is shown as a percentage, if the file stores fractions
	percentage   string // first of these cells
	problems     *problemReport
	lineUnit     string // what line numbers count, such as "row"

	plainText string // first number other than 0 without a unit; "" if there is none, or if the texts of numbers were dropped
	plainLine int    // its line

	unit        unit    // unit of most numbers
	unitNumbers textSet // numbers with this unit
	longNumbers textSet // numbers that are rounded
	midnights   textSet // texts of dates without a time, in a column whose dates have one
	otherDates  textSet // texts of dates in another layout than most
	words       textSet // texts that are no dates, in a column of dates
}

// textSet is a set of texts of a column, for a remark.
type textSet struct {
	first string // first of them
	line  int    // its line
	texts int    // number of texts
	cells int    // number of cells with one of them
}

// add adds text i of the column.
func (s *textSet) add(k *cells, i int) {
	if s.texts == 0 {
		s.first = k.texts[i]
		s.line = k.firstLines[i]
	}
	s.texts++
	s.cells += k.counts[i]
}

// takeNumbers counts the texts that are numbers by the given function among the numbers of the column. It returns these
// texts.
func (k *cells) takeNumbers(parse func(text string) (v float64, ok bool)) (taken textSet) {
	var texts []string
	var lines, counts []int
	for i, text := range k.texts {
		if v, ok := parse(text); ok {
			taken.add(k, i)
			k.countNumber(v, k.counts[i])
			k.textCells -= k.counts[i]
			continue
		}
		texts = append(texts, text)
		lines = append(lines, k.firstLines[i])
		counts = append(counts, k.counts[i])
	}
	k.texts, k.firstLines, k.counts = texts, lines, counts
	return taken
}

// countNumber counts n cells with the number v. Different numbers are remembered only up to one more than
// maxCategoryNumbers: then the column is known to have too many for categories.
func (k *cells) countNumber(v float64, n int) {
	k.numbers += n
	if len(k.distinct) <= maxCategoryNumbers {
		k.distinct[v] = true
	}
}
