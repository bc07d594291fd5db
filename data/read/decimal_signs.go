package read

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// decimalSigns are the decimal signs that cells prove. Numbers that the file stores as such prove nothing, since formats
// write them with points.
type decimalSigns struct {
	comma string // first number with a decimal comma; "" if there is none
	point string // number with a point: the first whose point cannot separate thousands or, without one, the first; "" if there is none

	grouped        string // first number such as 1,234, whose comma may separate thousands; "" if there is none
	provesGrouping bool   // a number such as 1,234.5 or 1,234,567 has commas, and they are no decimal signs
}

// proveComma reports whether the numbers have decimal commas.
func (d decimalSigns) proveComma() bool {
	return d.comma != "" && d.point == "" && !d.provesGrouping
}

// proveThousands reports whether commas separate thousands, if they are no decimal signs: beside decimal points,
// or in a file whose cells are divided by commas.
func (d decimalSigns) proveThousands(delimiter rune) bool {
	isProven := d.provesGrouping || d.provePoint() || delimiter == ','
	return d.grouped != "" && d.comma == "" && isProven
}

// provePoint reports whether the numbers have decimal points.
func (d decimalSigns) provePoint() bool {
	return d.comma == "" && d.hasClearPoint()
}

// hasClearPoint reports whether a number has a decimal point that cannot separate thousands.
func (d decimalSigns) hasClearPoint() bool {
	return d.point != "" && !groupedByPoints.MatchString(d.point)
}

// addRow looks for decimal signs in the cells of a row.
func (d *decimalSigns) addRow(r row, columns []*column) {
	for _, c := range columns {
		if c.index < len(r.cells) && c.mayHaveNumbers() && !r.stores(c.index) {
			d.add(r.cells[c.index])
		}
	}
}

// add looks for a decimal sign in a cell. A number such as 1,234 proves nothing, as its comma may separate thousands; 0,234
// does.
func (d *decimalSigns) add(cell string) {
	number, u := splitUnit(cell)
	mayBeName := u != (unit{}) && !u.isPercent() && !u.hasCurrency() // such as 1.5 GHz
	number = inASCII(minusFirst(number))
	if groupedByCommas.MatchString(number) {
		d.grouped = cmp.Or(d.grouped, cell)
		d.provesGrouping = d.provesGrouping || strings.Contains(number, ".") || strings.Count(number, ",") > 1
	}
	mayProvePoint := d.point == "" || groupedByPoints.MatchString(d.point)
	if mayProvePoint && !mayBeName && isDecimalPointNumber(number) {
		d.point = number
	}
	if d.comma == "" && isDecimalCommaNumber(number) && !thousandsNumber.MatchString(number) {
		d.comma = number
	}
}

// mayHaveNumbers reports whether the cells of the column may be numbers, and are not known to be categories or dates.
func (c *column) mayHaveNumbers() bool {
	isNumberField := c.field == nil || c.field.Kind == data.Number
	return isNumberField && c.rule != mustBeLabel && c.declared.kind != data.Category
}

// findDecimalSigns returns the decimal signs in the first rows.
func (s *Stream) findDecimalSigns() (d decimalSigns) {
	for n := range lookAheadRows {
		if s.peekRow(n) == nil {
			break
		}
		d.addRow(s.peekedRows[n].row, s.columns)
	}
	return d
}

// inNotation returns a row with the numbers that the file stores in the notation of its texts: with a decimal comma if
// these have one.
func (s *Stream) inNotation(r row) row {
	if r.stored == nil || !s.Layout.DecimalComma {
		return r
	}
	written := r.cells
	r.cells = slices.Clone(written)
	for _, c := range s.columns {
		_, isNumber, _ := parseNumber(strings.TrimSuffix(written[c.index], "%"))
		if isNumber && r.stores(c.index) && c.notation.decimalComma {
			r.cells[c.index] = strings.Replace(written[c.index], ".", ",", 1)
		}
	}
	return r
}

// setNotation sets how the file writes numbers: as the options say or as the first rows prove. If these prove nothing,
// rows for a model have the signs of its training table.
func (s *Stream) setNotation(o Options) {
	l := &s.Layout
	switch {
	case o.Decimal+o.Thousands != "":
		l.Thousands = o.Thousands
		l.DecimalComma = o.Decimal == "," || o.Decimal == "" && o.Thousands == "."
	case o.signs.proveThousands(s.delimiter()):
		s.useThousands(o.signs.grouped)
	case o.signs.proveComma():
		s.useDecimalComma(o.signs.comma)
	case o.findsKinds():
		if signs := s.findDecimalSigns(); signs.proveComma() {
			s.useDecimalComma(signs.comma)
		}
	case o.Layout != nil:
		s.setSignsOfRows(o.Layout)
	}
	waitsForRows := s.size == 0 && !o.findsKinds() // a pipe for a model
	hasClearPoints := o.signs.hasClearPoint() || !waitsForRows && s.findDecimalSigns().hasClearPoint()
	for _, c := range s.columns {
		c.isPercent = s.isWorkbook && c.mustHoldNumbers()
		if s.parquet == nil || !s.parquet.holdsNumbers(c) {
			c.notation = notationOf(*l)
			c.notation.hasClearPoints = hasClearPoints
		}
	}
}

// useDecimalComma reads numbers with decimal commas, as the example proves.
func (s *Stream) useDecimalComma(example string) {
	s.Layout.DecimalComma = true
	s.Layout.Thousands = ""
	s.signRemark = fmt.Sprintf("numbers have decimal commas: %s is read as %s", quoteShort(example), commaToPoint(example))
}

// useThousands reads numbers with commas between thousands, such as the example, and with decimal points.
func (s *Stream) useThousands(example string) {
	s.Layout.DecimalComma = false
	s.Layout.Thousands = ","
	number, _ := splitUnit(example)
	number = minusFirst(number)
	s.signRemark = fmt.Sprintf("commas separate thousands: %s is read as %s", quoteShort(example), strings.ReplaceAll(number, ",", ""))
}

// delimiter returns the delimiter of delimited text, and 0 for other formats.
func (s *Stream) delimiter() rune {
	if s.text == nil {
		return 0
	}
	return s.text.dialect.delimiter
}

// setSignsOfRows sets the notation of rows for a model, whose training table has the given layout. The first rows of a file
// may prove another decimal sign; rows of a pipe are not awaited.
func (s *Stream) setSignsOfRows(training *data.Layout) {
	s.Layout.DecimalComma = training.DecimalComma
	s.Layout.Thousands = training.Thousands
	if s.size == 0 {
		return
	}
	signs := s.findDecimalSigns()
	switch {
	case signs.proveComma() && !training.DecimalComma:
		s.useDecimalComma(signs.comma)
	case signs.proveThousands(s.delimiter()) && training.Thousands != ",":
		s.useThousands(signs.grouped)
	case signs.provePoint() && training.DecimalComma:
		s.Layout.DecimalComma = false
		s.Layout.Thousands = ""
		s.signRemark = fmt.Sprintf("numbers have decimal points, such as %s, and those of the training table have commas", signs.point)
	}
}

// hasComma reports whether a text is a number with a comma, perhaps with a unit.
func hasComma(text string) bool {
	number, _ := splitUnit(text)
	number = minusFirst(number)
	return isDecimalCommaNumber(number) || groupedByCommas.MatchString(number)
}
