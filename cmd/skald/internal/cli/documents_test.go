package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// run carries out a command line that must succeed, and returns what it prints.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	if code := Run(t.Context(), args, strings.NewReader(""), &out, &errOut); code != exitOK {
		t.Fatalf("skald %s: exit code %d: %s", strings.Join(args, " "), code, errOut.String())
	}
	return out.String()
}

// notRun are the commands of the documents that no test can run, by how they
// begin, each with the reason.
var notRun = map[string]string{
	"up --data /var/lib/skald":                  "serves until it is interrupted, at a folder and an address of the machine",
	"encounter history ENCOUNTER":               "stands for any encounter",
	"verify ENCOUNTER":                          "stands for any encounter",
	"encounter entropy ENCOUNTER":               "stands for any encounter",
	"encounter open-rolls":                      "named, not called",
	"verify FILE":                               "stands for any file",
	"replay ENCOUNTER":                          "stands for any encounter",
	"amend ENCOUNTER STEP":                      "stands for any encounter",
	"rebuild --data DIR":                        "stands for any folder; needs that no server is up",
	"scenario run FILE":                         "stands for any file",
	"scenario run my-house-rules.yaml":          "a file of the reader's",
	"scenario check my-house-rules.yaml":        "a file of the reader's",
	"scenario run scenarios --server host:7700": "a server of the reader's",
	"scenario run scenarios":                    "every scenario is run by cmd/skald/scenarios_test.go",
	"scenario digest":                           "writes beside the scenarios; testdata/script/scenario.txtar runs it",
	"scenario coverage":                         "every scenario is run by cmd/skald/scenarios_test.go",
	"token show TOKEN":                          "stands for any token",
	"rules settings SYSTEM":                     "stands for any system",
	"rules ID":                                  "stands for any rule",
	"sheet list SYSTEM":                         "stands for any system",
	"sheet show SYSTEM NAME":                    "stands for any sheet",
	"up":                                        "serves until it is interrupted",
	"verify":                                    "named, not called",
	"bench":                                     "measures this machine; bench_test.go runs all of it",
	"streams":                                   "needs a server elsewhere, or the folder of one",
	"mend":                                      "needs a server, or the folder of one",
	"rebuild":                                   "needs a server, or the folder of one",
	"archive":                                   "serves until it is interrupted",
	"backup":                                    "needs the folders of an operator",
	"restore":                                   "needs the folders of an operator",
	"status":                                    "needs a server",
	"table":                                     "needs a server, and tables to delete",
	"person":                                    "needs a server",
}

// documented finds the calls of skald in code blocks and in running text.
var documented = regexp.MustCompile("(?m)(?:^|`)(?:\\./)?skald ([a-z][^`\n]*)")

// TestDocumentedCommands: every command line of the documents that are not
// written by a program is one that is understood; what can be run is, and what
// can not is listed with the reason.
func TestDocumentedCommands(t *testing.T) {
	t.Chdir(besideTheRepository(t))
	used, found := map[string]bool{}, 0
	for _, page := range []string{"docs/API.md", "docs/DICE.md", "docs/SCENARIOS.md", "docs/OPERATIONS.md", "docs/DESIGN.md", "docs/PERFORMANCE.md", "docs/words/README.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range documented.FindAllStringSubmatch(string(text), -1) {
			call, _, _ := strings.Cut(m[1], " #")
			call = strings.TrimSpace(call)
			found++
			if reason := notRunBy(call); reason != "" {
				used[reason] = true
				continue
			}
			t.Logf("%s: skald %s", page, call)
			run(t, words(call)...)
		}
	}
	if found < 15 {
		t.Errorf("only %d commands were found", found)
	}
	for begin := range notRun {
		if !used[begin] {
			t.Errorf("no document has skald %s any more", begin)
		}
	}
}

