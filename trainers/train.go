package trainers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// Progress describes an epoch that a member of a training has finished.
type Progress struct {
	Member   int     // index of the ensemble member, from 0
	Members  int     // number of ensemble members
	Epoch    int     // number of the epoch, from 1
	Epochs   int     // number of epochs in the settings
	Loss     float64 // mean loss of the epoch's steps
	Finished bool    // whether the member needs no further epoch
}

// Options control how a training runs, not its result; only an AfterStep that stops it changes the
// result. The comment of each field gives the default that replaces its zero value.
type Options struct {
	// Workers is the number of members that train at the same time. The default is the number of
	// cores, divided by Threads if Threads is set.
	Workers int

	// Threads is the number of goroutines that share the large steps of one member: see
	// UsefulThreads. The default is the number of cores, divided by the number of members that
	// train at the same time.
	Threads int

	Progress              func(Progress)              // called after every epoch of a member, never by two goroutines at once; default none
	AfterTrainingProgress func(AfterTrainingProgress) // called during Method.AfterTraining, never by two goroutines at once; default none
	EarlyWarning          func(string)                // called before the first step with each of Result.Warnings that is known by then; default none

	Initial []*graph.Params // initial weights, one for each member or one for all; default drawn from the seed
	Resume  []State         // states of an interrupted training with the same settings, by member; default none

	// Checkpoint is a directory. If it is set, a checkpoint is written there before the first
	// epoch, at intervals, when ctx ends, and after the last epoch. A training that diverges
	// removes it. The default is no checkpoint.
	Checkpoint string

	// Job is stored in the checkpoint, for ReadCheckpoint to return. Program is the version of
	// the program, which alone can resume from the checkpoint.
	Job     json.RawMessage
	Program string

	// AfterCheckpoint is called after each checkpoint except the first and the one written when
	// ctx ends. Its argument is not nil if the checkpoint could not be written; the training goes on.
	AfterCheckpoint func(error)

	CheckpointInterval time.Duration // minimum time between two checkpoints; default 30 s

	// ScoreValidation returns Settings.ValidationMeasure of the predictions of the rows with these indices, by a
	// member's network with the given weights. Members call it at the same time. It is required if
	// the settings have a ValidationMeasure.
	ScoreValidation func(member int, weights *graph.Params, rows []int32) (float64, error)

	// MeasuredColumns are the extra columns that measures read. There is a warning about other extra columns that the
	// objective does not read.
	MeasuredColumns []string

	// AfterStep, if set, is called after each step of a member, never by two goroutines at once.
	// If it returns Stop, the member's training ends with the weights as they are (with
	// validation rows: the best so far), and the other members go on. Any other error ends
	// the whole training, and Train returns it. A resumed training repeats the steps after
	// the last whole epoch, and calls AfterStep for them again. A panic of this or another
	// function of Options is returned as an error, too.
	AfterStep func(StepReport) error
}

// Result is the result of a training.
type Result struct {
	Settings Settings          // settings with their defaults filled in
	Members  []*graph.Params   // weights of each member
	History  models.History    // losses of each epoch
	Steps    int               // number of steps of all members
	Stored   [][]models.Matrix // matrices that Method.AfterTraining stored, by member; nil if the method has none
	Warnings []string          // messages about a training that ended without an error, but looks wrong

	// Ended has, for each member, the reason why Options.AfterStep stopped it, or "" if
	// it did not. It is nil if no member was stopped.
	Ended []string

	// ValidationRows has the indices of each member's validation rows, ascending; nil without validation.
	ValidationRows [][]int32
}

// InterruptedError is the error of a training whose context ended. It wraps the context's error.
type InterruptedError struct {
	States []State // state of each member at the end of its last whole epoch, for Options.Resume
	cause  error   // error of the context: context.Canceled or context.DeadlineExceeded
}

// Error returns a message without the place of the interruption: States have it.
func (e *InterruptedError) Error() string { return "training was interrupted" }

// Unwrap returns context.Canceled, or context.DeadlineExceeded after a deadline.
func (e *InterruptedError) Unwrap() error { return e.cause }

