package xlsx

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// texts are the shared texts of a workbook, which cells refer to by index.
type sharedTexts struct {
	content []byte
	ends    []uint32 // of each text in all
}

func (t *sharedTexts) add(text string) error {
	if len(t.content)+len(text) > MaxTexts || len(t.ends) == maxTextCount {
		return fmt.Errorf("more than %d MiB of texts, or more than %d", MaxTexts>>20, maxTextCount)
	}
	t.content = append(t.content, text...)
	t.ends = append(t.ends, uint32(len(t.content)))
	return nil
}

// at returns the text that a cell refers to.
func (t *sharedTexts) lookUp(reference string) (string, error) {
	i, err := strconv.Atoi(strings.TrimSpace(reference))
	if err != nil || i < 0 || i >= len(t.ends) {
		return "", fmt.Errorf("a cell refers to the shared text %.20q, and there are %d", reference, len(t.ends))
	}
	from := uint32(0)
	if i > 0 {
		from = t.ends[i-1]
	}
	return string(t.content[from:t.ends[i]]), nil
}

func (b *Book) readTexts() error {
	return b.readPart("xl/sharedStrings.xml", func(p *partReader, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := p.readRichText()
		if err != nil {
			return err
		}
		return b.texts.add(text)
	})
}
