package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/content"
	"github.com/skaldrpg/skald/pkg/content/book"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/scenario"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fightFile is the file of a rule book with the fight that shows the system;
// further ones are demo-NAME.yaml.
const fightFile = "demo.yaml"

// encounterID of the demonstration.
const encounterID = "demo"

// revealTimeout bounds the wait for the seed of the public dice.
const revealTimeout = 15 * time.Second

// ErrProof says that what was recorded does not hold.
var ErrProof = errors.New("demo: the proof failed")

// Config says how the demonstration runs.
type Config struct {
	// Stack that it runs on.
	Stack *allinone.Stack
	// System is the rule system to show.
	System string
	// Fight is one of the system's further fights; empty is the one that shows it.
	Fight string
	// Books are the rule books that it may be of; nil means those of this build.
	Books []book.Book
	// EmptyDir is an empty folder for the second projection.
	EmptyDir string
	// Sheets opens the shipped sheets.
	Sheets scenario.Shipped
	// Rounds after which the fight is ended.
	Rounds int32
	// Out is where the fight is told.
	Out io.Writer
	// Rules shows the rule ids behind each event.
	Rules bool
	// Value, if any, is given every step as it happens and at last the Proof, and
	// nothing is told on Out.
	Value func(v any) error
}

// Proof is what the demonstration showed of its record.
type Proof struct {
	// Reason for which the fight ended.
	Reason string `json:"reason"`
	// Commits that follow each other.
	Commits int `json:"commits"`
	// Hash of the last, in hexadecimal.
	Hash string `json:"hash"`
	// Faces that follow from the seed that was committed to before the fight.
	Faces int `json:"faces"`
	// Sealed are the secret rolls whose seeds stay sealed.
	Sealed int `json:"sealed"`
	// Events that fold to the live state.
	Events int `json:"events"`
	// Replica says that an empty database filled from the log equals the live one.
	Replica bool `json:"replica"`
}

// demonstration is one run.
type demonstration struct {
	Config
	client encounterv1.EncounterServiceClient
	gm     *eventv1.Principal
	style  render.Style
	proof  Proof
	err    error // of the first write that failed
}

// Systems lists the rule systems that have a demonstration, by id.
func Systems() []string { return systemsOf(content.Books()) }

func systemsOf(books []book.Book) []string {
	var out []string
	for _, b := range books {
		if _, err := b.File(fightFile); err == nil {
			out = append(out, b.System())
		}
	}
	slices.Sort(out)
	return out
}

// Fights lists the further fights of the shipped books, as SYSTEM/NAME.
func Fights() []string {
	var out []string
	for _, b := range content.Books() {
		for _, name := range fightsOf(b) {
			out = append(out, b.System()+"/"+name)
		}
	}
	return out
}

func fightsOf(b book.Book) []string {
	var out []string
	for _, file := range b.Files() {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(file, ".yaml"), "demo-"); ok {
			out = append(out, name)
		}
	}
	return out
}

// fight is the fight that is asked for.
func (d *demonstration) fight() ([]byte, error) {
	books := d.Books
	if books == nil {
		books = content.Books()
	}
	for _, b := range books {
		switch {
		case b.System() != d.System:
		case d.Fight == "":
			return b.File(fightFile)
		case !slices.Contains(fightsOf(b), d.Fight):
			return nil, fault.Field("fight", "%s has no demonstration %q; it has %v", d.System, d.Fight, fightsOf(b))
		default:
			return b.File("demo-" + d.Fight + ".yaml")
		}
	}
	return nil, fault.Field("system", "there is no demonstration of %q; there are %v", d.System, systemsOf(books))
}

// Run plays the fight and proves it. ErrProof wraps what does not hold.
func Run(ctx context.Context, cfg Config) error {
	d := &demonstration{Config: cfg, client: encounterv1.NewEncounterServiceClient(cfg.Stack.Conn()),
		gm: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}, style: render.Style{Rules: cfg.Rules}}
	if err := d.setUp(ctx); err != nil {
		return err
	}
	p := &autoplay.Player{Client: d.client, Encounter: encounterID, Rounds: cfg.Rounds, Show: d.show}
	reason, err := p.Play(ctx)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	d.tell("\n%s\n", reason)
	if err := d.takeBack(ctx, p); err != nil {
		return err
	}
	if err := d.amend(ctx, p); err != nil {
		return err
	}
	if err := p.Do(ctx, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: reason}}}); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	state, err := d.state(ctx, d.client)
	if err != nil {
		return err
	}
	d.tell("\n%s\nThe proof\n", render.State(state))
	if err := d.prove(ctx, state); err != nil {
		return err
	}
	d.proof.Reason = reason
	d.value(d.proof)
	return d.err
}

