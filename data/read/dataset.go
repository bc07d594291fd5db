package read

import (
	"context"
	"fmt"
	"slices"

	"sml/data"
)

// Dataset returns the table of a registered data set. The table is generated from the seed, or read
// from the file that Locate finds in dir. It has the columns that o requests, or the data set's
// published inputs and target if o requests none; a generated table has no other columns.
//
// Under the paper protocol the table may lack its first rows, as the published experiments lost
// them: abalone lacks one.
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
	if lostRows := d.Rows - d.RowsUnder(protocol); lostRows > 0 {
		t = t.Slice(lostRows, t.Rows())
	}
	return t, nil
}

// readDataset reads a data set from a file. It returns an error if the table does not have the
// data set's shape. If the options request no columns, it compares the table with the published
// checksum, and says in Table.Difference if names or values differ.
func readDataset(ctx context.Context, d data.Dataset, path string, o Options) (*data.Table, error) {
	hasOwnColumns := !o.choosesColumns() // columns that the user chooses have no published number and checksum
	if hasOwnColumns {
		o.Targets = []string{d.Target}
		o.Header = HeaderYes
	}
	t, err := File(ctx, path, o)
	if err != nil {
		return nil, err
	}
	hasShape := t.Rows() == d.Rows && (!hasOwnColumns || len(t.Columns) == d.Features)
	if !hasShape {
		return nil, shapeError(d, displayName(path), t)
	}
	if !hasOwnColumns || d.Checksum == "" {
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

// choosesColumns reports whether the options say which columns are read, and as what.
func (o Options) choosesColumns() bool {
	namedColumns := len(o.Targets) + len(o.Drop) + len(o.Extra) + len(o.Inputs)
	return namedColumns > 0 || o.Weight != "" || o.SplitColumn != "" || o.NoTarget
}

// generateDataset generates the table of a data set without a file from the seed. It returns an error
// if the table does not have the data set's shape, or if the options request other columns.
func generateDataset(ctx context.Context, d data.Dataset, seed uint64, o Options) (*data.Table, error) {
	t, err := d.Make(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("cannot generate the data set %s: %w", d.Name, err)
	}
	hasColumns := len(t.Columns) == d.Features && slices.Equal(t.Targets, []string{d.Target})
	hasRows := len(t.X) == d.Rows*d.Features && len(t.Y) == d.Rows
	if !hasColumns || !hasRows {
		return nil, shapeError(d, "the generated table", t)
	}
	hasRequestedColumns := slices.Equal(t.Columns, o.Inputs) && slices.Equal(t.Targets, o.Targets)
	if o.choosesColumns() && !hasRequestedColumns {
		return nil, fmt.Errorf("%s has other columns than the requested ones: inputs %s and target %s", d.Name, listNames(t.Columns), listNames(t.Targets))
	}
	t.Name = d.Name
	return t, keepGeneratedValues(t, o)
}

// shapeError returns the error for a table whose shape differs from its data set's. origin is the
// file of the table, for the message.
func shapeError(d data.Dataset, origin string, t *data.Table) error {
	return fmt.Errorf("%s: %d rows of %d inputs; %s has %d rows of %d inputs and the target %s",
		origin, t.Rows(), len(t.Columns), d.Name, d.Rows, d.Features, d.Target)
}
