package experiment_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sml/cmd"
	"sml/evaluation/experiment"
	"sml/internal/expect"
)

// sml runs the program and returns its standard output.
func sml(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, messages bytes.Buffer
	if code := cmd.Run(context.Background(), append([]string{"sml"}, args...), strings.NewReader(""), &out, &messages); code != 0 {
		t.Fatalf("sml %q ends with %d: %s", args, code, messages.String())
	}
	return out.Bytes()
}

// rawLines returns a table with texts, dates, missing values and two targets.
func rawLines(rows int) []string {
	lines := []string{"kind,when,hole,count,y,z"}
	for i := range rows {
		kind := []string{"a", "b", "c", ""}[i%4]
		hole := []string{"", "1.5", "2", "7"}[(i/4)%4]
		lines = append(lines, fmt.Sprintf("%s,2024-%02d-%02d,%s,%d,%d,%d", kind, 1+i%12, 1+i%28, hole, i*i%23, 1+i*i%19, i*7%11))
	}
	return lines
}

func writeTable(t *testing.T, name string, lines []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	expect.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	return path
}

// jsonRows returns the rows of a CSV file as JSON: numbers in the columns that have them, and
// null for a missing value.
func jsonRows(t *testing.T, path string, comma rune) []byte {
	t.Helper()
	file := expect.Must(os.Open(path))
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma = comma
	lines := expect.Must(r.ReadAll())
	var rows []experiment.Row
	for _, line := range lines[1:] {
		row := experiment.Row{}
		for i, name := range lines[0] {
			row[name] = line[i]
			if v, err := strconv.ParseFloat(line[i], 64); err == nil {
				row[name] = v
			} else if line[i] == "" {
				row[name] = nil
			}
		}
		rows = append(rows, row)
	}
	return expect.Must(json.Marshal(rows))
}

// flattenResponse returns the predictions of a response as "sml predict --format jsonl" names them.
func flattenResponse(t *testing.T, response []byte) []map[string]float64 {
	t.Helper()
	var all [][]experiment.TargetPrediction
	if err := json.Unmarshal(response, &all); err != nil {
		t.Fatalf("%v: %s", err, response)
	}
	var rows []map[string]float64
	for _, targets := range all {
		row := make(map[string]float64)
		for _, p := range targets {
			prefix := ""
			if len(targets) > 1 {
				prefix = p.Target + "_"
			}
			if p.Mean != nil {
				row[prefix+"mean"] = *p.Mean
			}
			if p.Std != nil {
				row[prefix+"std"] = *p.Std
			}
			if p.Median != nil {
				row[prefix+"median"] = *p.Median
			}
			for _, part := range p.Components {
				row[prefix+part.Name] = part.Std
			}
			if p.Interval != nil {
				row[prefix+"lower"], row[prefix+"upper"] = p.Interval.Lower, p.Interval.Upper
			}
			for _, q := range p.Quantiles {
				row[prefix+"q"+strconv.FormatFloat(q.Level, 'g', -1, 64)] = q.Value
			}
			for class, v := range p.Probabilities {
				row[prefix+"p"+strconv.Itoa(class)] = v
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// predictByCommand returns the predictions of "sml predict" without the values that responses lack.
func predictByCommand(t *testing.T, model, in string) []map[string]float64 {
	t.Helper()
	var rows []map[string]float64
	for line := range bytes.Lines(sml(t, "predict", model, "--in", in, "--format", "jsonl", "--quiet")) {
		row := make(map[string]float64)
		expect.NoError(t, json.Unmarshal(line, &row))
		rows = append(rows, row)
	}
	return rows
}

// The service predicts what "sml predict" does, for every kind of model and for several
// requests at the same time.
func TestServicePredicts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	raw := writeTable(t, "raw.csv", rawLines(400))
	rows := writeTable(t, "rows.csv", rawLines(30))
	var semicolons []string
	for _, line := range rawLines(60) {
		semicolons = append(semicolons, strings.NewReplacer(",", ";", ".", ",").Replace(line))
	}
	for name, c := range map[string]struct {
		table, rows string
		comma       rune
		flags       string
	}{
		"calibrated by group, transformed": {raw, rows, ',', "--target y --drop z --transform log1p --calibrate 0.5 --calibrate-by kind"},
		"calibrated by predicted mean":     {raw, rows, ',', "--target y --target z --method pu --calibrate 0.5 --calibrate-mean-groups 3"},
		"isotonic":                         {raw, rows, ',', "--target y --method pu --calibrate 0.3 --calibrate-kind isotonic"},
		"quantiles":                        {raw, rows, ',', "--target y --method quantiles --transform sqrt"},
		"two targets":                      {raw, rows, ',', "--target y --target z --method pu"},
		"mixture":                          {raw, rows, ',', "--target y --method mdn"},
		"ensemble":                         {raw, rows, ',', "--target y --method de --members 2"},
		"decimal commas":                   {writeTable(t, "raw.csv", semicolons), writeTable(t, "rows.csv", semicolons[:20]), ';', "--target y"},
		"numbers only":                     {raw, rows, ',', "--target y --drop kind --drop when --drop hole"},
	} {
		t.Run(name, func(t *testing.T) {
			model := filepath.Join(t.TempDir(), "model")
			sml(t, append([]string{"train", "--data", c.table, "--epochs", "3", "--hidden", "8", "--quiet", "--out", model}, strings.Fields(c.flags)...)...)
			want := predictByCommand(t, model, c.rows)
			m := expect.Must(experiment.Open(model))
			defer m.Close()
			server := httptest.NewServer(newService(m))
			defer server.Close()
			request := jsonRows(t, c.rows, c.comma)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					status, response := post(t, server.URL, request)
					if got := flattenResponse(t, response); status != http.StatusOK || !slices.EqualFunc(got, want, maps.Equal) {
						t.Errorf("status %d: %v; sml predict says %v", status, got, want)
					}
				})
			}
			all.Wait()
		})
	}
}

