//go:build !faultinject

// Package faultpoint lets a test make the program fail at a named place. In an
// ordinary build it does nothing and costs nothing; built with the tag
// faultinject, the environment variable CTXGUARD_FAULT chooses place and fault.
// Nothing but named places may enter here.
package faultpoint

// Here marks a place where a test can make the program fail.
func Here(string) {}
