package read

import (
	"errors"
	"fmt"
)

// ErrLabels is wrapped by the error for a target of texts that may be labels of classes, where
// numbers are needed.
var ErrLabels = errors.New("the texts may be labels of classes")

// noteTextTarget counts a row with a text in place of the target's number. It remembers the first such
// text, in the given column, as the example for labelError.
func (s *Stream) noteTextTarget(column int, text string) {
	s.textTargetCount++
	if s.textTargetCount == 1 {
		s.textTargetExample = fmt.Sprintf("column %s, the target, has texts such as %s", columnLabel(s.columns.names, column), quoteShort(text))
	}
}

// labelError returns an error that wraps ErrLabels if most rows have a text in place of the
// target's number: the target is then likely a class. It returns nil otherwise.
func (s *Stream) labelError() error {
	const textsPerNumber = 4 // with fewer texts for each number, the texts are likely mistakes
	if s.textTargetCount == 0 || s.textTargetCount <= textsPerNumber*s.rowCount {
		return nil
	}
	err := fmt.Errorf("%s: %s in %d rows, and numbers are needed: %w",
		s.reader.position().file, s.textTargetExample, s.textTargetCount, ErrLabels)
	return s.columns.explainTarget(err)
}
