package rulestest

import (
	"fmt"
	"strconv"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Environment variables of plays at random.
const (
	// EnvSeed plays one seed alone: the one that a failure named.
	EnvSeed = "SKALD_PLAY_SEED"
	// EnvLength is how many times its usual length the play lasts.
	EnvLength = "SKALD_RANDOM_PLAY"
)

// Game is how fights by the rules of a system are played at random. What it
// holds of every fight is said at [Game.Play]; the functions add what is the
// system's own. All but Set may be left out.
type Game struct {
	// Env reads the environment, as os.Getenv does.
	Env func(name string) string
	// Seeds is how many fights are played, as a rule.
	Seeds int
	// Steps is how many commands a fight has at most.
	Steps int
	// Rounds is how many rounds all fights together must come to, lest nothing
	// be tested any more without anybody noticing.
	Rounds int
	// Viewer is the creature of every fight whose player must be offered the
	// same, from what the player may see, as the game master; empty for none.
	Viewer string
	// Secret names the actions that hang on what the viewer's player is not told,
	// and that may be offered otherwise.
	Secret []string
	// AnyItem names the actions for which any word is an item.
	AnyItem []string
	// Unread names the parameters that are read only beside others, so that a
	// wrong value alone may pass.
	Unread []string
	// Signed names the counters of creatures that may be below zero.
	Signed []string

	// Set makes the fight, up to and with its start, and gives its table a
	// Roller.
	Set func(t *testing.T, c *Chance) *Table
	// Take changes an action that was made of an option at random.
	Take func(p *Play, o *eventv1.Option, take *eventv1.TakeAction)
	// Beyond tells that an action was refused for what no option can list, such
	// as where a way through space led.
	Beyond func(take *eventv1.TakeAction, why *fault.Fault) bool
	// Otherwise tells that an option listed as illegal may be refused by another
	// rule than it lists, because several forbid it.
	Otherwise func(o *eventv1.Option, why *fault.Fault) bool
	// Meddle has the game master, now and then, set hit points, move somebody,
	// take somebody off the field or bring one back.
	Meddle bool
	// Vex has something happen to somebody by the game master's word, now and
	// then.
	Vex func(p *Play)
	// Hold holds of the fight what the system's rules promise, after every
	// command that is carried out and whose decisions are answered.
	Hold func(p *Play)
}

// Play is a fight that is being played at random.
type Play struct {
	*Table
	// Chance decides everything.
	Chance *Chance

	game    Game
	asked   *Chance // decides what is asked beside the play, lest asking change it
	history []string
	// known are all actions and items that any option has named.
	known []known
	// full is the fold of everything, view that of what the viewer's player saw.
	full, view *eventv1.State
	// gone are those who were taken off the field and may come back.
	gone []*eventv1.AddCreature
	seen int
}

type known struct{ action, item string }

// Play plays the fights: options and answers at random, standing orders, now
// and then the game master's word. After every command, besides what a [Table] checks of
// each:
//
//   - every option listed as legal is accepted with any of the targets it
//     lists, with what it needs and with each further parameter alone;
//   - one listed as illegal is refused, and for the reason and by the rule
//     listed; so are actions, targets, items and values that are not listed;
//   - hit points and counters are in range, and nobody dead has the turn;
//   - every decision can be answered, and none stays behind;
//   - somebody can do something as long as two sides live;
//   - folding everything since the creation gives the state;
//   - a player is offered what the game master is;
//   - a query that leaves things out lists the rest as it stands in the whole list.
//
// A failure names its seed and the environment variable that repeats it,
// command by command and face by face.
func (g Game) Play(t *testing.T) {
	if g.Env == nil {
		g.Env = func(string) string { return "" }
	}
	if seed, err := strconv.ParseUint(g.Env(EnvSeed), 10, 64); err == nil {
		g.play(t, seed)
		return
	}
	times := 1
	if text := g.Env(EnvLength); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("%s is %q, want a whole number from 1", EnvLength, text)
		}
		times = n
	}
	if testing.Short() { // a look, as under the race detector
		for seed := range uint64(max(1, g.Seeds/8)) {
			t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) { g.play(t, seed) })
		}
		return
	}
	rounds := 0
	for seed := range uint64(times * g.Seeds) {
		t.Run(fmt.Sprintf("seed-%d", seed), func(t *testing.T) { rounds += g.play(t, seed) })
	}
	if rounds < g.Rounds*times && !t.Failed() {
		t.Errorf("only %d rounds were played, want %d", rounds, g.Rounds*times)
	}
}

// play plays the fight of a seed and returns its rounds.
func (g Game) play(t *testing.T, seed uint64) int {
	p := &Play{Chance: NewChance(seed), asked: NewChance(seed), game: g, full: event.NewState(), view: event.NewState()}
	defer func() {
		if t.Failed() {
			t.Logf("to repeat it: %s=%d; the last commands:", EnvSeed, seed)
			for _, h := range p.history[max(0, len(p.history)-12):] {
				t.Log(h)
			}
		}
	}()
	p.Table = g.Set(t, p.Chance)
	p.settle()
	p.hold()
	alone := 0
	for range g.Steps {
		if p.Chance.OneIn(4) {
			p.exact()
		}
		if p.livingSides() < 2 {
			alone++ // what comes after the fight is played for a little while
		}
		if alone > 12 || !p.step() {
			break
		}
		p.settle()
		p.hold()
	}
	rounds := int(p.State.Round)
	p.finish()
	return rounds
}

