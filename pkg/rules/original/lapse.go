package original

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ofTheFight is what is counted and marked for one fight alone: of the next it
// would be false. What conditions are of the fight, passing tells.
var ofTheFight = rules.OfTheFight{
	Counters: []string{cAttacks, cMoved, cCharged, cTally, cShot},
	Marks: []string{mSurprised, mStrong, mRan, mCharging, mParrying, mWithdrawing, mFleeing, mSet, mStumbled, mAttacking, mHolds, mStruggled, mShield,
		mBackstab, mSwift, mRunShot, mCast, mContest, mPreparing, mDisturbed, mShaken, mLeaving,
		mEngaged, mApart, mMet, mAmbushed, mFlank, mChase, mPursues, mLies},
}

// placeMarks are those of the place where one stands.
var placeMarks = []string{mStationary, mWall, mTight}

// OfTheFight lists what is counted and marked for one fight and its place alone.
func (System) OfTheFight() rules.OfTheFight {
	return rules.OfTheFight{Counters: ofTheFight.Counters, Marks: slices.Concat(ofTheFight.Marks, placeMarks)}
}

// passing tells whether a condition came of the fight and ends with it: a hold,
// being thrown off or off one's feet, flight.
//
// original.grapple.pinned, original.morale.table
func passing(x *eventv1.Condition) bool {
	return slices.Contains([]string{condPinned, condStruggling, condStunned, condProne, condRouted}, x.Name) && strings.HasPrefix(x.Rule, ID+".")
}

// lapse takes from a creature what outlives no fight.
func lapse(r *rules.Resolution, id string) {
	const why = "the fight is over"
	c := r.Creature(id)
	for _, name := range rules.SortedKeys(c.Counters) {
		if rules.Listed(ofTheFight.Counters, name) {
			r.Set(id, name, 0, why)
		}
	}
	for _, name := range rules.SortedKeys(c.Marks) {
		if rules.Listed(ofTheFight.Marks, name) || slices.Contains(placeMarks, name) {
			r.Mark(id, name, "")
		}
	}
	for _, x := range slices.Clone(c.Conditions) {
		if passing(x) {
			r.RemoveCondition(id, x, why, x.Rule)
		}
	}
}

// brought is what a creature brings into a fight of what is known of it: not
// what was counted and marked in another that it left before its end.
func brought(v *eventv1.Vitals) *eventv1.Vitals {
	if v == nil {
		return nil
	}
	v = proto.CloneOf(v)
	for _, name := range rules.SortedKeys(v.Counters) {
		if rules.Listed(ofTheFight.Counters, name) {
			delete(v.Counters, name)
		}
	}
	for _, name := range rules.SortedKeys(v.Marks) {
		if rules.Listed(ofTheFight.Marks, name) {
			delete(v.Marks, name)
		}
	}
	v.Conditions = slices.DeleteFunc(v.Conditions, passing)
	return v
}
