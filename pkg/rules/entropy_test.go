package rules_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func give(c *eventv1.AddEntropy) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: c}}
}

func beaconOf(c *eventv1.NameBeacon) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_NameBeacon{NameBeacon: c}}
}

var (
	closing  = &eventv1.Command{What: &eventv1.Command_CloseEntropy{CloseEntropy: &eventv1.CloseEntropy{}}}
	starting = &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}
	drand    = &eventv1.Beacon{Name: "drand", Round: 7}
)

// committed is a fight before its start whose dice take entropy.
func committed(t *testing.T, c *eventv1.CreateEncounter) *eventv1.State {
	t.Helper()
	c.DiceFormat = 2
	return then(t, event.NewState(), create(c), addOf(&eventv1.AddCreature{Sheet: sheetOf("a")}))
}

// Dice take entropy once from each, between their commitments and their first roll.
func TestEntropyIsGivenOnceByEach(t *testing.T) {
	s := committed(t, &eventv1.CreateEncounter{})
	for name, c := range map[string]struct {
		cmd  *eventv1.Command
		want string
	}{
		"bytes":         {give(&eventv1.AddEntropy{Value: []byte{1}}), ""},
		"words":         {give(&eventv1.AddEntropy{Words: "tea"}), ""},
		"both":          {give(&eventv1.AddEntropy{Value: []byte{1}, Words: "tea"}), "add_entropy.words"},
		"nothing":       {give(&eventv1.AddEntropy{}), "add_entropy.value"},
		"as many bytes": {give(&eventv1.AddEntropy{Value: make([]byte, limits.EntropyBytes)}), ""},
		"more bytes":    {give(&eventv1.AddEntropy{Value: make([]byte, limits.EntropyBytes+1)}), "LIMIT_EXCEEDED"},
		"no promise":    {give(&eventv1.AddEntropy{Value: []byte{1}, Beacon: drand}), rules.ReasonBeacon},
	} {
		if _, err := try(s, ann, c.cmd); limited(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	s = steps(t, s, ann, give(&eventv1.AddEntropy{Words: "tea"}))
	if e := s.Entropy; len(e) != 1 || e[0].Contributor != "player/ann" || string(e[0].Value) != "tea" {
		t.Fatalf("%v", e)
	}
	if _, err := try(s, ann, give(&eventv1.AddEntropy{Words: "cake"})); wrong(err) != rules.ReasonEntropyGiven {
		t.Errorf("twice: %v", err)
	}
	s = steps(t, s, bob, give(&eventv1.AddEntropy{Words: "cake"}))
	s = steps(t, s, gm, give(&eventv1.AddEntropy{Words: "pie"}))
	if e := s.Entropy; len(e) != 3 || e[1].Contributor != "player/bob" || e[2].Contributor != "gm/gm" {
		t.Fatalf("%v", e)
	}
	for name, cmd := range map[string]*eventv1.Command{"closed": closing, "begun": starting} {
		after := steps(t, s, gm, cmd)
		for what, late := range map[string]*eventv1.Command{"entropy": give(&eventv1.AddEntropy{Words: "x"}), "a beacon": beaconOf(&eventv1.NameBeacon{Beacon: drand}), "closing": closing} {
			if _, err := try(after, &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "eve"}, late); wrong(err) != rules.ReasonEntropyClosed {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	// No more of them than the limit, whoever they are.
	full := committed(t, &eventv1.CreateEncounter{})
	for i := range limits.EntropyMixed {
		p := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "p" + strings.Repeat("x", i%50) + string(rune('a'+i/50))}
		full = steps(t, full, p, give(&eventv1.AddEntropy{Words: "x"}))
	}
	if _, err := try(full, gm, give(&eventv1.AddEntropy{Words: "x"})); limited(err) != "LIMIT_EXCEEDED" {
		t.Errorf("one more: %v", err)
	}
}

// limited is wrong, with limits told apart.
func limited(err error) string {
	if f, ok := fault.As(err); ok && f.Code == fault.Exhausted {
		return "LIMIT_EXCEEDED"
	}
	return wrong(err)
}

func steps(t *testing.T, s *eventv1.State, by *eventv1.Principal, cmd *eventv1.Command) *eventv1.State {
	t.Helper()
	out, err := try(s, by, cmd)
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	return out.State
}

// A round of a beacon that was promised is given before the dice close, or waived.
func TestAPromisedBeacon(t *testing.T) {
	other, later := &eventv1.Beacon{Name: "nist", Round: 7}, &eventv1.Beacon{Name: "drand", Round: 8}
	value := func(b *eventv1.Beacon) *eventv1.Command {
		return give(&eventv1.AddEntropy{Value: []byte{9}, Beacon: b})
	}
	waive := beaconOf(&eventv1.NameBeacon{Waive: true, Reason: "it is down"})
	promised := committed(t, &eventv1.CreateEncounter{Beacon: drand})
	given, waived := steps(t, promised, ann, value(drand)), steps(t, promised, gm, waive)
	plain := committed(t, &eventv1.CreateEncounter{})
	long := strings.Repeat("x", limits.LineBytes)
	for name, c := range map[string]struct {
		s    *eventv1.State
		cmd  *eventv1.Command
		want string
	}{
		"its value":                 {promised, value(drand), ""},
		"another's":                 {promised, value(other), "add_entropy.beacon"},
		"another round":             {promised, value(later), "add_entropy.beacon"},
		"given again":               {given, value(drand), rules.ReasonEntropyGiven},
		"after it was waived":       {waived, value(drand), rules.ReasonBeacon},
		"closing without it":        {promised, closing, rules.ReasonBeaconMissing},
		"starting without it":       {promised, starting, rules.ReasonBeaconMissing},
		"closing with it":           {given, closing, ""},
		"starting with it":          {given, starting, ""},
		"closing, waived":           {waived, closing, ""},
		"closing, none promised":    {plain, closing, ""},
		"waiving":                   {promised, waive, ""},
		"waiving and naming":        {promised, beaconOf(&eventv1.NameBeacon{Waive: true, Beacon: later}), "name_beacon.beacon"},
		"waiving what is given":     {given, waive, rules.ReasonBeacon},
		"waiving twice":             {waived, waive, rules.ReasonBeacon},
		"waiving nothing":           {plain, waive, rules.ReasonBeacon},
		"promising":                 {plain, beaconOf(&eventv1.NameBeacon{Beacon: drand}), ""},
		"promising another":         {promised, beaconOf(&eventv1.NameBeacon{Beacon: later}), rules.ReasonBeacon},
		"promising another, given":  {given, beaconOf(&eventv1.NameBeacon{Beacon: later}), rules.ReasonBeacon},
		"promising another, waived": {waived, beaconOf(&eventv1.NameBeacon{Beacon: later}), ""},
		"promising round 0":         {plain, beaconOf(&eventv1.NameBeacon{Beacon: &eventv1.Beacon{Name: "drand"}}), "name_beacon.beacon.round"},
		"promising no name":         {plain, beaconOf(&eventv1.NameBeacon{Beacon: &eventv1.Beacon{Round: 1}}), "name_beacon.beacon.name"},
		"as long a reason":          {promised, beaconOf(&eventv1.NameBeacon{Waive: true, Reason: long}), ""},
		"a longer reason":           {promised, beaconOf(&eventv1.NameBeacon{Waive: true, Reason: long + "x"}), "name_beacon.reason"},
	} {
		if _, err := try(c.s, gm, c.cmd); wrong(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if e := given.Entropy; len(e) != 1 || e[0].Contributor != "beacon/drand/7" || !given.Beacon.Given {
		t.Errorf("%v, %v", e, given.Beacon)
	}
	if b := waived.Beacon; !b.Waived || b.Beacon.GetRound() != 7 {
		t.Errorf("%v", b)
	}
	// A creator who promises badly is told at once.
	for field, b := range map[string]*eventv1.Beacon{"create.beacon.round": {Name: "drand"}, "create.beacon.name": {Round: 1}} {
		if _, err := try(event.NewState(), gm, create(&eventv1.CreateEncounter{DiceFormat: 2, Beacon: b})); wrong(err) != field {
			t.Errorf("%v: %v", b, err)
		}
	}
}

// When secret dice open is said once, and makes sense.
func TestWhenSecretDiceOpen(t *testing.T) {
	const century = 100 * 365 * 24 * 60 * 60
	const after, end = eventv1.SecretDice_WHEN_AFTER, eventv1.SecretDice_WHEN_END
	for name, c := range map[string]struct {
		s    *eventv1.SecretDice
		want string
	}{
		"nothing said":           {nil, ""},
		"at the end":             {&eventv1.SecretDice{When: end}, ""},
		"a day after":            {&eventv1.SecretDice{When: after, SecondsAfterEnd: 86400}, ""},
		"a century after":        {&eventv1.SecretDice{When: after, SecondsAfterEnd: century}, ""},
		"longer":                 {&eventv1.SecretDice{When: after, SecondsAfterEnd: century + 1}, "create.secret_dice.seconds_after_end"},
		"before the end":         {&eventv1.SecretDice{When: after, SecondsAfterEnd: -1}, "create.secret_dice.seconds_after_end"},
		"at a time":              {&eventv1.SecretDice{When: after, UnixMillis: 1}, ""},
		"at a time before all":   {&eventv1.SecretDice{When: after, UnixMillis: -1}, "create.secret_dice.unix_millis"},
		"after, and no time":     {&eventv1.SecretDice{When: after}, "create.secret_dice"},
		"a time, and not after":  {&eventv1.SecretDice{When: end, UnixMillis: 1}, "create.secret_dice.when"},
		"seconds, and not after": {&eventv1.SecretDice{When: end, SecondsAfterEnd: 1}, "create.secret_dice.when"},
		"never heard of":         {&eventv1.SecretDice{When: 99}, "create.secret_dice.when"},
	} {
		out, err := try(event.NewState(), gm, create(&eventv1.CreateEncounter{DiceFormat: 2, SecretDice: c.s}))
		if wrong(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err != nil || c.s == nil {
			continue
		}
		if !slices.ContainsFunc(out.Events, func(e *eventv1.Event) bool { return e.GetDiceEpoch().GetSecret().String() == c.s.String() }) {
			t.Errorf("%s: it is not told", name)
		}
	}
}

// What is about the dice alone is no part of the fight.
func TestCommandsOfTheDiceAlone(t *testing.T) {
	for _, cmd := range []*eventv1.Command{give(&eventv1.AddEntropy{}), closing, beaconOf(&eventv1.NameBeacon{}), {What: &eventv1.Command_OpenRolls{}}, {What: &eventv1.Command_OpenDice{}}} {
		if !rules.Apart(cmd) {
			t.Errorf("%v", cmd)
		}
	}
	for _, cmd := range []*eventv1.Command{starting, attack, {}} {
		if rules.Apart(cmd) {
			t.Errorf("%v", cmd)
		}
	}
}

// toyOrder is the toy with an order of dice and somebody waited for.
type toyOrder struct{ toy }

func (toyOrder) DiceOrder(*eventv1.State) []string { return []string{"b", "a"} }

// The dice of several fall in the order of their ids, unless the system has its own.
func TestDiceOrder(t *testing.T) {
	s := fightState(t)
	if got := rules.DiceOrder(toy{}, s); !slices.Equal(got, []string{"a", "b"}) {
		t.Error(got)
	}
	if got := rules.DiceOrder(toyOrder{}, s); !slices.Equal(got, []string{"b", "a"}) {
		t.Error(got)
	}
	if got := rules.Awaited(toy{}, s, nil); len(got) != 0 {
		t.Error(got)
	}
	s.Active = []string{"b"}
	if got := rules.Awaited(toy{}, s, nil); !slices.Equal(got, []string{"b"}) {
		t.Error(got)
	}
}

// What a setting of every table stands at: as set, or its default; nothing else has one.
func TestSettingsOfTheTable(t *testing.T) {
	s := fightState(t)
	delete(s.Settings, rules.SettingContests)
	if got := rules.OfTable(s, rules.SettingContests); got != rules.ContestsSeen {
		t.Error(got)
	}
	if got := rules.OfTable(s, rules.SettingTakeBack); got != rules.TakeBackGameMaster {
		t.Error(got)
	}
	s.Settings = map[string]string{rules.SettingContests: rules.ContestsOff}
	if got := rules.OfTable(s, rules.SettingContests); got != rules.ContestsOff {
		t.Error(got)
	}
	if got := rules.OfTable(s, "toy.none"); got != "" {
		t.Error(got)
	}
}

// An answer given ahead that is none of those allowed is set aside, once, and said so;
// the question is asked.
func TestAnAnswerAheadThatIsNone(t *testing.T) {
	s := &session{base: fightState(t), t: &table{tape: true, faces: []int32{15, 3, 1, 2}}}
	early := []*eventv1.EarlyAnswer{{Decision: "parry", Creature: "b", Answer: &eventv1.Answer{Option: "perhaps"}}, {Decision: "parry", Creature: "b", Answer: &eventv1.Answer{Option: "perhaps"}}}
	must(t, s.run(t, early))
	said := func() (n int) {
		for _, e := range s.events {
			if strings.Contains(e.GetNote().GetText(), `the answer given ahead to parry is set aside: "perhaps" is not one of yes, no`) && slices.Equal(e.Audience.Creatures, []string{"b"}) {
				n++
			}
		}
		return n
	}
	if len(s.open) != 1 || s.open[0].Name != "parry" || said() != 1 {
		t.Fatalf("open %v, said %d times", s.open, said())
	}
	s.answer(t, "no")
	if said() != 1 {
		t.Errorf("said %d times in the end", said())
	}
}

// Only the game master answers ahead for whoever it likes.
func TestWhoAnswersAhead(t *testing.T) {
	s := fightState(t)
	answer := func(creature string) []*eventv1.EarlyAnswer {
		return []*eventv1.EarlyAnswer{{Decision: "endure", Answer: &eventv1.Answer{Option: "no"}}, {Decision: "parry", Creature: creature, Answer: &eventv1.Answer{Option: "no"}}}
	}
	for name, c := range map[string]struct {
		by   *eventv1.Principal
		list []*eventv1.EarlyAnswer
		want string
	}{
		"the game master":  {gm, answer("b"), ""},
		"her own":          {ann, answer("a"), ""},
		"another's":        {ann, answer("b"), "command.answers[1].creature"},
		"nobody's":         {ann, answer("zed"), "command.answers[1].creature"},
		"whom it concerns": {bob, answer(""), ""},
		"a hole":           {gm, []*eventv1.EarlyAnswer{nil}, "command.answers[0]"},
	} {
		err := rules.Ahead(s, c.by, "command.answers", c.list)
		if wrong(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err == nil && c.list[0].By != c.by {
			t.Errorf("%s: they are not its own", name)
		}
	}
}

// Faces of an answer are those of one roll of what was asked, no fewer and no more.
func TestFacesOfARoll(t *testing.T) {
	for _, c := range []struct {
		expression string
		faces      []int32
		fits       bool
	}{
		{"2d6", []int32{1, 6}, true}, {"2d6", []int32{1}, false}, {"2d6", nil, false}, {"2d6", []int32{1, 6, 3}, false}, {"2d6", []int32{0, 6}, false}, {"2d6", []int32{1, 7}, false},
		{"1d20+4", []int32{20}, true}, {"1d20+4", []int32{21}, false}, {"2d20kh1", []int32{3, 4}, true}, {"2d20kh1", []int32{3}, false}, {"d", []int32{3}, false},
		{"1d6!", []int32{6, 2}, true}, {"1d6!", []int32{6}, false}, {"1d6!", []int32{5, 2}, false},
	} {
		if err := rules.FacesFit(c.expression, c.faces); (err == nil) != c.fits {
			t.Errorf("%s %v: %v", c.expression, c.faces, err)
		}
	}
	d := &eventv1.Decision{Kind: eventv1.DecisionKind_DECISION_KIND_DICE, Expression: "1d6"}
	if err := rules.CheckAnswer(d, &eventv1.Answer{Faces: []int32{7}}); wrong(err) != "answer.faces" {
		t.Error(err)
	}
	if err := rules.CheckAnswer(d, &eventv1.Answer{Faces: []int32{6}}); err != nil {
		t.Error(err)
	}
	n := &eventv1.Decision{Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Minimum: 2, Maximum: 4}
	for number, fits := range map[int32]bool{1: false, 2: true, 4: true, 5: false} {
		if err := rules.CheckAnswer(n, &eventv1.Answer{Number: number}); (err == nil) != fits {
			t.Errorf("%d: %v", number, err)
		}
	}
}

// What a player says of the world counts, is the game master's to say, or is asked
// about, by the table's setting.
func TestWhatPlayersMayStateByTheTable(t *testing.T) {
	take := &eventv1.TakeAction{Creature: "a", Action: "attack", Targets: []string{"b"}, Facts: object(t, map[string]any{"cover": "none"}),
		Circumstances: []*eventv1.Circumstance{{Direction: "modifier", Value: 2, Kind: "height", Cause: "the wall", Target: "b"}, {Direction: "advantage"}}}
	run := func(value string, by *eventv1.Principal) (*rules.Outcome, error) {
		s := fightState(t)
		event.Fold(s, event.New(event.Everyone(), &eventv1.SettingChanged{Setting: rules.SettingPlayerFacts, Value: value}))
		return rules.Run(context.Background(), toy{}, rules.Request{State: s, Action: 9, Caller: by, Faces: []int32{2}}, &table{}, rules.Resolve(toy{}, takeOf(take)))
	}
	const words = "cover none, circumstances[0] modifier +2 (height) (the wall) against b, circumstances[1] advantage"
	for name, c := range map[string]struct {
		value string
		by    *eventv1.Principal
		asked bool
		want  string
	}{
		"free":                 {rules.PlayerFactsFree, ann, false, ""},
		"refused":              {rules.PlayerFactsRefuse, ann, false, "take.facts.cover"},
		"proposed":             {rules.PlayerFactsPropose, ann, true, ""},
		"of the game master":   {rules.PlayerFactsRefuse, gm, false, ""},
		"of nobody in service": {rules.PlayerFactsRefuse, nil, false, ""},
	} {
		out, err := run(c.value, c.by)
		if wrong(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
			continue
		}
		if f, ok := fault.As(err); ok && (f.Code != fault.Denied || !strings.HasSuffix(f.Message, words) || len(f.Violations) != 3) {
			t.Errorf("%s: %v", name, f)
		}
		if err == nil && (len(out.Open) == 1 && out.Open[0].Name == rules.DecisionClaim) != c.asked {
			t.Errorf("%s: asked %v", name, out.Open)
		}
		if c.asked && (len(out.Open[0].Claims) != 3 || out.Open[0].Claims[1].Value != "modifier +2 (height) (the wall) against b") {
			t.Errorf("%s: %v", name, out.Open[0].Claims)
		}
	}
}

// listens is the toy that keeps what it is told to do.
type listens struct {
	toy
	heard **eventv1.TakeAction
}

func (l listens) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	*l.heard = take
	r.Note(event.Everyone(), take.Creature, "done")
	return nil
}

// What a ruling states is no claim of the player's: it counts whatever becomes of the
// rest, and it comes after what the player says.
func TestWhatARulingStatesIsNoClaim(t *testing.T) {
	mine := &eventv1.Circumstance{Direction: "advantage", Cause: "mine"}
	theirs := &eventv1.Circumstance{Direction: "disadvantage", Cause: "theirs"}
	take := func() *eventv1.TakeAction {
		return &eventv1.TakeAction{Creature: "a", Action: "attack", Targets: []string{"b"}, Facts: object(t, map[string]any{"cover": "none", "light": "dim"}),
			Parameters: object(t, map[string]any{"power": 3}), Circumstances: []*eventv1.Circumstance{mine, theirs}}
	}
	ruled := &eventv1.TakeAction{Facts: object(t, map[string]any{"light": "dim"}), Circumstances: []*eventv1.Circumstance{theirs}}
	for name, c := range map[string]struct {
		ruled         *eventv1.TakeAction
		answer        string
		claims        []string
		facts         []string
		circumstances []string
	}{
		"granted":            {ruled, "grant", []string{"take.facts.cover", "take.circumstances[0]"}, []string{"cover", "light"}, []string{"mine", "theirs"}},
		"ignored":            {ruled, "ignore", []string{"take.facts.cover", "take.circumstances[0]"}, []string{"light"}, []string{"theirs"}},
		"ignored, no ruling": {nil, "ignore", []string{"take.facts.cover", "take.facts.light", "take.circumstances[0]", "take.circumstances[1]"}, nil, nil},
		"called off":         {ruled, "call-off", []string{"take.facts.cover", "take.circumstances[0]"}, nil, nil},
	} {
		var heard *eventv1.TakeAction
		sys := listens{heard: &heard}
		req := rules.Request{State: fightState(t), Action: 9, Caller: ann, Ruled: c.ruled}
		out, err := rules.Run(context.Background(), sys, req, &table{}, rules.Resolve(sys, takeOf(take())))
		if err != nil || len(out.Open) != 1 {
			t.Fatalf("%s: %v, %v", name, err, out)
		}
		var claims []string
		for _, x := range out.Open[0].Claims {
			claims = append(claims, x.Field)
		}
		if !slices.Equal(claims, c.claims) {
			t.Errorf("%s: claimed %v, want %v", name, claims, c.claims)
		}
		heard = nil
		req.Recorded, req.Published = append(out.Inputs, rules.Answered(out.Open[0], &eventv1.Answer{Option: c.answer}, "answer")), out.Events
		if out, err = rules.Run(context.Background(), sys, req, &table{}, rules.Resolve(sys, takeOf(take()))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		done := slices.ContainsFunc(out.Events, func(e *eventv1.Event) bool { return e.GetNote().GetText() == "done" })
		if done != (c.answer != "call-off") {
			t.Errorf("%s: done %v", name, done)
		}
		if !done {
			continue
		}
		var causes []string
		for _, x := range heard.GetCircumstances() {
			causes = append(causes, x.Cause)
		}
		if !slices.Equal(rules.SortedKeys(heard.GetFacts().GetFields()), append([]string{}, c.facts...)) || !slices.Equal(causes, c.circumstances) || heard.GetParameters().GetFields()["power"] == nil {
			t.Errorf("%s: %v", name, heard)
		}
	}
}
