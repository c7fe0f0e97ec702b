package heap

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/spf13/pflag"
)

// asBefore puts the process's settings back.
func asBefore(t *testing.T) {
	t.Helper()
	target, limit := percent(), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(target)
		debug.SetMemoryLimit(limit)
	})
}

func TestSet(t *testing.T) {
	for name, tt := range map[string]struct {
		args          []string
		env           map[string]string
		target, limit int64 // of limit 0, any below the machine's
		refused       string
	}{
		"as it comes":             {nil, nil, DefaultTarget, 0, ""},
		"given":                   {[]string{"--gc-target=150", "--memory-limit=512"}, nil, 150, 512 << 20, ""},
		"no limit":                {[]string{"--memory-limit=-1"}, nil, 100, math.MaxInt64, ""},
		"no limit, but a target":  {[]string{"--memory-limit=-1", "--gc-target=200"}, nil, 200, math.MaxInt64, ""},
		"the environment wins":    {[]string{"--gc-target=150", "--memory-limit=512"}, map[string]string{"GOGC": "77", "GOMEMLIMIT": "1GiB"}, 77, 1 << 30, ""},
		"a target that cannot be": {[]string{"--gc-target=0"}, nil, 0, 0, "--gc-target"},
		"a limit that cannot be":  {[]string{"--memory-limit=-2"}, nil, 0, 0, "--memory-limit"},
	} {
		t.Run(name, func(t *testing.T) {
			asBefore(t)
			t.Setenv("GOGC", tt.env["GOGC"])
			t.Setenv("GOMEMLIMIT", tt.env["GOMEMLIMIT"])
			if tt.env != nil { // as the runtime does at the start
				debug.SetGCPercent(77)
				debug.SetMemoryLimit(1 << 30)
			}
			var o Options
			f := pflag.NewFlagSet("server", pflag.ContinueOnError)
			o.Flags(f)
			if err := f.Parse(tt.args); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			err := o.Set(slog.New(slog.NewTextHandler(&log, nil)))
			if tt.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("%v", err)
				}
				return
			}
			limit := debug.SetMemoryLimit(-1)
			if err != nil || int64(percent()) != tt.target {
				t.Errorf("target %d, %v", percent(), err)
			}
			if system, _ := memlimit.FromSystem(); tt.limit != limit && (tt.limit > 0 || uint64(limit) >= system) { //nolint:errcheck // 0 then
				t.Errorf("limit %d", limit)
			}
			if !strings.Contains(log.String(), "gc_target") {
				t.Errorf("it is not logged: %s", log.String())
			}
		})
	}
}

// A container's limit counts where there is one; where nobody can tell, there is none.
func TestLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		has  memlimit.Provider
		want int64
		err  bool
	}{
		"a container of 1 GiB": {memlimit.Limit(1 << 30), 768 << 20, false},
		"not limited":          {func() (uint64, error) { return 0, memlimit.ErrNoLimit }, math.MaxInt64, false},
		"nobody can tell":      {func() (uint64, error) { return 0, errors.New("no /proc") }, math.MaxInt64, true},
	} {
		got, err := (Options{Target: DefaultTarget}).limit(tt.has)
		if got != tt.want || (err != nil) != tt.err {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
}