// Train fits the weights of a model spec to rows. Members train in parallel and independently, so the
// result does not depend on the number of workers.
//
// When ctx ends, the error is an *InterruptedError, from which a later call resumes to the same
// bytes. It is a *DivergedError if a loss, gradient or weight is not finite, and a
// *MissingColumnError if the rows lack a column that the objective reads.
func Train(ctx context.Context, spec models.Spec, rows data.Subset, s Settings, o Options) (*Result, error) {
	s, err := resolveWithOptions(spec, s, o)
	if err != nil {
		return nil, err
	}
	members, err := newMembers(spec, rows, s, o)
	if err != nil {
		return nil, err
	}
	return trainMembers(ctx, members, s, o)
}

// resolveWithOptions returns Resolve of the settings, and an error if Options are out of range.
func resolveWithOptions(spec models.Spec, s Settings, o Options) (Settings, error) {
	if o.Threads != 0 {
		if err := ThreadsRange.Check("the number of threads", o.Threads); err != nil {
			return s, err
		}
	}
	return Resolve(spec, s)
}

// trainMembers trains new or resumed members, and returns the result of the training.
func trainMembers(ctx context.Context, members []*member, s Settings, o Options) (*Result, error) {
	defer func() {
		for _, m := range members {
			m.close()
		}
	}()
	if err := callEarlyWarning(members[0], o); err != nil {
		return nil, err
	}
	o.setParallelism(len(members))
	t := newTraining(members, o)
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	r, err := newResult(members, s) // also leaves the weights of the model in the members, for AfterTraining
	if err != nil {
		return nil, err
	}
	r.Stored, err = runAfterTraining(ctx, members, o)
	if isInterruption(err) {
		return nil, &InterruptedError{States: t.states, cause: err}
	}
	return r, err
}

// callEarlyWarning calls Options.EarlyWarning with the early warnings of the first member: they are
// the same for all members.
func callEarlyWarning(m *member, o Options) error {
	if o.EarlyWarning == nil {
		return nil
	}
	warnings, err := m.earlyWarnings()
	if err != nil {
		return err
	}
	for _, warning := range warnings {
		o.EarlyWarning(warning)
	}
	return nil
}

