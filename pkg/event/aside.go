package event

import (
	"maps"
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Aside tells whether an event stands beside the history of a fight: a contest, a
// save point, or the end of an imported record. It changes nothing that rules read,
// and no ruling takes it back.
func Aside(e *eventv1.Event) bool {
	return e.GetContest() != nil || e.GetSavePoint() != nil || e.GetImported() != nil
}

// AllAside tells whether a Commit holds nothing but what stands beside the history.
func AllAside(events []*eventv1.Event) bool {
	return len(events) > 0 && !slices.ContainsFunc(events, func(e *eventv1.Event) bool { return !Aside(e) })
}

// KeepAside takes over what stands beside the history: a state of the past has the
// contests and the save points of now.
func KeepAside(into, from *eventv1.State) {
	into.Contests, into.SavePoints = from.Contests, from.SavePoints
}

// foldAside folds what stands beside the history. Maps and lists are replaced and
// never written to, so that copies of a state may share them.
func foldAside(s *eventv1.State, e *eventv1.Event) {
	if c := e.GetContest().GetContest(); c != nil {
		all := maps.Clone(s.Contests)
		if all == nil {
			all = map[string]*eventv1.Contest{}
		}
		all[c.Id] = c
		s.Contests = all
	}
	if e.GetImported() != nil {
		s.Imported = true
	}
	if p := e.GetSavePoint().GetSavePoint(); p != nil {
		all := slices.DeleteFunc(slices.Clone(s.SavePoints), func(old *eventv1.SavePoint) bool { return old.Name == p.Name })
		if p.Version > 0 {
			all = append(all, p)
		}
		s.SavePoints = all
	}
}
