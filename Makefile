.PHONY: run test fuzz

# Trains the paper's six methods on made data and compares them.
run:
	go run ./cmd/sml quickstart

# Runs every test. Tests on the real data sets need SML_DATA.
test:
	go test ./...

# Feeds every reader of outside data for a minute each.
fuzz:
	go test -run '^$$' -fuzz '^FuzzRead$$' -fuzztime 60s ./data
	go test -run '^$$' -fuzz '^FuzzModel$$' -fuzztime 60s ./models
	go test -run '^$$' -fuzz '^FuzzTensors$$' -fuzztime 60s ./models
