package fire

import (
	"math"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// squareFeet is the side of a square of the scatter diagram.
const squareFeet = 10

// scatter has the game master roll where a missed flask lands; nil when nobody
// knows where the target stands.
//
// basic.attack.grenade-scatter
func scatter(r *rules.Resolution, b strike.Blow) *eventv1.Position {
	const rule = cite.AttackGrenadeScatter
	a, t := r.Creature(b.Attacker), r.Creature(b.Target)
	book := body.BookOf(r.Content())
	rolled := r.Roll(rules.RollSpec{Label: "scatter", Expression: "1d10", Reason: "where " + b.Weapon.Name + " lands", Rules: []string{rule},
		Judge:  func(n, _ int32) (string, int32) { return book.Scatter[n-1].Place, 0 },
		RuleOf: func(n, _ int32) string { return book.Scatter[n-1].By }})
	o := book.Scatter[rolled.Natural-1]
	from, to := throwLine(a, t, b.Facts)
	if from == nil || to == nil {
		r.Note(rolled.Audience, b.Attacker, "it lands "+body.Itoa(squareFeet*o.Right)+" feet to the right and "+body.Itoa(squareFeet*o.Beyond)+" feet beyond", rule)
		return nil
	}
	at := Land(from, to, o)
	r.Note(rolled.Audience, b.Attacker, "it lands at "+body.Itoa(at.X)+", "+body.Itoa(at.Y), rule)
	return at
}

// throwLine is the line that the diagram is laid along: from the thrower, or from
// the side that is stated to be the front ("front_x", "front_y"), to the target.
func throwLine(a, t *eventv1.Creature, facts *structpb.Struct) (from, to *eventv1.Position) {
	from, to = a.GetPosition(), t.GetPosition()
	x, okX := spoken.Number(facts, "front_x")
	y, okY := spoken.Number(facts, "front_y")
	if okX && okY && to != nil {
		from = &eventv1.Position{X: x, Y: y, Z: to.Z}
	}
	return from, to
}

// Land turns an offset along the throw and rounds it to the foot. Front is the
// thrower's side. A throw at one's own feet goes towards y.
func Land(from, to *eventv1.Position, o body.Offset) *eventv1.Position {
	fx, fy := int64(to.X)-int64(from.X), int64(to.Y)-int64(from.Y)
	if fx == 0 && fy == 0 {
		fy = 1
	}
	right, beyond := int64(o.Right)*squareFeet, int64(o.Beyond)*squareFeet
	length2 := fx*fx + fy*fy
	return &eventv1.Position{X: to.X + share(beyond*fx+right*fy, length2), Y: to.Y + share(beyond*fy-right*fx, length2), Z: to.Z}
}

// share is n divided by the root of square, rounded to the nearest, half away
// from 0.
func share(n, square int64) int32 {
	sign := int32(1)
	if n < 0 {
		n, sign = -n, -1
	}
	return sign * int32((root(4*n*n/square)+1)/2)
}

// root is the whole part of a square root, found by halving.
func root(n int64) int64 {
	low, high := int64(0), int64(math.MaxInt32)
	for low < high {
		mid := (low + high + 1) / 2
		if mid*mid <= n {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}
