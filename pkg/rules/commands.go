package rules

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Limits of an encounter.
const (
	// MaxCreatures on one field.
	MaxCreatures = limits.Creatures
	// MaxIDLength of ids and of words that rules keep by name: items, marks,
	// counters, in bytes.
	MaxIDLength = limits.IDBytes
	// MaxCoordinate of a position in either direction, in feet.
	MaxCoordinate = limits.CoordinateFeet
	// MaxPath of one action, in points.
	MaxPath = limits.PathPoints
	// MaxCircumstances of one action.
	MaxCircumstances = limits.Circumstances
)

// Resolve carries out a command: what is the same in every system here, what
// differs by the system's methods. An AnswerDecision is no command of its own:
// the caller runs the command that asked again, with the answer recorded.
func Resolve(sys System, cmd *eventv1.Command) func(*Resolution) error {
	return func(r *Resolution) error {
		switch w := cmd.GetWhat().(type) {
		case *eventv1.Command_Create:
			return create(r, w.Create)
		case *eventv1.Command_Add:
			return add(r, w.Add)
		case *eventv1.Command_Remove:
			return remove(r, w.Remove)
		case *eventv1.Command_Edit:
			return edit(r, w.Edit)
		case *eventv1.Command_Start:
			return r.then(start(r, w.Start))
		case *eventv1.Command_Take:
			return r.then(take(r, w.Take))
		case *eventv1.Command_Together:
			return r.then(together(r, w.Together))
		case *eventv1.Command_EndTurn:
			return r.then(endTurn(r, w.EndTurn))
		case *eventv1.Command_End:
			return end(r, w.End)
		case *eventv1.Command_Set:
			return set(r, w.Set)
		case *eventv1.Command_Order:
			return order(r, w.Order)
		case *eventv1.Command_Reveal:
			return reveal(r, w.Reveal)
		case *eventv1.Command_AddEntropy:
			return addEntropy(r, w.AddEntropy)
		case *eventv1.Command_CloseEntropy:
			return closeNow(r)
		case *eventv1.Command_NameBeacon:
			return nameBeacon(r, w.NameBeacon)
		}
		return fault.Field("command", "names nothing that an encounter can do")
	}
}

func create(r *Resolution, c *eventv1.CreateEncounter) error {
	info := r.sys.Info()
	if v := CheckSettingsWith(r.sys, r.req.Content, c.Settings); len(v) > 0 {
		return fault.Fields(v)
	}
	if !slices.Equal(c.Packs, r.req.Content.Digests()) {
		return fault.Field("create.packs", "these packs are not there")
	}
	preset, err := presetNamed(r.sys, "create.preset", c.Preset)
	if err != nil {
		return err
	}
	policy, repeat := c.DicePolicy, c.RepeatPolicy
	if policy == eventv1.DicePolicy_DICE_POLICY_UNSPECIFIED {
		policy = eventv1.DicePolicy_DICE_POLICY_SERVER
	}
	if repeat == eventv1.RepeatPolicy_REPEAT_POLICY_UNSPECIFIED {
		repeat = eventv1.RepeatPolicy_REPEAT_POLICY_FRESH
	}
	r.Emit(event.Everyone(), &eventv1.EncounterCreated{Encounter: c.Encounter, Table: c.Table, Title: c.Title,
		System: info.ID, SystemVersion: info.Version, ContentDigest: ContentDigest(r.sys), Preset: preset.Name, Settings: r.chosen(preset, c.Settings), DicePolicy: policy,
		RepeatPolicy: repeat, DecisionSeconds: c.DecisionSeconds, Packs: c.Packs})
	if c.DiceFormat > 0 {
		return r.openDice(c)
	}
	r.Open(c.Entropy, "everyone", "gm") // of records of before, and where nobody is told of commitments
	return nil
}

