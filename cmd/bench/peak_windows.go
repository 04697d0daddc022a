package main

import "context"

const peakOf = "peak-of"

// peak is not told of a process that has ended.
func (j job) peak(context.Context) (int64, error) { return 0, errNoPeak }

func printPeak([]string) error { return errNoPeak }
