package main

import "time"

// timer runs a case a number of times and returns the mean time of a repetition, in microseconds.
type timer func(repetitions int) (float64, error)

// plan says how cases are timed. In each round every side has a turn, so that a change of the machine's
// speed affects all sides alike.
type plan struct {
	maxRounds int
	turn      time.Duration // length of a turn; a turn has at least one repetition
}

// usualPlan is the plan of the program.
var usualPlan = plan{maxRounds: 15, turn: 60 * time.Millisecond}

// A case has fewer than maxRounds rounds if they take longer than maxCaseTime, but at least minRounds.
const (
	maxCaseTime = 10 * time.Second
	minRounds   = 5
)

// measureRounds returns the times of each timer, in microseconds by round.
func (p plan) measureRounds(timers []timer) ([][]float64, error) {
	times := make([][]float64, len(timers))
	repetitions := make([]int, len(timers)) // in a turn
	for i, t := range timers {
		var err error
		repetitions[i], err = p.chooseRepetitions(t)
		if err != nil {
			return times, err
		}
	}
	start := time.Now()
	for round := range p.maxRounds {
		if round >= minRounds && time.Since(start) > maxCaseTime {
			break
		}
		for i, t := range timers {
			microseconds, err := t(repetitions[i])
			if err != nil {
				return times, err
			}
			times[i] = append(times[i], microseconds)
		}
	}
	return times, nil
}

// chooseRepetitions returns the number of repetitions that take about a turn. It tries more and more
// repetitions until they take a quarter of a turn, as the time of a few cannot be measured well.
func (p plan) chooseRepetitions(t timer) (int, error) {
	const growth = 8
	turn := float64(p.turn.Microseconds())
	if _, err := t(1); err != nil { // the first repetition allocates memory, and does not count
		return 0, err
	}
	tried := 1
	for {
		microseconds, err := t(tried)
		if err != nil {
			return 0, err
		}
		enough := max(1, int(turn/microseconds))
		if float64(tried)*microseconds >= turn/4 || tried >= enough {
			return enough, nil
		}
		tried = min(growth*tried, enough)
	}
}