func add(r *Resolution, c *eventv1.AddCreature) error {
	if err := notEnded(r); err != nil {
		return err
	}
	s := c.GetSheet()
	if effects.Refers(s) {
		c = proto.CloneOf(c) // the command stays as it was given
		s = c.Sheet
		if err := effects.Resolve(s, r.req.Content); err != nil {
			return err
		}
	}
	if v := CheckSheetWith(r.sys, r.req.Content, s); len(v) > 0 {
		return fault.Fields(v)
	}
	if r.Creature(s.Id) != nil {
		return fault.New(fault.Exists, "CREATURE_EXISTS", "there is already a creature %q", s.Id)
	}
	if err := onMap("add.position", c.Position); err != nil {
		return err
	}
	if err := r.checkWords("add.facts", PlaceJoin, "", c.Facts); err != nil {
		return err
	}
	if err := r.checkVitals("add.vitals", c.Vitals); err != nil {
		return err
	}
	if n := len(r.state.Creatures); n >= MaxCreatures {
		return fault.Limit("creatures", MaxCreatures, int64(n)+1)
	}
	read, by, err := r.readSheet(s)
	if err != nil {
		return err
	}
	if read != s {
		s, c = read, proto.CloneOf(c)
		c.Sheet = read
	}
	if err := r.place(c); err != nil {
		return err
	}
	r.Open(nil, "creature/"+s.Id)
	r.Emit(r.Audience(FactSheet, "", s.Id), &eventv1.SheetSet{Creature: s.Id, Sheet: s}, by...)
	if c.Position != nil {
		r.Move(&eventv1.Moved{Creature: s.Id, To: c.Position, Mode: "placed"})
	}
	return r.sys.Enter(r, c)
}

// CheckSheet says what is wrong with a sheet: the common core here, the
// system's section by the system.
func CheckSheet(sys System, s *eventv1.Sheet) []fault.Violation {
	return CheckSheetWith(sys, nil, s)
}

// CheckSheetWith is CheckSheet where content has conditions and feats of its own,
// for a sheet that is resolved.
func CheckSheetWith(sys System, content *effects.Book, s *eventv1.Sheet) []fault.Violation {
	if s == nil {
		return []fault.Violation{{Field: "sheet", Description: "missing"}}
	}
	var out []fault.Violation
	wrong := func(field, why string) {
		out = append(out, fault.Violation{Field: "sheet." + field, Description: why})
	}
	if err := text.ID(s.Id); err != nil {
		wrong("id", err.Error())
	}
	if err := text.Name(s.Name); err != nil {
		wrong("name", err.Error())
	}
	if err := text.Name(s.Side); err != nil {
		wrong("side", err.Error())
	}
	if s.HitPoints < 1 || s.HitPoints > 1_000_000 {
		wrong("hit_points", "must be 1 to 1000000")
	}
	if len(s.Controllers) > limits.Controllers {
		wrong("controllers", "at most "+itoa(limits.Controllers))
	}
	for i, name := range s.Controllers {
		if err := text.Name(name); err != nil {
			wrong("controllers["+itoa(i)+"]", err.Error())
		}
	}
	if err := text.ID(s.Patient); err != nil && s.Patient != "" {
		wrong("patient", err.Error())
	}
	out = append(out, checkParts(sys, s)...)
	if by, ok := sys.(SheetChecker); ok {
		return append(out, by.CheckSheetBy(content, s)...)
	}
	return append(out, sys.CheckSheet(s)...)
}

// onMap refuses a position beyond every map: sums of coordinates stay in range.
func onMap(field string, p *eventv1.Position) error {
	for _, axis := range []struct {
		name string
		feet int32
	}{{"x", p.GetX()}, {"y", p.GetY()}, {"z", p.GetZ()}} {
		if axis.feet < -MaxCoordinate || axis.feet > MaxCoordinate {
			return fault.Field(field+"."+axis.name, "must be -%d to %d feet, not %d", MaxCoordinate, MaxCoordinate, axis.feet)
		}
	}
	return nil
}

// ValidID tells whether a word can name an encounter, a table, a creature or a
// patient: it becomes a token of a subject.
func ValidID(id string) bool { return text.ID(id) == nil }

func notEnded(r *Resolution) error {
	if r.state.Status == eventv1.State_STATUS_ENDED {
		return fault.Refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	}
	return nil
}

func started(r *Resolution) error {
	if r.state.Status == eventv1.State_STATUS_OPEN {
		return fault.Refuse("NOT_STARTED", "", "the encounter has not begun")
	}
	return notEnded(r)
}

func present(r *Resolution, field, id string) error {
	if r.named(id) == nil {
		return r.unknownCreature(field, id)
	}
	return nil
}

func remove(r *Resolution, c *eventv1.RemoveCreature) error {
	if err := notEnded(r); err != nil {
		return err
	}
	if err := present(r, "remove.creature", c.Creature); err != nil {
		return err
	}
	if err := r.sys.Leave(r, c.Creature); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.CreatureRemoved{Creature: c.Creature, Reason: c.Reason})
	return nil
}

