package read

import (
	"bufio"
	"bytes"
)

// nanReader reads JSON text, and reads each NaN, which JSON does not have but Python's json writes for a missing number, as an
// empty string with a blank after it, so that all offsets stay.
type nanReader struct {
	r         *bufio.Reader
	inString  bool
	isEscaped bool   // the last byte was the backslash of an escape in a string
	pending   string // bytes that replace the next ones
}

// Read reads text as n.r does. It awaits the rest of a NaN.
func (n *nanReader) Read(p []byte) (int, error) {
	count, err := n.r.Read(p)
	for i := range p[:count] {
		if p[i] == 'N' && !n.inString && n.pending == "" && n.isNaN(p[i:count]) {
			n.pending = `"" `
		}
		if n.pending != "" {
			p[i] = n.pending[0]
			n.pending = n.pending[1:]
			continue
		}
		n.follow(p[i])
	}
	return count, err
}

// isNaN reports whether the text, whose end may not have been read, begins with NaN.
func (n *nanReader) isNaN(text []byte) bool {
	const nan = "NaN"
	if len(text) < len(nan) {
		rest, _ := n.r.Peek(len(nan) - len(text)) // fewer bytes at the end of the file
		text = append(bytes.Clone(text), rest...)
	}
	return bytes.HasPrefix(text, []byte(nan))
}

// follow notes whether the byte begins or ends a string.
func (n *nanReader) follow(b byte) {
	switch {
	case n.isEscaped:
		n.isEscaped = false
	case b == '"':
		n.inString = !n.inString
	default:
		n.isEscaped = n.inString && b == '\\'
	}
}
