package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	"google.golang.org/protobuf/types/known/structpb"
)

// StatedIDs reads a list of creatures out of the stated facts; nil when nothing
// is stated, empty when it is stated that there are none.
func StatedIDs(facts *structpb.Struct, key string) []string {
	list, _ := spoken.Words(facts, key)
	return list
}
