package experiment

import (
	"fmt"

	"sml/data"
	"sml/models"
)

// minRowsForEarlyStopping is the smallest table on which a training stops early by default. A
// tenth of fewer rows would choose an epoch by chance.
const minRowsForEarlyStopping = 50

// EarlyStoppingFor returns the default early stopping of a method on a table: the fraction of
// the training rows that form the validation set, the number of epochs without an improvement
// after which the training ends, and the reason, a clause. All are zero if the training runs to
// its last epoch: on small tables, for methods that do not ask for early stopping, and on
// registered data sets, which are trained as published.
func EarlyStoppingFor(dataset string, m models.Method, rows int) (validation float64, patience int, reason string) {
	if _, err := data.Lookup(dataset); err == nil || !m.EarlyStopping || rows < minRowsForEarlyStopping {
		return 0, 0, ""
	}
	return 0.1, 50, fmt.Sprintf("%s would be too sure of itself if it were trained on until it knows its rows; a tenth of them says when to stop", m.Name)
}
