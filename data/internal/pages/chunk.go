package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Chunk decodes the values of one column in one row group. It holds a page and a dictionary in
// memory at a time.
//
// A chunk is a sequence of pages, each after a header: possibly a dictionary page with the
// column's different values, and then data pages with values or with indices into the
// dictionary. The definition levels of a data page say which of its values are missing.
type Chunk struct {
	file      io.ReaderAt
	offset    int64 // of the next page's header in the file
	end       int64 // of the chunk in the file
	codec     format.CompressionCodec
	valueType valueType
	optional  bool // values may be missing
	budget    *Budget

	dictionary       *dictionary // nil if no dictionary page was read
	valuesLeft       int         // unread values of the page, including missing values
	definitionLevels *hybridRuns // 1 for a value, 0 for a missing value; nil if the column has no missing values
	values           valueDecoder

	dictionaryBytes int // reserved for the dictionary
	pageBytes       int // reserved for the page
}

// NewChunk opens a column of a row group in a file of size bytes. The column must be a
// non-repeated leaf below the root of the schema, and metadata is from the row group. NewChunk
// returns an error if the two disagree about the type, or if the chunk is outside the file.
func NewChunk(file io.ReaderAt, size int64, column *parquet.Column, metadata *format.ColumnMetaData, budget *Budget) (*Chunk, error) {
	valueType, err := newValueType(column, metadata)
	if err != nil {
		return nil, err
	}
	c := &Chunk{
		file:      file,
		offset:    metadata.DataPageOffset,
		codec:     metadata.Codec,
		valueType: valueType,
		optional:  column.Optional(),
		budget:    budget,
	}
	if d := metadata.DictionaryPageOffset; d > 0 && d < c.offset {
		c.offset = d
	}
	c.end = c.offset + metadata.TotalCompressedSize
	if c.offset < 0 || metadata.TotalCompressedSize < 0 || c.end < c.offset || c.end > size {
		return nil, fmt.Errorf("its metadata places it at bytes %d to %d, but the file has %d bytes", c.offset, c.end, size)
	}
	return c, nil
}

// Next returns the next value, a null if it is missing, and io.EOF after the last one. The bytes
// of a value are valid until the next call.
func (c *Chunk) Next() (parquet.Value, error) {
	for c.valuesLeft == 0 {
		if err := c.nextPage(); err != nil {
			return parquet.Value{}, err
		}
	}
	c.valuesLeft--
	if c.definitionLevels != nil {
		level, err := c.definitionLevels.next()
		if err != nil || level == 0 {
			return parquet.Value{}, err
		}
	}
	return c.values.next()
}

// Close gives the memory of the chunk back to the budget. The chunk must not be used after it.
func (c *Chunk) Close() {
	c.budget.reserve(-c.dictionaryBytes - c.pageBytes)
	c.dictionaryBytes = 0
	c.pageBytes = 0
	c.dictionary = nil
	c.values = nil
	c.definitionLevels = nil
}

// nextPage reads pages up to the next data page, which may have no values. It returns io.EOF at
// the end of the chunk.
func (c *Chunk) nextPage() error {
	for c.offset != c.end {
		header, err := c.readHeader()
		if err != nil {
			return err
		}
		compressed, err := c.readCompressed(header)
		if err != nil {
			return err
		}
		switch header.Type {
		case format.DictionaryPage:
			if err := c.readDictionary(header, compressed); err != nil {
				return err
			}
		case format.DataPage:
			return c.readDataPage(header, compressed)
		case format.DataPageV2:
			return c.readDataPageV2(header, compressed)
		}
	}
	return io.EOF
}

// readHeader reads and checks the header of a page. The length of a header is not stored, so
// readHeader tries with more and more bytes of the file.
func (c *Chunk) readHeader() (*format.PageHeader, error) {
	const firstTry, growth = 512, 8 // bytes, and the factor from try to try
	for size := int64(firstTry); ; size *= growth {
		text := make([]byte, min(size, c.end-c.offset, maxPageHeader))
		if _, err := c.file.ReadAt(text, c.offset); err != nil && err != io.EOF {
			return nil, err
		}
		s := scanner{text: text}
		err := s.skipStruct(0)
		if errors.Is(err, errTruncated) && int64(len(text)) == size {
			continue
		}
		if err != nil {
			return nil, err
		}
		c.offset += int64(s.offset)
		header := new(format.PageHeader)
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), text[:s.offset], header); err != nil {
			return nil, err
		}
		return header, c.checkHeader(header)
	}
}

// checkHeader returns an error if the page exceeds MaxPage or the rest of the chunk.
func (c *Chunk) checkHeader(h *format.PageHeader) error {
	compressed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	switch {
	case compressed < 0, unpacked < 0, compressed > c.end-c.offset:
		return errInconsistent
	case compressed > MaxPage, unpacked > MaxPage:
		return fmt.Errorf("a page has %d MiB; at most %d MiB are read", max(compressed, unpacked)>>20, MaxPage>>20)
	}
	return nil
}

