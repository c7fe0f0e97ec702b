package story

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// What the story is about.
const (
	system  = "rcr"
	table   = "story"
	patient = "tam"
	bridge  = "bridge" // the fight before yesterday's
	ford    = "ford"   // yesterday's
	hill    = "hill"   // today's
)

// patience bounds the wait for dice that are revealed after an end.
const patience = 30 * time.Second

// ErrStory says that something came otherwise than it must.
var ErrStory = errors.New("story")

// Config says how the story is told.
type Config struct {
	// Conn is the server that it happens on.
	Conn grpc.ClientConnInterface
	// Dir is a folder for what the outsider is given.
	Dir string
	// Export writes all that is recorded at a table into a file, as the game master.
	Export func(ctx context.Context, conn grpc.ClientConnInterface, table, file string) error
	// Verify checks such a file, offline, against keys and heads that were kept.
	Verify func(ctx context.Context, file string, keys, heads []string) (*proof.FileReport, error)
	// Out is where it is told.
	Out io.Writer
	// Value, if any, is given the Summary, and nothing is told on Out.
	Value func(v any) error
}

// Summary is what came of the story.
type Summary struct {
	// Rolls of yesterday's fight that the ruling makes anew.
	Rolls int `json:"rolls"`
	// Before and After are the hit points that the patient has.
	Before int32 `json:"before"`
	After  int32 `json:"after"`
	// Words of the public history of each fight, the same on every program.
	Words map[string]string `json:"words"`
	// Commits of the file, of fights and patients, all decided again; and the faces
	// that follow from the seeds in it.
	Commits int `json:"commits"`
	Faces   int `json:"faces"`
	// Found is what the outsider finds when the ruling was left out of the file.
	Found []string `json:"found"`
}

var (
	gm        = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
	ann       = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}
	ben       = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ben"}
	spectator = &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
)

// story is one run.
type story struct {
	Config
	fights  encounterv1.EncounterServiceClient
	whatIf  encounterv1.WhatIfServiceClient
	record  encounterv1.RecordServiceClient
	records injuryv1.InjuryServiceClient
	styles  map[string]*render.Style // what is called how, by fight
	n       int
	summary Summary
	err     error // of the first write that failed
}

// Run tells the story. ErrStory wraps what came otherwise than it must.
func Run(ctx context.Context, cfg Config) error {
	s := &story{Config: cfg, fights: encounterv1.NewEncounterServiceClient(cfg.Conn), whatIf: encounterv1.NewWhatIfServiceClient(cfg.Conn),
		record: encounterv1.NewRecordServiceClient(cfg.Conn), records: injuryv1.NewInjuryServiceClient(cfg.Conn),
		styles: map[string]*render.Style{}, summary: Summary{Words: map[string]string{}}}
	for _, part := range []func(context.Context) error{s.atTheBridge, s.rests, s.atTheFord, s.contests, s.told, s.outsider, s.today} {
		if err := part(ctx); err != nil {
			return fmt.Errorf("story: %w", err)
		}
	}
	if s.Value != nil {
		return s.Value(s.summary)
	}
	return s.err
}

// tell writes for people.
func (s *story) tell(format string, args ...any) {
	if s.Value != nil {
		return
	}
	if _, err := io.WriteString(s.Out, text.EscapeLines(fmt.Sprintf(format, args...))); err != nil && s.err == nil {
		s.err = err
	}
}

func (s *story) title(words string) { s.tell("\n== %s\n", words) }

// do gives a command in a fight.
func (s *story) do(ctx context.Context, as *eventv1.Principal, fight string, cmd *eventv1.Command) (*encounterv1.ExecuteResponse, error) {
	s.n++
	resp, err := s.fights.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: fmt.Sprint("story-", s.n), As: as, Table: table, Encounter: fight, Command: cmd})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fight, err)
	}
	st := s.style(fight)
	st.Learn(resp.Step.GetEvents())
	if _, is := cmd.GetWhat().(*eventv1.Command_Amend); !is { // that is shown as everybody sees it
		s.tell("%s", st.Step(resp.Step))
	}
	return resp, nil
}

func (s *story) style(fight string) *render.Style {
	if s.styles[fight] == nil {
		s.styles[fight] = &render.Style{}
	}
	return s.styles[fight]
}

// all gives commands of the game master one after the other.
func (s *story) all(ctx context.Context, fight string, cmds ...*eventv1.Command) error {
	for _, cmd := range cmds {
		if _, err := s.do(ctx, gm, fight, cmd); err != nil {
			return err
		}
	}
	return nil
}

// create makes a fight in which people roll, and whose secret dice are opened with the end.
func create(title string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Title: title, System: system,
		DicePolicy: eventv1.DicePolicy_DICE_POLICY_EITHER, SecretDice: &eventv1.SecretDice{When: eventv1.SecretDice_WHEN_END},
		Settings: map[string]string{"rcr.setting.initiative-choice": "best", "rcr.setting.party-level": "5"}}}}
}

func add(sheet *eventv1.Sheet, x int32) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Position: &eventv1.Position{X: x}}}}
}

// shipped is a shipped creature under a name.
func shipped(name, id, called, side string, player *eventv1.Principal) (*eventv1.Sheet, error) {
	sheet, err := sheets.Get(system, name)
	if err != nil {
		return nil, err
	}
	sheet = proto.CloneOf(sheet)
	sheet.Id, sheet.Name, sheet.Side = id, called, side
	if player != nil {
		sheet.Controllers = []string{player.Name}
	}
	return sheet, nil
}

// brought is the patient as it comes into a fight.
func brought() *eventv1.Sheet { return &eventv1.Sheet{Id: patient, Patient: patient, Side: "party"} }

func start(faces ...int32) *eventv1.Command {
	return &eventv1.Command{Faces: faces, What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}
}

func attack(who, item, target string, faces ...int32) *eventv1.Command {
	return &eventv1.Command{Faces: faces, Answers: []*eventv1.EarlyAnswer{{Decision: "defend", Creature: patient, Answer: &eventv1.Answer{Option: "no"}}},
		What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: who, Action: "attack", Item: item, Targets: []string{target}}}}
}

func turn(who string, faces ...int32) *eventv1.Command {
	return &eventv1.Command{Faces: faces, What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: who}}}
}

func end(why string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: why}}}
}

func entropy(words string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: &eventv1.AddEntropy{Words: words}}}
}

// file is where the outsider finds what it is given.
func (s *story) file(name string) string { return filepath.Join(s.Dir, name) }
