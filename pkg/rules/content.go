package rules

import (
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Contented is a system that carries out content: a table's own packs.
type Contented interface {
	// Content says what it carries out; it is made once and never changes.
	Content() effects.Support
}

// SheetChecker is a system whose sheets may name conditions and feats of the
// table's own.
type SheetChecker interface {
	// CheckSheetBy is System.CheckSheet with content; nil has nothing.
	CheckSheetBy(content *effects.Book, sheet *eventv1.Sheet) []fault.Violation
}

// Leaver is a system whose sheets may name things that no code decides.
type Leaver interface {
	// LeftToPeople lists them by field, each with why; content may be nil. Nothing is
	// wrong with them.
	LeftToPeople(content *effects.Book, sheet *eventv1.Sheet) []fault.Violation
}

// LeftToPeople lists what a sheet has and no code of its system decides; a system that
// cannot tell lists nothing.
func LeftToPeople(sys System, content *effects.Book, sheet *eventv1.Sheet) []fault.Violation {
	l, ok := sys.(Leaver)
	if !ok {
		return nil
	}
	return l.LeftToPeople(content, sheet)
}

// Authored is a system whose book has content of its own, such as feats with
// effects.
type Authored interface {
	Contented
	// OwnContent is that content; it is made once and never changes.
	OwnContent() *contentv1.Pack
}

var owned sync.Map // *effects.Book by the id of the system

// OwnBook is the content of a system's own book, without any packs; nil when it has
// none.
func OwnBook(sys System) *effects.Book {
	a, ok := sys.(Authored)
	if !ok {
		return nil
	}
	id := sys.Info().ID
	if got, ok := owned.Load(id); ok {
		return got.(*effects.Book)
	}
	b, err := effects.New(ContentBase(a.(System)))
	if err != nil {
		return nil // the system's Validate says so, and nothing starts
	}
	got, _ := owned.LoadOrStore(id, b)
	return got.(*effects.Book)
}

// ContentBase is what packs for a system are laid over: what it carries out and
// its settings, and its own content. The book's rules are for the caller to add.
// Packs for a system that is not Contented can have no effects.
func ContentBase(sys System) effects.Base {
	base := effects.Base{System: sys.Info().ID, Settings: map[string]string{}, Values: map[string][]string{}}
	if c, ok := sys.(Contented); ok {
		base.Support = c.Content()
	}
	if a, ok := sys.(Authored); ok {
		base.Content = a.OwnContent()
	}
	for _, s := range SettingsOf(sys) {
		base.Settings[s.ID], base.Values[s.ID] = s.Default, s.Values
	}
	return base
}

// SettingsWith lists what a table may choose where content has house rules of its
// own: the settings of the system, then the toggles of the packs.
func SettingsWith(sys System, content *effects.Book) []Setting {
	out := SettingsOf(sys)
	for _, h := range content.Rules() {
		if !h.Toggle {
			continue
		}
		s := Setting{ID: h.ID, Title: h.Title, Text: h.Text, Values: []string{"on", "off"}, Default: "on"}
		if h.Off {
			s.Default = "off"
		}
		out = append(out, s)
	}
	return out
}

// replaced is the command that content has carried out in place of one, which is
// said. A call of the game master's takes the place of another such call alone.
func (r *Resolution) replaced(c *eventv1.TakeAction) *eventv1.TakeAction {
	out, cite := r.inPlace(c)
	if out != c {
		r.Note(r.Audience(FactBegun, out.Action, c.Creature), c.Creature, c.Action+" becomes "+out.Action+": "+cite.Title, cite.Rule)
	}
	return out
}

// inPlace is that command with what it is by, and nothing said; the command itself where
// nothing takes its place.
func (r *Resolution) inPlace(c *eventv1.TakeAction) (*eventv1.TakeAction, effects.Cite) {
	actor := r.Creature(c.Creature)
	by, cite, found := r.Content().Replacement(actor, c.Action, effects.Env{State: r.state, Actor: actor})
	if !found || by == c.Action || MayCall(r.sys, aPlayer, c.Action) && !MayCall(r.sys, aPlayer, by) {
		return c, cite
	}
	out := proto.Clone(c).(*eventv1.TakeAction)
	out.Action = by
	return out, cite
}

var aPlayer = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER}

// SetOff carries out what content sets off, unless this is itself a part of that, or
// of a deed: what is set off sets off nothing further.
func (r *Resolution) SetOff(do func()) {
	if r.setOff || r.req.Prefix != "" {
		return
	}
	r.setOff = true
	defer func() { r.setOff = false }()
	do()
}
