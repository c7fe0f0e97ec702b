package auth

import (
	"testing"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A token for some encounters leads to no other: neither as the origin of a fork nor
// as the second of two that are compared.
func TestOthersEncounters(t *testing.T) {
	for name, tt := range map[string]struct {
		encounters []string
		origin     string
		ok         bool
	}{
		"all of the table":    {nil, "old", true},
		"both of the token's": {[]string{"new", "old"}, "old", true},
		"one of another's":    {[]string{"new"}, "old", false},
	} {
		g := &Grant{Role: GM, Subject: "kim", Table: "main", Scope: DefaultScopes(GM), Encounters: tt.encounters}
		_, err := g.apply(permissions[encounterv1.EncounterService_Execute_FullMethodName], &encounterv1.ExecuteRequest{Encounter: "new", Command: &eventv1.Command{
			What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Fork: &eventv1.ForkOf{Encounter: tt.origin}}}}})
		if (err == nil) != tt.ok || err != nil && !isReason(err, ReasonElsewhere) {
			t.Errorf("%s, forked: %v", name, err)
		}
		_, err = g.apply(permissions[encounterv1.WhatIfService_Compare_FullMethodName], &encounterv1.CompareRequest{Encounter: "new", OtherEncounter: tt.origin})
		if (err == nil) != tt.ok {
			t.Errorf("%s, compared: %v", name, err)
		}
	}
}
