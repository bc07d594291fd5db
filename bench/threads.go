package main

import (
	"errors"

	"sml/models"
)

// errOneThread leaves out a side that there is not.
var errOneThread = errors.New("a training step of ours runs on one thread")

// useThreads lets a training step run on so many threads.
func useThreads(_ *models.Step, threads int) error {
	if threads != 1 {
		return errOneThread
	}
	return nil
}
