package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// typescript is the folder of the TypeScript client with its examples built, or skips
// the test and says why.
func typescript(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../../../clients/typescript")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node here: the examples in TypeScript are not run")
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "typescript")); err != nil {
		t.Skip("clients/typescript has no node_modules: npm ci there, and the examples in TypeScript are run")
	}
	for _, project := range []string{"tsconfig.json", "tsconfig.examples.json"} {
		build := exec.CommandContext(t.Context(), "node", "node_modules/typescript/bin/tsc", "-p", project)
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", project, err, out)
		}
	}
	return dir
}

// upForBrowsers runs skald up, and returns its address for gRPC and that for browsers.
func upForBrowsers(t *testing.T) (grpc, web string) {
	t.Helper()
	grpc, log := up(t, "--web", "127.0.0.1:0")
	m := regexp.MustCompile(` web=(http://[0-9.:]+)`).FindStringSubmatch(log.String())
	if m == nil {
		t.Fatalf("no address for browsers in\n%s", log)
	}
	return grpc, m[1]
}

// bridgeFight is the fight of the README, at its first turn.
func bridgeFight(t *testing.T) {
	t.Helper()
	for _, args := range []string{
		`encounter create --system rcr --id bridge --title "The bridge" --dice-policy either`,
		"encounter add bridge fighter --name Jeera --controller ann --position 0,0",
		"encounter add bridge orc --id grak --name Grak --position 5,0",
		"encounter start bridge --dice 15,4 --answer initiative-ability=dexterity",
	} {
		run(t, words(args)...)
	}
}

// The examples in TypeScript do what they say, against a server that runs.
func TestTypeScriptExamples(t *testing.T) {
	dir := typescript(t)
	for _, example := range []string{"foundry/bridge", "overlay/overlay"} {
		t.Run(filepath.Base(example), func(t *testing.T) {
			grpc, web := upForBrowsers(t)
			t.Setenv("SKALD_SERVER", grpc)
			bridgeFight(t)
			cmd := exec.CommandContext(t.Context(), "node", "--test", "examples/build/"+example+".test.js")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "SKALD_URL="+web)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
