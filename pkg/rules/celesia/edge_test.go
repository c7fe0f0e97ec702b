package celesia

import (
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.injury.disabled-one-less-act: disabled in the middle of one's own turn.
func TestDisabledMidTurn(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	f.Hurt("a", 4)
	f.Must(act("a", "attack", "sword", "b"), 2)
	f.Must(act("a", "sheathe", "sword", ""))
	f.Answer(body.DecReaction, "attack:sword", 15, 4)
	f.Answer(body.DecCrippling, "none")
	// 2 acts in all, both used; the act done while disabled costs a point.
	f.WantHP("a", -1)
	f.WantActive("a")
	if f.acts("a") != 0 || f.Creature("a").Items["sword"].Place != body.PlaceStowed {
		t.Errorf("%d acts left, sword %s", f.acts("a"), f.Creature("a").Items["sword"].Place)
	}
}

// celesia.action.provoke: what is left of the turn no longer suffices.
func TestDisabledBeforeALongAction(t *testing.T) {
	potion := section(func(c *eventv1.CelesiaSheet) {
		c.Potions = []*eventv1.CelesiaPotion{{Name: "p", Healing: "1d8+1", Count: 1}}
	})
	f := duel(t, fighter("a", "party", potion), fighter("b", "foes"))
	f.Hurt("a", 4)
	f.Must(act("a", "attack", "sword", "b"), 2)
	f.Must(act("a", "drink", "p", ""))
	f.Answer(body.DecReaction, "attack:sword", 15, 4)
	f.Answer(body.DecCrippling, "none")
	f.WantHP("a", 0)
	if f.Creature("a").Counters[body.CLeft+"p"] != 1 || f.acts("a") != 0 {
		t.Error("the potion was drunk with acts that were not there")
	}
}

// celesia.item.drink-apply: the attack of opportunity comes before the healing.
func TestDrinkAfterTheBlow(t *testing.T) {
	potion := section(func(c *eventv1.CelesiaSheet) {
		c.Potions = []*eventv1.CelesiaPotion{{Name: "p", Healing: "1d8+1", Count: 1}}
	})
	f := duel(t, fighter("a", "party", potion), fighter("b", "foes"))
	f.Hurt("a", 5)
	f.Must(act("a", "drink", "p", ""))
	f.Answer(body.DecReaction, "attack:sword", 15, 6)
	f.Answer(body.DecCrippling, "none", 5)
	// -1, then 6 healed; disabled when it acted: 2 points of strain.
	f.WantHP("a", 3)
}

func TestLeaveAndJoin(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", unarmed()), fighter("b", "foes", unarmed()), fighter("c", "party")).start(nil, 15, 10, 5)
	f.Must(act("a", "grapple", "", "b"), 20)
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}})
	f.WantActive("b")
	if body.Has(f.Creature("b"), body.CondGrappled) {
		t.Error("held by one who is gone")
	}
	join := func(id string, face int) {
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter(id, "foes")}}}, face)
	}
	join("d", 7)
	join("e", 18) // its place in this round has passed
	f.End("b")
	f.WantActive("d")
	f.End("d")
	f.WantActive("c")
	f.End("c")
	f.WantActive("e")
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if body.Has(f.Creature("c"), body.CondFlatFooted) || len(f.State.Active) != 0 {
		t.Error("the end leaves something of the fight")
	}
}

func FuzzParseDice(f *testing.F) {
	for _, seed := range []string{"2d6", "1d8+3", "d6", "0d6", "1d", "99d99+999", "1d6+", "1d6-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := body.ParseDice(text)
		if ok && (d.Count < 1 || d.Sides < 1 || d.Plus < 0 || d.Maximum() < d.Count) {
			t.Errorf("%q read as %+v", text, d)
		}
	})
}

func FuzzReadCripples(f *testing.F) {
	shipped, err := content.Book().Table("crippling")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(shipped)
	f.Add("from,to,row,title,negated,rule\n1,20,scar,Scar,5,r\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := body.ReadCripples(text)
		if err == nil && (rows[0].From != 1 || rows[len(rows)-1].To != 20) {
			t.Errorf("%q read as %+v", text, rows)
		}
	})
}
