// Package study runs grids of trainings: data sets × methods × splits × folds × seeds. Start with [NewPlan], which lists
// the cells of a grid, [Run], which trains and scores them, and [Collect], which combines their scores. The package does
// not write reports: package report does.
//
// Each cell leaves one file. It gives the same bytes on any machine and in any order, so a study is resumed by running
// the cells without a file.
//
// Several runs can share a study. Runs that use one directory claim cells by locks. Runs
// without a common directory take fixed shards and are joined afterwards.
//
// A study is a directory:
//
//	plan.json           every cell with its settings
//	cells/NAME.json     a result, with a checksum
//	predictions/NAME.*  predictions of the test rows, if the plan asks for them
//	claims/NAME         lock of a running cell
//	checkpoints/NAME    state of a training that was stopped
//	log.jsonl, log/*    times and machines, on which no result depends
//
// A large study spreads the files in cells and predictions over subfolders.
package study
