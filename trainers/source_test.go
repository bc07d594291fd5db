package trainers

import (
	"context"
	"errors"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// inBlocks returns the rows of a table with two inputs in the given order, in blocks of a size.
func inBlocks(table data.Subset, order []int32, size int) iter.Seq2[data.Subset, error] {
	targets := 2 * len(table.Y) / len(table.X)
	return func(yield func(data.Subset, error) bool) {
		for from := 0; from < len(order); from += size {
			var block data.Subset
			for _, i := range order[from:min(from+size, len(order))] {
				block.X = append(block.X, table.X[2*i:2*i+2]...)
				block.Y = append(block.Y, table.Y[int(i)*targets:][:targets]...)
				if table.W != nil {
					block.W = append(block.W, table.W[i])
				}
			}
			if !yield(block, nil) {
				return
			}
		}
	}
}

// shuffledSource is a source of the rows of a table in blocks of a size, which passes them through a buffer.
func shuffledSource(table data.Subset, size, buffer int) Source {
	order := make([]int32, len(table.Y))
	for i := range order {
		order[i] = int32(i)
	}
	return Source{Rows: len(order), Epoch: func(_ context.Context, _ int, seed uint64) iter.Seq2[data.Subset, error] {
		return Shuffle(inBlocks(table, order, size), 1, buffer, seed)
	}}
}

// trainFrom is TrainFrom that must not fail.
func trainFrom(t *testing.T, source Source, s Settings, o Options) *Result {
	t.Helper()
	return expect.Must(TrainFrom(t.Context(), specOf(t, "pu-de"), source, s, o))
}

// A source that yields the rows of a table in the order in which a training on the table takes them gives the bytes of
// that training, in either protocol, with row weights, and where one of two targets may be unknown.
func TestSourceInTheOrderOfATable(t *testing.T) {
	const rows = 50
	weighted := wave(rows)
	for i := range rows {
		weighted.W = append(weighted.W, float64(1+i%2))
	}
	partlyKnown := wave(rows)
	partlyKnown.Y = slices.Concat(partlyKnown.Y, partlyKnown.X[:rows])
	for i := 0; i < 2*rows; i += 4 {
		partlyKnown.Y[i] = math.NaN()
	}
	for _, c := range []struct {
		name       string
		table      data.Subset
		targets    int
		meanWeight float64
		protocol   data.Protocol
	}{
		{"paper", wave(rows), 1, 0, data.Paper},
		{"sound", wave(rows), 1, 0, data.Sound},
		{"weights 1 and 2", weighted, 1, 1.5, data.Sound},
		{"a quarter of the targets unknown", partlyKnown, 2, 0.75, data.Sound},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := expect.Must(models.NewSpec("pu-de", nil, models.Architecture{Inputs: 2, Targets: c.targets, Hidden: []int{8}, Dropout: 0.1}))
			spec.Weighted = c.table.W != nil
			spec.PartlyKnown = c.targets > 1
			s := Settings{Epochs: 4, Batch: 16, Seed: 3, Members: 1, Protocol: c.protocol}
			want := mustTrain(t, spec, c.table, s, Options{})
			m := newTestMember(t, spec, s, c.table)
			source := Source{Rows: rows, MeanWeight: c.meanWeight, Epoch: func(_ context.Context, epoch int, _ uint64) iter.Seq2[data.Subset, error] {
				order := permute(m.seed, shuffleStream+uint64(epoch), rows)
				for i, j := range order {
					order[i] = m.trainRows[j]
				}
				return inBlocks(c.table, order, 7)
			}}
			got := expect.Must(TrainFrom(t.Context(), spec, source, s, Options{}))
			if !equal(got, want) {
				t.Error("another training")
			}
		})
	}
}

// The sizes of blocks do not change a training, but the shuffle buffer does, and a training with it learns.
func TestBlocksOfASource(t *testing.T) {
	table := wave(60)
	s := Settings{Epochs: 30, Batch: 8, Seed: 5, Members: 2, LearningRate: 0.01}
	want := trainFrom(t, shuffledSource(table, 1, 20), s, Options{})
	if !equal(trainFrom(t, shuffledSource(table, 13, 20), s, Options{}), want) {
		t.Error("blocks of 13 rows give another training than blocks of 1")
	}
	if equal(trainFrom(t, shuffledSource(table, 13, 40), s, Options{}), want) {
		t.Error("the shuffle buffer changes nothing")
	}
	history := want.History.Rows
	if first, last := history[0].Values[0], history[29].Values[0]; !(last < first/2) || len(want.Warnings) > 0 {
		t.Errorf("the loss goes from %v to %v, with warnings %q", first, last, want.Warnings)
	}
}

