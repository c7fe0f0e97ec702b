package original

import (
	"testing"

	shipped "github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// original.injury.normal-man-hit-points: points are rolled once; who comes back
// from a record keeps them, and no die falls.
func TestRolledHitPointsAreKept(t *testing.T) {
	s, err := shipped.Get("original", "orc-archer")
	if err != nil {
		t.Fatal(err)
	}
	f := newTable(t)
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s,
		Vitals: &eventv1.Vitals{Hp: proto.Int32(2), Counters: map[string]int64{body.CRolled: 5}}}}})
	c := f.Creature(s.Id)
	if c.GetHp() != 2 || c.GetHpMax() != 5 {
		t.Errorf("%d of %d hit points, want 2 of 5", c.GetHp(), c.GetHpMax())
	}
}
