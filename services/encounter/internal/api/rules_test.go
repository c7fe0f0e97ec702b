package api

import (
	"context"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
)

// A list of the rules of one status has all of these and no others.
func TestListRulesOfAStatus(t *testing.T) {
	c, err := catalogue.System("rcr")
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []catalogue.Status{catalogue.StatusDecided, catalogue.StatusAdvice, catalogue.StatusOpen} { // none need be open
		want, got, req := 0, 0, &rulesv1.ListRulesRequest{System: "rcr", Status: string(status)}
		for _, e := range c.Entries {
			if e.Status == status {
				want++
			}
		}
		for more := true; more; {
			resp, err := (&Rules{}).ListRules(context.Background(), req)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range resp.Rules {
				if req.After = r.Id; r.Status != string(status) {
					t.Errorf("%s is %s, not %s", r.Id, r.Status, status)
				}
			}
			got, more = got+len(resp.Rules), resp.More
		}
		if got != want || want == 0 && status != catalogue.StatusOpen {
			t.Errorf("%d rules are %s, want %d", got, status, want)
		}
	}
}

// A rule's table is the one that decides.
func TestGetRuleHasTheTableThatDecides(t *testing.T) {
	resp, err := (&Rules{}).GetRule(context.Background(), &rulesv1.GetRuleRequest{Id: cite.InjurySetbackTable})
	if err != nil {
		t.Fatal(err)
	}
	if r := resp.Rule; !strings.HasPrefix(r.Table, "from,to,minor,major\n1,4,1d10,2d10\n") || r.Status != "decided" {
		t.Errorf("%v", r)
	}
}
