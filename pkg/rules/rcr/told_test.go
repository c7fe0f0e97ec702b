package rcr

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Must gives a command; when it is done all are told of it.
func (f *table) Must(cmd *eventv1.Command, faces ...int) {
	f.T.Helper()
	f.Table.Must(cmd, faces...)
	f.wantTold()
}

// Answer answers a decision; when the command is done all are told of it.
func (f *table) Answer(name, option string, faces ...int) {
	f.T.Helper()
	f.Table.Answer(name, option, faces...)
	f.wantTold()
}

// wantTold holds that an action that is done is told, with who did what.
func (f *table) wantTold() {
	f.T.Helper()
	take := f.Command.GetTake()
	if take == nil || len(f.Decisions) > 0 {
		return
	}
	told := func(e *eventv1.Event) bool {
		switch a := e.GetAction(); {
		case take.Action == "end-task":
			return e.GetTaskEnded() != nil
		case a == nil || a.Creature != take.Creature:
			return take.Action == "use-ready" && e.GetAttack() != nil
		case take.Action == "use-ready", f.Content != nil: // told as what was readied, or as what content puts in its place
			return true
		default:
			return a.Action == take.Action
		}
	}
	if !slices.ContainsFunc(f.Published, told) {
		f.T.Errorf("%s by %s: nothing tells of it", take.Action, take.Creature)
	}
}
