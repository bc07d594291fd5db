package pages

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Chunk reads the values of one column in one row group. It holds a page and a dictionary in
// memory at a time.
//
// A chunk is a sequence of pages, each after a header: possibly a dictionary page with the
// column's different values, and then data pages with values or with indices into the
// dictionary. The definition levels of a data page say which of its values are missing.
type Chunk struct {
	file      io.ReaderAt
	offset    int64 // byte offset in the file of the next page's header
	end       int64 // byte offset in the file of the end of the chunk
	codec     format.CompressionCodec
	valueType valueType
	optional  bool // values may be missing
	budget    *Budget

	dictionary *values // nil if no dictionary page was read

	// The values of the page. If it has indices, they choose values of the dictionary, and otherwise stored has the values.
	valuesLeft int     // unread values, including missing values
	levels     []uint8 // definition levels of the unread values: 1 for a value, 0 for a missing value; nil if none is missing
	stored     values
	indices    []int32
	hasIndices bool
	next       int // index of the next value in stored or indices

	// Memory that the next page uses again: decoded values are copies.
	levelMemory    []uint8 // definition levels
	storedMemory   []byte  // page as it is stored
	unpackedMemory []byte  // page unpacked

	dictionaryBytes int // bytes of the budget reserved for the dictionary
	pageBytes       int // bytes of the budget reserved for the page
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
	dictionaryOffset := metadata.DictionaryPageOffset // 0 if there is no dictionary page
	if dictionaryOffset > 0 && dictionaryOffset < c.offset {
		c.offset = dictionaryOffset
	}
	c.end = c.offset + metadata.TotalCompressedSize
	hasOverflow := c.end < c.offset
	if c.offset < 0 || metadata.TotalCompressedSize < 0 || hasOverflow || c.end > size {
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
	if c.levels != nil {
		level := c.levels[0]
		c.levels = c.levels[1:]
		if level == 0 {
			return parquet.Value{}, nil // the zero Value is a null
		}
	}
	i := c.next
	c.next++
	if !c.hasIndices {
		return c.stored.value(i)
	}
	return c.dictionary.value(int(uint32(c.indices[i])))
}

// Close gives the memory of the chunk back to the budget. The chunk must not be used after it.
func (c *Chunk) Close() {
	c.budget.reserve(-c.dictionaryBytes - c.pageBytes)
	*c = Chunk{}
}

// nextPage reads pages up to the next data page, and prepares the decoding of its values, of which
// there may be none. It stores a dictionary page, and skips pages of other types. It returns io.EOF at
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

// readHeader reads and checks the header of the page at c.offset, and moves c.offset behind it. The
// length of a header is not stored, so that readHeader tries with more and more bytes of the file.
func (c *Chunk) readHeader() (*format.PageHeader, error) {
	const (
		firstSize = 512 // bytes; most headers are shorter
		growth    = 8   // factor of the size from try to try
	)
	for size := int64(firstSize); ; size *= growth {
		text := make([]byte, min(size, c.end-c.offset, maxPageHeader))
		if _, err := c.file.ReadAt(text, c.offset); err != nil && err != io.EOF {
			return nil, err
		}
		s := scanner{text: text}
		err := s.skipStruct(0)
		mayHaveMore := int64(len(text)) == size // neither the end of the chunk nor maxPageHeader is reached
		if errors.Is(err, errTruncated) && mayHaveMore {
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

// checkHeader returns an error if the page exceeds maxPage or the rest of the chunk.
func (c *Chunk) checkHeader(h *format.PageHeader) error {
	compressed := int64(h.CompressedPageSize)
	unpacked := int64(h.UncompressedPageSize)
	switch {
	case compressed < 0, unpacked < 0, compressed > c.end-c.offset:
		return errInconsistent
	case compressed > maxPage, unpacked > maxPage:
		return fmt.Errorf("a page has %d MiB; at most %d MiB are read", max(compressed, unpacked)>>20, maxPage>>20)
	}
	return nil
}

// readCompressed returns the bytes of the page at c.offset as they are stored, and moves c.offset behind
// them. It returns an error if they do not match the checksum in the page's header.
func (c *Chunk) readCompressed(h *format.PageHeader) ([]byte, error) {
	c.storedMemory = slices.Grow(c.storedMemory[:0], int(h.CompressedPageSize))
	text := c.storedMemory[:h.CompressedPageSize]
	if _, err := c.file.ReadAt(text, c.offset); err != nil && err != io.EOF {
		return nil, err
	}
	c.offset += int64(len(text))
	hasChecksum := h.CRC != 0 // writers may leave it out
	if hasChecksum && uint32(h.CRC) != crc32.ChecksumIEEE(text) {
		return nil, errors.New("a page is damaged: it does not match its checksum")
	}
	return text, nil
}

// readDictionary decodes a dictionary page into c.dictionary, and reserves its memory. It returns an
// error if the chunk has a dictionary already.
func (c *Chunk) readDictionary(h *format.PageHeader, compressed []byte) error {
	header := h.DictionaryPageHeader
	if !header.Valid || header.V.NumValues < 0 || c.dictionary != nil || c.valueType.kind == parquet.Boolean {
		return errInconsistent
	}
	if header.V.Encoding != format.Plain && header.V.Encoding != format.PlainDictionary {
		return unsupportedError("encoding", header.V.Encoding)
	}
	c.dictionaryBytes = 2 * int(h.UncompressedPageSize) // the values, and the offsets of texts, which are at most as long
	if err := c.budget.reserve(c.dictionaryBytes); err != nil {
		return err
	}
	text, err := c.unpack(compressed, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	dictionary, err := c.valueType.decode(values{}, format.Plain, text, int(header.V.NumValues))
	c.dictionary = &dictionary
	return err
}

// unpack returns the decompressed text of a page, of at most size bytes. The next call overwrites it.
func (c *Chunk) unpack(text []byte, size int) (unpacked []byte, err error) {
	unpacked, err = unpack(c.codec, c.unpackedMemory, text, size)
	if c.codec != format.Uncompressed && err == nil {
		c.unpackedMemory = unpacked[:cap(unpacked)]
	}
	return unpacked, err
}

// reservePage drops the previous page and reserves memory for the next page, which has the header h.
func (c *Chunk) reservePage(h *format.PageHeader) error {
	c.valuesLeft = 0
	previous := c.pageBytes
	c.pageBytes = int(h.UncompressedPageSize)
	return c.budget.reserve(c.pageBytes - previous)
}

// readDataPage decodes a data page of version 1, in which the definition levels are compressed together
// with the values. It replaces the previous page. It returns an error if the page is broken or exceeds
// the budget of memory.
func (c *Chunk) readDataPage(h *format.PageHeader, compressed []byte) error {
	header := h.DataPageHeader
	if !header.Valid || header.V.NumValues < 0 {
		return errInconsistent
	}
	if err := c.reservePage(h); err != nil {
		return err
	}
	text, err := c.unpack(compressed, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	var levels []byte
	if c.optional {
		if header.V.DefinitionLevelEncoding != format.RLE {
			return unsupportedError("encoding", header.V.DefinitionLevelEncoding)
		}
		levels, text, err = cutPrefixedBytes(text)
		if err != nil {
			return err
		}
	}
	return c.decodePage(header.V.Encoding, levels, text, int(header.V.NumValues))
}

// readDataPageV2 decodes a data page of version 2, in which the repetition and definition levels are
// stored uncompressed before the values. It replaces the previous page. It
// returns an error if the page is broken or exceeds the budget of memory.
func (c *Chunk) readDataPageV2(h *format.PageHeader, stored []byte) error {
	header := h.DataPageHeaderV2
	if !header.Valid || header.V.NumValues < 0 {
		return errInconsistent
	}
	repetition := int64(header.V.RepetitionLevelsByteLength)
	definition := int64(header.V.DefinitionLevelsByteLength)
	levelsLength := repetition + definition
	maxLength := min(int64(len(stored)), int64(h.UncompressedPageSize))
	if repetition < 0 || definition < 0 || levelsLength > maxLength {
		return errInconsistent
	}
	if err := c.reservePage(h); err != nil {
		return err
	}
	levels := stored[repetition:levelsLength] // repetition levels are for lists, which are not read
	text := stored[levelsLength:]
	isCompressed := !header.V.IsCompressed.Valid || header.V.IsCompressed.V // true if the header does not say it
	if isCompressed && len(text) > 0 {                                      // a page without values may have no text at all
		unpacked, err := c.unpack(text, int(int64(h.UncompressedPageSize)-levelsLength))
		if err != nil {
			return err
		}
		text = unpacked
	}
	return c.decodePage(header.V.Encoding, levels, text, int(header.V.NumValues))
}

// decodePage decodes the definition levels and the values of a page, which has count values including
// the missing ones. It returns an error if there are fewer.
func (c *Chunk) decodePage(encoding format.Encoding, levels, text []byte, count int) error {
	missing, err := c.decodeLevels(levels, count)
	if err != nil {
		return err
	}
	if err := c.decodeValues(encoding, text, count-missing); err != nil {
		return err
	}
	c.next = 0
	c.valuesLeft = count
	return nil
}

// decodeLevels decodes the count definition levels of a page into c.levels, and returns the number of missing values. A column
// in which none may be missing has no levels.
func (c *Chunk) decodeLevels(levels []byte, count int) (missing int, err error) {
	c.levels = nil
	if !c.optional {
		return 0, nil
	}
	c.levelMemory, err = decodeLevels(c.levelMemory, levels, count)
	if err != nil {
		return 0, err
	}
	missing = bytes.Count(c.levelMemory[:count], []byte{0})
	if missing > 0 {
		c.levels = c.levelMemory[:count]
	}
	return missing, nil
}

// decodeValues decodes the count stored values of a page, or their indices in the dictionary.
func (c *Chunk) decodeValues(encoding format.Encoding, text []byte, count int) (err error) {
	c.hasIndices = encoding == format.PlainDictionary || encoding == format.RLEDictionary
	switch {
	case c.hasIndices && c.dictionary == nil:
		return errInconsistent
	case c.hasIndices:
		c.indices, err = decodeIndices(c.indices, text, count)
		return err
	}
	if err := c.reservePrefixes(encoding, text, count); err != nil {
		return err
	}
	c.stored, err = c.valueType.decode(c.stored, encoding, text, count)
	return err
}

// reservePrefixes reserves the memory of texts that are stored as the lengths of the prefixes that they share with the text
// before, and their suffixes: the prefixes may take much more memory than the page. It does nothing for other encodings.
func (c *Chunk) reservePrefixes(encoding format.Encoding, text []byte, count int) error {
	if encoding != format.DeltaByteArray {
		return nil
	}
	size, err := prefixBytes(text, count)
	if err != nil {
		return err
	}
	c.pageBytes += size
	return c.budget.reserve(size)
}