// besideTheRepository is a folder where the documents' commands find what they
// name and leave what they make.
func besideTheRepository(t *testing.T) string {
	t.Helper()
	top, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, e := range entries {
		if e.Name() == "deploy" {
			continue // something is made in it
		}
		if err := os.Symlink(filepath.Join(top, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "deploy", "auth"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// notRunBy is the entry of notRun that a call begins with, the longest.
func notRunBy(call string) string {
	longest := ""
	for begin := range notRun {
		if (call == begin || strings.HasPrefix(call, begin+" ")) && len(begin) > len(longest) {
			longest = begin
		}
	}
	return longest
}

// TestRequestOfTheReadme: the request that the README sends by grpcurl is
// understood and carried out.
func TestRequestOfTheReadme(t *testing.T) {
	text, err := os.ReadFile(readmeFile)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)grpcurl -plaintext -d '(.*?)' \\\n  127\.0\.0\.1:7700 skald\.encounter\.v1\.EncounterService/Execute`).FindSubmatch(text)
	if m == nil {
		t.Fatal("the README has no request by grpcurl")
	}
	req := &encounterv1.ExecuteRequest{}
	if err := protojson.Unmarshal(m[1], req); err != nil {
		t.Fatal(err)
	}
	conn, err := rpc.Dial(serve(t), rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the test is over
	if _, err := encounterv1.NewEncounterServiceClient(conn).Execute(t.Context(), req); err != nil {
		t.Error(err)
	}
}

// TestOpportunityOfTheDocuments: the orders and answers about opportunity
// attacks that docs/CLI.md and docs/API.md show are taken, in a fight where one
// comes up.
func TestOpportunityOfTheDocuments(t *testing.T) {
	t.Setenv("SKALD_SERVER", serve(t))
	for _, args := range []string{
		"encounter create --system rcr --id bridge --dice-policy either",
		"encounter add bridge fighter --id jeera --position 0,0",
		"encounter add bridge orc --id grak --position 5,0",
		"encounter start bridge --dice 15,4 --answer initiative-ability=dexterity",
	} {
		run(t, words(args)...)
	}
	var api, orders, answers []string
	for line := range strings.Lines(read(t, "../../../../docs/CLI.md")) {
		call, is := strings.CutPrefix(strings.TrimSpace(line), "skald ")
		switch {
		case is && strings.HasPrefix(call, "encounter order bridge jeera opportunity-attack"):
			orders = append(orders, call)
		case is && strings.HasPrefix(call, "encounter answer bridge opportunity-attack"):
			answers = append(answers, call)
		}
	}
	if len(orders) != 2 || len(answers) != 1 {
		t.Fatalf("orders %q, answers %q", orders, answers)
	}
	for _, m := range regexp.MustCompile("`(\\{\"order\": .*?\\})`").FindAllStringSubmatch(read(t, "../../../../docs/API.md"), -1) {
		api = append(api, m[1])
	}
	if len(api) != 1 {
		t.Fatalf("orders of docs/API.md: %q", api)
	}
	order := &eventv1.Command{}
	if err := protojson.Unmarshal([]byte(api[0]), order); err != nil {
		t.Fatal(err)
	}
	run(t, "encounter", "order", "bridge", order.GetOrder().Creature, order.GetOrder().Decision, order.GetOrder().Order)
	for _, o := range orders {
		run(t, words(o)...)
	}
	run(t, words("encounter edit bridge grak --condition prone")...)
	run(t, words("encounter take bridge grak stand")...) // in reach of a foe: that gives an opening
	if said := run(t, words(answers[0])...); !strings.Contains(said, "opportunity-attack") && !strings.Contains(said, "longsword") {
		t.Errorf("no opportunity attack came of the answer: %s", said)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOnlyJSON: under --json, import and demo print JSON, one value a line, and
// nothing else.
func TestOnlyJSON(t *testing.T) {
	records := filepath.Join("..", "..", "..", "..", "pkg", "content", "srd5e", "testdata", "monsters.json")
	for _, args := range [][]string{
		{"demo", "--json", "--rounds", "1", "--system", "spark"},
		{"import", "5e-srd", "--json", records},
	} {
		lines := 0
		for line := range strings.Lines(run(t, args...)) {
			lines++
			if !json.Valid([]byte(line)) {
				t.Errorf("skald %s: no JSON: %s", strings.Join(args, " "), line)
			}
		}
		if lines < 3 {
			t.Errorf("skald %s: only %d lines", strings.Join(args, " "), lines)
		}
	}
}
