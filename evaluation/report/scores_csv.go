package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// ScoresCSV writes the columns dataset, method, rows, rmse, nll, ece, ws, ks,
// r2 and mae, one line for each row in the order given. Scores have all their
// digits; NaN, +Inf and -Inf stand as such. Seconds are left out, so that
// the same scores give the same bytes.
func ScoresCSV(w io.Writer, rows []Row) error {
	out := csv.NewWriter(w)
	record := []string{"dataset", "method", "rows"}
	for _, m := range measures {
		record = append(record, strings.ToLower(m.name))
	}
	out.Write(record) // an error of Write is kept for Error
	for _, row := range rows {
		record = append(record[:0], row.Dataset, row.Method, strconv.Itoa(row.Rows))
		for _, m := range measures {
			record = append(record, strconv.FormatFloat(m.of(row.Scores), 'g', -1, 64))
		}
		out.Write(record)
	}
	out.Flush()
	return out.Error()
}
