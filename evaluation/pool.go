package evaluation

import "sync"

// pool keeps open graphs of several kinds, and lends each to one goroutine at a time.
type pool[Kind comparable, Graph interface{ Close() }] struct {
	open func(Kind) (Graph, error)

	lock sync.Mutex
	free map[Kind][]Graph
}

// newPool returns a pool without graphs. open opens a graph of a kind.
func newPool[Kind comparable, Graph interface{ Close() }](open func(Kind) (Graph, error)) *pool[Kind, Graph] {
	return &pool[Kind, Graph]{open: open, free: make(map[Kind][]Graph)}
}

// lend calls work with a graph of this kind that no other goroutine uses. It opens one if none is free.
func (p *pool[Kind, Graph]) lend(kind Kind, work func(Graph) error) error {
	g, isFree := p.takeFree(kind)
	if !isFree {
		var err error
		g, err = p.open(kind)
		if err != nil {
			return err
		}
	}
	defer p.put(kind, g)
	return work(g)
}

// takeFree removes a free graph of this kind from the pool and returns it. isFree is false if there is none.
func (p *pool[Kind, Graph]) takeFree(kind Kind) (g Graph, isFree bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	free := p.free[kind]
	if len(free) == 0 {
		return g, false
	}
	p.free[kind] = free[:len(free)-1]
	return free[len(free)-1], true
}

// put makes a graph free again.
func (p *pool[Kind, Graph]) put(kind Kind, g Graph) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.free[kind] = append(p.free[kind], g)
}

// close closes all graphs. None may be lent.
func (p *pool[Kind, Graph]) close() {
	for _, free := range p.free {
		for _, g := range free {
			g.Close()
		}
	}
}