// The numbers of a row have no decimal sign, also for a model of a table with decimal commas, whose texts have one.
func TestNumbersOfRowsHaveNoDecimalSign(t *testing.T) {
	table := writeTable(t, "raw.csv", []string{"x;y", "1,5;1", "0,25;2", "2,5;3", "3,75;4"})
	dir := filepath.Join(t.TempDir(), "model")
	sml(t, "train", "--data", table, "--method", "pu", "--epochs", "1", "--hidden", "4", "--batch", "2", "--split", "none", "--quiet", "--out", dir)
	m := expect.Must(experiment.Open(dir))
	defer m.Close()
	got := expect.Must(m.Predict(t.Context(), []experiment.Row{{"x": 0.25}, {"x": json.Number("0.25")}, {"x": "0,25"}}, experiment.Outputs{}))
	if *got[0][0].Mean != *got[2][0].Mean || *got[1][0].Mean != *got[2][0].Mean {
		t.Errorf("%v, %v and %v differ", *got[0][0].Mean, *got[1][0].Mean, *got[2][0].Mean)
	}
}

// post returns the status and the body of the response to a request of predictions.
func post(t *testing.T, url string, request []byte) (int, []byte) {
	response, err := http.Post(url+"/predict", "application/json", bytes.NewReader(request))
	if err != nil {
		t.Error(err)
		return 0, nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return response.StatusCode, body
}

// A row that the model cannot read is an error that says which value is wrong.
func TestPredictRefusesRows(t *testing.T) {
	raw := writeTable(t, "raw.csv", rawLines(60))
	model := filepath.Join(t.TempDir(), "model")
	sml(t, "train", "--data", raw, "--target", "y", "--drop", "z", "--epochs", "1", "--hidden", "4", "--quiet", "--out", model)
	m := expect.Must(experiment.Open(model))
	defer m.Close()
	for want, edit := range map[string]func(experiment.Row){
		`row 2: the column "hole" is missing; give nil (null in JSON) if its value is missing`: func(r experiment.Row) { delete(r, "hole") },
		`row 2: column "count": a value of type []int`:                                         func(r experiment.Row) { r["count"] = []int{1} },
		`row 2: column "count": "many" is not a number`:                                        func(r experiment.Row) { r["count"] = "many" },
		`row 2: column "when": "1/2/2024" is 1 February 2024 as d/m/yyyy or 2 January 2024`:    func(r experiment.Row) { r["when"] = "1/2/2024" },
		`row 2: input`: func(r experiment.Row) { r["count"] = 1e300 },
	} {
		row := func() experiment.Row {
			return experiment.Row{"kind": "a", "when": "2024-01-02", "hole": nil, "count": 3}
		}
		wrong := row()
		edit(wrong)
		expect.Error(t, expect.ErrorOf(m.Predict(t.Context(), []experiment.Row{row(), wrong}, experiment.Outputs{})), want)
	}
	if found, err := m.Predict(t.Context(), nil, experiment.Outputs{}); found != nil || err != nil {
		t.Errorf("no rows: %v, %v", found, err)
	}
	for _, o := range []experiment.Outputs{{Coverage: 1}, {Coverage: -1}, {Quantiles: []float64{0}}} {
		if _, err := m.Predict(t.Context(), nil, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
