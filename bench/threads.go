package main

import "errors"

// errOneThread leaves out a side that there is not.
var errOneThread = errors.New("a training step of ours runs on one thread")

// use lets a training's steps run on so many threads.
func (t *training) use(threads int) error {
	if threads != 1 {
		return errOneThread
	}
	return nil
}
