package event

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Every message of the vocabulary comes to stand where its name says.
func TestNewPutsEveryMessageInItsPlace(t *testing.T) {
	for name := range vocabulary {
		kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
		if err != nil {
			t.Fatal(err)
		}
		what := kind.New().Interface()
		want := byName(what)
		if want == nil {
			t.Fatalf("%s is not in the vocabulary", name)
		}
		if got := New(nil, what); !proto.Equal(got, want) || Kind(got) != Kind(want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
