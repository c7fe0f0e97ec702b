package proof

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	fights "github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// madeOnce are the fights of diceFights, which take a while.
var madeOnce struct {
	sync.Once
	fights []fights.Fight
}

// diceFights are fights of every system in which players add to the dice, and
// whose secret dice are opened: with the end, or roll by roll. Each system has one
// with a beacon's value and one in which it is waived; those that go on after the
// end have dice of a second epoch.
func diceFights(t *testing.T) []fights.Fight {
	t.Helper()
	madeOnce.Do(func() { madeOnce.fights = playDiceFights(t) })
	if len(madeOnce.fights) == 0 {
		t.Fatal("the fights could not be played: see the first test that needs them")
	}
	return slices.Clone(madeOnce.fights)
}

func playDiceFights(t *testing.T) []fights.Fight {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: &fixed{src: rand.NewChaCha8([32]byte{9})},
		Clock: func() time.Time { return time.Unix(1_800_000_000, 0) }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the fights are exported
	client := encounterv1.NewEncounterServiceClient(stack.Conn())
	var out []fights.Fight
	for _, system := range systems.Registry().IDs() {
		for n, when := range []eventv1.SecretDice_When{eventv1.SecretDice_WHEN_END, eventv1.SecretDice_WHEN_BY_GAME_MASTER} {
			f := &fightOf{t: t, client: client, system: system, id: fmt.Sprint(system, "-", n)}
			f.play(when)
			out = append(out, fights.Fight{Name: f.id, Commits: f.export()})
		}
	}
	return out
}

// fixed gives the same bytes each time, to one reader at a time.
type fixed struct {
	mu  sync.Mutex
	src *rand.ChaCha8
}

// Read is io.Reader.Read.
func (r *fixed) Read(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.src.Read(b)
}

var (
	gm     = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	ann    = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	bob    = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "bob"}
	beacon = &eventv1.Beacon{Name: "drand quicknet", Round: 1000}
)

// fightOf is one such fight.
type fightOf struct {
	t          *testing.T
	client     encounterv1.EncounterServiceClient
	system, id string
	n          int
}

func (f *fightOf) try(as *eventv1.Principal, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	f.n++
	return f.client.Execute(f.t.Context(), &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("dice-", f.n), As: as, Encounter: f.id, Command: cmd})
}

func (f *fightOf) do(as *eventv1.Principal, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	f.t.Helper()
	resp, err := f.try(as, cmd)
	if err != nil {
		f.t.Fatalf("%s: %v: %v", f.id, cmd, err)
	}
	return resp
}

func (f *fightOf) give(as *eventv1.Principal, words string) {
	f.t.Helper()
	f.do(as, &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: &eventv1.AddEntropy{Words: words}}})
}

// play plays a fight: what is given after creatures joined counts for the fight
// alone where their joining rolled.
func (f *fightOf) play(when eventv1.SecretDice_When) {
	f.t.Helper()
	f.do(gm, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: f.system, Beacon: beacon, SecretDice: &eventv1.SecretDice{When: when}}}})
	f.give(ann, "seven of swords")
	names := sheets.List(f.system)
	for i := range 4 {
		sheet, err := sheets.Get(f.system, names[i%len(names)])
		if err != nil {
			f.t.Fatal(err)
		}
		sheet = proto.CloneOf(sheet)
		sheet.Id, sheet.Side = fmt.Sprint("c", i), []string{"left", "right"}[i%2]
		if i%2 == 0 {
			sheet.Controllers = []string{"ann"}
		}
		f.do(gm, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Position: &eventv1.Position{X: int32(5 * (i % 2)), Y: int32(5 * (i / 2))}}}}) //nolint:gosec // few
	}
	f.give(bob, "two of cups")
	f.give(gm, "the fool")
	later := when == eventv1.SecretDice_WHEN_BY_GAME_MASTER
	if later {
		f.do(gm, &eventv1.Command{What: &eventv1.Command_NameBeacon{NameBeacon: &eventv1.NameBeacon{Waive: true, Reason: "no net"}}})
	} else {
		f.do(ann, &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: &eventv1.AddEntropy{Value: []byte{1, 2, 3}, Beacon: beacon}}})
	}
	player := &autoplay.Player{Client: f.client, Encounter: f.id, Rounds: 2}
	f.rounds(player)
	if later {
		f.open()
	}
	f.do(gm, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if later {
		return
	}
	f.do(gm, &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
	f.give(ann, "again, for the new dice")
	player.Rounds = 3
	f.rounds(player)
	f.do(gm, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
}

func (f *fightOf) rounds(p *autoplay.Player) {
	f.t.Helper()
	if _, err := p.Play(f.t.Context()); err != nil {
		f.t.Fatalf("%s: %v", f.id, err)
	}
}

// open opens what every step rolled in secret.
func (f *fightOf) open() {
	f.t.Helper()
	s, err := f.client.GetState(f.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: f.id})
	if err != nil {
		f.t.Fatal(err)
	}
	for step := uint64(1); step <= s.Number; step += 2 { // the others stay closed
		_, _ = f.try(gm, &eventv1.Command{What: &eventv1.Command_OpenRolls{OpenRolls: &eventv1.OpenRolls{Step: step}}}) //nolint:errcheck // most rolled nothing in secret
	}
}

func (f *fightOf) export() [][]byte {
	f.t.Helper()
	return f.exportAs(gm)
}

func (f *fightOf) exportAs(as *eventv1.Principal) [][]byte {
	f.t.Helper()
	stream, err := f.client.Export(f.t.Context(), &encounterv1.ExportRequest{As: as, Encounter: f.id})
	if err != nil {
		f.t.Fatal(err)
	}
	var out [][]byte
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			f.t.Fatal(err)
		}
		if resp.Commit != nil {
			out = append(out, resp.Commit)
		}
	}
}

