package render

import (
	"fmt"
	"strings"
	"time"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Next is what an encounter waits for, one thing a line, as of a time.
func (st Style) Next(n *encounterv1.GetNextResponse, now time.Time) string {
	st, n = st.safe(), safe(n)
	if len(n.GetWaiting()) == 0 {
		return "nothing: the encounter is over\n"
	}
	var b strings.Builder
	for _, w := range n.Waiting {
		b.WriteString(st.waiting(w, now) + "\n")
	}
	if len(n.DiceOrder) > 1 {
		b.WriteString("  dice of several come in this order: " + strings.Join(n.DiceOrder, ", ") + "\n")
	}
	return b.String()
}

func (st Style) waiting(w *encounterv1.Waiting, now time.Time) string {
	mark := " "
	if w.Yours {
		mark = "*"
	}
	who := strings.Join(w.Players, ", ")
	if w.GameMaster {
		who = "the game master"
	}
	line := join(mark, st.waitsFor(w), with("from", who), with("for", since(w.SinceUnixMillis, now)), with("by default:", w.ByDefault), st.halted(w.Action))
	if w.ByDefault == "" && w.Otherwise != "" {
		line += "; its default, taken only when it is ordered or the table decides by default: " + w.Otherwise
	}
	if w.Alike > 0 {
		line += fmt.Sprintf("; %d of this name are open, one answer does for all (--alike)", w.Alike)
	}
	if w.Order != nil {
		line += "; may be ordered ahead: " + strings.Join(w.Order.Orders, ", ")
	}
	return line
}

// waitsFor says what is waited for.
func (st Style) waitsFor(w *encounterv1.Waiting) string {
	switch w.Kind {
	case encounterv1.Waiting_KIND_START:
		return "the fight has not begun"
	case encounterv1.Waiting_KIND_ACT:
		return st.names(w.Creatures) + " may act"
	case encounterv1.Waiting_KIND_DECISION:
		return st.Decision(w.Decision)
	case encounterv1.Waiting_KIND_CONTEST:
		return st.contest(w.Contest)
	}
	return "something that is not yours to see"
}

// halted names the action that waits.
func (st Style) halted(a *eventv1.TakeAction) string {
	if a == nil {
		return ""
	}
	return because(join("until then", st.name(a.Creature)+"'s", a.Action, a.Item, with("against", st.names(a.Targets)), "waits"))
}

// since is how long ago a time was, to the second; empty for no time.
func since(millis int64, now time.Time) string {
	if millis == 0 {
		return ""
	}
	return max(0, now.Sub(time.UnixMilli(millis))).Round(time.Second).String()
}
