package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkCommands starts the program as a shell does, from start to exit: what needs
// no server, each command once a round, beside the floor of a command that does nothing
// (version) in the same rounds.
func BenchmarkCommands(b *testing.B) {
	program := filepath.Join(b.TempDir(), "skald")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	lines := []string{"version", "roll 4d6kh3", "odds 4d6kh3", "rules rcr.injury.con-allowance", "rules search advantage",
		"rules list rcr", "rules systems", "rules settings rcr", "rules words rcr"}
	took := map[string][]time.Duration{}
	for b.Loop() {
		for _, line := range lines {
			start := time.Now()
			cmd := exec.CommandContext(b.Context(), program, strings.Fields(line)...)
			cmd.Env = []string{"TMPDIR=" + os.TempDir()} // no setting of the shell's
			out, err := cmd.CombinedOutput()
			if err != nil || len(out) == 0 {
				b.Fatalf("%s: %v\n%s", line, err, out)
			}
			took[line] = append(took[line], time.Since(start))
		}
	}
	for _, line := range lines {
		all := took[line]
		slices.Sort(all)
		milliseconds := func(of int) float64 { return float64(all[(len(all)-1)*of/100].Microseconds()) / 1000 }
		b.Logf("%-32s median %5.1f ms, 90 %% %5.1f ms", line, milliseconds(50), milliseconds(90))
	}
}
