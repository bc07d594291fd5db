// Package cluster runs the shards of a study on a cluster: as an array job of Slurm or an
// Indexed Job of Kubernetes, through their own programs (sbatch, scontrol; kubectl). Start with
// Draft and Job.Submit for the machine that submits, and with Shard for a task. The package does
// not train: a task runs the program with
//
//	sml study run DIR --shard i/n
//
// It may be killed at any time, run twice at the same time, and run again.
package cluster
