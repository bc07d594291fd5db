package main

import "time"

// timer says how many microseconds one of so many repetitions takes.
type timer func(repetitions int) (float64, error)

// plan is how cases are timed: all engines in turns, round after round.
type plan struct {
	rounds int           // maximum number of rounds
	turn   time.Duration // time of each engine in a round, at least one repetition
}

var usualPlan = plan{rounds: 15, turn: 60 * time.Millisecond}

// A case that takes longer than this ends, behind leastRounds of them.
const (
	longest     = 10 * time.Second
	leastRounds = 5
)

// time returns the times of each round, of each timer.
func (p plan) time(timers []timer) ([][]float64, error) {
	times, repetitions := make([][]float64, len(timers)), make([]int, len(timers))
	for i, t := range timers {
		var err error
		if repetitions[i], err = p.repetitions(t); err != nil {
			return times, err
		}
	}
	start := time.Now()
	for round := range p.rounds {
		if round >= leastRounds && time.Since(start) > longest {
			break
		}
		for i, t := range timers {
			us, err := t(repetitions[i])
			if err != nil {
				return times, err
			}
			times[i] = append(times[i], us)
		}
	}
	return times, nil
}

// repetitions are those of a turn. The first one makes things ready, and is not looked at.
func (p plan) repetitions(t timer) (int, error) {
	turn := float64(p.turn.Microseconds())
	n := 1
	if _, err := t(n); err != nil {
		return 0, err
	}
	for {
		us, err := t(n)
		if err != nil {
			return 0, err
		}
		enough := max(1, int(turn/us))
		if float64(n)*us >= turn/4 || n >= enough {
			return enough, nil
		}
		n = min(8*n, enough)
	}
}
