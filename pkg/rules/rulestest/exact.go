package rulestest

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// exact holds a sample of a creature's options against the deeds, without
// carrying any out: what is listed is accepted, what is not is refused, and
// what is listed as illegal is refused for the reason listed.
func (p *Play) exact() {
	p.T.Helper()
	ids := rules.SortedKeys(p.State.Creatures)
	if len(ids) == 0 {
		return
	}
	id := Pick(p.Chance, ids)
	if len(p.State.Active) > 0 && p.Chance.OneIn(2) {
		id = Pick(p.Chance, p.State.Active)
	}
	all := p.options(id)
	for _, o := range Some(p.Chance, all, 6) {
		switch {
		case !o.Legal:
			p.forbidden(o, ids)
		case o.Action == endTurn:
		default:
			p.listed(o)
			p.unlisted(o, ids)
		}
	}
	if k := Pick(p.Chance, p.known); !slices.ContainsFunc(all, func(o *eventv1.Option) bool { return o.Action == k.action && o.Item == k.item }) {
		p.refused("the action", Act(id, k.action, k.item, Pick(p.Chance, ids)), nil)
	}
}

// listed holds that a legal option is accepted, bare, to a square that it lists, and
// with one parameter more.
func (p *Play) listed(o *eventv1.Option) {
	p.T.Helper()
	if len(o.Squares) > 0 {
		cmd, _ := p.command(o, 0)
		take := cmd.GetTake()
		take.Path = []*eventv1.Position{Pick(p.Chance, o.Squares).At}
		delete(take.Parameters.GetFields(), "feet") // the path says how far
		if why := p.peek(cmd); why != nil {
			p.T.Fatalf("listed as within reach and refused: %v\noption %v\nrefusal %v", cmd, o, words(why))
		}
	}
	for more := range 2 {
		cmd, listed := p.command(o, more)
		if why := p.peek(cmd); why != nil && listed && !p.beyond(cmd, why) {
			p.T.Fatalf("listed as legal and refused: %v\noption %v\nrefusal %v", cmd, o, words(why))
		}
	}
}

// unlisted changes a legal option into what is not listed: another target, too
// many or none, another value of a parameter, another item.
func (p *Play) unlisted(o *eventv1.Option, ids []string) {
	p.T.Helper()
	if len(o.Choices) > 0 {
		return // what is listed is listed inside
	}
	change := func(what string, change func(*eventv1.TakeAction)) {
		p.T.Helper()
		cmd, _ := p.command(o, 0)
		change(cmd.GetTake())
		p.refused(what, cmd, o)
	}
	if others := without(ids, o.Targets); o.MaximumTargets > 0 && len(others) > 0 {
		change("the target", func(t *eventv1.TakeAction) { t.Targets = []string{Pick(p.Chance, others)} })
	}
	if len(o.Targets) > 0 {
		change("so many targets", func(t *eventv1.TakeAction) {
			t.Targets = slices.Repeat(o.Targets[:1], int(o.MaximumTargets)+1)
		})
	}
	if o.MinimumTargets > 0 {
		change("no target", func(t *eventv1.TakeAction) { t.Targets = nil })
	}
	if o.Item != "" && !slices.Contains(p.game.AnyItem, o.Action) {
		change("the item", func(t *eventv1.TakeAction) { t.Item = "no such thing" })
	}
	for _, x := range o.Parameters {
		if len(x.Values) == 0 || x.Type == "boolean" || slices.Contains(p.game.Unread, x.Name) {
			continue
		}
		value := structpb.NewStringValue("no such value")
		if x.Type == "number" {
			value = number(99)
		}
		change("the value of "+x.Name, func(t *eventv1.TakeAction) {
			if t.Parameters == nil {
				t.Parameters = Object()
			}
			t.Parameters.Fields[x.Name] = value
		})
	}
}

func (p *Play) refused(what string, cmd *eventv1.Command, o *eventv1.Option) {
	p.T.Helper()
	if p.peek(cmd) == nil {
		p.T.Fatalf("%s is not listed, and accepted: %v\noption %v", what, cmd, o)
	}
}

// forbidden takes an option that is listed as illegal, with everybody for its
// target when it needs one: each is refused, one at least for the reason
// listed.
func (p *Play) forbidden(o *eventv1.Option, ids []string) {
	p.T.Helper()
	if o.Reason == "" || o.Rule == "" {
		p.T.Fatalf("illegal without a reason or a rule: %v", o)
	}
	cmd, listed := p.command(o, 0)
	take := cmd.GetTake()
	// A value that the play makes up may be refused before all else.
	listed = listed && !slices.ContainsFunc(o.Parameters, func(x *eventv1.Parameter) bool { return x.Required && len(x.Values) == 0 && x.Type != "boolean" })
	targets := [][]string{take.GetTargets()}
	if need := int(o.MinimumTargets); need > len(take.GetTargets()) {
		targets = nil
		for _, id := range ids {
			targets = append(targets, append([]string{id}, Some(p.Chance, without(ids, []string{id}), need-1)...))
		}
	}
	if take != nil && o.MinimumTargets == 0 {
		if why := p.peek(cmd); why != nil && aimless(why) { // who refuses it is not listed
			for _, id := range ids {
				targets = append(targets, []string{id})
			}
		}
	}
	said := false
	var whys []string
	for _, list := range targets {
		if take != nil {
			take.Targets = list
		}
		why := p.peek(cmd)
		if why == nil {
			p.T.Fatalf("listed as illegal and accepted: %v\noption %v", cmd, o)
		}
		whys = append(whys, words(why))
		// With targets the listed reason may sum up those of all.
		said = said || why.Rule == o.Rule && (why.Message == o.Reason || len(list) > 0) ||
			why.Rule == "" && why.Message == o.Reason ||
			take == nil && why.Rule == "" || // before the system is asked, it is not one's turn
			!listed && why.Code != fault.Illegal ||
			o.Reason == play.NothingToChoose && why.Code == fault.Illegal ||
			p.game.Otherwise != nil && p.game.Otherwise(o, why)
	}
	if !said {
		p.T.Fatalf("refused, but not as listed: %v\noption %v\nrefusals %v", cmd, o, whys)
	}
}

// peek is the refusal of a command that is not carried out.
func (p *Play) peek(cmd *eventv1.Command) *fault.Fault {
	p.T.Helper()
	return p.refusal(cmd, p.Peek(cmd))
}

// refusal holds that an error is a refusal.
func (p *Play) refusal(cmd *eventv1.Command, err error) *fault.Fault {
	p.T.Helper()
	if err == nil {
		return nil
	}
	why, ok := fault.As(err)
	if !ok || why.Code != fault.Illegal && why.Code != fault.Invalid && why.Code != fault.NotFound {
		p.T.Fatalf("%v: %v is no refusal", cmd, err)
	}
	return why
}

func words(why *fault.Fault) string {
	return fmt.Sprintf("%v (%s, rule %q)", why, why.Reason, why.Rule)
}

func without(list, gone []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return slices.Contains(gone, id) })
}

// aimless tells whether a command was refused for how many targets it names.
func aimless(why *fault.Fault) bool {
	return slices.ContainsFunc(why.Violations, func(v fault.Violation) bool { return v.Field == "take.targets" })
}
