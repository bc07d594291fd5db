// Package shift corrects and tests a model's intervals on rows unlike its calibration rows. Start with
// FitDensityRatio, which weights calibration rows by their inputs; with Follower, which adapts intervals to rows in
// the order of time; and with Martingale, which tells when rows are no longer like the calibration rows. The package
// does not change calibrations: package calibrate takes the weights.
package shift
