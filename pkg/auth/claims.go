package auth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audience is what the aud of every caller's token must name.
const Audience = "skald"

// ClaimsVersion is the version of the claims that this build reads.
const ClaimsVersion = 1

// Role is the role in a token.
type Role string

// The roles.
const (
	// GM sees everything and rules; it may look as somebody else.
	GM Role = "gm"
	// Player sees and does what the player of the token's subject may.
	Player Role = "player"
	// Spectator sees what everyone sees.
	Spectator Role = "spectator"
	// Service is the trusted back end of a virtual tabletop, which speaks for
	// anyone at its table.
	Service Role = "service"
)

// Roles are all of them.
func Roles() []Role { return []Role{GM, Player, Spectator, Service} }

// Scope is one thing that a token allows.
type Scope string

// The scopes.
const (
	// Watch: read states, options, histories, explanations and patients.
	Watch Scope = "watch"
	// Execute: give commands.
	Execute Scope = "execute"
	// Rule: revert, redo and amend, and their previews.
	Rule Scope = "rule"
	// Tend: treat patients between fights.
	Tend Scope = "tend"
	// Roll: roll outside of fights and compute odds.
	Roll Scope = "roll"
	// Export: take the record along and verify it.
	Export Scope = "export"
	// Content: put packs of a table's own content.
	Content Scope = "content"
	// Witness: read checkpoints, which count every Commit of a stream. No role has it
	// by itself: who plays at the server could count what is hidden.
	Witness Scope = "witness"
	// Admin: what only who runs the server does. No role has it by itself.
	Admin Scope = "admin"
)

// Scopes are all of them.
func Scopes() []Scope {
	return []Scope{Watch, Execute, Rule, Tend, Roll, Export, Content, Witness, Admin}
}

// DefaultScopes are those of a token that names none.
func DefaultScopes(r Role) []Scope {
	switch r {
	case GM, Service:
		return []Scope{Watch, Execute, Rule, Tend, Roll, Export, Content}
	case Player:
		return []Scope{Watch, Execute, Tend, Roll, Export}
	case Spectator:
		return []Scope{Watch, Export}
	}
	return nil
}

// Table is what a token says of the table: the claim "skald".
type Table struct {
	// V is the version of the claims, 1.
	V int `json:"v"`
	// Table id.
	Table string `json:"table"`
	// Role at the table.
	Role Role `json:"role"`
	// Encounters that the token is for; absent means all of the table.
	Encounters []string `json:"encounters,omitzero"`
	// Scope is what the token allows; absent means what its role has, an empty
	// list nothing.
	Scope []Scope `json:"scope,omitzero"`
	// Creatures that a player's token may act for, of those that the player
	// controls; absent means all of them.
	Creatures []string `json:"creatures,omitzero"`
}

// Claims are those of a caller's token.
type Claims struct {
	jwt.RegisteredClaims
	// Skald is the claim "skald".
	Skald Table `json:"skald"`
}

// Limits of what a token may hold: it goes with every call.
const (
	maxToken = 8 << 10 // bytes
	maxList  = 64      // encounters or creatures
	maxName  = 128     // bytes of a subject or an id
)

// check says what is wrong with the claims, apart from times and signature.
func (c *Claims) check() error {
	s := &c.Skald
	switch {
	case s.V != ClaimsVersion:
		return fmt.Errorf("skald.v: want %d, got %d", ClaimsVersion, s.V)
	case s.Table == "" || len(s.Table) > maxName:
		return fmt.Errorf("skald.table: want a table id of at most %d bytes", maxName)
	case !slices.Contains(Roles(), s.Role):
		return fmt.Errorf("skald.role: want one of %s, got %q", words(Roles()), s.Role)
	case c.Subject == "" || len(c.Subject) > maxName:
		return fmt.Errorf("sub: want a name of at most %d bytes", maxName)
	case len(c.ID) > maxName:
		return fmt.Errorf("jti: at most %d bytes", maxName)
	case len(s.Creatures) > 0 && s.Role != Player:
		return fmt.Errorf("skald.creatures: only a player's token is narrowed to creatures, not that of a %s", s.Role)
	}
	for _, scope := range s.Scope {
		if !slices.Contains(Scopes(), scope) {
			return fmt.Errorf("skald.scope: want some of %s, got %q", words(Scopes()), scope)
		}
	}
	if err := checkList("skald.encounters", s.Encounters); err != nil {
		return err
	}
	return checkList("skald.creatures", s.Creatures)
}

// checkList refuses an empty list as well: whoever writes one may mean nothing or
// everything.
func checkList(name string, list []string) error {
	if list == nil {
		return nil
	}
	if len(list) == 0 || len(list) > maxList || slices.Contains(list, "") {
		return fmt.Errorf("%s: want 1 to %d ids, or leave it out for all", name, maxList)
	}
	return nil
}

func words[T ~string](list []T) string {
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	return strings.Join(out, ", ")
}

// Grant is what a call may do, and on whose behalf it is made.
type Grant struct {
	// Principal is on whose behalf the call is made; nil while the request has
	// not been read, and for methods that are nobody's.
	Principal *eventv1.Principal
	// Open says that the server asks for no tokens; all fields below are empty.
	Open bool
	// Subject and ID (jti) of the token.
	Subject, ID string
	// Role of the token.
	Role Role
	// Table of the token.
	Table string
	// Encounters of the token; empty means all of the table.
	Encounters []string
	// Scope is what the token allows.
	Scope []Scope
	// Creatures that a player may act for; empty means all that it controls.
	Creatures []string
	// Until is when the token ends, the skew of clocks included.
	Until time.Time

	issued   time.Time // zero: not said
	verifier *Verifier
}

func newGrant(c *Claims, v *Verifier) *Grant {
	g := &Grant{Subject: c.Subject, ID: c.ID, Role: c.Skald.Role, Table: c.Skald.Table, Encounters: c.Skald.Encounters,
		Scope: c.Skald.Scope, Creatures: c.Skald.Creatures, Until: c.ExpiresAt.Add(v.skew), verifier: v}
	if g.Scope == nil {
		g.Scope = DefaultScopes(g.Role)
	}
	if c.IssuedAt != nil {
		g.issued = c.IssuedAt.Time
	}
	return g
}

// Has tells whether the grant allows a scope.
func (g *Grant) Has(s Scope) bool { return g.Open || slices.Contains(g.Scope, s) }

// Covers tells whether the grant is for an encounter of its table.
func (g *Grant) Covers(encounter string) bool {
	return g.CoversAll() || slices.Contains(g.Encounters, encounter)
}

// CoversAll tells whether the grant is for every encounter of its table.
func (g *Grant) CoversAll() bool { return g == nil || g.Open || len(g.Encounters) == 0 }

// Ended says why the grant no longer holds: a fault with the reason TOKEN_EXPIRED
// or TOKEN_REVOKED. It is nil while it holds, and always in open mode.
func (g *Grant) Ended() error {
	if g == nil || g.Open || g.verifier == nil {
		return nil
	}
	return g.verifier.ended(g)
}

// Changed is closed when Ended should be asked again before Until; nil, which
// never is, in open mode. Take it before asking Ended.
func (g *Grant) Changed() <-chan struct{} {
	if g == nil || g.Open || g.verifier == nil {
		return nil
	}
	return g.verifier.revoked.changed()
}
