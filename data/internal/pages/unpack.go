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
	"github.com/pierrec/lz4/v4"
)

var errLongText = fmt.Errorf("a value of more than %d MiB", MaxText>>20)

func unsupportedError(what string, is fmt.Stringer) error {
	return fmt.Errorf("the %s %v, which is not read", what, is)
}

// zstdDecoder returns the decoder of all pages.
var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(MaxPage), zstd.WithDecoderConcurrency(0))
	if err != nil {
		panic(err) // the options are wrong
	}
	return d
})

// unpack decompresses a page. It returns errLonger if the page expands to more than size bytes.
func unpack(codec format.CompressionCodec, text []byte, size int) ([]byte, error) {
	var r io.Reader
	switch codec {
	case format.Uncompressed:
		return text, nil
	case format.Snappy:
		n, err := snappy.DecodedLen(text)
		if err == nil && n > size {
			err = errLonger
		}
		if err != nil {
			return nil, err
		}
		return snappy.Decode(nil, text)
	case format.Lz4Raw:
		unpacked := make([]byte, size)
		n, err := lz4.UncompressBlock(text, unpacked)
		if err != nil {
			return nil, err
		}
		return unpacked[:n], nil
	case format.Gzip:
		unzip, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		r = unzip
	case format.Brotli:
		r = brotli.NewReader(bytes.NewReader(text))
	case format.Zstd:
		unpacked, err := zstdDecoder().DecodeAll(text, make([]byte, 0, size))
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
			err = errLonger
		}
		return unpacked, err
	default:
		return nil, unsupportedError("compression", codec)
	}
	unpacked := make([]byte, size)
	n, err := io.ReadFull(r, unpacked)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if n == size { // the end has a checksum
		more, err := io.ReadFull(r, make([]byte, 1))
		switch {
		case more > 0:
			return nil, errLonger
		case err != io.EOF:
			return nil, err
		}
	}
	return unpacked[:n], nil
}

var errLonger = errors.New("a page is longer than it says when it is unpacked")
