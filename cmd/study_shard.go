package cmd

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"sml/evaluation/study"
	"sml/evaluation/study/cluster"
)

// shardOf returns the share of a study that --shard or the scheduler's variables select. It
// returns the zero Shard, all of the study, if neither does.
func shardOf(c *cli.Context) (study.Shard, error) {
	text := c.String("shard")
	i, n, cut := strings.Cut(text, "/")
	count := 0
	if c.IsSet("shard") {
		want := func() error {
			return usage("--shard %q: want I/N, the I-th of N shares, or /N where the scheduler says I, with N at most %d", text, study.MaxShards)
		}
		var err error
		if count, err = strconv.Atoi(n); err != nil || !cut || count < 1 || count > study.MaxShards {
			return study.Shard{}, want()
		}
		if i != "" {
			shard := study.Shard{N: count}
			if shard.I, err = strconv.Atoi(i); err != nil || shard.I < 1 || shard.I > count {
				return study.Shard{}, want()
			}
			return shard, nil
		}
	}
	shard, variable, err := cluster.Shard(os.LookupEnv, count)
	switch {
	case err != nil:
		return shard, usage("%w; say which share of the study is to be run with --shard I/N, of how many with --shard /N, or --shard 1/1 for all of it", err)
	case variable != "" && !c.Bool("quiet"):
		fmt.Fprintf(c.App.ErrWriter, "share %s of the study, by %s\n", shard, variable)
	case variable == "" && count > 0:
		return shard, usage("--shard %q: no scheduler says which share it is", text)
	}
	return shard, nil
}
