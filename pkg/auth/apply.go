package auth

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// apply is the second half, once the request is known: it holds the request
// against the grant and writes into it on whose behalf and at which table it is
// made. A reply, if any, is the answer in place of the service's.
func (g *Grant) apply(p permission, req proto.Message) (proto.Message, error) {
	asked, hasAs := principalOf(req)
	if g.Open {
		if asked != nil { // nobody but a guard with a token sets these
			asked = &eventv1.Principal{Role: asked.Role, Name: asked.Name}
			setPrincipal(req, asked)
		}
		g.Principal = asked
		return nil, nil
	}
	if scope := scopeOf(p, req); scope != "" && !g.Has(scope) && (!p.admin || !g.Has(Admin)) {
		return nil, denied(ReasonScope, "the token does not allow this: it needs the scope %s", scope)
	}
	if hasAs {
		as, err := g.speakAs(asked)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(p.roles, as.Role) {
			return nil, denied(ReasonRole, "a %s may not do this", roleWord(as.Role))
		}
		if p.acts && g.Role == GM && as.Role != eventv1.Principal_ROLE_GM {
			return nil, denied(ReasonWider, "as: a game master may look as somebody else, and act only as the game master")
		}
		g.Principal = as
		setPrincipal(req, as)
	}
	if c, ok := req.(*encounterv1.GetCheckpointRequest); ok && c.Patients {
		p.place = onTable // the tree over the stream is no table's
	}
	if p.place == nowhere || g.here(p, req) {
		return nil, nil
	}
	return elsewhere(req)
}

// speakAs is on whose behalf a call is made, by the token and by what the request
// asks for, which may only narrow it.
func (g *Grant) speakAs(asked *eventv1.Principal) (*eventv1.Principal, error) {
	role, name := asked.GetRole(), asked.GetName()
	as := &eventv1.Principal{Role: role, Name: name}
	wider := denied(ReasonWider, "as: the token is that of %s %q, and a request can only narrow it", g.Role, g.Subject)
	own := map[Role]eventv1.Principal_Role{GM: eventv1.Principal_ROLE_GM, Player: eventv1.Principal_ROLE_PLAYER,
		Spectator: eventv1.Principal_ROLE_SPECTATOR}[g.Role]
	switch {
	case g.Role == Service:
		if role == eventv1.Principal_ROLE_UNSPECIFIED {
			return nil, fault.Field("as.role", "a service must say on whose behalf it calls")
		}
	case role == eventv1.Principal_ROLE_UNSPECIFIED && name == "", role == own:
		// The name of a game master or a spectator is free and means nothing: the
		// token's is taken. That of a player is who the player is.
		if g.Role == Player && name != "" && name != g.Subject {
			return nil, wider
		}
		as.Role, as.Name = own, g.Subject
	case role == eventv1.Principal_ROLE_SPECTATOR:
		as.Name = ""
	case g.Role != GM || role != eventv1.Principal_ROLE_PLAYER:
		return nil, wider
	}
	as.Token = g.ID
	if as.Name != g.Subject {
		as.Subject = g.Subject
	}
	if as.Role == eventv1.Principal_ROLE_PLAYER {
		as.Creatures = g.Creatures
	}
	return as, nil
}

// here tells whether a request is about the table and the encounters of the
// token. It fills in a table that the request leaves out.
func (g *Grant) here(p permission, req proto.Message) bool {
	if !fill(req, "table", g.Table) {
		return false
	}
	if r, ok := req.(*encounterv1.ExecuteRequest); ok && r.GetCommand().GetCreate() != nil {
		c := r.Command.GetCreate()
		if c.Table != "" && c.Table != g.Table {
			return false
		}
		c.Table = g.Table
		if c.Fork != nil && !g.Covers(c.Fork.Encounter) {
			return false
		}
		named := r.Encounter != "" || c.Encounter != "" || len(g.Encounters) == 0
		return named && (r.Encounter == "" || g.Covers(r.Encounter)) && (c.Encounter == "" || g.Covers(c.Encounter))
	}
	if _, whole := req.(*injuryv1.ExportTableRequest); whole && len(g.Encounters) > 0 {
		return false // all encounters of the table are in it
	}
	if p.place != inEncounter {
		return true
	}
	if r, ok := req.(*encounterv1.CompareRequest); ok && r.OtherEncounter != "" && !g.Covers(r.OtherEncounter) {
		return false
	}
	if r, ok := req.(ofPatient); ok && r.GetPatient() != "" && r.GetEncounter() == "" {
		return true // as everything about patients: the table's
	}
	r, ok := req.(interface{ GetEncounter() string })
	return ok && g.Covers(r.GetEncounter())
}

// ofPatient is a question about an encounter or, in its place, about a patient's record.
type ofPatient interface {
	GetEncounter() string
	GetPatient() string
}

// fill sets a text field that is empty and tells whether it is now as it must be.
func fill(req proto.Message, name protoreflect.Name, value string) bool {
	m := req.ProtoReflect()
	fd := m.Descriptor().Fields().ByName(name)
	if fd == nil || fd.Kind() != protoreflect.StringKind || fd.IsList() {
		return false
	}
	if m.Get(fd).String() == "" {
		m.Set(fd, protoreflect.ValueOfString(value))
	}
	return m.Get(fd).String() == value
}

// asField is the field "as" of a request; nil when it has none.
func asField(m protoreflect.Message) protoreflect.FieldDescriptor {
	fd := m.Descriptor().Fields().ByName("as")
	if fd == nil || fd.Message() == nil || fd.Message().FullName() != (&eventv1.Principal{}).ProtoReflect().Descriptor().FullName() {
		return nil
	}
	return fd
}

// principalOf is the field "as" of a request, and whether there is such a field.
func principalOf(req proto.Message) (*eventv1.Principal, bool) {
	m := req.ProtoReflect()
	fd := asField(m)
	if fd == nil {
		return nil, false
	}
	if !m.Has(fd) {
		return nil, true
	}
	p, _ := m.Get(fd).Message().Interface().(*eventv1.Principal)
	return p, true
}

func setPrincipal(req proto.Message, p *eventv1.Principal) {
	m := req.ProtoReflect()
	m.Set(asField(m), protoreflect.ValueOfMessage(p.ProtoReflect()))
}

func roleWord(r eventv1.Principal_Role) string {
	switch r {
	case eventv1.Principal_ROLE_GM:
		return "game master"
	case eventv1.Principal_ROLE_PLAYER:
		return "player"
	case eventv1.Principal_ROLE_SPECTATOR:
		return "spectator"
	}
	return "caller without a role"
}
