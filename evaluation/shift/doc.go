// Package shift corrects and tests the intervals of a model on rows unlike its calibration rows. It has three parts:
// DensityRatio computes weights of calibration rows from their inputs, which package calibrate applies; Follower adapts
// intervals to rows in the order of time; and TestExchangeability tests whether rows are still like the calibration rows.
package shift
