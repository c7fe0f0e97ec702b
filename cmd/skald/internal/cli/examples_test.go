package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
func upForBrowsers(t *testing.T, args ...string) (grpc, web string) {
	t.Helper()
	grpc, log := up(t, append([]string{"--web", "127.0.0.1:0"}, args...)...)
	m := regexp.MustCompile(` web=(http://[0-9.:]+)`).FindStringSubmatch(log.String())
	if m == nil {
		t.Fatalf("no address for browsers in\n%s", log)
	}
	return grpc, m[1]
}

// bridgeFight is the fight of the README, at its first turn; the arguments are further
// ones of the orc's.
func bridgeFight(t *testing.T, orc ...string) {
	t.Helper()
	for _, args := range []string{
		`encounter create --system rcr --id bridge --title "The bridge" --dice-policy either`,
		"encounter add bridge fighter --name Jeera --controller ann --position 0,0",
		"encounter add bridge orc --id grak --name Grak --position 5,0",
		"encounter start bridge --dice 15,4 --answer initiative-ability=dexterity",
	} {
		call := words(args)
		if slices.Contains(call, "orc") {
			call = append(call, orc...)
		}
		run(t, call...)
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

// The chat bot's commands, at a server with keys, where each user has a token.
func TestChatBot(t *testing.T) {
	dir := typescript(t)
	key, jwks := filepath.Join(t.TempDir(), "table.key"), filepath.Join(t.TempDir(), "keys.json")
	must(t, "token", "keygen", key, "--jwks", jwks)
	tokens := map[string]string{}
	for name, role := range map[string]string{"mo": "gm", "ann": "player", "bob": "player", "everybody": "spectator"} {
		tokens[name] = must(t, "token", "sign", "--key", key, "--role", role, "--sub", name)
	}
	grpc, web := upForBrowsers(t, "--auth-jwks", jwks)
	t.Setenv("SKALD_SERVER", grpc)
	t.Setenv("SKALD_TOKEN", tokens["mo"])
	bridgeFight(t, "--controller", "bob")
	given, err := json.Marshal(tokens)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "--test", "examples/build/chatbot/bot.test.js")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "SKALD_URL="+web, "SKALD_TOKENS="+string(given))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// What docs/INTEGRATE.md shows in TypeScript is taken by the compiler.
func TestTypeScriptOfTheGuide(t *testing.T) {
	dir := typescript(t)
	place, err := os.MkdirTemp(dir, "document-") // beside the client's own modules
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(place) //nolint:errcheck // the test is over
	blocks := regexp.MustCompile("(?s)```ts\n(.*?)```").FindAllStringSubmatch(read(t, "../../../../docs/INTEGRATE.md"), -1)
	if len(blocks) == 0 {
		t.Fatal("docs/INTEGRATE.md has no TypeScript")
	}
	for i, b := range blocks {
		if err := os.WriteFile(filepath.Join(place, fmt.Sprintf("block%d.ts", i)), []byte(b[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := `{"extends": "../tsconfig.json", "compilerOptions": {"noEmit": true, "declaration": false, "rootDir": "."}, "include": ["*.ts"]}`
	if err := os.WriteFile(filepath.Join(place, "tsconfig.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	check := exec.CommandContext(t.Context(), "node", "node_modules/typescript/bin/tsc", "-p", place)
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