func start(r *Resolution, c *eventv1.StartEncounter) error {
	switch r.state.Status {
	case eventv1.State_STATUS_STARTED:
		return fault.Refuse("ALREADY_STARTED", "", "the encounter has begun already")
	case eventv1.State_STATUS_ENDED:
		return notEnded(r)
	}
	if len(r.state.Creatures) == 0 {
		return fault.Refuse("NO_CREATURES", "", "there is nobody to fight")
	}
	if err := r.checkWords("start.facts", PlaceStart, "", c.Facts); err != nil {
		return err
	}
	if err := closeEntropy(r); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.EncounterStarted{})
	return r.sys.Begin(r, c)
}

func take(r *Resolution, c *eventv1.TakeAction) error {
	c, err := r.takeable(c)
	if err != nil {
		return err
	}
	return r.carryOut(c)
}

// takeable checks what is the same for every action, and is the action that content has
// in its place.
func (r *Resolution) takeable(c *eventv1.TakeAction) (*eventv1.TakeAction, error) {
	if err := r.sound(c); err != nil {
		return nil, err
	}
	c = r.replaced(c)
	return c, r.checkAction(c)
}

// carryOut has an action done that is takeable.
func (r *Resolution) carryOut(c *eventv1.TakeAction) error {
	r.actor = c.Creature
	c, goOn, err := r.granted(c)
	if !goOn {
		return err
	}
	return r.sys.Act(r, c)
}

// sound checks that an action names what there is, within the limits.
func (r *Resolution) sound(c *eventv1.TakeAction) error {
	begun := started
	if p, ok := r.sys.(Preparer); ok && p.BeforeStart(c.Action) {
		begun = notEnded
	}
	if err := begun(r); err != nil {
		return err
	}
	if err := present(r, "take.creature", c.Creature); err != nil {
		return err
	}
	for i, t := range c.Targets {
		if err := present(r, "take.targets["+itoa(i)+"]", t); err != nil {
			return err
		}
	}
	if n := len(c.Path); n > MaxPath {
		return fault.Limit("points of a path", MaxPath, int64(n))
	}
	for i, p := range c.Path {
		if p == nil {
			return fault.Field("take.path["+itoa(i)+"]", "missing")
		}
		if err := onMap("take.path["+itoa(i)+"]", p); err != nil {
			return err
		}
	}
	if n := len(c.Targets); n > MaxCreatures {
		return fault.Limit("targets of an action", MaxCreatures, int64(n))
	}
	if n := len(c.Circumstances); n > MaxCircumstances {
		return fault.Limit("circumstances of an action", MaxCircumstances, int64(n))
	}
	for i, cc := range c.Circumstances {
		if !slices.Contains([]string{"advantage", "disadvantage", "modifier"}, cc.Direction) {
			return fault.Field("take.circumstances["+itoa(i)+"].direction", "must be advantage, disadvantage or modifier, not %q", cc.Direction)
		}
		if cc.Target != "" {
			if err := present(r, "take.circumstances["+itoa(i)+"].target", cc.Target); err != nil {
				return err
			}
		}
	}
	return nil
}

func endTurn(r *Resolution, c *eventv1.EndTurn) error {
	if err := started(r); err != nil {
		return err
	}
	id := c.Creature
	if id == "" {
		// Of those whose turn it is as far as the caller can know.
		if known := r.activeKnown(); len(known) == 1 {
			id = known[0]
		}
	}
	if id == "" {
		return fault.Field("end_turn.creature", "must be given when not exactly one creature acts")
	}
	if err := present(r, "end_turn.creature", id); err != nil {
		return err
	}
	if !slices.Contains(r.state.Active, id) {
		return notItsTurn(r, id)
	}
	return r.sys.EndTurn(r, id)
}

// activeKnown are those whose turn it is and of whom the caller knows.
func (r *Resolution) activeKnown() []string {
	var out []string
	for _, id := range r.state.Active {
		if event.KnownTo(r.state, r.state.Creatures[id], r.req.Caller) {
			out = append(out, id)
		}
	}
	return out
}

// notItsTurn refuses to end a turn for the reason that the options list.
func notItsTurn(r *Resolution, id string) error {
	for _, o := range r.sys.Options(Query{State: r.state, Creature: id, Content: r.req.Content}) {
		if o.Action == "end-turn" && !o.Legal {
			return fault.Refuse("NOT_YOUR_TURN", o.Rule, "%s", o.Reason)
		}
	}
	return fault.Refuse("NOT_YOUR_TURN", "", "it is not the turn of %q", id)
}

func end(r *Resolution, c *eventv1.EndEncounter) error {
	if err := notEnded(r); err != nil {
		return err
	}
	if err := r.sys.Finish(r); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.EncounterEnded{Reason: c.Reason})
	return nil
}