// tell writes for people; what came from data is made safe for its line where
// it is put into words, this is the last guard.
func (d *demonstration) tell(format string, args ...any) {
	if d.Value != nil {
		return
	}
	if _, err := io.WriteString(d.Out, text.EscapeLines(fmt.Sprintf(format, args...))); err != nil && d.err == nil {
		d.err = err
	}
}

func (d *demonstration) value(v any) {
	if d.Value == nil {
		return
	}
	if err := d.Value(v); err != nil && d.err == nil {
		d.err = err
	}
}

func (d *demonstration) show(s *encounterv1.Step) {
	d.style.Learn(s.Events)
	d.tell("%s", d.style.Events(s.Events))
	d.value(s)
}

func (d *demonstration) setUp(ctx context.Context) error {
	fight, err := d.fight()
	if err != nil {
		return err
	}
	all, err := scenario.Parse(d.System+".yaml", fight)
	if err != nil {
		return err
	}
	s := all[0]
	err = s.Resolve(func(ref string) ([]byte, error) { return d.Sheets(s.System, ref[len(scenario.ShippedPrefix):]) })
	if err != nil {
		return err
	}
	commands := []*eventv1.Command{{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: encounterID,
		Title: s.Title, System: s.System, Preset: s.Preset, Settings: s.Settings, DicePolicy: s.DicePolicy}}}}
	for _, c := range s.Creatures {
		commands = append(commands, &eventv1.Command{What: &eventv1.Command_Add{Add: c.Add}})
	}
	for i, cmd := range commands {
		resp, err := d.client.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: fmt.Sprintf("demo-%d", i), As: d.gm, Encounter: encounterID, Command: cmd})
		if err != nil {
			return fmt.Errorf("demo: setting up: %w", err)
		}
		d.show(resp.Step)
	}
	return d.begin(ctx, s.Steps)
}

// begin does what the file says of how the fight begins, with the dice that it
// gives there; after that the fight plays itself.
func (d *demonstration) begin(ctx context.Context, steps []*scenario.Step) error {
	for i, st := range steps {
		cmd := proto.CloneOf(st.Command)
		if st.Kind == scenario.KindAnswer {
			open, err := d.open(ctx, st.Answer)
			if err != nil {
				return fmt.Errorf("demo: step %d: %w", i+1, err)
			}
			cmd = &eventv1.Command{What: &eventv1.Command_Answer{Answer: &eventv1.AnswerDecision{Decision: open, Answer: st.Answer.Answer}}}
		}
		cmd.Faces, cmd.Answers = st.Dice, st.Answers
		resp, err := d.client.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: fmt.Sprintf("begin-%d", i), As: d.gm, Encounter: encounterID, Command: cmd})
		if err != nil {
			return fmt.Errorf("demo: step %d: %w", i+1, err)
		}
		d.show(resp.Step)
	}
	return nil
}

// open is the id of an open decision.
func (d *demonstration) open(ctx context.Context, a *scenario.NamedAnswer) (string, error) {
	state, err := d.state(ctx, d.client)
	if err != nil {
		return "", err
	}
	for id, open := range state.Decisions { // order-free: the first step that is ambiguous would be the file's fault
		if open.Name == a.Decision && (a.Creature == "" || a.Creature == open.Creature) {
			return id, nil
		}
	}
	return "", fault.New(fault.Illegal, "NO_DECISION", "nothing asks for %q of %q", a.Decision, a.Creature)
}

func (d *demonstration) state(ctx context.Context, client encounterv1.EncounterServiceClient) (*eventv1.State, error) {
	resp, err := client.GetState(ctx, &encounterv1.GetStateRequest{As: d.gm, Encounter: encounterID})
	return resp.GetState(), err
}

