package ward

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ownWords are the parameters that the service itself reads of its deeds. What
// else is said with them is for the rule system.
var ownWords = must(rules.ReadVocabulary(`place,actions,name,type,values,sides,least,most,matter,rule,text
deed,enrol,dice_policy,string,server|supplied|either,,,,world,,Where the faces of the patient's rolls come from; the server if not given
deed,edit,controllers,strings,,,,,world,,The players who control the patient from now on; none takes all away
deed,edit,remove_conditions,strings,,,,,world,,Conditions to take away by id or name
deed,edit,remove_injuries,strings,,,,,world,,Injuries to take away by id
deed,edit,reason,string,,,,,world,,Why
deed,revert,version,number,,,1,1000000000,world,,"Version of the record to go back to; before the last deed that counts, if not given"
deed,revert,reason,string,,,,,world,,Why
deed,redo,reason,string,,,,,world,,Why
deed,pass-time,hours,number,,,1,1000000,world,,Hours that pass
`, nil))

// must is for what is fixed in the program and held by its tests.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// checkOwn refuses what the service does not know how to read: its own words of
// another type and, where no rule system reads the rest, all others.
func checkOwn(c *eventv1.PatientCommand, systemReads bool) error {
	said := c.GetParameters()
	if systemReads {
		own := ownWords.Names(rules.PlaceDeed, c.Deed)
		said = proto.Clone(said).(*structpb.Struct)
		for _, name := range rules.SortedKeys(said.GetFields()) {
			if !slices.Contains(own, name) {
				delete(said.Fields, name)
			}
		}
	}
	return ownWords.CheckDeed(c.Deed, said)
}

// forSystem copies parameters without those that only the service reads.
func forSystem(c *eventv1.PatientCommand) *eventv1.PatientCommand {
	out := proto.Clone(c).(*eventv1.PatientCommand)
	for _, name := range ownWords.Names(rules.PlaceDeed, c.Deed) {
		delete(out.GetParameters().GetFields(), name)
	}
	return out
}
