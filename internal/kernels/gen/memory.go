package main

import "fmt"

// This file writes arm64's loads and stores of vector registers.

// loadVector loads 16 bytes.
func (a *assembler) loadVector(from armMemory, d vec) { a.loadPart("FMOVQ", from, d) }

// storeVector stores 16 bytes.
func (a *assembler) storeVector(n vec, to armMemory) { a.storePart("FMOVQ", n, to) }

// loadPart loads 4, 8 or 16 bytes, by FMOVS, FMOVD or FMOVQ, and clears the rest of the register.
func (a *assembler) loadPart(mnemonic string, from armMemory, d vec) {
	a.emit(vectorLoad(fmt.Sprintf("%s %s, F{d}", mnemonic, from.Asm()), d))
}

// storePart stores the low 4, 8 or 16 bytes of a register, by FMOVS, FMOVD or FMOVQ.
func (a *assembler) storePart(mnemonic string, n vec, to armMemory) {
	a.emit(vectorStore(fmt.Sprintf("%s F{n}, %s", mnemonic, to.Asm()), n))
}

// loadFloatArgument loads a float32 or float64 argument of the function, by FMOVS or FMOVD, to the lowest lane of
// d.
func (a *assembler) loadFloatArgument(mnemonic, name string, d vec) {
	address, _ := a.frameAddress(name)
	a.emit(vectorLoad(fmt.Sprintf("%s %s, F{d}", mnemonic, address), d))
}

// loadLane loads one of four lanes from the address in a register, and keeps the other lanes.
func (a *assembler) loadLane(from general, d vec, lane int) {
	a.emit(laneLoad(fmt.Sprintf("VLD1 (%s), V{d}.S[%d]", from.Asm(), lane), d))
}

// loadHalf loads two float32 to half 0 or 1 of a register, from the address in a register, and keeps the other
// half.
func (a *assembler) loadHalf(from general, d vec, half int) {
	a.emit(laneLoad(fmt.Sprintf("VLD1 (%s), V{d}.D[%d]", from.Asm(), half), d))
}

// storeLane stores one of four lanes at the address in a register.
func (a *assembler) storeLane(n vec, lane int, to general) {
	a.emit(vectorStore(fmt.Sprintf("VST1 V{n}.S[%d], (%s)", lane, to.Asm()), n))
}

// loadRepeated loads one number, at the address in a register, to all lanes of d, "4s" or "2d".
func (a *assembler) loadRepeated(from general, lanes string, d vec) {
	a.emit(vectorLoad(fmt.Sprintf("VLD1R (%s), [V{d}.%s]", from.Asm(), goLanes(lanes)), d))
}

// loadPair loads 32 bytes to two registers of the CPU. The registers cannot be virtual.
func (a *assembler) loadPair(from armMemory, first, second vec) {
	a.emit(withoutVectors(fmt.Sprintf("FLDPQ %s, (F%d, F%d)", from.Asm(), first, second)))
}

// storePair stores 32 bytes from two registers of the CPU. The registers cannot be virtual.
func (a *assembler) storePair(first, second vec, to armMemory) {
	a.emit(withoutVectors(fmt.Sprintf("FSTPQ (F%d, F%d), %s", first, second, to.Asm())))
}

// indexedForms are the words of loads and stores at the sum of two registers, with the number 0 in place of all
// registers, by the number of float32. Go's assembler does not know the form of four.
var indexedForms = map[int]struct {
	register    string // ARM's letter for the register: s, d and q have 4, 8 and 16 bytes
	load, store uint32
}{
	1: {"s", 0xbc606800, 0xbc206800},
	2: {"d", 0xfc606800, 0xfc206800},
	4: {"q", 0x3ce06800, 0x3ca06800},
}

// loadIndexed loads 1, 2 or 4 float32 from the address base + index, and clears the rest of the register.
func (a *assembler) loadIndexed(numbers int, base, index general, d vec) {
	form := indexedForms[numbers]
	a.emit(vectorLoad(indexedText("ldr", form.register, form.load, base, index), d))
}

// storeIndexed stores the low 1, 2 or 4 float32 of d at the address base + index. ARM's encoding has the register
// in the place of a destination.
func (a *assembler) storeIndexed(numbers int, d vec, base, index general) {
	form := indexedForms[numbers]
	text := indexedText("str", form.register, form.store, base, index)
	a.emit(instruction{text: text, d: d, n: noVector, m: noVector, readsD: true})
}

// indexedText returns the text of a load or store at base + index, whose numbers it adds to the word.
func indexedText(mnemonic, register string, word uint32, base, index general) string {
	word |= uint32(index)<<16 | uint32(base)<<5
	return fmt.Sprintf("%#08x // %s %s{d}, [x%d, x%d]", word, mnemonic, register, base, index)
}
