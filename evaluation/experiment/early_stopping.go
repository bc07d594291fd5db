package experiment

import (
	"fmt"

	"sml/data"
	"sml/models"
)

// EarlyStopping is by which rows a training finds its end where its user does not say.
// The zero value trains all rows to the last epoch.
type EarlyStopping struct {
	Validation float64 // share of the training rows that only choose the epoch
	Patience   int     // epochs without a better one after which it ends
	Reason     string  // why so, a clause
}

// A tenth of fewer rows chooses an epoch by chance.
const fewestToStopBy = 50

// EarlyStoppingFor returns what a method asks for on a table of so many rows: nothing
// on registered data sets, which are trained as is published, and on small tables.
func EarlyStoppingFor(dataset string, m models.Method, rows int) EarlyStopping {
	if _, err := data.Lookup(dataset); err == nil || !m.EarlyStopping || rows < fewestToStopBy {
		return EarlyStopping{}
	}
	return EarlyStopping{0.1, 50, fmt.Sprintf("%s would be too sure of itself if it were trained on until it knows its rows; a tenth of them says when to stop", m.Name)}
}