// readCompressed returns a page as it is stored. It returns an error if the page does not match
// the checksum in its header.
func (c *Chunk) readCompressed(h *format.PageHeader) ([]byte, error) {
	text := make([]byte, h.CompressedPageSize)
	if _, err := c.file.ReadAt(text, c.offset); err != nil && err != io.EOF {
		return nil, err
	}
	c.offset += int64(len(text))
	if h.CRC != 0 && uint32(h.CRC) != crc32.ChecksumIEEE(text) {
		return nil, errors.New("a page is damaged: it does not match its checksum")
	}
	return text, nil
}

// readDictionary decodes a dictionary page. It returns an error if the chunk has one already.
func (c *Chunk) readDictionary(h *format.PageHeader, compressed []byte) error {
	header := h.DictionaryPageHeader
	if !header.Valid || header.V.NumValues < 0 || c.dictionary != nil {
		return errInconsistent
	}
	if header.V.Encoding != format.Plain && header.V.Encoding != format.PlainDictionary {
		return unsupportedError("encoding", header.V.Encoding)
	}
	c.dictionaryBytes = 2 * int(h.UncompressedPageSize) // the page and dictionary.ends, which is at most as long
	if err := c.budget.reserve(c.dictionaryBytes); err != nil {
		return err
	}
	text, err := unpack(c.codec, compressed, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	c.dictionary, err = newDictionary(text, int(header.V.NumValues), c.valueType)
	return err
}

// reservePage drops the previous page and reserves memory for the next one.
func (c *Chunk) reservePage(h *format.PageHeader) error {
	c.values = nil
	c.definitionLevels = nil
	previous := c.pageBytes
	c.pageBytes = int(h.UncompressedPageSize)
	return c.budget.reserve(c.pageBytes - previous)
}

// readDataPage prepares the decoding of a data page of version 1, in which the definition levels
// are compressed together with the values.
func (c *Chunk) readDataPage(h *format.PageHeader, compressed []byte) error {
	header := h.DataPageHeader
	if !header.Valid || header.V.NumValues < 0 {
		return errInconsistent
	}
	if err := c.reservePage(h); err != nil {
		return err
	}
	text, err := unpack(c.codec, compressed, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	if c.optional {
		text, err = c.readLevels(header.V.DefinitionLevelEncoding, text)
		if err != nil {
			return err
		}
	}
	c.valuesLeft = int(header.V.NumValues)
	c.values, err = newValueDecoder(header.V.Encoding, text, c.valueType, c.dictionary)
	return err
}

// readLevels prepares the decoding of the definition levels at the start of a page: their length
// in four bytes, and the levels. It returns the text after them.
func (c *Chunk) readLevels(encoding format.Encoding, text []byte) (rest []byte, err error) {
	if encoding != format.RLE {
		return nil, unsupportedError("encoding", encoding)
	}
	levels, rest, err := cutPrefixedBytes(text)
	if err != nil {
		return nil, err
	}
	c.definitionLevels, err = newHybridRuns(levels, 1)
	return rest, err
}

// lengthBytes is the number of bytes in which Parquet stores the length of a text.
const lengthBytes = 4

// cutPrefixedBytes returns the bytes at the start of text, which follow their length, and the
// text after them.
func cutPrefixedBytes(text []byte) (content, rest []byte, err error) {
	if len(text) < lengthBytes {
		return nil, nil, io.ErrUnexpectedEOF
	}
	length := binary.LittleEndian.Uint32(text)
	text = text[lengthBytes:]
	if uint64(length) > uint64(len(text)) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return text[:length], text[length:], nil
}

// readDataPageV2 prepares the decoding of a data page of version 2, in which the repetition and
// definition levels are stored uncompressed before the values.
func (c *Chunk) readDataPageV2(h *format.PageHeader, stored []byte) error {
	header := h.DataPageHeaderV2
	if !header.Valid || header.V.NumValues < 0 {
		return errInconsistent
	}
	repetition := int(header.V.RepetitionLevelsByteLength)
	definition := int(header.V.DefinitionLevelsByteLength)
	switch unpacked := int(h.UncompressedPageSize); {
	case repetition < 0 || definition < 0:
		return errInconsistent
	case repetition > len(stored) || definition > len(stored)-repetition || repetition+definition > unpacked:
		return errInconsistent
	}
	if err := c.reservePage(h); err != nil {
		return err
	}
	levels := stored[repetition : repetition+definition] // repetition levels are for lists, which are not read
	text := stored[repetition+definition:]
	isCompressed := !header.V.IsCompressed.Valid || header.V.IsCompressed.V
	if isCompressed && len(text) > 0 { // a page without values may have no text at all
		unpacked, err := unpack(c.codec, text, int(h.UncompressedPageSize)-repetition-definition)
		if err != nil {
			return err
		}
		text = unpacked
	}
	return c.beginPageV2(header.V, levels, text)
}

// beginPageV2 prepares the decoding of the definition levels and the uncompressed values of a
// page.
func (c *Chunk) beginPageV2(header format.DataPageHeaderV2, levels, text []byte) (err error) {
	if c.optional {
		c.definitionLevels, err = newHybridRuns(levels, 1)
		if err != nil {
			return err
		}
	}
	c.valuesLeft = int(header.NumValues)
	c.values, err = newValueDecoder(header.Encoding, text, c.valueType, c.dictionary)
	return err
}
