package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// command is the program from start to exit, as a shell starts it.
func command(ctx context.Context, r *run) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	call := func(line string) side {
		return func(ctx context.Context, s *sample, n int) error {
			for range n {
				begin := time.Now()
				cmd := exec.CommandContext(ctx, program, strings.Fields(line)...)
				cmd.Env = []string{"TMPDIR=" + os.TempDir()} // no setting of the shell's
				if out, err := cmd.CombinedOutput(); err != nil {
					return fmt.Errorf("skald %s: %w: %.200s", line, err, out)
				}
				took := time.Since(begin)
				s.rounds++
				s.took, s.elapsed = append(s.took, took), s.elapsed+took
				s.busy += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
			return nil
		}
	}
	for _, line := range []string{"roll 4d6kh3", "odds 4d6kh3", "rules search advantage"} {
		f, s, err := beside(ctx, r.rounds(10), call("version"), call(line))
		if err != nil {
			return err
		}
		r.add(lineOf("skald "+line, f, s))
	}
	return nil
}
