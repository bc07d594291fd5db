package trainers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// Progress is what a training tells while it runs: one member has finished
// an epoch.
type Progress struct {
	Member, Members int // member from 0
	Epoch, Epochs   int // epoch from 1
	Loss            float64
	Finished        bool // the member needs no further epoch
}

// Options do not change the result of a training, except for an AfterStep that stops it.
type Options struct {
	Workers               int                         // members that train at the same time; default all cores, divided by Threads if these are set
	Threads               int                         // goroutines that make the steps of a member together, where they are large; default all cores, divided by the members that train at the same time
	Progress              func(Progress)              // called after every epoch of a member, never by two goroutines at once
	AfterTrainingProgress func(AfterTrainingProgress) // called while Method.AfterTraining passes over the training rows, never by two goroutines at once
	Initial               []*graph.Params             // initial weights, one for each member or one for all; nil: drawn from the seed
	Resume                []State                     // of an interrupted training with the same settings, one for each member
	EarlyWarning          func(string)                // called before the first step with each of Result.Warnings that can be known by then

	// Checkpoint, if set, is a directory that is written before the first
	// epoch, now and then, when ctx ends and after the last epoch, with all that
	// is needed to resume; Job goes into it, and the Program that alone may go on
	// with it. A training that diverges removes it. Checkpointed is called after
	// all but the first and that at ctx's end, with the error if it could not be
	// written; the training goes on.
	Checkpoint      string
	Job             json.RawMessage
	Program         string
	AfterCheckpoint func(error)

	CheckpointInterval time.Duration // minimum time between two checkpoints; default 30 s

	// AfterStep, if set, is called after each step of a member, never by two goroutines at once.
	// If it returns Stop, the member's training ends with the weights as they are (with
	// validation rows: the best so far), and the other members go on. Any other error ends
	// the whole training, and Train returns it. A resumed training repeats the steps after
	// the last whole epoch, and calls AfterStep for them again.
	AfterStep func(StepReport) error
}

// Result is what a training produced.
type Result struct {
	Settings Settings // as they were used, defaults filled in
	Members  []*graph.Params
	History  models.History
	Steps    int               // of all members
	Stored   [][]models.Matrix // of each member by Method.AfterTraining; nil if the method has none
	Warnings []string          // what looks wrong about the training although it came to an end; see warnings

	// Ended has, for each member, the reason why Options.AfterStep stopped it, or "" if
	// it did not. It is nil if no member was stopped.
	Ended []string
}

// InterruptedError is the error of a training whose context ended. States has
// where each member stood at the end of its last whole epoch.
type InterruptedError struct{ States []State }

func (e *InterruptedError) Error() string { return "training was interrupted" }

// Unwrap says what it is for those who know nothing of trainings.
func (e *InterruptedError) Unwrap() error { return context.Canceled }

