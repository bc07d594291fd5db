// Package cluster runs the shards of a study on a cluster: as an array job of Slurm or an
// Indexed Job of Kubernetes, through their own programs (sbatch, squeue, scontrol, scancel;
// kubectl). A task runs one shard:
//
//	sml study run DIR --shard i/n
//
// It may be killed at any time, run twice at the same time, and run again.
package cluster
