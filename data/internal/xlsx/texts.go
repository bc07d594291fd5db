package xlsx

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// sharedTexts are the texts of a workbook. Cells refer to them by index.
type sharedTexts struct {
	content []byte   // all texts, one after the other
	ends    []uint32 // end of each text in content
}

// readTexts reads the shared texts, which are the elements si of a part of their own, into b.texts.
func (b *Book) readTexts() error {
	return b.readPart("xl/sharedStrings.xml", func(p *partReader, e xml.StartElement) {
		if e.Name.Local == "si" {
			p.fail(b.texts.add(p.readRichText()))
		}
	})
}

// add appends a text. It returns an error if the texts exceed maxTexts or maxTextCount.
func (t *sharedTexts) add(text string) error {
	if len(t.content)+len(text) > maxTexts || len(t.ends) == maxTextCount {
		return fmt.Errorf("the workbook has more than %d MiB of texts, or more than %d texts", maxTexts>>20, maxTextCount)
	}
	t.content = append(t.content, text...)
	t.ends = append(t.ends, uint32(len(t.content)))
	return nil
}

// lookUp returns the text with the given index, from 0, which a cell stores in decimal digits. It returns
// an error if there is no such text.
func (t *sharedTexts) lookUp(index string) (string, error) {
	i, err := strconv.Atoi(strings.TrimSpace(index))
	if err != nil || i < 0 || i >= len(t.ends) {
		return "", fmt.Errorf("a cell refers to the shared text %.20q; there are %d, counted from 0", index, len(t.ends))
	}
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return string(t.content[start:t.ends[i]]), nil
}
