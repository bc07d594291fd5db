package experiment_test

import (
	"encoding/json"
	"log"
	"net/http"

	"sml/evaluation/experiment"
)

// newService returns a handler of POST /predict. A request is a JSON array of rows, such as
// [{"city": "Bonn", "rooms": 3, "sold": null}]; the response has their predictions.
func newService(m *experiment.Model) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /predict", func(w http.ResponseWriter, r *http.Request) {
		var rows []experiment.Row
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&rows)
		var predictions [][]experiment.TargetPrediction
		if err == nil {
			predictions, err = m.Predict(r.Context(), rows, experiment.Outputs{})
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(predictions)
	})
	return mux
}

// This is a complete HTTP service of a model that "sml train --out model" has saved.
func ExampleModel_Predict() {
	m, err := experiment.Open("model")
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("localhost:8080", newService(m)))
}
