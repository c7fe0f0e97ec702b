package aggregate

import (
	"bytes"
	"fmt"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DefaultTable is the table meant by an empty table id.
const DefaultTable = "main"

// Table is the table that a request is about, checked; the fault names the field
// "table".
func Table(id string) (string, error) {
	if id == "" {
		return DefaultTable, nil
	}
	return id, CheckID("table", id)
}

// TableOr is the table that a request is about, unchecked.
func TableOr(id string) string {
	if id == "" {
		return DefaultTable
	}
	return id
}

// CheckID says what is wrong with the id of an encounter, a table, a creature or a
// patient that stands in a field of a request.
func CheckID(field, id string) error {
	if err := text.ID(id); err != nil {
		return fault.Field(field, "%v", err)
	}
	return nil
}

// CheckPrincipal says what is wrong with whoever a call is made for, which stands
// in the field "as".
func CheckPrincipal(p *eventv1.Principal) error {
	switch p.GetRole() {
	case eventv1.Principal_ROLE_GM, eventv1.Principal_ROLE_PLAYER, eventv1.Principal_ROLE_SPECTATOR:
	default:
		return fault.Field("as.role", "must be the game master, a player or a spectator")
	}
	if p.GetRole() == eventv1.Principal_ROLE_PLAYER && p.GetName() == "" {
		return fault.Field("as.name", "a player has a name")
	}
	if err := text.Name(p.GetName()); err != nil && p.GetName() != "" {
		return fault.Field("as.name", "%v", err)
	}
	return nil
}

// CheckRequestID says what is wrong with a request id, which stands in the field
// "request_id".
func CheckRequestID(id string) error {
	if id == "" {
		return fault.Field("request_id", "missing")
	}
	if err := text.Line(id, limits.RequestIDBytes); err != nil {
		return fault.Field("request_id", "%v", err)
	}
	return nil
}

// Page is how many entries a page has when a request asks for limit of them.
func Page(limit uint32) int {
	if limit == 0 {
		return limits.PageDefault
	}
	return int(min(limit, limits.PageMost))
}

// RequestKey is under what a request id is known: each principal has ids of its
// own, so that nobody learns which ids others used.
func RequestKey(p *eventv1.Principal, id string) string {
	return strconv.Itoa(int(p.GetRole())) + "/" + p.GetName() + "\x00" + id
}

// RequestDigest tells a repeated request from a request id that was used for
// something else.
func RequestDigest(request proto.Message) ([]byte, error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("aggregate: digest of a request: %w", err)
	}
	return PlainHash(data), nil
}

// ReasonReused is the reason of Repeats' fault.
const ReasonReused = "REQUEST_ID_REUSED"

// Repeats checks that a request under an id that is known is the one that was
// carried out under it: an Invalid fault when it is another.
func Repeats(known, digest []byte) error {
	if bytes.Equal(known, digest) {
		return nil
	}
	return fault.New(fault.Invalid, ReasonReused, "this request id was used for something else")
}
