package read

import "bytes"

// skippedRemarks returns a line for the user on the comments of the file, and one on its repeated headers.
func (r *textReader) skippedRemarks() []string {
	return append(r.comments.remarks(r.file, "is a comment", "are comments"), r.repeats.remarks(r.file, "repeats the header", "repeat the header")...)
}

// skipComments drops comments, and the empty lines before and between them, up to the next row. It waits for the first
// byte of that row.
func (r *textReader) skipComments() {
	for r.dialect.columns != 0 {
		line := r.peekEmptyLine()
		if line == nil {
			line = r.peekComment()
			if line == nil {
				return
			}
			r.comments.add(r.skippedLines+r.linesRead+1, 1)
		}
		r.discard(len(line))
		r.skippedLines++
	}
}

// peekEmptyLine returns the next line if it has no characters but its line end, and nil otherwise.
func (r *textReader) peekEmptyLine() []byte {
	for _, lineEnd := range []string{"\n", "\r\n"} {
		if hasPrefix(r.buffered, lineEnd) {
			return []byte(lineEnd)
		}
	}
	return nil
}

// peekComment returns the next line if it is a comment, and nil otherwise. A line that the buffer does not hold is none.
func (r *textReader) peekComment() []byte {
	first, err := r.buffered.Peek(1)
	mayBeComment := err == nil && (first[0] == '#' || first[0] == '(' || r.dialect.delimiter == '|')
	if !mayBeComment {
		return nil
	}
	hasLine := func(text []byte) bool { return bytes.IndexByte(text, '\n') >= 0 }
	line, _ := peekUntil(r.buffered, r.buffered.Size(), hasLine)
	end := bytes.IndexByte(line, '\n') + 1
	switch {
	case end > 0:
		line = line[:end]
	case len(line) == r.buffered.Size():
		return nil
	}
	if r.dialect.isComment(line) {
		return line
	}
	return nil
}
