package read

import (
	"errors"
	"fmt"
)

// ErrLabels is wrapped by the error for a target of texts that may be labels of classes, where
// numbers are needed.
var ErrLabels = errors.New("the texts may be labels of classes")

// noteTextTarget counts a row with a text in place of the target's number.
func (s *Stream) noteTextTarget(column int, text string) {
	if s.textTargetCount++; s.textTargetCount == 1 {
		s.textTargetExample = fmt.Sprintf("column %s, the target, has texts such as %s", columnLabel(s.columns.names, column), quoteShort(text))
	}
}

// labelError returns an error that wraps ErrLabels if most rows have a text in place of the
// target's number, and nil otherwise.
func (s *Stream) labelError() error {
	const most = 4 // texts for each number
	if s.textTargetCount == 0 || s.textTargetCount <= most*s.rowCount {
		return nil
	}
	err := fmt.Errorf("%s: %s in %d rows, and numbers are needed: %w",
		s.reader.position().file, s.textTargetExample, s.textTargetCount, ErrLabels)
	return s.columns.explainTarget(err)
}
