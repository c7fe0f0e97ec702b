package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/scenario"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// campaign is what is recorded at a table, as it is exported.
type campaign struct {
	name  string
	lines []*injuryv1.RecordLine
	// kara is one patient's record, as the game master and as its player have it.
	kara map[*eventv1.Principal][]*injuryv1.RecordLine
}

// at notes at which table commands are given.
type at struct {
	encounterv1.EncounterServiceClient
	table string
}

// Execute is encounterv1.EncounterServiceClient.Execute.
func (a *at) Execute(ctx context.Context, req *encounterv1.ExecuteRequest, o ...grpc.CallOption) (*encounterv1.ExecuteResponse, error) {
	a.table = req.Table
	return a.EncounterServiceClient.Execute(ctx, req, o...)
}

// tends is at for deeds between fights.
type tends struct {
	injuryv1.InjuryServiceClient
	at *at
}

// Tend is injuryv1.InjuryServiceClient.Tend.
func (c tends) Tend(ctx context.Context, req *injuryv1.TendRequest, o ...grpc.CallOption) (*injuryv1.TendResponse, error) {
	c.at.table = req.Table
	return c.InjuryServiceClient.Tend(ctx, req, o...)
}

var campaignsOnce struct {
	sync.Once
	all []campaign
}

// campaigns are the tables of all scenarios with patients, as their files play them.
func campaigns(t *testing.T) []campaign {
	t.Helper()
	campaignsOnce.Do(func() { campaignsOnce.all = playCampaigns(t) })
	if len(campaignsOnce.all) == 0 {
		t.Fatal("no campaign was played: see the first test that needs them")
	}
	return campaignsOnce.all
}

func playCampaigns(t *testing.T) []campaign {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: &fixed{src: rand.NewChaCha8([32]byte{4})},
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the tables are exported
	var out []campaign
	for _, system := range systems.Registry().IDs() {
		p := &tablePlay{t: t, conn: stack.Conn(), system: system, table: "played-" + system}
		c := campaign{name: p.table, lines: p.play(), kara: map[*eventv1.Principal][]*injuryv1.RecordLine{}}
		for _, as := range []*eventv1.Principal{gm, ann} {
			c.kara[as] = exportPatient(t, stack.Conn(), as, p.table, "kara")
		}
		r := &tablePlay{t: t, conn: stack.Conn(), system: system, table: "ruled-" + system}
		out = append(out, c, campaign{name: r.table, lines: r.ruled()})
	}
	const dir = "../../../../scenarios"
	files, err := scenario.Files(dir)
	if err != nil {
		t.Skip("this copy of the module comes without the scenarios")
	}
	clients := scenario.NewClients(stack.Conn())
	noted := &at{EncounterServiceClient: clients.Encounter}
	clients.Encounter, clients.Injury = noted, tends{clients.Injury, noted}
	runner := &scenario.Runner{Clients: clients}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("patients:\n")) {
			continue
		}
		all, err := scenario.Load(file, shippedSheet)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(dir, file) //nolint:errcheck // below it
		for _, s := range all {
			if r := runner.Run(t.Context(), s); !r.Passed {
				t.Fatal(name, r)
			}
			out = append(out, campaign{name: name + ": " + s.Title, lines: exportTable(t, stack.Conn(), noted.table)})
		}
	}
	return out
}

func shippedSheet(system, name string) ([]byte, error) {
	return sheets.Read(system, name)
}

func exportTable(t *testing.T, conn grpc.ClientConnInterface, table string) (out []*injuryv1.RecordLine) {
	t.Helper()
	stream, err := injuryv1.NewPatientRecordServiceClient(conn).ExportTable(t.Context(), &injuryv1.ExportTableRequest{As: gm, Table: table})
	if err != nil {
		t.Fatal(err)
	}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, resp.Line)
	}
}

// readLines has a file read line by line, which is closed with the test. by and since
// are what the reader has beside it.
func readLines(t *testing.T, by note.Verifiers, since []attest.Head, lines []*injuryv1.RecordLine) (*File, *FileReport) {
	t.Helper()
	f, err := NewFile(systems.Registry(), by)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() }) //nolint:errcheck // a temporary folder
	for _, h := range since {
		f.Kept(h)
	}
	for _, line := range lines {
		f.Look(line)
	}
	for _, line := range lines {
		if err := f.Add(t.Context(), line); err != nil {
			t.Fatal(err)
		}
	}
	r, err := f.Report(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f, r
}

func proveLines(t *testing.T, lines []*injuryv1.RecordLine) *FileReport {
	t.Helper()
	_, r := readLines(t, nil, nil, lines)
	return r
}

