package read

import (
	"slices"

	"sml/internal/texts"
)

// piece is a part of a block, of whole lines, that one goroutine parses, and its rows. A row that was read outside of a
// block makes a piece of its own.
type piece struct {
	text        []byte
	lineCount   int
	firstLine   int // number in the file of the first line; set when all pieces are parsed
	firstNumber int // number in the file of the first row; set when all pieces are parsed

	values     []float64 // row after row
	lines      []int     // line of each row, counted from firstLine
	numbers    []int     // number of each row, counted from firstNumber
	kept       texts.Columns
	unlabelled int       // number of rows without a target, which are left out
	comments   lineCount // lines that are comments, counted from firstLine
	repeats    lineCount // lines that repeat the header, counted from firstLine
	taken      int       // number of rows handed out

	newTexts       []dictionary // texts that the dictionaries of the columns lack, by column; their codes have newTextFlag
	newTextColumns []int        // columns to which the current row added a new text
	row            []float64    // current row
	cells          []span       // cells of the current row, by column of the file; only set if plan.needsCells
}

// newTextFlag is the bit that marks codes of piece.newTexts. It lies above maxTexts.
const newTextFlag = 1 << 30

// span is the position of a cell in the text of a piece.
type span struct{ start, end int }

// plan says how the rows of a block are parsed. Goroutines share it.
type plan struct {
	dialect         dialect  // only set for delimited text
	header          []string // cells of lines that are no rows; nil if there are none
	delimiter       byte     // 0 for a Parquet file
	columns         []*column
	valueIndex      []int  // for each column of the file: its first index in a row of values; −1 for an unused column
	readsText       []bool // for each value of a row: a plain number may mean something else (readsNumbersAsText)
	secondUses      []int  // indices of values whose column of the file has an earlier index too
	keptColumns     []int
	skipsUnlabelled bool // rows without a target are left out; otherwise they end the block, and the stream returns an error

	maxMissingTargets int // number of targets that a row may lack

	needsCells bool // cells are used after their values are parsed: as kept texts, or a second time
}

// newPlan returns the plan for the columns that the stream reads.
func (s *Stream) newPlan() *plan {
	p := &plan{
		columns:         s.columns,
		valueIndex:      slices.Repeat([]int{-1}, len(s.schema.names)),
		keptColumns:     s.schema.keptColumns,
		skipsUnlabelled: s.skipsUnlabelled,

		maxMissingTargets: s.maxMissingTargets(),
	}
	if s.text != nil {
		p.dialect = s.text.dialect
		p.header = s.text.header
		p.delimiter = byte(p.dialect.delimiter)
	}
	for k, c := range s.columns {
		p.readsText = append(p.readsText, c.readsNumbersAsText())
		if p.valueIndex[c.index] >= 0 {
			p.secondUses = append(p.secondUses, k)
		} else {
			p.valueIndex[c.index] = k
		}
	}
	p.needsCells = len(p.keptColumns)+len(p.secondUses) > 0
	return p
}

// addPiece appends a parsed piece to s.pending and counts its rows. It returns an error if the file has too many texts.
func (s *Stream) addPiece(p *piece) error {
	p.firstNumber = s.fileRows + 1
	if s.isWorkbook {
		p.firstNumber = p.firstLine - s.linesAbove // blank rows count
	}
	s.fileRows += len(p.lines) + p.unlabelled
	s.unlabelledCount += p.unlabelled
	if line, err := p.addNewTexts(s.columns); err != nil {
		s.reader.position().line = line
		return s.reader.position().failf("%w", err)
	}
	s.pending = append(s.pending, p)
	return nil
}

// reset removes all rows and keeps their memory.
func (p *piece) reset(keptNames []string) {
	p.kept.Names = keptNames
	p.kept.Clear()
	p.values = p.values[:0]
	p.lines = p.lines[:0]
	p.numbers = p.numbers[:0]
	p.newTexts = nil
	p.lineCount, p.unlabelled, p.taken = 0, 0, 0
	p.comments = lineCount{}
	p.repeats = lineCount{}
}

// addRow appends a row in the given line, counted from p.firstLine.
func (p *piece) addRow(values []float64, line int) {
	p.values = append(p.values, values...)
	p.numbers = append(p.numbers, len(p.lines)+p.unlabelled)
	p.lines = append(p.lines, line)
}

// addNewTexts adds the new texts of the piece to the dictionaries of the columns, and replaces their codes. It returns an
// error, and the line of the text, if a column has too many texts.
func (p *piece) addNewTexts(columns []*column) (line int, err error) {
	for k, d := range p.newTexts {
		if len(d.texts) == 0 {
			continue
		}
		values := make([]float64, len(d.texts)) // by code in d
		for i, text := range d.texts {
			line = p.firstLine + d.firstLines[i]
			values[i], err = columns[k].addText(text, line)
			if err != nil {
				return line, err
			}
		}
		for i := k; i < len(p.values); i += len(columns) {
			if code, isText := decodeText(p.values[i]); isText && code&newTextFlag != 0 {
				p.values[i] = values[code&^newTextFlag]
			}
		}
	}
	return 0, nil
}