// step does one thing that is allowed; false when there is nothing to do.
func (p *Play) step() bool {
	p.T.Helper()
	switch {
	case p.Chance.OneIn(30):
		p.order()
		return true
	case p.game.Meddle && p.Chance.OneIn(40):
		p.meddle()
		return true
	case p.game.Vex != nil && p.Chance.OneIn(12):
		p.game.Vex(p)
		return true
	}
	legal := p.legal()
	if len(legal) == 0 {
		if p.livingSides() > 1 {
			p.T.Fatalf("round %d, phase %q, active %v: nobody may do anything and the fight is not over", p.State.Round, p.State.Phase, p.State.Active)
		}
		return false
	}
	o := p.choose(legal)
	// More than an option lists may be refused; the option must hold with less.
	for more := Pick(p.Chance, []int{0, 1, 1, 2, 5}); ; more = 0 {
		cmd, listed := p.command(o, more)
		why := p.try(cmd)
		if why == nil || more == 0 && p.beyond(cmd, why) {
			return true
		}
		if listed && !p.beyond(cmd, why) {
			p.T.Fatalf("listed as legal and refused: %v\noption %v\nrefusal %v", cmd, o, words(why))
		}
		if more == 0 {
			return true
		}
	}
}

// try carries out a command; it returns the refusal.
func (p *Play) try(cmd *eventv1.Command) *fault.Fault {
	p.T.Helper()
	p.history = append(p.history, fmt.Sprint(cmd))
	why := p.refusal(cmd, p.Try(cmd))
	if why != nil {
		p.history = p.history[:len(p.history)-1]
	}
	return why
}

func (p *Play) beyond(cmd *eventv1.Command, why *fault.Fault) bool {
	return p.game.Beyond != nil && cmd.GetTake() != nil && p.game.Beyond(cmd.GetTake(), why)
}

// order gives a creature a standing order.
func (p *Play) order() {
	p.T.Helper()
	orders := p.System.StandingOrders()
	ids := rules.SortedKeys(p.State.Creatures)
	if len(orders) == 0 || len(ids) == 0 {
		return
	}
	so := Pick(p.Chance, orders)
	p.must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: Pick(p.Chance, ids), Decision: so.Decision,
		Order: Pick(p.Chance, append([]string{"ask"}, so.Orders...))}}})
}

// meddle changes something by the game master's word: hit points, a place, who
// is on the field.
func (p *Play) meddle() {
	p.T.Helper()
	ids := without(rules.SortedKeys(p.State.Creatures), []string{p.game.Viewer})
	if len(ids) == 0 {
		return
	}
	c := p.Creature(Pick(p.Chance, ids))
	edit := &eventv1.EditCreature{Creature: c.Id}
	switch n := p.Chance.N(6); {
	case n == 0:
		p.gone = append(p.gone, &eventv1.AddCreature{Sheet: c.Sheet, Position: c.Position})
		p.must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: c.Id}}})
		return
	case n <= 2 && len(p.gone) > 0:
		p.must(&eventv1.Command{What: &eventv1.Command_Add{Add: p.gone[0]}})
		p.gone = p.gone[1:]
		return
	case n == 3 && c.Position != nil:
		edit.Position = &eventv1.Position{X: c.Position.X + int32(5*(p.Chance.N(9)-4)), Y: c.Position.Y}
	default:
		edit.Vitals = &eventv1.Vitals{Hp: proto.Int32(int32(p.Chance.N(int(c.GetHpMax()) + 1)))}
	}
	p.must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: edit}})
}

func (p *Play) must(cmd *eventv1.Command) {
	p.T.Helper()
	if why := p.try(cmd); why != nil {
		p.T.Fatalf("%v: %v", cmd, why)
	}
}

// settle answers what is open at random, in random order.
func (p *Play) settle() {
	p.T.Helper()
	for range 150 {
		if len(p.Decisions) == 0 {
			return
		}
		d := Pick(p.Chance, p.Decisions)
		a := &eventv1.Answer{}
		switch {
		case d.Kind == eventv1.DecisionKind_DECISION_KIND_NUMBER && d.Maximum >= d.Minimum:
			a.Number = d.Minimum + int32(p.Chance.N(int(d.Maximum-d.Minimum)+1))
		case len(d.Options) > 0:
			a.Option = Pick(p.Chance, d.Options).Id
		default:
			p.T.Fatalf("a decision that nobody can answer: %v", d)
		}
		p.history = append(p.history, fmt.Sprintf("%s of %s: %v", d.Name, d.Creature, a))
		if err := p.Settle(d, a); err != nil {
			p.T.Fatalf("answer %v to %s of %q: %v", a, d.Name, d.Creature, err)
		}
	}
	p.T.Fatalf("questions without end: %v", p.Decisions)
}

// finish ends the encounter.
func (p *Play) finish() {
	p.T.Helper()
	p.must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	p.settle()
	p.hold()
	p.WantActive()
	if ids := rules.SortedKeys(p.State.Creatures); len(ids) > 0 {
		if p.Try(EndTurn(ids[0])) == nil {
			p.T.Fatal("a turn ended after the encounter")
		}
	}
}

// livingSides counts the sides that have somebody alive.
func (p *Play) livingSides() int {
	sides := map[string]bool{}
	for _, id := range rules.SortedKeys(p.State.Creatures) {
		if c := p.Creature(id); c.Life == eventv1.LifeStatus_LIFE_STATUS_ALIVE {
			sides[c.Side] = true
		}
	}
	return len(sides)
}