// Every campaign of the scenarios is decided again whole: fights, what was done between
// them, and that one goes on from the other.
func TestCampaignsHold(t *testing.T) {
	crossings, deeds := 0, 0
	for _, c := range campaigns(t) {
		r := proveLines(t, c.lines)
		if !r.Holds() {
			t.Errorf("%s:\n%s", c.name, r)
		}
		crossings, deeds = crossings+r.Crossings, deeds+r.Deeds
	}
	if crossings < 20 || deeds < 20 {
		t.Errorf("%d crossings, %d deeds: too few to tell anything", crossings, deeds)
	}
	t.Logf("%d campaigns, %d deeds, %d crossings", len(campaigns(t)), deeds, crossings)
}

// What is revealed between fights opens the faces of the deeds before it, and each is
// compared: one that is forged, with its draw, is found by its seed.
func TestRevealedDeedsAreCompared(t *testing.T) {
	forged := 0
	for _, c := range campaigns(t) {
		if !strings.HasPrefix(c.name, "played-") {
			continue
		}
		seeds, faces := 0, 0
		for _, r := range recordsOf(t, c.lines) {
			if !strings.HasPrefix(r.name, "patient") {
				continue
			}
			f := open(t, r.commits(c.lines))
			at, roll := -1, (*eventv1.Roll)(nil)
			for i, parts := range f.parts {
				for _, m := range parts[2:] {
					e := m.(*eventv1.Event)
					if e.GetDiceRevealed() != nil {
						seeds++
					}
					faces += len(e.GetRoll().GetFaces())
					if is := e.GetRoll(); is != nil && is.Epoch == 1 && len(is.Faces) == 1 && len(is.Dice) == 1 && roll == nil {
						at, roll = i, is
					}
				}
			}
			if roll == nil {
				continue
			}
			forged++
			face := roll.Faces[0]%roll.Dice[0].Sides + 1
			for _, in := range draws(f.parts[at][1].(*eventv1.CommitInputs).Inputs) {
				if in.Label == roll.Label && in.Index == roll.Index {
					in.GetDraw().Faces[0] = face
				}
			}
			roll.Faces[0] = face
			got := proveLines(t, r.with(c.lines, f.seal(at)))
			if !says(got.Problems, fmt.Sprintf("%s#%d, face 1: shows %d", roll.Label, roll.Index, face)) {
				t.Errorf("%s, %s: a forged face is not found by its seed: %v", c.name, r.name, got.Problems)
			}
		}
		if seeds < 4 {
			t.Errorf("%s: %d seeds", c.name, seeds)
		}
		t.Logf("%s: %d seeds, %d faces", c.name, seeds, faces)
	}
	if forged < 3 {
		t.Errorf("%d rolls were forged", forged)
	}
}

// A fight with patients is decided again by itself as well: what its patients came with is
// believed then.
func TestFightsOfCampaignsHoldAlone(t *testing.T) {
	for _, c := range campaigns(t) {
		if !strings.HasPrefix(c.name, "played-") {
			continue
		}
		for _, r := range recordsOf(t, c.lines) {
			if strings.HasPrefix(r.name, "patient") {
				continue
			}
			if got := again(t, systems.Registry(), r.commits(c.lines)); !got.OK() || got.Decided != got.Commits && !says(got.Unchecked, "it is a fork of") {
				t.Errorf("%s, %s: %s", c.name, r.name, got)
			}
		}
	}
}

// The second verifier reads the file of a table as well: of chains, dice and totals it says
// what the first says, and it finds a forged face, a Commit that is missing and a file that
// breaks off.
func TestTheSecondVerifierReadsCampaigns(t *testing.T) {
	var files []string
	var first []*FileReport
	var forged []bool
	dir := t.TempDir()
	try := func(lines []*injuryv1.RecordLine, isForged bool) {
		name := filepath.Join(dir, fmt.Sprint(len(files)))
		var text bytes.Buffer
		for _, line := range lines {
			data, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(append(data, '\n'))
		}
		if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		files, first, forged = append(files, name), append(first, nil), append(forged, isForged)
		if !isForged {
			first[len(first)-1] = proveLines(t, lines)
		}
	}
	for _, c := range campaigns(t) {
		if !strings.HasPrefix(c.name, "played-") {
			continue
		}
		try(c.lines, false)
		try(c.lines[:len(c.lines)-1], true)
		for _, r := range recordsOf(t, c.lines) {
			commits := r.commits(c.lines)
			try(r.with(c.lines, append(slices.Clone(commits[:1]), commits[2:]...)), true)
			f := open(t, commits)
			i, _, e := f.find(func(e *eventv1.Event) bool {
				return e.GetRoll() != nil && e.GetRoll().Branch == "everyone" && e.GetRoll().SuppliedFaces == 0 && len(e.GetRoll().Faces) == 1
			})
			if e != nil {
				e.GetRoll().Faces[0] = e.GetRoll().Faces[0]%e.GetRoll().Dice[0].Sides + 1
				try(r.with(c.lines, f.seal(i)), true)
			}
		}
	}
	for i, r := range runSecond(t, files) {
		if (len(r.Problems) > 0) != forged[i] {
			t.Errorf("%s, forged %v: %v", files[i], forged[i], r.Problems)
		}
		if !forged[i] && (r.Commits != first[i].Commits+first[i].PatientCommits || r.Faces != first[i].Faces || r.Rolls != first[i].Rolls || r.Sealed != first[i].Sealed) {
			t.Errorf("%s: %+v; by the first: %s", files[i], r, first[i])
		}
	}
}

