package rules

import (
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Reasons of refusals that the dice give.
const (
	// ReasonEntropyClosed: the dice take no entropy any more.
	ReasonEntropyClosed = "ENTROPY_CLOSED"
	// ReasonEntropyGiven: whoever it is has added to this epoch already.
	ReasonEntropyGiven = "ENTROPY_GIVEN"
	// ReasonBeaconMissing: a round that was promised is not there.
	ReasonBeaconMissing = "BEACON_MISSING"
	// ReasonBeacon: there is no such promise, or one already.
	ReasonBeacon = "BEACON"
)

// centurySeconds bounds how long after the end secret branches stay closed.
const centurySeconds = 100 * 365 * 24 * 60 * 60

// Apart tells whether a command is about the dice alone: it is no part of what
// happens in the fight, can be given while a decision is open, and no ruling takes
// it back.
func Apart(cmd *eventv1.Command) bool {
	switch cmd.GetWhat().(type) {
	case *eventv1.Command_AddEntropy, *eventv1.Command_CloseEntropy, *eventv1.Command_NameBeacon, *eventv1.Command_OpenRolls, *eventv1.Command_OpenDice:
		return true
	}
	return false
}

// openDice publishes the commitments of a new encounter: entropy comes after them.
func (r *Resolution) openDice(c *eventv1.CreateEncounter) error {
	if err := checkSecret(c.SecretDice); err != nil {
		return err
	}
	if c.Beacon != nil {
		if err := checkBeacon("create.beacon", c.Beacon); err != nil {
			return err
		}
	}
	opened := r.opened(nil, "everyone", "gm", "creatures")
	if c.SecretDice != nil {
		opened = proto.CloneOf(opened)
		opened.Secret = c.SecretDice
	}
	r.Emit(event.Everyone(), opened)
	if c.Beacon != nil {
		r.Emit(event.Everyone(), &eventv1.BeaconNamed{Epoch: opened.Epoch, Beacon: c.Beacon})
	}
	return nil
}

func checkSecret(s *eventv1.SecretDice) error {
	const field = "create.secret_dice"
	switch {
	case s == nil:
		return nil
	case s.UnixMillis < 0:
		return fault.Field(field+".unix_millis", "must not be negative")
	case s.SecondsAfterEnd < 0 || s.SecondsAfterEnd > centurySeconds:
		return fault.Field(field+".seconds_after_end", "must be 0 to %d", centurySeconds)
	case s.When == eventv1.SecretDice_WHEN_AFTER && s.UnixMillis == 0 && s.SecondsAfterEnd == 0:
		return fault.Field(field, "say after which time: unix_millis, seconds_after_end, or both")
	case s.When != eventv1.SecretDice_WHEN_AFTER && (s.UnixMillis != 0 || s.SecondsAfterEnd != 0):
		return fault.Field(field+".when", "a time is for WHEN_AFTER alone")
	case eventv1.SecretDice_When_name[int32(s.When)] == "":
		return fault.Field(field+".when", "is not known")
	}
	return nil
}

func checkBeacon(field string, b *eventv1.Beacon) error {
	if err := text.Name(b.GetName()); err != nil {
		return fault.Field(field+".name", "%v", err)
	}
	if b.Round == 0 {
		return fault.Field(field+".round", "rounds count from 1")
	}
	return nil
}

// Contributor names a principal in the entropy of dice.
func Contributor(p *eventv1.Principal) string {
	if p.GetRole() == eventv1.Principal_ROLE_PLAYER {
		return "player/" + p.Name
	}
	return "gm/" + p.GetName()
}

func contributorOf(b *eventv1.Beacon) string {
	return "beacon/" + b.Name + "/" + strconv.FormatUint(b.Round, 10)
}

// The refusals here name nobody and nothing: a text is made anew for those who do
// not know of a creature that is staged, and one that held a player's own words would
// tell by its change that a creature is called so.

func entropyOpen(r *Resolution) error {
	if r.state.EntropyOpen {
		return nil
	}
	return fault.Refuse(ReasonEntropyClosed, "", "the entropy of these dice is closed: it is given between their commitments and their first roll")
}

// addEntropy mixes something into the dice: once for each principal and epoch,
// between the commitments and the first roll.
func addEntropy(r *Resolution, c *eventv1.AddEntropy) error {
	value := c.Value
	if c.Words != "" {
		value = []byte(c.Words)
	}
	switch n := len(value); {
	case len(c.Value) > 0 && c.Words != "":
		return fault.Field("add_entropy.words", "give bytes or words, not both")
	case n == 0:
		return fault.Field("add_entropy.value", "missing")
	case n > limits.EntropyBytes:
		return fault.Limit("bytes of entropy", limits.EntropyBytes, int64(n))
	}
	if err := entropyOpen(r); err != nil {
		return err
	}
	given := &eventv1.EntropyGiven{Epoch: r.state.Epoch, Contributor: Contributor(r.req.Caller), Value: value, Beacon: c.Beacon}
	if c.Beacon != nil {
		if err := promised(r, c.Beacon); err != nil {
			return err
		}
		given.Contributor = contributorOf(c.Beacon)
	}
	if slices.ContainsFunc(r.state.Entropy, func(e *eventv1.Entropy) bool { return e.Contributor == given.Contributor }) {
		return fault.Refuse(ReasonEntropyGiven, "", "that was given to these dice already: each gives once, and the value of a round is given once")
	}
	if n := len(r.state.Entropy); n >= limits.EntropyMixed {
		return fault.Limit("contributions of entropy", limits.EntropyMixed, int64(n)+1)
	}
	r.Emit(event.Everyone(), given)
	return nil
}

// promised refuses the value of a round that nobody promised.
func promised(r *Resolution, b *eventv1.Beacon) error {
	p := r.state.Beacon
	switch {
	case p == nil:
		return fault.Refuse(ReasonBeacon, "", "no round of a beacon was promised for these dice")
	case p.Waived:
		return fault.Refuse(ReasonBeacon, "", "the round that was promised was waived")
	case b.Name != p.Beacon.Name || b.Round != p.Beacon.Round:
		return fault.Field("add_entropy.beacon", "is not the round that was promised")
	}
	return nil
}

// BeaconThere refuses to close entropy while a round that was promised is neither
// given nor waived.
func BeaconThere(s *eventv1.State) error {
	if p := s.Beacon; s.EntropyOpen && p != nil && !p.Given && !p.Waived {
		return fault.Refuse(ReasonBeaconMissing, "", "a round of a beacon was promised and its value is not given: give it (add_entropy), or the game master waives it (name_beacon)")
	}
	return nil
}

// closeEntropy closes the entropy of the epoch, if it is open. Nothing that is
// drawn from the epoch comes before it.
func closeEntropy(r *Resolution) error {
	if !r.state.EntropyOpen {
		return nil
	}
	if err := BeaconThere(r.state); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.EntropyClosed{Epoch: r.state.Epoch})
	return nil
}

