package srd5e

import (
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rider is what a text does beside damage on a hit: a saving throw, what comes
// of failing it, and conditions.
type rider struct {
	save    *eventv1.RcrSave
	damage  []*eventv1.RcrDamage
	effects []*eventv1.RcrEffect
	self    []string // words of the creature's name, lower case
}

const conditionWord = `(blinded|charmed|deafened|frightened|grappled|incapacitated|invisible|paralyzed|petrified|poisoned|prone|restrained|stunned|unconscious)`

var (
	trivialPattern  = lazily(`(?i)if the target is a creature, (?:it|the target) `)
	savePattern     = lazily(`(?:, and )?(?:[Tt]he target |[Tt]he creature |[Ii]t |[Ee]ach target )?(?:must (?:succeed|make)(?: on)?(?: on)? a|that fails a|fails a|makes a) DC (\d{1,2}) (Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma)(?: or (?:Strength|Dexterity))? saving throw`)
	halfPattern     = lazily(`,? taking (` + damageRun + `) on a failed save,? or half as much(?: damage)? on a successful (?:one|save)`)
	takePattern     = lazily(`or take (` + damageRun + `)`)
	failurePattern  = lazily(`On a fail(?:ed save|ure), [^.]*?takes (` + damageRun + `)`)
	halfLater       = lazily(`(?:On a success(?:ful save)?|If the saving throw is successful), (?:the|a) (?:target|creature) takes half [a-z ]*?damage`)
	grapplePattern  = lazily(`(?:, and )?(?:[Tt]he target |[Tt]he creature |it )?is (?:also )?grappled \(escape DC (\d+)\)`)
	whilePattern    = lazily(`Until (?:this|the) grapple ends, the (?:target|creature) is ` + conditionWord + `(?:, ` + conditionWord + `)?`)
	heldPattern     = lazily(`(?:, and the target is | and )restrained until (?:this|the) grapple ends`)
	webPattern      = lazily(`The (?:target|creature) is restrained by webbing\. As an action, the restrained (?:target|creature) can make a DC (\d+) Strength check, (?:bursting|escaping from) the webbing on a success`)
	poisonPattern   = lazily(`Until this poison ends, the target is ` + conditionWord)
	repeatPattern   = lazily(`(?:A|The|Each|An) (?:\w+ )?(?:creature|target) can repeat the saving throw at the end of each of its turns(?:,? ending the effect on itself (?:on|with) a success(?:ful save)?)?`)
	onFailPattern   = lazily(`(?:On a failed save, [^.]*?(?:is|becomes|are)|that fails an? [A-Z][a-z]+ saving throw is) (?:magically )?` + conditionPair)
	orPattern       = lazily(`(?:or|and|,|` + gap + `) (?:(?:is|are|be|become|becomes|fall|falls|knocked|be knocked|instead|also|magically) )+` + conditionPair)
	engulfPattern   = lazily(`The engulfed (?:creature|target) (?:can't breathe, )?is ` + conditionWord + `(?:, ` + conditionWord + `)?`)
	escapePattern   = lazily(`engulfed (?:creature|target) can try to escape by taking an action to make a DC (\d+) Strength check`)
	byPattern       = lazily(`(?:by|of) (?:the )?[\w-]+ ?$`)
	repeatedPattern = lazily(`^ at the (?:start|end) of `)
)

// conditionPair is one condition or two, with their duration.
const conditionPair = conditionWord + `(?: and ` + conditionWord + `)?` + lastsText

// lastsText is the duration that may follow a condition.
const lastsText = `( for (\d+) (rounds?|minutes?|hours?|days?)| until the (?:end|start) of (?:its|the [a-z' -]+?|[a-z]+'s) next turn)?`

// read takes from the text what a rider can hold. A record gives a saving throw
// too where the words have none.
func (r *rider) read(p *prose) {
	p.rest = trivialPattern.ReplaceAllString(p.rest, "the target ")
	for _, at := range savePattern.FindAllStringSubmatchIndex(p.rest, -1) {
		if r.own(p.rest[:at[0]]) || repeatedPattern.MatchString(p.rest[at[1]:]) {
			continue
		}
		g := p.cutAt(at)
		dc, _ := parseInt(g[1])
		r.save = &eventv1.RcrSave{Ability: strings.ToLower(g[2]), Dc: int32(dc)}
		r.failure(p)
		break
	}
	if g := p.cut(engulfPattern); g != nil {
		dc := "0"
		if escape := p.cut(escapePattern); escape != nil {
			dc = escape[1]
		}
		for _, condition := range g[1:] {
			if condition != "" {
				r.effect(condition, dc)
			}
		}
	}
	if g := p.cut(webPattern); g != nil {
		r.effect("restrained", g[1])
	}
	if g := p.cut(grapplePattern); g != nil {
		r.effect("grappled", g[1])
		if held := p.cut(whilePattern); held != nil {
			r.effect(held[1], g[1])
			if held[2] != "" {
				r.effect(held[2], g[1])
			}
		} else if p.cut(heldPattern) != nil {
			r.effect("restrained", g[1])
		}
	}
}

// own tells whether the creature itself makes the saving throw, as one that
// has swallowed another does: its name stands before "must".
func (r *rider) own(before string) bool {
	words := strings.Fields(strings.ToLower(before))
	if len(words) == 0 || !slices.Contains(r.self, words[len(words)-1]) {
		return false
	}
	// "One creature grappled by the chuul must ..." is about the creature.
	return !byPattern.MatchString(before)
}

// failure reads what a failed saving throw does.
func (r *rider) failure(p *prose) {
	if g := p.cut(halfPattern); g != nil {
		r.damage, r.save.HalfOnSuccess = damages(g[1]), true
	} else if g := p.cut(takePattern); g != nil {
		r.damage = damages(g[1])
	} else if at := failurePattern.FindStringSubmatchIndex(p.rest); at != nil {
		r.damage = damages(p.cutAt(at)[1])
		r.sentence(p, at[0])
	}
	if p.cut(halfLater) != nil && len(r.damage) > 0 {
		r.save.HalfOnSuccess = true
	}
	r.sentence(p, max(strings.Index(p.rest, gap), 0))
	if len(r.effects) == 0 {
		if g := p.cut(onFailPattern); g != nil {
			r.lasting(g)
		}
	}
	if len(r.effects) == 0 {
		return
	}
	if g := p.cut(poisonPattern); g != nil {
		r.effects = append(r.effects, &eventv1.RcrEffect{Condition: g[1], Rounds: r.effects[0].Rounds})
	}
	if p.cut(repeatPattern) != nil {
		for _, e := range r.effects {
			if e.Condition != "prone" {
				e.SaveEnds = true
			}
		}
	}
}

// sentence reads the conditions in the sentence at a place of the text; what
// stands further on is not what failing the saving throw does.
func (r *rider) sentence(p *prose, from int) {
	to := len(p.rest)
	if i := strings.IndexAny(p.rest[from:], ".\n"); i >= 0 {
		to = from + i
	}
	part := &prose{rest: p.rest[from:to]}
	for range 4 {
		g := part.cut(orPattern)
		if g == nil {
			break
		}
		r.lasting(g)
	}
	p.rest = p.rest[:from] + part.rest + p.rest[to:]
}

// lasting adds one condition or two with the duration behind them, from the
// groups of conditionPair.
func (r *rider) lasting(g []string) {
	rounds := int32(0)
	switch {
	case g[4] != "":
		n, _ := parseInt(g[4])
		// A round lasts six seconds.
		per := map[byte]int{'r': 1, 'm': 10, 'h': 600, 'd': 14400}
		rounds = int32(min(n, 1000) * per[g[5][0]])
	case g[3] != "":
		rounds = 1
	}
	for _, condition := range g[1:3] {
		if condition != "" {
			r.add(&eventv1.RcrEffect{Condition: condition, Rounds: rounds})
		}
	}
}

func (r *rider) effect(condition, dc string) {
	n, _ := parseInt(dc)
	r.add(&eventv1.RcrEffect{Condition: condition, EscapeDc: int32(min(n, 99))})
}

func (r *rider) add(e *eventv1.RcrEffect) {
	same := func(o *eventv1.RcrEffect) bool { return o.Condition == e.Condition }
	if !slices.ContainsFunc(r.effects, same) {
		r.effects = append(r.effects, e)
	}
}
