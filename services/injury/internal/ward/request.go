package ward

import (
	"crypto/sha256"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// DefaultTable is the table meant by an empty table id.
const DefaultTable = "main"

// Limits of requests.
const (
	maxRequestID = limits.RequestIDBytes
	maxPatients  = limits.DeedPatients // that one deed touches
	defaultPage  = limits.PageDefault  // entries or patients
	maxPage      = limits.PageMost
)

func tableOf(table string) (string, error) {
	if table == "" {
		return DefaultTable, nil
	}
	return table, checkID("table", table)
}

func checkID(field, id string) error {
	if err := text.ID(id); err != nil {
		return fault.Field(field, "%v", err)
	}
	return nil
}

// checkPrincipal refuses a call made for nobody.
func checkPrincipal(p *eventv1.Principal) error {
	switch p.GetRole() {
	case eventv1.Principal_ROLE_GM, eventv1.Principal_ROLE_PLAYER, eventv1.Principal_ROLE_SPECTATOR:
	default:
		return fault.Field("as.role", "must be the game master, a player or a spectator")
	}
	if p.Role == eventv1.Principal_ROLE_PLAYER && p.Name == "" {
		return fault.Field("as.name", "a player has a name")
	}
	if err := text.Name(p.Name); err != nil && p.Name != "" {
		return fault.Field("as.name", "%v", err)
	}
	return nil
}

func checkRequestID(id string) error {
	if id == "" {
		return fault.Field("request_id", "missing")
	}
	return checkText("request_id", id, maxRequestID)
}

func checkText(field, s string, limit int) error {
	if err := text.Line(s, limit); err != nil {
		return fault.Field(field, "%v", err)
	}
	return nil
}

// requestDigest tells a retry from a reused request id. Who asks is the role and
// the name: the token may have been replaced since.
func requestDigest(req *injuryv1.TendRequest) ([]byte, error) {
	plain := &injuryv1.TendRequest{RequestId: req.RequestId, Table: req.Table, System: req.System, Settings: req.Settings,
		Command: req.Command, As: &eventv1.Principal{Role: req.As.GetRole(), Name: req.As.GetName()}}
	return digestOf(plain)
}

// digestOf is a digest of a message.
func digestOf(m proto.Message) ([]byte, error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("ward: digest of a request: %w", err)
	}
	sum := sha256.Sum256(data)
	return sum[:], nil
}

func page(limit uint32) int {
	if limit == 0 {
		return defaultPage
	}
	return int(min(limit, maxPage))
}

// unknownPatient is what a patient that does not exist answers, and one that
// the caller may not see (W4).
func unknownPatient(id string) error {
	return fault.New(fault.NotFound, "UNKNOWN_PATIENT", "there is no patient %q", id)
}

// gameMaster reads what nobody is to be shown.
var gameMaster = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM}

func isGM(p *eventv1.Principal) bool { return p.GetRole() == eventv1.Principal_ROLE_GM }
