package verify

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/recheck"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The ids of decisions and contests are made with a key from the hash of the first Commit. What
// that Commit says is decided again and compared, but for the digest of the content,
// which another build may have: if it was changed, or taken out, that shows where an
// id does not follow, and only there.

// otherBeginning tells whether two messages differ in nothing but such ids,
// when no id of the record was found to follow from its first Commit and that names
// a content that cannot be compared.
func (v *run) otherBeginning(with recheck.Comparer, recorded, decided proto.Message) bool {
	with.AnyID = true
	return !v.keyed && (v.report.Content != "" || v.report.Unnamed) && with.Compare(recorded, decided) == nil
}

// blameBeginning notes, once, that the creation is not the one that a version's
// decision was asked, or contest filed, after.
func (v *run) blameBeginning(version uint64) {
	if v.blamed {
		return
	}
	v.blamed = true
	v.problem(Problem{Version: 1, Part: v.opening, Field: "encounter_created.content_digest", Recorded: recheck.Clip(v.content),
		Text: fmt.Sprintf("ids of decisions and contests follow from the hash of this Commit, and that in version %d does not: "+
			"this, which cannot be compared, is not what was written then, or the id is another", version)})
}

// hasKeyedID tells whether an event names a decision or contest by its id.
func hasKeyedID(e *eventv1.Event) bool {
	return e.GetDecisionRequested() != nil || e.GetDecisionAnswered() != nil || e.GetContest() != nil
}
