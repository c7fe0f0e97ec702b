package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.feat.tavern-brawler-grapple
func TestTavernBrawlersGrapple(t *testing.T) {
	fight := func(face int, name string, settings ...string) *table {
		fist := weapon(name, "", "bludgeoning")
		fist.Natural = true
		f := newTable(t, settings...).add(fighter("a", "party", feat("tavern brawler"), weapons(fist)), fighter("b", "monsters"), fighter("c", "monsters")).start(nil, 20, 5, 4)
		faces := []int{face}
		if face > 10 {
			faces = append(faces, 2)
		}
		f.Must(act("a", "attack", name, "b"), faces...)
		return f
	}
	f := fight(15, "unarmed strike")
	wantRefused(t, f.Try(act("a", "brawl", "", "c")), cite.FeatTavernBrawlerGrapple)
	f.Must(act("a", "brawl", "", "b"), 15, 3)
	if body.GrappledBy(f.Creature("b"), "a") == nil {
		t.Error("b is free")
	}
	f.wantCount("a", body.CBonus, 0)
	f.wantCited(cite.FeatTavernBrawlerGrapple)
	wantRefused(t, f.Try(act("a", "brawl", "", "b")), cite.FeatTavernBrawlerGrapple)
	f = fight(15, "unarmed strike")
	f.Must(act("a", "brawl", "", "b"), 9, 9)
	if body.GrappledBy(f.Creature("b"), "a") != nil {
		t.Error("a tie holds")
	}
	f = fight(15, "unarmed strike")
	f.End("a", 20)
	f.End("b", 5)
	f.End("c", 4)
	wantRefused(t, f.Try(act("a", "brawl", "", "b")), cite.FeatTavernBrawlerGrapple)
	for _, f := range []*table{fight(3, "unarmed strike"), fight(15, "claw"), fight(15, "unarmed strike", off(cite.FeatTavernBrawlerGrapple)...)} {
		wantRefused(t, f.Try(act("a", "brawl", "", "b")), cite.FeatTavernBrawlerGrapple)
	}
}

// rcr.feat.legerdemain-steal
func TestLegerdemainTakesWhatIsHeld(t *testing.T) {
	fight := func(settings ...string) *table {
		return newTable(t, settings...).add(fighter("a", "party", feat("legerdemain"), goodAt(7, "sleight of hand")),
			fighter("b", "monsters", goodAt(2, "perception"), weapons(weapon("mace", "", "bludgeoning"), weapon("greatsword", "stowed", "slashing", "two-handed"))),
			fighter("d", "party")).start(nil, 20, 5, 4)
	}
	steal := func(from, what string) *eventv1.Command {
		return act("a", "steal", "", from, withParameters("object", what))
	}
	f := fight()
	f.Must(steal("b", "mace"), 12, 15)
	f.wantPlace("b", "mace", "gone")
	f.wantCount("a", body.CBonus, 0)
	f.wantCited(cite.FeatLegerdemainSteal)
	wantRefused(t, f.Try(steal("b", "mace")), body.Fallback)
	f = fight()
	f.Must(steal("b", "mace"), 12, 17) // a tie
	f.wantPlace("b", "mace", "main")
	f = fight()
	f.Must(steal("b", "torch"), 12, 15)
	f = fight()
	wantRefused(t, f.Try(steal("b", "greatsword")), cite.FeatLegerdemainSteal)
	wantRefused(t, f.Try(steal("d", "sword")), cite.FeatLegerdemainSteal)
	wantRefused(t, f.Try(act("a", "steal", "", "b", withParameters("object", "mace"), withFacts("distance", 10))), cite.FeatLegerdemainSteal)
	wantRefused(t, fight(off(cite.FeatLegerdemainSteal)...).Try(steal("b", "mace")), cite.FeatLegerdemainSteal)
	g := newTable(t).add(fighter("a", "party", feat("legerdemain")), fighter("b", "monsters", weapons(weapon("greatsword", "", "slashing", "two-handed")))).start(nil, 20, 5)
	wantRefused(t, g.Try(steal("b", "greatsword")), cite.FeatLegerdemainSteal)
}

// rcr.feat.legerdemain-tools-time
func TestLegerdemainLosesNoTime(t *testing.T) {
	work := func(tool string, face int, feats ...string) int32 {
		f := newTable(t).add(fighter("a", "party", feat(feats...), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: 3}, {Name: "lute", Bonus: 3}}
		}))).start(nil, 20)
		f.Must(act("a", "task-check", "", "", withParameters("task", "lock", "skill", tool, "dc", 15, "degrees", true)), face)
		for _, x := range f.State.Tasks {
			return x.Values["minutes"]
		}
		t.Fatal("no task")
		return 0
	}
	for name, c := range map[string]struct {
		tool    string
		face    int
		feats   []string
		minutes int32
	}{
		"fails by 4": {"thieves' tools", 8, []string{"legerdemain"}, 0}, "fails by 5": {"thieves' tools", 7, []string{"legerdemain"}, 10},
		"just made": {"thieves' tools", 12, []string{"legerdemain"}, 0}, "another": {"thieves' tools", 8, nil, 10}, "a lute": {"lute", 8, []string{"legerdemain"}, 10},
	} {
		if got := work(c.tool, c.face, c.feats...); got != c.minutes {
			t.Errorf("%s: %d minutes, want %d", name, got, c.minutes)
		}
	}
}