func closeNow(r *Resolution) error {
	if err := entropyOpen(r); err != nil {
		return err
	}
	return closeEntropy(r)
}

func nameBeacon(r *Resolution, c *eventv1.NameBeacon) error {
	if err := entropyOpen(r); err != nil {
		return err
	}
	if err := text.Line(c.Reason, limits.LineBytes); err != nil {
		return fault.Field("name_beacon.reason", "%v", err)
	}
	p := r.state.Beacon
	if c.Waive {
		switch {
		case c.Beacon != nil:
			return fault.Field("name_beacon.beacon", "what is waived is the round that was promised; name another afterwards")
		case p == nil || p.Waived || p.Given:
			return fault.Refuse(ReasonBeacon, "", "no round of a beacon is missing")
		}
		r.Emit(event.Everyone(), &eventv1.BeaconNamed{Epoch: r.state.Epoch, Beacon: p.Beacon, Waived: true, Reason: c.Reason})
		return nil
	}
	if err := checkBeacon("name_beacon.beacon", c.Beacon); err != nil {
		return err
	}
	if p != nil && !p.Waived {
		return fault.Refuse(ReasonBeacon, "", "a round is promised already: waive it first")
	}
	r.Emit(event.Everyone(), &eventv1.BeaconNamed{Epoch: r.state.Epoch, Beacon: c.Beacon, Reason: c.Reason})
	return nil
}

// closes tells that a draw closed the entropy of its dice, where nothing else had:
// what was rolled before the start, and the first roll of a later epoch.
func (r *Resolution) closes(draws ...*eventv1.Draw) {
	for _, d := range draws {
		if int(d.Supplied) < len(d.Faces) && event.Unclosed(r.state, d.Epoch) {
			r.Emit(event.Everyone(), &eventv1.EntropyClosed{Epoch: d.Epoch})
		}
	}
}

// drawsIn are the draws among inputs, those of deeds included.
func drawsIn(inputs []*eventv1.Input) []*eventv1.Draw {
	var out []*eventv1.Draw
	for _, in := range inputs {
		if d := in.GetDraw(); d != nil {
			out = append(out, d)
		}
		out = append(out, drawsIn(in.GetHarm().GetInputs())...)
	}
	return out
}