// isInterruption reports whether err is the error of a context that ended.
func isInterruption(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// training runs the epochs of all members, and writes checkpoints between them.
type training struct {
	options  Options
	members  []*member
	interval time.Duration // minimum time between two checkpoints

	lock           sync.Mutex // held while states is changed or written, and during Options.Progress
	states         []State    // state of each member at the end of its last whole epoch
	lastCheckpoint time.Time
}

// newTraining returns a training of members, which may have been restored from a checkpoint.
func newTraining(members []*member, o Options) *training {
	t := &training{
		options:  o,
		members:  members,
		interval: cmp.Or(o.CheckpointInterval, 30*time.Second),
		states:   make([]State, len(members)),
	}
	for i, m := range members {
		m.copyState(&t.states[i])
	}
	return t
}

// run trains all members to their ends. It returns an *InterruptedError if ctx ends. With
// Options.Checkpoint, it writes a checkpoint before the first epoch, so that a directory that cannot be
// written to is an error at once, and after the last.
func (t *training) run(ctx context.Context) error {
	t.setFollowersEpochs()
	hasUnfinished := slices.ContainsFunc(t.members, func(m *member) bool { return !m.isFinished() })
	if !hasUnfinished {
		return t.runMembers(ctx) // no member makes a step, and the checkpoint stays as it is
	}
	if err := t.writeCheckpoint(); err != nil {
		return fmt.Errorf("cannot write a checkpoint: %w", err)
	}
	t.lastCheckpoint = time.Now()
	if err := t.runMembers(ctx); err != nil {
		return t.finishWithError(err)
	}
	if t.options.Checkpoint != "" {
		t.writeAndReportCheckpoint()
	}
	return nil
}

// runMembers trains the members, at most Options.Workers of them at the same time. Members that follow others begin
// when these are done.
func (t *training) runMembers(ctx context.Context) error {
	for _, areFollowers := range []bool{false, true} {
		group, groupContext := errgroup.WithContext(ctx)
		group.SetLimit(t.options.Workers)
		for _, m := range t.members {
			if m.followsOthers == areFollowers {
				group.Go(func() error { return t.runMember(groupContext, m) })
			}
		}
		if err := group.Wait(); err != nil {
			return err
		}
		t.setFollowersEpochs()
	}
	return nil
}

// setFollowersEpochs sets the number of epochs of the members that follow others, the mean of the others' best epochs,
// rounded up, once the others are done.
func (t *training) setFollowersEpochs() {
	sum, count := 0, 0
	for _, m := range t.members {
		if m.followsOthers {
			continue
		}
		if !m.isFinished() {
			return
		}
		sum += m.state.BestEpoch
		count++
	}
	for _, m := range t.members {
		if m.followsOthers {
			m.epochs = min(m.settings.Epochs, (sum+count-1)/count)
		}
	}
}

// runMember trains a member to its end. A panic of a function in Options, which members call from goroutines of
// their own, becomes an error that names the line.
func (t *training) runMember(ctx context.Context, m *member) (err error) {
	defer graph.Recover(&err, fmt.Sprintf("training member %d", m.index))
	if m.isFinished() {
		return nil
	}
	if err := m.startPool(t.options.Threads); err != nil {
		return err
	}
	defer m.pool.Close()
	defer m.close() // members that are done would otherwise take as much memory as the running ones
	if err := m.checkLastBatch(); err != nil {
		return err
	}
	for !m.isFinished() {
		if err := m.runEpoch(ctx); err != nil {
			return err
		}
		t.recordEpoch(m)
	}
	return nil
}

// recordEpoch copies the member's state after an epoch to t.states, reports the progress, and writes a
// checkpoint if the last one is older than the interval. Members call it from goroutines of their own.
func (t *training) recordEpoch(m *member) {
	t.lock.Lock()
	defer t.lock.Unlock()
	m.copyState(&t.states[m.index])
	if t.options.Progress != nil {
		last := m.state.History[len(m.state.History)-1]
		t.options.Progress(Progress{
			Member:   m.index,
			Members:  len(t.members),
			Epoch:    m.state.Epoch,
			Epochs:   m.epochs,
			Loss:     last.Values[0],
			Finished: m.isFinished(),
		})
	}
	if time.Since(t.lastCheckpoint) > t.interval {
		t.writeAndReportCheckpoint()
		t.lastCheckpoint = time.Now()
	}
}

// writeCheckpoint writes the states of all members to Options.Checkpoint, if it is set.
func (t *training) writeCheckpoint() error {
	if t.options.Checkpoint == "" {
		return nil
	}
	return WriteCheckpoint(t.options.Checkpoint, t.options.Program, t.options.Job, t.states)
}

// writeAndReportCheckpoint writes a checkpoint and calls Options.AfterCheckpoint with the error, or nil.
// The training goes on after an error, such as a full disk: the next checkpoint may be written.
func (t *training) writeAndReportCheckpoint() {
	err := t.writeCheckpoint()
	if t.options.AfterCheckpoint != nil {
		t.options.AfterCheckpoint(err)
	}
}

// finishWithError returns the error of a training whose members ended with err. If the training was
// interrupted, it writes a checkpoint and returns an *InterruptedError. Otherwise it removes the
// checkpoint if no training can resume from it: a training that diverged would diverge again, and a
// training without a whole epoch has nothing to resume.
func (t *training) finishWithError(err error) error {
	if isInterruption(err) {
		if err := t.writeCheckpoint(); err != nil {
			return fmt.Errorf("the training was interrupted, and its checkpoint could not be written: %w", err)
		}
		return &InterruptedError{States: t.states, cause: err}
	}
	var diverged *DivergedError
	hasWholeEpoch := slices.ContainsFunc(t.states, func(s State) bool { return s.Epoch > 0 })
	isUseless := errors.As(err, &diverged) || !hasWholeEpoch
	if t.options.Checkpoint != "" && isUseless {
		err = errors.Join(err, RemoveCheckpoint(t.options.Checkpoint))
	}
	return err
}

// Resolve returns the settings of a training of spec, with their defaults filled in. It returns an
// error if a setting is out of range.
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
	if err := s.resolveRotation(); err != nil {
		return s, err
	}
	return s, cmp.Or(s.checkPatience(), s.checkLimits(spec))
}

