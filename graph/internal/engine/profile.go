package engine

import (
	"strings"
	"time"
	"unsafe"
)

// Instruction describes one kernel call of a program.
type Instruction struct {
	// Kernel is the name of the kernel, with the operations fused into it.
	Kernel string `json:"kernel"`

	// Size is [rows columns] of the result; for a reduction or a copy, of the operand. For a
	// product it is [rows columns inner], with the length of the sums.
	Size string `json:"size"`

	Offset int           `json:"offset"` // of the result in the arena, in bytes
	Bytes  int           `json:"bytes"`  // size of the result
	Time   time.Duration `json:"-"`      // 0 unless measured by Profile
}

// Instructions describes the instructions of the program in order, without durations.
func (p *Program[T]) Instructions() []Instruction {
	var described []Instruction // as many so far as instructions of values seen so far
	for _, v := range p.order {
		if v.kind == kindMaskedResult { // computed by the instruction of its product
			continue
		}
		described = append(described, p.describe(v, p.instructions[len(described)].name))
	}
	return described
}

// describe describes the instruction that computes v. The instruction's name ends in its sizes
// in brackets, except for fallbacks.
func (p *Program[T]) describe(v *value, name string) Instruction {
	width := int(unsafe.Sizeof(T(0)))
	d := Instruction{Kernel: name, Offset: v.memoryOwner().offset * width, Bytes: v.size() * width}
	bracket := strings.LastIndex(name, " [")
	switch {
	case v.kind == kindFallback:
		d.Size = shapeText(v)
	case bracket >= 0:
		d.Kernel = name[:bracket]
		d.Size = strings.TrimSpace(name[bracket:])
	}
	return d
}

// Profile runs the program n times on one goroutine and returns the instructions with the
// shortest duration of each: longer ones include interruptions or a cold cache. It returns an
// error if a run does.
func (p *Program[T]) Profile(n int) ([]Instruction, error) {
	profile := p.Instructions()
	if err := p.Run(); err != nil { // this run also gives the inputs their current values
		return nil, err
	}
	for run := range n {
		for i := range p.instructions {
			start := time.Now()
			p.instructions[i].run()
			elapsed := time.Since(start)
			if run == 0 || elapsed < profile[i].Time {
				profile[i].Time = elapsed
			}
		}
	}
	err := p.err
	p.err = nil
	return profile, err
}

// Arena returns the number of values that lie in the program's block of memory, and the block's
// size in bytes.
func (p *Program[T]) Arena() (values, bytes int) {
	return len(p.order), len(p.arena) * int(unsafe.Sizeof(T(0)))
}
