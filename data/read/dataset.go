package read

import (
	"context"
	"fmt"
	"slices"

	"sml/data"
)

// Dataset returns the table of a registered data set, which is generated from the seed or read
// from the file that Locate finds in dir. The table has the columns that o asks for, or the
// data set's own columns if o asks for none; a generated table has no other columns. Under the
// paper protocol abalone lacks its first row.
func Dataset(ctx context.Context, name, dir string, protocol data.Protocol, seed uint64, o Options) (*data.Table, error) {
	d, err := data.Lookup(name)
	if err != nil {
		return nil, err
	}
	if _, err := data.ParseProtocol(string(protocol)); err != nil {
		return nil, err
	}
	if d.Make != nil {
		return generateDataset(ctx, d, seed, o)
	}
	path, err := Locate(name, dir)
	if err != nil {
		return nil, err
	}
	t, err := readDataset(ctx, d, path, o)
	if err != nil {
		return nil, err
	}
	t.Name = name
	if first := d.Rows - d.RowsUnder(protocol); first > 0 {
		t = t.Slice(first, t.Rows())
	}
	return t, nil
}

// readDataset reads a data set from a file. It returns an error if the table does not have the
// data set's shape, and notes in Table.Differs if its values differ.
func readDataset(ctx context.Context, d data.Dataset, path string, o Options) (*data.Table, error) {
	own := !o.choosesColumns()
	if own {
		o.Targets, o.Header = []string{d.Target}, HeaderYes
	}
	t, err := File(ctx, path, o)
	if err != nil {
		return nil, err
	}
	if t.Rows() != d.Rows || own && len(t.Columns) != d.Features {
		return nil, shapeError(d, displayName(path), t)
	}
	if !own || d.Checksum == "" {
		return t, nil
	}
	sum, err := t.Checksum(ctx)
	if err != nil {
		return nil, err
	}
	if sum != d.Checksum {
		t.Difference = fmt.Sprintf("%s: names or values differ from those known as %s (SHA-256 %.12s… instead of %.12s…); scores on them may not compare with those of others", displayName(path), d.Name, sum, d.Checksum)
	}
	return t, nil
}

// choosesColumns reports whether the options ask for columns.
func (o Options) choosesColumns() bool {
	return len(o.Targets)+len(o.Drop)+len(o.Extra)+len(o.Inputs) > 0 || o.Weight != "" || o.SplitColumn != "" || o.NoTarget
}

// generateDataset generates the table of a data set without a file.
func generateDataset(ctx context.Context, d data.Dataset, seed uint64, o Options) (*data.Table, error) {
	t, err := d.Make(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("the data set %s cannot be made: %w", d.Name, err)
	}
	if len(t.X) != d.Rows*d.Features || len(t.Y) != d.Rows || len(t.Columns) != d.Features || !slices.Equal(t.Targets, []string{d.Target}) {
		return nil, shapeError(d, "the made table", t)
	}
	if o.choosesColumns() && !(slices.Equal(t.Columns, o.Inputs) && slices.Equal(t.Targets, o.Targets)) {
		return nil, fmt.Errorf("%s has other columns than those asked for: %s for %s", d.Name, listNames(t.Columns), listNames(t.Targets))
	}
	t.Name = d.Name
	return t, keepGeneratedValues(t, o)
}

// shapeError returns the error of a table whose shape differs from its data set's.
func shapeError(d data.Dataset, origin string, t *data.Table) error {
	return fmt.Errorf("%s: %d rows of %d inputs; %s has %d rows of %d inputs and the target %s",
		origin, t.Rows(), len(t.Columns), d.Name, d.Rows, d.Features, d.Target)
}