// checkOptions returns an error if the method or the extra columns that it reads are not valid, or if Options do not fit the
// settings. s must be resolved.
func checkOptions(spec models.Spec, extras []string, s Settings, o Options) error {
	if err := spec.Examine(s.Members); err != nil {
		return err
	}
	if err := checkExtraColumns(spec, extras); err != nil {
		return err
	}
	if s.KeepWeights {
		if err := checkKeptWeights(spec, o); err != nil {
			return err
		}
	}
	if len(o.Resume) > 0 && len(o.Resume) != s.Members {
		return fmt.Errorf("the interrupted training had %d members, and this one has %d", len(o.Resume), s.Members)
	}
	if s.ValidationMeasure != "" && o.ScoreValidation == nil {
		return fmt.Errorf("the settings choose the best epoch by the measure %q, but Options.ScoreValidation is nil", s.ValidationMeasure)
	}
	return nil
}

// checkKeptWeights returns an error if a training that keeps the weights has none, or if its method computes nothing
// from them.
func checkKeptWeights(spec models.Spec, o Options) error {
	m, err := models.Lookup(spec.Method)
	switch {
	case err != nil:
		return err
	case m.AfterTraining == nil:
		return fmt.Errorf("the training keeps the weights, and method %s computes nothing after a training: it would do nothing", m.Name)
	case m.AfterStep != nil:
		return fmt.Errorf("the training keeps the weights, and method %s computes with the weights of its steps: choose a number of epochs", m.Name)
	case len(o.Initial) == 0:
		return errors.New("the training keeps the weights, and starts from no model: it has random weights")
	}
	return nil
}

// newMembers returns the members of a training before their first epoch, or in the states of Options.Resume. It returns
// an error if the rows cannot be trained on, if the method or its extra columns are not valid, if Options do not fit the
// settings, or if the states belong to another training. s must be resolved.
func newMembers(spec models.Spec, rows data.Subset, s Settings, o Options) ([]*member, error) {
	rows, err := withoutWeightless(rows, spec.Architecture.Inputs)
	if err != nil {
		return nil, err
	}
	err = cmp.Or(
		checkRows(spec, rows),
		s.checkSteps(len(rows.Y)/spec.Architecture.Targets),
		checkOptions(spec, rows.Extras, s, o),
	)
	if err != nil {
		return nil, err
	}
	return newMembersOf(spec, standardiseRows(spec, rows), s, o)
}

// newMembersOf is newMembers after the checks of rows, settings and options.
func newMembersOf(spec models.Spec, shared *sharedRows, s Settings, o Options) ([]*member, error) {
	if _, err := historyColumns(spec, s); err != nil {
		return nil, err
	}
	frozen, err := spec.FrozenSum() // checksum of the models that the objective reads
	if err != nil {
		return nil, err
	}
	reportLock := new(sync.Mutex)
	members := make([]*member, s.Members)
	for i := range members {
		m, err := newMember(spec, s, i, shared)
		if err != nil {
			return nil, err
		}
		m.state.Frozen = frozen
		m.options = o
		m.reportLock = reportLock
		if err := m.checkBatch(); err != nil {
			return nil, err
		}
		if err := m.setInitialState(o); err != nil {
			return nil, err
		}
		members[i] = m
	}
	return members, nil
}

// checkBatch returns an error if the member has too few training rows for a step, or, as groups of a bootstrap may
// have more rows than the table, too many for all steps.
func (m *member) checkBatch() error {
	rows := m.trainRowCount()
	if rows == 0 || rows < m.settings.Batch && m.settings.Protocol == data.Paper {
		return fmt.Errorf("a batch of %d rows needs at least as many training rows, and there are %d: choose a smaller batch, or the sound protocol", m.settings.Batch, rows)
	}
	return m.settings.checkSteps(rows)
}

