package data

// SettingsFor returns the epochs, batch and folds that the paper uses: those of
// the data set of that name, or for other data those of a set of that many rows.
func SettingsFor(name string, rows int) Dataset {
	if d, err := Lookup(name); err == nil {
		return d
	}
	switch {
	case rows <= 2000: // wine-red, the largest of the small sets, has 1599
		return small(Dataset{Name: name, Rows: rows})
	case rows <= 100_000: // protein, the largest of the large sets, has 45730
		return large(Dataset{Name: name, Rows: rows})
	default:
		return veryLarge(Dataset{Name: name, Rows: rows})
	}
}
