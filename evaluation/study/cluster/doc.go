// Package cluster has the shares of a study run by the scheduler that a site
// has: as an array job of Slurm or an Indexed Job of Kubernetes, through their own
// programs (sbatch, squeue, scontrol, scancel; kubectl). A task of either is one share:
//
//	sml study run DIR --shard i/n
//
// which may be killed at any time, run twice and run again.
package cluster
