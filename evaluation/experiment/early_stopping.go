package experiment

import (
	"fmt"

	"sml/data"
	"sml/models"
)

// minRowsForEarlyStopping is the smallest table on which a training stops early by default. A
// tenth of fewer rows would choose an epoch by chance.
const minRowsForEarlyStopping = 50

// Early stopping on a table that is not a registered data set.
const (
	stoppingValidation = 0.1 // fraction of the training rows that decides when to stop
	stoppingPatience   = 50  // epochs without an improvement, so that a chance rise of the loss does not end the training
)

// EarlyStoppingFor returns the default early stopping of a method on a table: the fraction of
// the training rows that become validation rows, the number of epochs without an improvement
// after which the training ends, and the reason, a clause. All are zero if the training runs to
// its last epoch: on tables of fewer than 50 rows, for methods that do not ask for early
// stopping, and on registered data sets, which are trained as published.
func EarlyStoppingFor(dataset string, m models.Method, rows int) (validation float64, patience int, reason string) {
	_, err := data.Lookup(dataset)
	isRegistered := err == nil
	if isRegistered || !m.EarlyStopping || rows < minRowsForEarlyStopping {
		return 0, 0, ""
	}
	reason = fmt.Sprintf("%s becomes overconfident if trained until it fits its rows exactly; a tenth of the rows decides when to stop", m.Name)
	return stoppingValidation, stoppingPatience, reason
}