// copyInitial copies the parameters that the member has in common with an earlier training, by their names. The objective's
// parameters may differ between the two. It returns an error if the earlier training lacks a
// parameter of the network, or has another shape of one.
func (m *member) copyInitial(initial *graph.Params) error {
	const rows = 2 // any number: parameters do not depend on it
	network := new(graph.Params)
	if err := m.spec.DeclareNetwork(network, rows); err != nil {
		return err
	}
	for i, p := range m.params.List() {
		isSame := func(other graph.Param) bool { return other.Name == p.Name }
		j := slices.IndexFunc(initial.List(), isSame)
		switch {
		case j < 0 && !slices.ContainsFunc(network.List(), isSame):
			continue
		case j < 0 || initial.List()[j].Rows != p.Rows || initial.List()[j].Columns != p.Columns:
			return errors.New("the network of the initial weights has other layers than the model")
		}
		copy(graph.ParamValues(m.params, m.params.Float32s(), i), graph.ParamValues(initial, initial.Float32s(), j))
	}
	return nil
}

// setInitialState sets the member's weights to Options.Initial, or its state to Options.Resume, if
// they are given.
func (m *member) setInitialState(o Options) error {
	if len(o.Initial) > 0 {
		initial := o.Initial[m.index%len(o.Initial)]
		if err := m.copyInitial(initial); err != nil {
			return err
		}
	}
	m.initial = slices.Clone(m.params.Float32s())
	if len(o.Resume) == 0 {
		return nil
	}
	state := o.Resume[m.index]
	if err := m.checkResumable(state); err != nil {
		return err
	}
	return m.setState(state)
}

// Model returns the trained networks as a model of spec. inputs and targets are the scalers by
// which the rows of the training were standardised.
func (r *Result) Model(spec models.Spec, inputs, targets data.Scalers) *models.Model {
	return &models.Model{
		Spec:       spec,
		Inputs:     inputs,
		Targets:    targets,
		EndReasons: r.Ended,
		Members:    r.Members,
		Stored:     r.Stored,
		History:    r.History,
	}
}

// newResult returns the result of members that have finished, and leaves the weights of the trained
// model in them.
func newResult(members []*member, s Settings) (*Result, error) {
	columns, err := historyColumns(members[0].spec, s)
	if err != nil {
		return nil, err
	}
	r := &Result{Settings: s}
	r.History.Columns = columns
	for _, m := range members {
		copy(m.params.Float32s(), m.state.weights())
		r.Members = append(r.Members, m.params)
		r.History.Rows = append(r.History.Rows, m.state.History...)
		r.Steps += m.state.Step
		if len(m.validationRows) > 0 {
			r.ValidationRows = append(r.ValidationRows, slices.Sorted(slices.Values(m.validationRows)))
		}
		if m.state.Ended == nil {
			continue
		}
		if r.Ended == nil {
			r.Ended = make([]string, len(members))
		}
		r.Ended[m.index] = *m.state.Ended
	}
	r.Warnings, err = finalWarnings(members)
	return r, err
}

// historyColumns returns the names of the columns of a training's history: the loss, its terms, the
// watched nodes and the validation loss. It builds the objective to find them; they do not depend on the
// number of rows.
func historyColumns(spec models.Spec, s Settings) ([]string, error) {
	const rows = 2 // batch normalisation needs more than one
	b := graph.New(graph.Float32, new(graph.Params))
	if _, err := spec.Loss(b, rows); err != nil {
		return nil, err
	}
	inspect := graph.Inspect(b)
	columns := []string{"loss"}
	for _, t := range inspect.AllTerms {
		columns = append(columns, t.Name)
	}
	for _, w := range inspect.WatchedNodes {
		columns = append(columns, w.Name+".mean", w.Name+".min", w.Name+".max")
	}
	if s.Validation > 0 {
		columns = append(columns, "validation loss")
	}
	return columns, models.CheckHistoryColumns(columns)
}