// A fight that another server exported comes without the records of its patients: it is
// decided again by itself, and the report says so.
func TestAnImportedFightOfACampaign(t *testing.T) {
	for _, c := range campaigns(t) {
		if c.name != "played-basic" {
			continue
		}
		r := recordsOf(t, c.lines)[slices.IndexFunc(recordsOf(t, c.lines), func(r ofRecord) bool { return r.name == "encounter first" })]
		stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
		if err != nil {
			t.Fatal(err)
		}
		defer stack.Close() //nolint:errcheck // the table is exported
		var messages []*encounterv1.ExportResponse
		for _, data := range r.commits(c.lines) {
			messages = append(messages, &encounterv1.ExportResponse{Commit: data})
		}
		if _, err := encounterv1.NewEncounterServiceClient(stack.Conn()).Import(t.Context(), &encounterv1.ImportRequest{As: gm, Table: "played-basic", Encounter: "first",
			Messages: messages, Last: true}); err != nil {
			t.Fatal(err)
		}
		if got := proveLines(t, exportTable(t, stack.Conn(), "played-basic")); !got.OK() || got.Decided != got.Commits || !says(got.Unchecked, "it is of another server") {
			t.Errorf("%s", got)
		}
	}
}

func exportPatient(t *testing.T, conn grpc.ClientConnInterface, as *eventv1.Principal, table, patient string) (out []*injuryv1.RecordLine) {
	t.Helper()
	stream, err := injuryv1.NewPatientRecordServiceClient(conn).ExportPatient(t.Context(), &injuryv1.ExportPatientRequest{As: as, Table: table, Patient: patient})
	if err != nil {
		t.Fatal(err)
	}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, resp.Line)
	}
}

// One patient's file is decided again as far as it goes, and says how far. A player's shows
// the faces that the player saw against the seeds that the player was told: one that was
// told otherwise is found.
func TestOnePatientsFile(t *testing.T) {
	faces, forged := 0, 0
	for _, c := range campaigns(t) {
		if c.kara == nil {
			continue
		}
		r := proveLines(t, c.kara[gm])
		if !r.OK() || r.Holds() || r.Deeds == 0 || r.Commits > 0 || !says(r.Unchecked, "brought into the record") {
			t.Errorf("%s, the game master's: %s", c.name, r)
		}
		lines := c.kara[ann]
		r = proveLines(t, lines)
		if !r.OK() || r.Holds() || r.PatientCommits > 0 || r.Entries != len(lines)-2 {
			t.Errorf("%s, ann's: %s", c.name, r)
		}
		faces += r.Faces
		for i, line := range lines {
			n := slices.IndexFunc(line.GetEntry().GetEvents(), func(e *eventv1.Event) bool {
				return len(e.GetRoll().GetDice()) == 1 && e.GetRoll().Epoch == 1 && line.GetEntry().Encounter == ""
			})
			if n < 0 {
				continue
			}
			other := proto.CloneOf(line)
			roll := other.GetEntry().Events[n].GetRoll()
			roll.Faces[0] = roll.Faces[0]%roll.Dice[0].Sides + 1
			told := slices.Clone(lines)
			told[i] = other
			if r := proveLines(t, told); !says(r.Problems, fmt.Sprintf("%s#%d, face 1: shows %d", roll.Label, roll.Index, roll.Faces[0])) {
				t.Errorf("%s: ann was told another face, and nothing is found: %v", c.name, r.Problems)
			}
			forged++
			break
		}
	}
	if faces == 0 || forged == 0 {
		t.Errorf("%d faces follow from seeds, %d were forged", faces, forged)
	}
}
