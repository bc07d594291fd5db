package pages

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

var (
	errLongText    = fmt.Errorf("a value has more than %d MiB", maxText>>20)
	errPageTooLong = errors.New("a page is longer than its header says when it is decompressed")
)

// unsupportedError returns the error for an encoding or a compression that this package does not
// read. feature is "encoding" or "compression".
func unsupportedError(feature string, value fmt.Stringer) error {
	return fmt.Errorf("the %s %v is not supported", feature, value)
}

// zstdDecoder returns the decoder that all pages share. It decodes on all cores, and a page to no more
// than maxPage bytes.
var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxPage), zstd.WithDecoderConcurrency(0))
	if err != nil {
		panic(err) // the options above are invalid
	}
	return d
})

// unpack returns the decompressed text of a page, which may have fewer than size bytes. It returns an
// error if the page expands to more than size bytes, and never allocates much more. It may use the given memory. It does not
// unpack LZ4, which few programs write.
func unpack(codec format.CompressionCodec, memory, text []byte, size int) ([]byte, error) {
	switch codec {
	case format.Uncompressed:
		return text, nil
	case format.Snappy:
		return unpackSnappy(memory, text, size)
	case format.Gzip:
		r, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		return readUnpacked(r, size)
	case format.Brotli:
		return readUnpacked(brotli.NewReader(bytes.NewReader(text)), size)
	case format.Zstd:
		unpacked, err := zstdDecoder().DecodeAll(text, make([]byte, 0, size))
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
			err = errPageTooLong
		}
		return unpacked, err
	}
	return nil, unsupportedError("compression", codec)
}

// unpackSnappy decompresses text, and returns errPageTooLong before it allocates more than size
// bytes.
func unpackSnappy(memory, text []byte, size int) ([]byte, error) {
	n, err := snappy.DecodedLen(text)
	if err != nil {
		return nil, err
	}
	if n > size {
		return nil, errPageTooLong
	}
	return snappy.Decode(memory, text)
}

// readUnpacked reads r to its end. It returns errPageTooLong if r has more than size bytes. A
// reader with fewer bytes is no error here: the decoder of the values finds that they end early.
func readUnpacked(r io.Reader, size int) ([]byte, error) {
	unpacked := make([]byte, size)
	n, err := io.ReadFull(r, unpacked)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if n == size { // the reader verifies its checksum only when it is read to its end
		extra, err := io.ReadFull(r, make([]byte, 1))
		switch {
		case extra > 0:
			return nil, errPageTooLong
		case err != io.EOF:
			return nil, err
		}
	}
	return unpacked[:n], nil
}
