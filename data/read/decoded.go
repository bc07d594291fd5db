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
type decoded struct {
	bytes *bufio.Reader
	in    *input // gets converted and binary set before the first byte is returned
	r     io.Reader
	zip   bool
}

func (d *decoded) Read(p []byte) (int, error) {
	if d.r == nil {
		if err := d.begin(); err != nil {
			return 0, err
		}
	}
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF && d.zip {
		err = fmt.Errorf("unzipping: %w", err)
	}
	return n, err
}

func (d *decoded) begin() error {
	if hasPrefix(d.bytes, "\x1f\x8b") {
		unzip, err := gzip.NewReader(d.bytes)
		if err != nil {
			return &badText{says: fmt.Sprintf("begins like a gzip file but is none: %v", err)}
		}
		d.bytes, d.zip = bufio.NewReader(unzip), true
		d.in.converted.Store(true)
	}
	d.r = d.bytes
	switch {
	case hasPrefix(d.bytes, "\xfe\xff"), hasPrefix(d.bytes, "\xff\xfe") && !hasPrefix(d.bytes, "\xff\xfe\x00\x00"):
		d.r = transform.NewReader(d.bytes, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
		d.in.converted.Store(true)
	case hasPrefix(d.bytes, zipMagic), hasPrefix(d.bytes, parquetMagic):
		d.in.binary.Store(true)
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
