package effects

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/limits"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// plans of sections by the name of the message: they never change.
var plans sync.Map

// effect is an effect, compiled.
type effect struct {
	kind   Kind
	src    *contentv1.Effect
	cite   Cite
	point  string
	when   *expr // nil holds always
	amount *expr // nil is 0, or what the kind says
	// ofBlow: on a weapon it counts for blows with it alone.
	ofBlow bool
	// own: of the book's own content, by the rule that is cited.
	own bool
	// nested are the effects of an aura, or what comes of a failed saving throw;
	// passed what comes of one that succeeds.
	nested, passed []*effect
}

// number is the effect's amount where base is what it changes; 0 when it has
// none.
func (e *effect) number(s *scene, base int32) (int32, bool) {
	if e.amount == nil {
		return 0, true
	}
	s.base = base
	return e.amount.value(s)
}

// compiler makes effects of a pack and collects what is wrong.
type compiler struct {
	base     Base
	book     *Book
	pack     string
	own      bool     // it is the book's own content
	conds    []string // conditions that content may name; nil means any
	settings func(id string) bool
	problems []Problem
	cost     uint64
	effects  int
}

func (k *compiler) wrong(field, format string, args ...any) {
	k.problems = append(k.problems, Problem{Field: field, Text: fmt.Sprintf(format, args...)})
}

// unknown reports a word that is not known; nothing is checked against nil.
func (k *compiler) unknown(field, what, got string, known []string) {
	if known == nil || slices.Contains(known, got) {
		return
	}
	k.problems = append(k.problems, Problem{Field: field, Text: fmt.Sprintf("there is no %s %q", what, got), Got: got, Known: known})
}

// scope is where an effect stands.
type scope struct {
	cite    Cite
	slot    Slot
	trigger string // of the effect above it; empty at the top
	saves   bool   // it stands under a saving throw
	aura    bool   // it stands in an aura
}

func (k *compiler) list(field string, in []*contentv1.Effect, at scope) []*effect {
	if len(in) > limits.EffectsEach {
		k.wrong(field, "%d effects; at most %d", len(in), limits.EffectsEach)
		return nil
	}
	out := make([]*effect, 0, len(in))
	for i, e := range in {
		if c := k.effect(fmt.Sprintf("%s[%d]", field, i), e, at); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// effect compiles one effect; nil when something is wrong with it.
func (k *compiler) effect(field string, in *contentv1.Effect, at scope) *effect {
	before := len(k.problems)
	k.effects++
	e := &effect{src: in, cite: at.cite, kind: kindOf(in)}
	if e.kind == 0 {
		k.wrong(field, "it says nothing of what it does; one of %s", strings.Join(kindNames(), ", "))
		return nil
	}
	if _, carried := k.base.Support.Kinds[e.kind]; !carried {
		k.problems = append(k.problems, Problem{Field: field + "." + e.kind.String(),
			Text: fmt.Sprintf("the system %s does not carry out effects of the kind %s", k.base.System, e.kind)})
		return nil
	}
	if in.Rule != "" {
		if k.base.Rule != nil && !k.own && !k.base.Rule(in.Rule) {
			k.wrong(field+".rule", "there is no rule %q", in.Rule)
		}
		e.cite.Rule, e.own = in.Rule, k.own
	}
	k.placed(field, e, at)
	var err error
	if in.When != "" {
		if e.when, err = condition(in.When, k.settings); err != nil {
			k.wrong(field+".when", "%s", err)
		}
	}
	k.details(field+"."+e.kind.String(), e, at)
	if e.when != nil {
		k.cost += e.when.cost
	}
	if e.amount != nil {
		k.cost += e.amount.cost
	}
	if len(k.problems) > before {
		return nil
	}
	return e
}

// happens are the kinds that happen when something sets them off; the others
// hold all the time.
var happens = map[Kind]bool{KindCondition: true, KindDamage: true, KindSave: true, KindUse: true,
	KindTemporaryHitPoints: true, KindHealing: true, KindHook: true}

// placed checks trigger and whom against the kind and the place.
func (k *compiler) placed(field string, e *effect, at scope) {
	t := e.src.Trigger
	switch {
	case at.saves && t != "":
		k.wrong(field+".trigger", "what comes of a saving throw has no trigger of its own")
	case at.saves && !happens[e.kind]:
		k.wrong(field+"."+e.kind.String(), "%s holds rather than happens: it cannot come of a saving throw", e.kind)
	case at.saves:
	case happens[e.kind] && t == "":
		k.wrong(field+".trigger", "missing: %s happens when something sets it off, one of %s", e.kind, strings.Join(k.triggers(), ", "))
	case !happens[e.kind] && t != "":
		k.wrong(field+".trigger", "%s holds rather than happens: it has no trigger; use when", e.kind)
	case t != "":
		k.unknown(field+".trigger", "trigger", t, k.triggers())
	}
	if w := e.src.Whom; w != "" {
		k.unknown(field+".whom", "whom", w, []string{"self", "actor", "target"})
	}
	switch e.kind {
	case KindCriticalRange:
		e.ofBlow = true
	}
	switch t {
	case TriggerHit, TriggerMiss, TriggerCritical, TriggerKill:
		e.ofBlow = true
	}
}

func (k *compiler) triggers() []string {
	if k.base.Support.Triggers != nil {
		return k.base.Support.Triggers
	}
	return triggers
}

// blows are the points that a weapon's own effects count for with it alone.
var blows = []string{"attack", "damage"}

// at compiles the point of an effect.
func (k *compiler) at(field string, e *effect, point string) {
	e.point = point
	if point == "" {
		k.wrong(field, "missing; one of %s", strings.Join(k.base.Support.Kinds[e.kind], ", "))
		return
	}
	known := k.base.Support.Kinds[e.kind]
	if !knownPoint(known, point) {
		k.problems = append(k.problems, Problem{Field: field, Text: fmt.Sprintf("there is no point %q for %s", point, e.kind), Got: point, Known: withWholes(known)})
	}
	whole, _, _ := strings.Cut(point, "/")
	e.ofBlow = slices.Contains(blows, whole)
}

// withWholes are points and the wholes that they are parts of.
func withWholes(points []string) []string {
	out := slices.Clone(points)
	for _, p := range points {
		if whole, _, _ := strings.Cut(p, "/"); !slices.Contains(out, whole) {
			out = append(out, whole)
		}
	}
	return out
}

// knownPoint tells whether a point is one of those known, or the whole of one.
func knownPoint(known []string, point string) bool {
	for _, p := range known {
		if p == point || strings.HasPrefix(p, point+"/") {
			return true
		}
	}
	return false
}

// amount compiles a number; empty stays nil unless it is wanted.
func (k *compiler) amount(field, text string, wanted bool) *expr {
	if text == "" {
		if wanted {
			k.wrong(field, "missing")
		}
		return nil
	}
	x, err := number(text, k.settings)
	if err != nil {
		k.wrong(field, "%s", err)
	}
	return x
}

// dice checks dice.
func (k *compiler) dice(field, text string) {
	if text == "" {
		return
	}
	if _, err := dice.Parse(strings.TrimPrefix(text, "-")); err != nil {
		k.wrong(field, "%s", err)
	}
}

// words checks words against a list; "all" is one of damage types.
func (k *compiler) words(field, what string, got, known []string, alsoAll bool) {
	for i, w := range got {
		if alsoAll && w == "all" {
			continue
		}
		k.unknown(fmt.Sprintf("%s[%d]", field, i), what, w, known)
	}
}
