package data

import (
	"context"
	"fmt"
	"slices"
)

// Load returns the table of a data set: made of the seed, or read from the file
// that Locate finds in dir. Under the paper protocol abalone lacks its first row.
func Load(ctx context.Context, name, dir string, protocol Protocol, seed uint64) (*Table, error) {
	return LoadColumns(ctx, name, dir, protocol, seed, Options{})
}

// LoadColumns is Load of the columns that o asks for, or of the data set's own if
// it asks for none. A table that is made has no others.
func LoadColumns(ctx context.Context, name, dir string, protocol Protocol, seed uint64, o Options) (*Table, error) {
	d, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	if _, err := ParseProtocol(string(protocol)); err != nil {
		return nil, err
	}
	if d.Make != nil {
		return d.make(ctx, seed, o)
	}
	path, err := Locate(name, dir)
	if err != nil {
		return nil, err
	}
	own := o.chooseNothing()
	if own {
		o.Targets, o.Header = []string{d.Target}, HeaderYes
	}
	t, err := ReadFile(ctx, path, o)
	if err != nil {
		return nil, err
	}
	if t.Rows() != d.Rows || own && len(t.Columns) != d.Features {
		return nil, d.misshapen(show(path), t)
	}
	t.Name = name
	if own && d.Checksum != "" {
		sum, err := t.Checksum(ctx)
		if err != nil {
			return nil, err
		}
		if sum != d.Checksum {
			t.Differs = fmt.Sprintf("%s: names or values differ from those known as %s (SHA-256 %.12s… instead of %.12s…); scores on them may not compare with those of others", show(path), name, sum, d.Checksum)
		}
	}
	first := d.Rows - d.RowsUnder(protocol)
	for _, g := range t.groups() {
		*g.values = (*g.values)[first*len(g.names):]
	}
	t.Kept = t.Kept.between(first, first+t.Rows())
	return t, nil
}

// chooseNothing tells whether no column is asked for.
func (o Options) chooseNothing() bool {
	return len(o.Targets)+len(o.Drop)+len(o.Extra)+len(o.Inputs) == 0 && o.Weight == "" && o.By == "" && !o.NoTarget
}

// make makes the table.
func (d Dataset) make(ctx context.Context, seed uint64, o Options) (*Table, error) {
	t, err := d.Make(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("the data set %s cannot be made: %w", d.Name, err)
	}
	if len(t.X) != d.Rows*d.Features || len(t.Y) != d.Rows || len(t.Columns) != d.Features || !slices.Equal(t.Targets, []string{d.Target}) {
		return nil, d.misshapen("what is made", t)
	}
	if !o.chooseNothing() && !(slices.Equal(t.Columns, o.Inputs) && slices.Equal(t.Targets, o.Targets)) {
		return nil, fmt.Errorf("%s has other columns than those asked for: %s for %s", d.Name, list(t.Columns), list(t.Targets))
	}
	t.Name = d.Name
	return t, t.keep(o)
}

func (d Dataset) misshapen(what string, t *Table) error {
	return fmt.Errorf("%s: %d rows of %d inputs; %s has %d rows of %d inputs and the target %s",
		what, t.Rows(), len(t.Columns), d.Name, d.Rows, d.Features, d.Target)
}