// takeBack undoes the last command and does it again: nothing is lost by it.
func (d *demonstration) takeBack(ctx context.Context, p *autoplay.Player) error {
	before, err := d.state(ctx, d.client)
	if err != nil {
		return err
	}
	d.tell("\nThe game master takes the last command back, and thinks better of it\n")
	revert := &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}, Reason: "was that right?"}
	if err := p.Do(ctx, &eventv1.Command{What: &eventv1.Command_Revert{Revert: revert}}); err != nil {
		return fmt.Errorf("demo: taking back: %w", err)
	}
	if err := p.Do(ctx, &eventv1.Command{What: &eventv1.Command_Redo{Redo: &eventv1.RedoEncounter{Reason: "it was"}}}); err != nil {
		return fmt.Errorf("demo: redoing: %w", err)
	}
	after, err := d.state(ctx, d.client)
	if err != nil {
		return err
	}
	if !proto.Equal(before, after) {
		return fmt.Errorf("%w: undo and redo led elsewhere", ErrProof)
	}
	return nil
}

// prove shows that the record alone gives what the server says.
func (d *demonstration) prove(ctx context.Context, live *eventv1.State) error {
	if err := d.waitForSeed(ctx); err != nil {
		return err
	}
	p := proof.New()
	if err := d.export(ctx, p.Add); err != nil {
		return err
	}
	report, err := p.Again(ctx, systems.Registry())
	if err != nil {
		return err
	}
	if !report.OK() {
		d.tell("%s", report)
		return fmt.Errorf("%w: %d problems", ErrProof, len(report.Problems))
	}
	d.proof = Proof{Commits: report.Commits, Hash: report.Hash, Faces: report.Faces, Sealed: report.Sealed, Events: report.Events}
	d.tell("  chain     %d commits follow each other, the last hash is %.16s...\n", report.Commits, report.Hash)
	d.tell("  dice      %d of %d open faces follow from the seed committed to before the fight\n", report.Faces, report.Faces)
	if report.Sealed > 0 {
		d.tell("            %d secret rolls are on branches whose seeds stay sealed\n", report.Sealed)
	}
	d.tell("  rules     %d of %d commits decided again, with %d commands of amendments: all come to what is on record\n", report.Decided, report.Commits, report.Redecided)
	if !proto.Equal(p.State(), live) {
		return fmt.Errorf("%w: the exported events fold to another state", ErrProof)
	}
	d.tell("  fold      %d events fold to the live state\n", report.Events)
	return d.proveReplica(ctx, live)
}

// proveReplica builds a second projection from the log alone.
func (d *demonstration) proveReplica(ctx context.Context, live *eventv1.State) (err error) {
	replica, err := d.Stack.Replica(ctx, d.EmptyDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, replica.Close()) }()
	again, err := d.state(ctx, encounterv1.NewEncounterServiceClient(replica.Conn()))
	if err != nil {
		return err
	}
	mine, err := d.Stack.ContentHash()
	if err != nil {
		return err
	}
	its, err := replica.ContentHash()
	if err != nil {
		return err
	}
	if !proto.Equal(again, live) || !bytes.Equal(mine, its) {
		return fmt.Errorf("%w: a projection made from the log alone differs", ErrProof)
	}
	d.proof.Replica = true
	d.tell("  replay    an empty database filled from the log equals the live one: %.16x...\n", its)
	return nil
}

// waitForSeed waits until the seed of the public dice is on the record: it is
// a Commit of its own after the end.
func (d *demonstration) waitForSeed(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, revealTimeout)
	defer cancel()
	stream, err := d.client.Watch(ctx, &encounterv1.WatchRequest{As: d.gm, Encounter: encounterID})
	if err != nil {
		return err
	}
	for {
		resp, err := stream.Recv()
		if err != nil {
			return fmt.Errorf("demo: waiting for the seed of the dice: %w", err)
		}
		for _, e := range resp.GetStep().GetEvents() {
			if e.GetDiceRevealed() != nil {
				return nil
			}
		}
	}
}

func (d *demonstration) export(ctx context.Context, add func([]byte)) error {
	stream, err := d.client.Export(ctx, &encounterv1.ExportRequest{As: d.gm, Encounter: encounterID})
	if err != nil {
		return err
	}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if resp.Pack == nil {
			add(resp.Commit)
		}
	}
}
