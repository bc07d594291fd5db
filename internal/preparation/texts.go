package preparation

import "sml/data"

// Texts calls of for each column of texts that has a feature for each level, with where
// they begin and how many they are, that of all others among them.
func (p *Preparation) Texts(of func(first, levels int)) {
	features := p.Features()
	for from := 0; from < len(features); {
		to := from
		for to < len(features) && features[to].Column == features[from].Column {
			to++
		}
		c := p.Columns[features[from].Column]
		if c.Kind == data.Category && !c.Ordered {
			levels := to - from
			if c.Indicator {
				levels--
			}
			of(from, levels)
		}
		from = to
	}
}
