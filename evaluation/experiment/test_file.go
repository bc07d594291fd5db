package experiment

import (
	"context"
	"fmt"

	"sml/data"
	"sml/data/preparation"
	"sml/data/read"
)

// TestFile is a file whose rows are tested on, and nothing else. They are read and
// prepared as the training table's: what texts and levels they have changes neither.
type TestFile struct {
	Name string `json:"name"` // of the file, as it was given

	// What was found when it was read first.
	Rows     int    `json:"rows"`
	Checksum string `json:"sha256"` // as Source.Checksum
}

// withTest returns the table with the rows of the file for testing, if there is one.
func (s Source) withTest(ctx context.Context, t *data.Table) (*data.Table, error) {
	if s.Test == nil {
		return t, nil
	}
	fail := func(err error) (*data.Table, error) { return nil, fmt.Errorf("the rows for testing: %w", err) }
	test, err := read.File(ctx, s.Test.Name, read.TestOptions(t, s.Prepared()))
	if err != nil {
		return fail(err)
	}
	if test, err = s.complete(test); err != nil {
		return fail(err)
	}
	both, err := t.WithTest(test)
	if err != nil {
		return fail(err)
	}
	return both, nil
}

// complete leaves out rows that lack an input, where the source asks for that.
func (s Source) complete(t *data.Table) (*data.Table, error) {
	if s.Missing != preparation.Drop {
		return t, nil
	}
	if whole := t.Complete(); whole.Rows() > 0 {
		return whole, nil
	}
	return nil, fmt.Errorf("%s: every row lacks a value, and none is left; see which columns are mostly empty, and leave them out", t.Name)
}

// Changed names the source's table or its file for testing, whichever is not what it
// was when it was read first; "": both are.
func (s Source) Changed(ctx context.Context, t *data.Table) (string, error) {
	own, test := t.Parts()
	sum, err := own.Checksum(ctx)
	switch {
	case err != nil:
		return "", err
	case sum != s.Checksum || own.Rows() != s.Rows:
		return s.Name, nil
	case s.Test == nil:
		return "", nil
	case test == nil || test.Rows() != s.Test.Rows:
		return s.Test.Name, nil
	}
	if sum, err = test.Checksum(ctx); err != nil || sum == s.Test.Checksum {
		return "", err
	}
	return s.Test.Name, nil
}
