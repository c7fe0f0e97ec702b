// Package heap sets how a server's memory is collected: seldom while there is room,
// and ever more often towards a limit. A service that decides and forgets spends a
// large part of its time on collecting when the heap may only double; it must never
// grow past what the machine or its container has for that.
//
// It must never be used by a library or by a command that answers and ends.
package heap

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/spf13/pflag"
)

// DefaultTarget is by how much the heap may grow before it is collected, percent of
// what lives in it.
const DefaultTarget = 400

// share is how much of the memory of the machine or container is the limit's where none
// is given: the rest is for the pages of open files and for others.
const share = 0.75

// Options are what an operator sets.
type Options struct {
	// Target is by how much the heap may grow before it is collected, percent of what
	// lives in it, at least 10.
	Target int
	// LimitMiB is the memory, MiB, towards which it is collected ever more often; 0 is three
	// quarters of what the process may have, -1 none.
	LimitMiB int64
}

// Flags adds the flags of the options to a server's.
func (o *Options) Flags(f *pflag.FlagSet) {
	f.IntVar(&o.Target, "gc-target", DefaultTarget, "how far the heap may grow before it is collected, percent of what lives in it; GOGC in the environment wins")
	f.Int64Var(&o.LimitMiB, "memory-limit", 0, "MiB towards which it is collected ever more often; 0 is three quarters of what the container or machine has, -1 none; GOMEMLIMIT in the environment wins")
}

// Set applies the options to the process, but for what the environment has set
// (GOGC, GOMEMLIMIT), and logs what holds. It fails on options that cannot be.
func (o Options) Set(log *slog.Logger) error {
	if o.Target < 10 {
		return fmt.Errorf("--gc-target: %d percent: at least 10", o.Target)
	}
	if o.LimitMiB < -1 || o.LimitMiB > math.MaxInt64>>20 {
		return fmt.Errorf("--memory-limit: %d MiB cannot be", o.LimitMiB)
	}
	limit, err := o.limit(memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem))
	if err != nil {
		log.Warn("how much memory there is cannot be told: no limit is set", "error", err)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(o.target(limit))
	}
	log.Info("memory", "limit_mib", debug.SetMemoryLimit(-1)>>20, "gc_target", percent())
	return nil
}

// limit is the memory limit, bytes; math.MaxInt64 is none.
func (o Options) limit(has memlimit.Provider) (int64, error) {
	switch {
	case o.LimitMiB > 0:
		return o.LimitMiB << 20, nil
	case o.LimitMiB < 0:
		return math.MaxInt64, nil
	}
	n, err := memlimit.ApplyRatio(has, share)()
	if errors.Is(err, memlimit.ErrNoLimit) {
		return math.MaxInt64, nil
	}
	if err != nil || n > math.MaxInt64 {
		return math.MaxInt64, err
	}
	return int64(n), nil
}

// target is the growth that is set: where nothing bounds it, what Go itself does.
func (o Options) target(limit int64) int {
	if limit == math.MaxInt64 && o.Target == DefaultTarget {
		return 100
	}
	return o.Target
}

// percent is the growth that holds.
func percent() int {
	is := debug.SetGCPercent(100)
	debug.SetGCPercent(is)
	return is
}
