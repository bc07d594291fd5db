package read

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decodingReader reads bytes, unzips them if they are gzip, and converts them to UTF-8 if they
// begin with the byte order mark of UTF-16. The first call of Read waits for the first byte.
type decodingReader struct {
	raw     *bufio.Reader // bytes of the file, unzipped after detectEncoding
	source  *sourceReader // the fields converted and binary are set before the first byte is returned
	decoded io.Reader     // nil before the first call of Read
	isGzip  bool
}

// Read reads the next bytes of the text. The first call recognises the encoding.
func (d *decodingReader) Read(p []byte) (int, error) {
	if d.decoded == nil {
		if err := d.detectEncoding(); err != nil {
			return 0, err
		}
	}
	n, err := d.decoded.Read(p)
	if err != nil && err != io.EOF && d.isGzip {
		err = fmt.Errorf("cannot unzip: %w", err)
	}
	return n, err
}

// First bytes of files.
const (
	gzipMagic         = "\x1f\x8b"
	utf16BigEndian    = "\xfe\xff"
	utf16LittleEndian = "\xff\xfe"
	utf32LittleEndian = "\xff\xfe\x00\x00" // begins like UTF-16; not supported
)

// detectEncoding sets d.decoded, and the fields converted and binary of d.source, by the first bytes
// of the file. It returns an error if the file begins like gzip but is broken.
func (d *decodingReader) detectEncoding() error {
	if hasPrefix(d.raw, gzipMagic) {
		unzipped, err := gzip.NewReader(d.raw)
		if err != nil {
			return &formatError{message: fmt.Sprintf("the file begins like gzip but is broken: %v", err)}
		}
		d.raw = bufio.NewReader(unzipped)
		d.isGzip = true
		d.source.converted.Store(true)
	}
	d.decoded = d.raw // UTF-8, or a format that needs no decoding
	isBigEndian := hasPrefix(d.raw, utf16BigEndian)
	isLittleEndian := !isBigEndian && hasPrefix(d.raw, utf16LittleEndian) && !hasPrefix(d.raw, utf32LittleEndian)
	switch {
	case isBigEndian || isLittleEndian:
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
		d.decoded = transform.NewReader(d.raw, decoder)
		d.source.converted.Store(true)
	case hasPrefix(d.raw, zipMagic), hasPrefix(d.raw, parquetMagic):
		d.source.binary.Store(true)
	}
	return nil
}

// peekUntil waits for more and more text until it is enough, the input ends or limit bytes have come. It returns the text,
// which stays in the buffer of r, and the error that ended the input.
func peekUntil(r *bufio.Reader, limit int, isEnough func(text []byte) bool) (text []byte, err error) {
	for wantedBytes := 1; ; wantedBytes = len(text) + 1 { // each time one byte more than before
		_, err := r.Peek(min(wantedBytes, limit))
		text, _ = r.Peek(min(r.Buffered(), limit))
		if err != nil || len(text) == limit || isEnough(text) {
			return text, err
		}
	}
}

// hasPrefix reports whether the next bytes of r are magic, and leaves them unread. It compares byte by
// byte, so that it never waits for a byte after the first difference.
func hasPrefix(r *bufio.Reader, magic string) bool {
	for n := range len(magic) { // bytes, and not characters
		if head, err := r.Peek(n + 1); err != nil || head[n] != magic[n] {
			return false
		}
	}
	return true
}
