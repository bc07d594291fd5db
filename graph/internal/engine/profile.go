package engine

import (
	"strings"
	"time"
	"unsafe"
)

// Step describes one step of a program.
type Step struct {
	Kernel string        `json:"kernel"` // with what is fused into it
	Size   string        `json:"size"`   // of its result, [rows columns]; of a product [rows columns inner]; of a reduction or copy, of what it reads
	Offset int           `json:"offset"` // where in the arena its result lies, in bytes
	Bytes  int           `json:"bytes"`  // of its result
	Time   time.Duration `json:"-"`
}

// Steps lists the steps in order, without times.
func (p *Program[T]) Steps() []Step {
	width := int(unsafe.Sizeof(T(0)))
	var list []Step
	for _, v := range p.order {
		if v.kind == masked { // its product writes it
			continue
		}
		name := p.steps[len(list)].name
		at := strings.LastIndex(name, " [")
		if at < 0 {
			at = len(name)
		}
		kernel, size := name[:at], strings.TrimSpace(name[at:])
		if v.kind == fallback {
			kernel, size = name, shapeText(v)
		}
		list = append(list, Step{Kernel: kernel, Size: size, Offset: v.stored().offset * width, Bytes: v.size() * width})
	}
	return list
}

// Profile runs the program n times and returns the steps with the shortest
// time that each took: longer ones are other programs' work, or a cold cache.
func (p *Program[T]) Profile(n int) ([]Step, error) {
	list := p.Steps()
	if err := p.Run(); err != nil {
		return nil, err
	}
	for i := range n {
		for j := range p.steps {
			start := time.Now()
			p.steps[j].run()
			if took := time.Since(start); i == 0 || took < list[j].Time {
				list[j].Time = took
			}
		}
	}
	err := p.err
	p.err = nil
	return list, err
}

// Arena returns how many values have memory in the program's block, and the
// block's bytes.
func (p *Program[T]) Arena() (values, bytes int) {
	for _, v := range p.order {
		values++
		if v.tail.twice != nil && v.tail.twice.kind != masked {
			values++
		}
	}
	return values, len(p.arena) * int(unsafe.Sizeof(T(0)))
}
