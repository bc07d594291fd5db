package read

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decoded reads bytes, unzips them if they are gzip, and converts them to UTF-8 if they begin
// with the byte order mark of UTF-16. The first call of Read waits for the first byte.
type decodingReader struct {
	raw     *bufio.Reader
	source  *sourceReader // gets converted and binary set before the first byte is returned
	decoded io.Reader
	isGzip  bool
}

func (d *decodingReader) Read(p []byte) (int, error) {
	if d.decoded == nil {
		if err := d.detectEncoding(); err != nil {
			return 0, err
		}
	}
	n, err := d.decoded.Read(p)
	if err != nil && err != io.EOF && d.isGzip {
		err = fmt.Errorf("unzipping: %w", err)
	}
	return n, err
}

func (d *decodingReader) detectEncoding() error {
	if hasPrefix(d.raw, "\x1f\x8b") {
		unzip, err := gzip.NewReader(d.raw)
		if err != nil {
			return &formatError{message: fmt.Sprintf("begins like a gzip file but is none: %v", err)}
		}
		d.raw, d.isGzip = bufio.NewReader(unzip), true
		d.source.converted.Store(true)
	}
	d.decoded = d.raw
	switch {
	case hasPrefix(d.raw, "\xfe\xff"), hasPrefix(d.raw, "\xff\xfe") && !hasPrefix(d.raw, "\xff\xfe\x00\x00"):
		d.decoded = transform.NewReader(d.raw, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
		d.source.converted.Store(true)
	case hasPrefix(d.raw, zipMagic), hasPrefix(d.raw, parquetMagic):
		d.source.binary.Store(true)
	}
	return nil
}

// hasPrefix reports whether r begins with magic. It waits only for the bytes up to the first that
// differs.
func hasPrefix(r *bufio.Reader, magic string) bool {
	for n := range magic {
		if head, err := r.Peek(n + 1); err != nil || head[n] != magic[n] {
			return false
		}
	}
	return true
}
