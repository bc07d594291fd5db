package main

import (
	"sml/graph"
	"sml/trainers/optimizer"
)

// use lets so many threads make a training's steps together, until it is closed.
func (t *training) use(threads int) error {
	t.pool = graph.NewPool(threads)
	if d, ok := t.descent.(optimizer.Sharer); ok {
		d.Share(t.pool)
	}
	return t.Share(t.pool)
}

func (t *training) Close() error {
	t.pool.Close()
	return t.Step.Close()
}