// Shuffle passes every row on once, in another order for each seed, and none earlier than the buffer allows.
func TestShuffle(t *testing.T) {
	const rows, buffer = 100, 30
	var table data.Subset
	for i := range rows {
		table.X = append(table.X, float64(i), 0)
		table.Y = append(table.Y, float64(i))
		table.W = append(table.W, float64(i))
	}
	orders := make([][]float64, 2)
	for seed := range orders {
		for block, err := range shuffledSource(table, 9, buffer).Epoch(t.Context(), 0, uint64(seed)) {
			if err != nil || len(block.X) != 2*len(block.Y) || !slices.Equal(block.W, block.Y) {
				t.Fatalf("%v, %v", block, err)
			}
			orders[seed] = append(orders[seed], block.Y...)
		}
		for place, row := range orders[seed] {
			if int(row) > place+buffer {
				t.Errorf("row %v comes at place %d", row, place)
			}
		}
		if sorted := slices.Sorted(slices.Values(orders[seed])); !slices.Equal(sorted, table.Y) {
			t.Errorf("%v are not the rows", orders[seed])
		}
	}
	if slices.Equal(orders[0], orders[1]) || slices.Equal(orders[0], table.Y) {
		t.Errorf("the order is %v", orders[0])
	}
}

// An interrupted training on a source with validation rows, resumed from its checkpoint, ends with the bytes of a
// training that was not interrupted.
func TestSourceResumes(t *testing.T) {
	source := shuffledSource(wave(60), 13, 20)
	source.Validation = wave(90)
	source.Validation.Indices = []int32{60, 65, 70, 75, 80, 85}
	s := Settings{Epochs: 9, Batch: 16, Seed: 2, Members: 2, Patience: 5, Protocol: data.Sound}
	whole := trainFrom(t, source, s, Options{})
	if whole.Settings.Validation != 6.0/66 || len(whole.ValidationRows[0]) != 6 || whole.History.Columns[len(whole.History.Columns)-1] != "validation loss" {
		t.Errorf("validation %v, %v, %v", whole.Settings.Validation, whole.ValidationRows, whole.History.Columns)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Workers: 1, Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), Job: []byte("{}")}
	o.Progress = func(p Progress) {
		if p.Member == 1 && p.Epoch == 4 {
			cancel()
		}
	}
	_, err := TrainFrom(ctx, specOf(t, "pu-de"), source, s, o)
	states := checkpointed(t, o, err)
	if states[1].Epoch != 4 {
		t.Errorf("the checkpoint is of epoch %d", states[1].Epoch)
	}
	if !equal(trainFrom(t, source, s, Options{Resume: states}), whole) {
		t.Error("the resumed training differs")
	}
}

// What a source cannot do, and mistakes in its rows, are errors that say so.
func TestMistakesInASource(t *testing.T) {
	good := shuffledSource(wave(40), 10, 20)
	with := func(change func(block data.Subset) (data.Subset, error)) Source {
		s := good
		s.Epoch = func(ctx context.Context, epoch int, seed uint64) iter.Seq2[data.Subset, error] {
			return func(yield func(data.Subset, error) bool) {
				for block := range good.Epoch(ctx, epoch, seed) {
					if !yield(change(block)) {
						return
					}
				}
			}
		}
		return s
	}
	longer, shorter := good, good
	longer.Rows, shorter.Rows = 41, 39
	for _, c := range []struct {
		want   string
		source Source
		method string
		s      Settings
	}{
		{"a source of 0 rows", Source{}, "mc", Settings{}},
		{"set no fraction", good, "mc", Settings{Validation: 0.1}},
		{"a cross-validation needs all rows in memory", good, "pu-de", Settings{CrossValidation: true}},
		{"a bootstrap needs all rows in memory", good, "pu-de", Settings{Bootstrap: true}},
		{"a source has no rows to hold out for a calibration", good, "mc", Settings{Calibrate: 0.1}},
		{"method laplace-ll reads all training rows again after the training", good, "laplace-ll", Settings{}},
		{"epoch 1 of the source ends after 40 of its 41 rows", longer, "mc", Settings{}},
		{"the epoch has only 19 more of its 39", shorter, "mc", Settings{}},
		{"epoch 1 of the source, after 0 rows: no more", with(func(data.Subset) (data.Subset, error) { return data.Subset{}, errors.New("no more") }), "mc", Settings{}},
		{"row 3, input column 2: NaN", with(func(b data.Subset) (data.Subset, error) {
			b.X = slices.Clone(b.X)
			b.X[5] = math.NaN()
			return b, nil
		}), "mc", Settings{}},
		{"a source with the mean weight -1", Source{Rows: 40, Epoch: good.Epoch, MeanWeight: -1}, "mc", Settings{}},
		{"are not rows of 2 inputs and 1 targets", with(func(b data.Subset) (data.Subset, error) {
			b.X = b.X[1:]
			return b, nil
		}), "mc", Settings{}},
		{"steps: want less than", Source{Rows: 1 << 40, Epoch: good.Epoch}, "mc", Settings{}},
	} {
		c.s.Epochs, c.s.Batch = 3, 5
		expect.Error(t, expect.ErrorOf(TrainFrom(t.Context(), specOf(t, c.method), c.source, c.s, Options{})), c.want)
	}
	weightless := with(func(b data.Subset) (data.Subset, error) {
		b.W = []float64{1, 1, 0, 1, 1, 1, 1, 1, 1, 1}
		return b, nil
	})
	spec := specOf(t, "mc")
	spec.Weighted = true
	_, err := TrainFrom(t.Context(), spec, weightless, Settings{Epochs: 3, Batch: 5}, Options{})
	expect.Error(t, err, "row 3: its weight is 0: leave the row out of the source")
}
