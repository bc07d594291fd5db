// Package study runs grids of trainings: data sets × methods × splits ×
// folds × seeds. A plan lists its cells; each cell is trained and judged on its
// own and leaves one file. Any cell can be run anywhere, twice, in any order, and
// gives the same bytes, so a study is resumed by running what has no file yet.
//
// A study is a directory:
//
//	plan.json           what is to be done: every cell with its settings
//	cells/NAME.json     one result each, with a checksum
//	predictions/NAME.*  predictions of the test rows, where the plan asks for them
//	claims/NAME         while a run has the cell: other runs leave it alone
//	checkpoints/NAME    a training that was stopped
//	log.jsonl, log/*    when, where and how long: nothing that a result depends on
//
// Large studies have folders in cells and predictions.
package study
