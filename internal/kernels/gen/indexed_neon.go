package main

import "fmt"

// This file has loads and stores whose address is the sum of two registers, and of pairs of vectors.

// indexedWords are the encodings of loads and stores whose address is the sum of two registers, with
// registers 0, by the number of float32. Go's assembler lacks the largest.
var indexedWords = map[int]struct {
	name        string
	load, store uint32
}{
	1: {"s", 0xbc606800, 0xbc206800},
	2: {"d", 0xfc606800, 0xfc206800},
	4: {"q", 0x3ce06800, 0x3ca06800},
}

// loadIndexed loads 1, 2 or 4 float32 from the address base + index, and clears the rest of the register.
func (a *assembler) loadIndexed(numbers int, base, index general, d vec) {
	form := indexedWords[numbers]
	a.text = append(a.text, instruction{
		text:   indexedText("ldr", form.name, form.load, base, index),
		d:      d,
		n:      noVector,
		m:      noVector,
		writes: true,
	})
}

// storeIndexed stores the low 1, 2 or 4 float32 of a register at the address base + index.
func (a *assembler) storeIndexed(numbers int, d vec, base, index general) {
	form := indexedWords[numbers]
	a.text = append(a.text, instruction{
		text:  indexedText("str", form.name, form.store, base, index),
		d:     d,
		n:     noVector,
		m:     noVector,
		reads: true,
	})
}

// indexedText returns the text of an encoded load or store.
func indexedText(mnemonic, size string, word uint32, base, index general) string {
	word |= uint32(index)<<16 | uint32(base)<<5
	return fmt.Sprintf("%#08x // %s %s{d}, [x%d, x%d]", word, mnemonic, size, base, index)
}

// loadPair loads two vectors of 16 bytes.
func (a *assembler) loadPair(from armMemory, d, second vec) {
	a.text = append(a.text, instruction{
		text: fmt.Sprintf("FLDPQ %s, (F%d, F%d)", from.Asm(), d, second),
		d:    noVector,
		n:    noVector,
		m:    noVector,
	})
}

// storePair stores two vectors of 16 bytes.
func (a *assembler) storePair(n, second vec, to armMemory) {
	a.text = append(a.text, instruction{
		text: fmt.Sprintf("FSTPQ (F%d, F%d), %s", n, second, to.Asm()),
		d:    noVector,
		n:    noVector,
		m:    noVector,
	})
}

// loadDoubleLane loads two float32 to one half of a register, at an address in a register, and keeps the
// other half.
func (a *assembler) loadDoubleLane(from general, d vec, half int) {
	text := fmt.Sprintf("VLD1 (%s), V{d}.D[%d]", from.Asm(), half)
	a.text = append(a.text, instruction{text: text, d: d, n: noVector, m: noVector, reads: true, writes: true})
}
