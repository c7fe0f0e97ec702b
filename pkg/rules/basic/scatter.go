package basic

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// squareFeet is the side of a square of the scatter diagram.
const squareFeet = 10

// offset is where a missile lands that missed: squares to the thrower's right and
// beyond the target.
type offset struct {
	right, beyond int32
	place         string
}

// readScatter reads the diagram, face by face from 1 to 10.
func readScatter() ([]offset, error) {
	rows, err := readRows("scatter", 4)
	if err != nil {
		return nil, err
	}
	var out []offset
	for i, row := range rows {
		face, err1 := strconv.ParseInt(row[0], 10, 32)
		right, err2 := strconv.ParseInt(row[1], 10, 32)
		beyond, err3 := strconv.ParseInt(row[2], 10, 32)
		if err := errors.Join(err1, err2, err3); err != nil || face != int64(i+1) || row[3] == "" {
			return nil, fmt.Errorf("basic: table scatter row %d: %v: %w", i+1, row, err)
		}
		out = append(out, offset{int32(right), int32(beyond), row[3]})
	}
	if len(out) != 10 {
		return nil, fmt.Errorf("basic: table scatter has %d rows, want 10", len(out))
	}
	return out, nil
}

// scatter has the game master roll where a missed flask lands; nil when nobody
// knows where the target stands.
//
// basic.attack.grenade-scatter
func scatter(r *rules.Resolution, b blow) *eventv1.Position {
	const rule = cite.AttackGrenadeScatter
	a, t := r.Creature(b.attacker), r.Creature(b.target)
	rolled := r.Roll(rules.RollSpec{Label: "scatter", Expression: "1d10", Reason: "where " + b.weapon.Name + " lands", Rules: []string{rule},
		Judge: func(n, _ int32) (string, int32) { return book.scatter[n-1].place, 0 }})
	o := book.scatter[rolled.Natural-1]
	from, to := throwLine(a, t, b.facts)
	if from == nil || to == nil {
		r.Note(rolled.Audience, b.attacker, "it lands "+itoa(squareFeet*o.right)+" feet to the right and "+itoa(squareFeet*o.beyond)+" feet beyond", rule)
		return nil
	}
	at := land(from, to, o)
	r.Note(rolled.Audience, b.attacker, "it lands at "+itoa(at.X)+", "+itoa(at.Y), rule)
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

// land turns an offset along the throw and rounds it to the foot. Front is the
// thrower's side. A throw at one's own feet goes towards y.
func land(from, to *eventv1.Position, o offset) *eventv1.Position {
	fx, fy := int64(to.X)-int64(from.X), int64(to.Y)-int64(from.Y)
	if fx == 0 && fy == 0 {
		fy = 1
	}
	right, beyond := int64(o.right)*squareFeet, int64(o.beyond)*squareFeet
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
