package read

import "sml/internal/texts"

// KeepIn makes the stream append the texts of the columns in s.Kept to t with each row read from now on. It sets
// t.Names. If s.Kept is empty, nothing is appended.
func (s *Stream) KeepIn(t *texts.Columns) {
	t.Names = s.Kept
	s.keptTexts = nil
	if len(s.Kept) > 0 {
		s.keptTexts = t
	}
}

// KeepPassed makes the stream also keep the texts of rows with a mistake, so that the kept texts have a row for each row
// of the file. The texts of such a row are empty if its cells cannot be told apart.
func (s *Stream) KeepPassed() { s.keepsPassedTexts = true }

// keepMistakenRow appends the texts of a row with a mistake if KeepPassed was called. It appends empty texts if there is
// not a cell for each column of the file: the cells are then not known.
func (s *Stream) keepMistakenRow(cells []string) {
	if s.keptTexts == nil || !s.keepsPassedTexts {
		return
	}
	if len(cells) != len(s.schema.names) {
		cells = make([]string, len(s.schema.names))
	}
	for _, i := range s.schema.keptColumns {
		s.keptTexts.Add([]byte(cells[i]))
	}
}

// hasMuchText reports whether so much text is kept, as much as the longest row may have, that the caller should use it
// and free its memory before it reads further rows.
func (s *Stream) hasMuchText() bool { return s.keptTexts != nil && s.keptTexts.Size() >= maxRow }