// Train fits a spec to rows. Members train in parallel and do not know of
// each other, so results do not depend on the number of workers. When ctx ends
// the error is an *Interrupted, from which a later call resumes to the same
// bytes; a loss that is not finite ends in a *Diverged.
func Train(ctx context.Context, spec models.Spec, rows data.Subset, s Settings, o Options) (*Result, error) {
	if o.Threads != 0 {
		if err := ThreadsRange.Check("the number of threads", o.Threads); err != nil {
			return nil, err
		}
	}
	s, err := Resolve(spec, s)
	if err != nil {
		return nil, err
	}
	members, err := newMembers(spec, rows, s, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, m := range members {
			m.close()
		}
	}()
	states := make([]State, len(members))
	for i, m := range members {
		m.snapshot(&states[i])
	}
	if o.EarlyWarning != nil {
		list, err := members[0].earlyWarnings()
		if err != nil {
			return nil, err
		}
		for _, warning := range list {
			o.EarlyWarning(warning)
		}
	}
	o.setParallelism(len(members))
	save := func() error { return nil }
	if o.Checkpoint != "" {
		save = func() error { return WriteCheckpoint(o.Checkpoint, o.Program, o.Job, states) }
	}
	checkpoint := func() {
		if err := save(); o.AfterCheckpoint != nil {
			o.AfterCheckpoint(err)
		}
	}
	trained := slices.ContainsFunc(members, func(m *member) bool { return !m.isFinished() })
	if trained {
		if err := save(); err != nil {
			return nil, fmt.Errorf("a checkpoint cannot be written: %w", err)
		}
	}
	interval := cmp.Or(o.CheckpointInterval, 30*time.Second)
	saved := time.Now()
	var lock sync.Mutex
	group, training := errgroup.WithContext(ctx)
	group.SetLimit(o.Workers)
	for i, m := range members {
		group.Go(func() error {
			if err := m.sharePool(o.Threads); err != nil {
				return err
			}
			defer m.pool.Close()
			for !m.isFinished() {
				if err := m.runEpoch(training); err != nil {
					return err
				}
				lock.Lock()
				m.snapshot(&states[i])
				if o.Progress != nil {
					last := m.state.History[len(m.state.History)-1]
					o.Progress(Progress{
						Member: i, Members: len(members), Epoch: m.state.Epoch, Epochs: s.Epochs,
						Loss: last.Values[0], Finished: m.isFinished(),
					})
				}
				if time.Since(saved) > interval {
					checkpoint() // a full disk now is no reason to stop: the next one may be written
					saved = time.Now()
				}
				lock.Unlock()
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			if err := save(); err != nil {
				return nil, fmt.Errorf("interrupted, and the checkpoint could not be written: %w", err)
			}
			return nil, &InterruptedError{States: states}
		}
		// What diverged diverges again, and where no epoch was done there is
		// nothing to go on with.
		var diverged *DivergedError
		if o.Checkpoint != "" && (errors.As(err, &diverged) || !slices.ContainsFunc(states, func(s State) bool { return s.Epoch > 0 })) {
			err = errors.Join(err, RemoveCheckpoint(o.Checkpoint))
		}
		return nil, err
	}
	if trained && o.Checkpoint != "" {
		checkpoint()
	}
	r, err := newResult(members, s)
	if err != nil {
		return nil, err
	}
	if r.Stored, err = afterTraining(ctx, members, o); errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil, &InterruptedError{States: states}
	}
	return r, err
}

// Resolve returns the settings with their defaults filled in, for a training
// of spec.
func Resolve(spec models.Spec, s Settings) (Settings, error) {
	s, err := s.withDefaults()
	if err != nil {
		return s, err
	}
	m, err := models.Lookup(spec.Method)
	if err != nil {
		return s, err
	}
	if err := s.resolveGroups(m.ParamGroups); err != nil {
		return s, err
	}
	if s.Members == 0 {
		s.Members = m.Members
	}
	if err := m.CheckMembers(s.Members); err != nil {
		return s, err
	}
	return s, s.checkLimits(spec)
}

func newMembers(spec models.Spec, rows data.Subset, s Settings, o Options) ([]*member, error) {
	a := spec.Architecture
	n := len(rows.Y) / a.Targets
	for _, r := range rows.Indices {
		if r < 0 || int(r) >= n {
			return nil, fmt.Errorf("there is no row %d in a table of %d", r, n)
		}
	}
	if n == 0 || len(rows.X) != n*a.Inputs || len(rows.Y) != n*a.Targets {
		return nil, fmt.Errorf("%d input and %d target values are not rows of %d inputs and %d targets", len(rows.X), len(rows.Y), a.Inputs, a.Targets)
	}
	if len(rows.E) != n*len(rows.Extras) {
		return nil, fmt.Errorf("%d values are not rows of the %d further columns %s", len(rows.E), len(rows.Extras), strings.Join(rows.Extras, ", "))
	}
	if err := checkRowWeights(spec, rows, n); err != nil {
		return nil, err
	}
	if err := s.checkSteps(n); err != nil {
		return nil, err
	}
	if err := checkFinite(rows, a); err != nil {
		return nil, err
	}
	if err := checkTargets(spec, rows); err != nil {
		return nil, err
	}
	if err := spec.Examine(s.Members); err != nil {
		return nil, err
	}
	if err := checkExtraColumns(spec, rows); err != nil {
		return nil, err
	}
	columns, err := historyColumns(spec, s)
	if err != nil {
		return nil, err
	}
	if len(o.Resume) > 0 && len(o.Resume) != s.Members {
		return nil, fmt.Errorf("the interrupted training had %d members, and this one has %d", len(o.Resume), s.Members)
	}
	frozen, err := spec.FrozenSum()
	if err != nil {
		return nil, err
	}
	members := make([]*member, s.Members)
	x, y := standardised(spec, rows)
	reporters := newReporters(o, s.Members, s.Epochs)
	for i := range members {
		var err error
		if members[i], err = newMember(spec, s, i, rows, x, y); err != nil {
			return nil, err
		}
		members[i].state.Frozen = frozen
		members[i].reporter = reporters[i]
		if train := len(members[i].trainRows); train < s.Batch && s.Protocol == "paper" || train == 0 {
			return nil, fmt.Errorf("a batch of %d rows needs at least as many training rows, and there are %d: choose a smaller batch, or the sound protocol", s.Batch, train)
		}
		if err := setInitialWeights(members[i], o, len(columns)); err != nil {
			return nil, err
		}
	}
	return members, nil
}

// setInitialWeights gives a member the weights that it is to start from. Its history
// has so many columns.
func setInitialWeights(m *member, o Options, columns int) error {
	if len(o.Initial) > 0 {
		from := o.Initial[m.index%len(o.Initial)]
		same := slices.EqualFunc(from.List(), m.params.List(), func(a, b graph.Param) bool {
			return a.Name == b.Name && a.Rows == b.Rows && a.Columns == b.Columns
		})
		if !same {
			return errors.New("the initial model's network has other layers")
		}
		copy(m.params.Float32s(), from.Float32s())
	}
	m.initial = slices.Clone(m.params.Float32s())
	if len(o.Resume) > 0 {
		if err := m.checkResumable(o.Resume[m.index], columns); err != nil {
			return err
		}
		return m.restore(o.Resume[m.index])
	}
	return nil
}

// Model returns the trained networks as a model of spec. inputs and targets are the scalers by
// which the rows of the training were standardised.
func (r *Result) Model(spec models.Spec, inputs, targets data.Scalers) *models.Model {
	return &models.Model{Spec: spec, Inputs: inputs, Targets: targets, Ended: r.Ended, Members: r.Members, Stored: r.Stored, History: r.History}
}

func newResult(members []*member, s Settings) (*Result, error) {
	r := &Result{Settings: s}
	var err error
	if r.History.Columns, err = historyColumns(members[0].spec, s); err != nil {
		return nil, err
	}
	for _, m := range members {
		copy(m.params.Float32s(), m.state.Weights())
		r.Members = append(r.Members, m.params)
		r.History.Rows = append(r.History.Rows, m.state.History...)
		r.Steps += m.state.Step
		if m.state.Ended != nil {
			if r.Ended == nil {
				r.Ended = make([]string, len(members))
			}
			r.Ended[m.index] = *m.state.Ended
		}
	}
	r.Warnings, err = finalWarnings(members)
	return r, err
}

// historyColumns names what is logged of an epoch.
func historyColumns(spec models.Spec, s Settings) ([]string, error) {
	b := graph.New(graph.Float32, new(graph.Params))
	if _, err := spec.Loss(b, 2); err != nil {
		return nil, err
	}
	columns := []string{"loss"}
	for _, t := range graph.Inspect(b).AllTerms {
		columns = append(columns, t.Name)
	}
	for _, w := range graph.Inspect(b).WatchedNodes {
		columns = append(columns, w.Name+".mean", w.Name+".min", w.Name+".max")
	}
	if s.Validation > 0 {
		columns = append(columns, "validation loss")
	}
	return columns, models.CheckHistoryColumns(columns)
}
