package allinone_test

import (
	"errors"
	"io"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

func export(t *testing.T, w tables, table string) (out []*encounterv1.ExportResponse, commits [][]byte) {
	t.Helper()
	stream, err := encounterv1.NewEncounterServiceClient(w.s.Conn()).Export(t.Context(), &encounterv1.ExportRequest{As: theGM, Table: table, Encounter: "bridge"})
	if err != nil {
		t.Fatal(err)
	}
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out, commits
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
		if c := m.GetCommit(); c != nil {
			commits = append(commits, c)
		}
	}
}

// TestAForgottenPersonIsGone holds that a name that is replaced or forgotten is
// nowhere any more, and that the record, which never had it, stays what it was.
func TestAForgottenPersonIsGone(t *testing.T) {
	dir := t.TempDir()
	s, err := startWith(t, allinone.Config{DataDir: dir, Archive: dir + "/archive"})
	if err != nil {
		t.Fatal(err)
	}
	w := tables{t, s}
	w.fill("a", true)
	w.fill("ab", true)
	before, commits := export(t, w, "a")
	if len(commits) == 0 {
		t.Fatal("an export without Commits")
	}
	people := encounterv1.NewPersonServiceClient(s.Conn())
	ann, bob := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "p1"}, &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "p2"}
	spectator := &eventv1.Principal{Role: eventv1.Principal_ROLE_SPECTATOR}
	set := func(as *eventv1.Principal, table, id, name string) error {
		_, err := people.SetPerson(t.Context(), &encounterv1.SetPersonRequest{As: as, Table: table, Person: &encounterv1.Person{Id: id, Name: name}})
		return err
	}
	for _, err := range []error{set(theGM, "a", "p1", "Annabel Firstname"), set(theGM, "a", "p2", "Bob"), set(theGM, "ab", "p1", "Cleo"), set(ann, "a", "p1", "Ann Secondname")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for what, err := range map[string]error{"another's name": set(bob, "a", "p1", "Mud"), "a spectator": set(spectator, "a", "p1", "Mud"),
		"two lines": set(theGM, "a", "p1", "two\nlines"), "no name": set(theGM, "a", "p1", ""), "no id": set(theGM, "a", "", "Mud")} {
		if err == nil {
			t.Errorf("%s is taken", what)
		}
	}
	list := func(table string) []*encounterv1.Person {
		t.Helper()
		got, err := people.ListPersons(t.Context(), &encounterv1.ListPersonsRequest{As: spectator, Table: table})
		if err != nil {
			t.Fatal(err)
		}
		return got.Persons
	}
	if got := list("a"); len(got) != 2 || got[0].Name != "Ann Secondname" || got[1].Name != "Bob" {
		t.Errorf("people: %v", got)
	}
	if found := holds(t, dir, "Firstname"); len(found) > 0 {
		t.Errorf("a name that was replaced is in %v", found)
	}
	if found := holds(t, dir, "Secondname"); len(found) != 1 {
		t.Errorf("a name is in %v", found)
	}
	if _, err := people.ForgetPerson(t.Context(), &encounterv1.ForgetPersonRequest{As: bob, Table: "a", Id: "p1"}); err == nil {
		t.Error("a player forgets another")
	}
	for _, want := range []bool{true, false} {
		if got, err := people.ForgetPerson(t.Context(), &encounterv1.ForgetPersonRequest{As: theGM, Table: "a", Id: "p1"}); err != nil || got.Forgotten != want {
			t.Errorf("forgetting: %v, %v", got, err)
		}
	}
	if found := holds(t, dir, "Secondname"); len(found) > 0 {
		t.Errorf("a name that was forgotten is in %v", found)
	}
	after, again := export(t, w, "a")
	if len(after) != len(before) {
		t.Fatalf("the export has %d parts and had %d", len(after), len(before))
	}
	for i := range after {
		if !proto.Equal(after[i], before[i]) {
			t.Errorf("part %d of the export changed", i)
		}
	}
	report, err := encounter.Verify(t.Context(), systems.Registry(), nil, nil, again)
	if err != nil || len(report.Problems) > 0 {
		t.Errorf("the chain does not verify: %v, %v", report, err)
	}
	if _, err := w.delete("a"); err != nil {
		t.Fatal(err)
	}
	if found := holds(t, dir+"/persons", "Bob"); len(found) > 0 {
		t.Errorf("a name of a deleted table is in %v", found)
	}
	if err := set(theGM, "a", "p1", "Ann"); reasonOf(err) != "TABLE_DELETED" {
		t.Errorf("a name at a deleted table: %v", err)
	}
	if got := list("ab"); len(got) != 1 || got[0].Name != "Cleo" {
		t.Errorf("people of another table: %v", got)
	}
}
