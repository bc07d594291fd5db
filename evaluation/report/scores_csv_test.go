package report

import (
	"bytes"
	"testing"
)

func TestScoresCSV(t *testing.T) {
	var got bytes.Buffer
	if err := ScoresCSV(&got, someRows); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/scores.csv", got.Bytes())
}

func TestScoresCSVWithoutSeconds(t *testing.T) {
	slower := append([]Row(nil), someRows...)
	for i := range slower {
		slower[i].Seconds *= 2
	}
	var a, b bytes.Buffer
	if err := ScoresCSV(&a, someRows); err != nil {
		t.Fatal(err)
	}
	if err := ScoresCSV(&b, slower); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("the time taken changed the file")
	}
}
