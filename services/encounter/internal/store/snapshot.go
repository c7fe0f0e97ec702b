package store

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// keep stores every view now and then, after every ruling, so that nobody has to
// find the past that it went back to again, and where a fork begins, whose views
// are no fold of what viewers hear; and with it, unless an action
// waits, what going on from there needs: an action that waits needs the state
// before it. A view that began with the Commit is stored at once.
func keep(tx *projection.Tx, n aggregate.Name, l *live, a *replica.Applied) error {
	r, prefix := l.replica, projection.Key(n.Table, n.ID)
	put := a.Target > 0 || len(a.Restored) > 0
	if r.Pending == nil && (put || r.Version >= l.snapshot+SnapshotInterval) {
		if err := putStates(tx, prefix, l, viewers(r)); err != nil {
			return err
		}
		l.states, l.snapshot = r.Version, r.Version
		return putSnapshot(tx, prefix, r)
	}
	if put || r.Version >= l.states+SnapshotInterval {
		l.states = r.Version
		return putStates(tx, prefix, l, viewers(r))
	}
	return putStates(tx, prefix, l, a.Welcomed)
}

// viewers are the keys of the views, sorted.
func viewers(r *replica.Replica) []string {
	out := make([]string, 0, len(r.Views))
	// order-free: sorted below
	for key := range r.Views {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

func putSnapshot(tx *projection.Tx, prefix []byte, r *replica.Replica) (err error) {
	r.LinkPages, err = putAway(tx, prefix, linkList, r.Version, r.LinkPages, len(r.Chain), func(from, to int) proto.Message { return links(r.Chain[from:to]) })
	if err != nil {
		return err
	}
	r.MarkPages, err = putAway(tx, prefix, markList, r.Version, r.MarkPages, len(r.Marks), func(from, to int) proto.Message { return marks(r.Marks[from:to]) })
	if err != nil {
		return err
	}
	out := &encounterv1.StoredSnapshot{NextAction: r.NextAction, ThenActions: r.ThenActions, Redo: r.Redo, Revealed: r.Revealed,
		Amended: r.Amended, AmendedLength: uint32(r.AmendedLength), //nolint:gosec // a number of commands
		Hash: r.Hash, UnixMillis: r.Millis, Genesis: r.Genesis, Across: r.Across,
		LinkPages: r.LinkPages, Links: links(r.Chain[len(r.LinkPages)*pageEntries:]),
		MarkPages: r.MarkPages, MarksBeyond: marks(r.Marks[len(r.MarkPages)*pageEntries:])}
	was := &encounterv1.StoredSnapshot{}
	if _, v := tx.LastBefore(snapshots, prefix, append(slices.Clone(prefix), projection.Key(newest)...)); v != nil {
		if err := proto.Unmarshal(v, was); err != nil {
			return fmt.Errorf("store: snapshot: %w", err)
		}
	}
	if err := putSeen(tx, prefix, r, was, out); err != nil {
		return err
	}
	if err := putDraws(tx, prefix, r, was, out); err != nil {
		return err
	}
	if out.Asides = uint64(len(r.Asides)); out.Asides > was.Asides {
		had := int(was.Asides - was.Asides%pageEntries) //nolint:gosec // a number of versions
		if err := putNumbers(tx, prefix, asideList, "", had, r.Asides[had:]); err != nil {
			return err
		}
	}
	return aggregate.Put(tx, snapshots, append(slices.Clone(prefix), projection.Key(r.Version)...), out)
}

// putSeen writes in which versions viewers saw something, beyond what the snapshot
// before knew. The game master's numbers are versions.
func putSeen(tx *projection.Tx, prefix []byte, r *replica.Replica, was, out *encounterv1.StoredSnapshot) error {
	for _, key := range viewers(r) {
		all := r.Views[key].Versions
		out.Viewers, out.Numbers = append(out.Viewers, key), append(out.Numbers, uint64(len(all)))
		had := 0
		if i := slices.Index(was.Viewers, key); i >= 0 {
			had = int(was.Numbers[i]) //nolint:gosec // a number of versions
		}
		if key == aggregate.ViewerGM || had == len(all) {
			continue
		}
		had -= had % pageEntries
		if err := putNumbers(tx, prefix, seenList, key, had, all[had:]); err != nil {
			return err
		}
	}
	return nil
}

// putDraws does the same for the numbers that actions got on branches of the dice.
func putDraws(tx *projection.Tx, prefix []byte, r *replica.Replica, was, out *encounterv1.StoredSnapshot) error {
	branches := r.Draws.Branches()
	slices.Sort(branches)
	for _, branch := range branches {
		count := r.Draws.Count(branch)
		out.Branches = append(out.Branches, &encounterv1.StoredBranch{Branch: branch, Count: count})
		var had uint64
		if i := slices.IndexFunc(was.Branches, func(b *encounterv1.StoredBranch) bool { return b.Branch == branch }); i >= 0 {
			had = was.Branches[i].Count
		}
		if had == count {
			continue
		}
		had -= had % pageEntries
		if err := putNumbers(tx, prefix, drawsList, branch, int(had), r.Draws.Actions(branch, had+1)); err != nil { //nolint:gosec // a number of actions
			return err
		}
	}
	return nil
}

// restore fills a replica from the snapshot at a version. What only the newest is
// asked for, the viewers' numbers and transcripts, those of the dice, and what stands
// beside the history, comes with whole.
func restore(tx *projection.Tx, r *replica.Replica, prefix []byte, version uint64, data []byte, whole bool) error {
	s := &encounterv1.StoredSnapshot{}
	if err := proto.Unmarshal(data, s); err != nil {
		return fmt.Errorf("store: snapshot at %d: %w", version, err)
	}
	r.Begin(version)
	r.Hash, r.Millis, r.Genesis, r.NextAction = s.Hash, s.UnixMillis, s.Genesis, s.NextAction
	r.Redo, r.Revealed, r.Across, r.ThenActions = s.Redo, s.Revealed, s.Across, s.ThenActions
	r.Amended, r.AmendedLength = s.Amended, int(s.AmendedLength)
	r.LinkPages, r.MarkPages = s.LinkPages, s.MarkPages
	if err := restoreLists(tx, r, prefix, s); err != nil {
		return err
	}
	for _, key := range s.Viewers {
		row, err := stateRow(tx, prefix, key, version, nil)
		if err != nil {
			return err
		}
		if row.state == nil {
			row.state = event.NewState()
		}
		r.Views[key] = &replica.View{Principal: aggregate.Viewer(key), State: row.state, Transcript: row.transcript}
	}
	if !whole {
		r.Past()
		return nil
	}
	return restoreNumbers(tx, r, prefix, s)
}

func restoreLists(tx *projection.Tx, r *replica.Replica, prefix []byte, s *encounterv1.StoredSnapshot) (err error) {
	r.Chain = make([]replica.Link, 0, len(s.LinkPages)*pageEntries+len(s.Links.GetOrigins())+SnapshotInterval)
	for i, at := range s.LinkPages {
		page := &encounterv1.StoredLinks{}
		if _, err := aggregate.Get(tx, pages, append(slices.Clone(prefix), projection.Key(linkList, at, uint64(i))...), page); err != nil {
			return err
		}
		if r.Chain, err = addLinks(r.Chain, page); err != nil {
			return err
		}
	}
	if r.Chain, err = addLinks(r.Chain, s.Links); err != nil {
		return err
	}
	for i, at := range s.MarkPages {
		page := &encounterv1.StoredMarks{}
		if _, err := aggregate.Get(tx, pages, append(slices.Clone(prefix), projection.Key(markList, at, uint64(i))...), page); err != nil {
			return err
		}
		if r.Marks, err = addMarks(r.Marks, page); err != nil {
			return err
		}
	}
	if r.Marks, err = addMarks(r.Marks, s.MarksBeyond); err != nil {
		return err
	}
	if full(len(r.Chain)) < len(s.LinkPages) || full(len(r.Marks)) < len(s.MarkPages) {
		return errPage
	}
	return nil
}

func restoreNumbers(tx *projection.Tx, r *replica.Replica, prefix []byte, s *encounterv1.StoredSnapshot) (err error) {
	for i, key := range s.Viewers {
		v := r.Views[key]
		if key != aggregate.ViewerGM {
			if v.Versions, err = readNumbers(tx, prefix, seenList, key, s.Numbers[i]); err != nil {
				return err
			}
			continue
		}
		v.Versions = make([]uint64, s.Numbers[i], s.Numbers[i]+SnapshotInterval)
		for n := range v.Versions {
			v.Versions[n] = uint64(n) + 1
		}
	}
	if r.Asides, err = readNumbers(tx, prefix, asideList, "", s.Asides); err != nil {
		return err
	}
	for _, b := range s.Branches {
		actions, err := readNumbers(tx, prefix, drawsList, b.Branch, b.Count)
		if err != nil {
			return err
		}
		for i, action := range actions {
			r.Draws.Put(replica.Drawn{Branch: b.Branch, Action: action, Number: uint64(i) + 1})
		}
	}
	return nil
}