// What the fights of the tests show of the dice: were a kind of event missing,
// forging it would show nothing.
func TestDiceFightsShowEverything(t *testing.T) {
	all := diceFights(t)
	seen := map[string]int{}
	for _, fight := range all {
		for k := range shownOfDice(open(t, fight.Commits)) {
			seen[k]++
		}
		if r := again(t, systems.Registry(), fight.Commits); !r.Holds() {
			t.Errorf("%s: %s", fight.Name, r)
		}
		if r := again(t, systems.Registry(), seenBy(t, fight.Commits)); !r.OK() {
			t.Errorf("%s, a spectator's: %s", fight.Name, r)
		}
	}
	for _, want := range []string{"entropy", "beacon", "waived", "closed", "closed, setting up", "seed of everyone", "seed of gm", "seed of creatures", "leaf",
		"roll", "roll, setting up", "roll, epoch 2", "secret roll"} {
		if seen[want] == 0 {
			t.Errorf("no fight shows %s; they show %v", want, seen)
		}
	}
	t.Log(seen)
}

// What is opened of a secret roll comes to its value, for who has nothing else of it.
func TestAnOpenedValueIsChecked(t *testing.T) {
	for _, fight := range diceFights(t) {
		f := open(t, fight.Commits)
		i, _, e := f.find(func(e *eventv1.Event) bool { return len(e.GetRollsOpened().GetRolls()) > 0 })
		if e == nil {
			continue
		}
		e.GetRollsOpened().Rolls[0].Value++
		commits := f.seal(i)
		for name, c := range map[string][][]byte{"whole": commits, "a spectator's": seenBy(t, commits)} {
			if r := again(t, systems.Registry(), c); !says(r.Problems, "and the faces come to") {
				t.Errorf("%s, %s: %s", fight.Name, name, r)
			}
			if r := runSecond(t, []string{write(t, t.TempDir(), 0, c)})[0]; !says(r.Problems, "and the faces come to") {
				t.Errorf("%s, %s, by the second verifier: %v", fight.Name, name, r.Problems)
			}
		}
	}
}

func shownOfDice(f *forger) map[string]bool {
	out := map[string]bool{}
	for _, parts := range f.parts {
		for _, m := range parts[2:] {
			e := m.(*eventv1.Event)
			r, setting := e.GetRoll(), uint32(1)<<31
			rolled := len(r.GetFaces()) > int(r.GetSuppliedFaces())
			for k, is := range map[string]bool{"entropy": e.GetEntropyGiven() != nil, "beacon": e.GetEntropyGiven().GetBeacon() != nil,
				"waived": e.GetBeaconNamed().GetWaived(), "closed": e.GetEntropyClosed() != nil, "closed, setting up": e.GetEntropyClosed().GetEpoch() > setting,
				"seed of " + e.GetDiceRevealed().GetBranch(): e.GetDiceRevealed() != nil, "leaf": len(e.GetRollsOpened().GetLeaf()) > 0,
				"roll": rolled, "roll, setting up": rolled && r.Epoch > setting, "roll, epoch 2": rolled && r.Epoch == 2, "secret roll": rolled && r.Branch != "everyone"} {
				if is {
					out[k] = true
				}
			}
		}
	}
	return out
}
