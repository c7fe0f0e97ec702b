package event

import (
	"maps"
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SettingUpEpoch is the number, in addresses of faces, of the dice for what is
// rolled before the start of the fight that rolls from an epoch: the same number
// with its highest bit set. An epoch itself is less than that.
func SettingUpEpoch(epoch uint32) uint32 { return epoch | 1<<31 }

// SettingUp tells whether what is rolled now comes from the dice for setting up:
// those of the fight still take entropy.
func SettingUp(s *eventv1.State) bool { return s.EntropyOpen && s.SettingUp != nil }

// Unclosed tells whether entropy may still be added to the dice that have a
// number in addresses of faces: nothing may be drawn from them then.
func Unclosed(s *eventv1.State, epoch uint32) bool {
	if !s.EntropyOpen {
		return false
	}
	return epoch == s.Epoch || epoch == SettingUpEpoch(s.Epoch) && s.SettingUp.GetOpen()
}

// KeepDice puts the dice of one state into another: no ruling takes back what was
// committed to, mixed in, closed or opened.
func KeepDice(into, from *eventv1.State) {
	into.Epoch, into.Commitments, into.Entropy = from.Epoch, maps.Clone(from.Commitments), slices.Clone(from.Entropy)
	into.EntropyOpen, into.SettingUp, into.Beacon = from.EntropyOpen, from.SettingUp, from.Beacon
	into.SecretDice, into.DiceFormat, into.RulingDice = from.SecretDice, from.DiceFormat, from.RulingDice
}

func foldEpoch(s *eventv1.State, d *eventv1.DiceEpochOpened) {
	if d.Epoch < s.Epoch {
		return
	}
	if d.Epoch != s.Epoch {
		s.Commitments, s.Entropy = map[string][]byte{}, nil
		s.EntropyOpen, s.DiceFormat, s.SettingUp, s.Beacon = d.Open, d.Format, nil, nil
		s.RulingDice = d.ForRuling
		if d.Open && len(d.SettingUp) > 0 {
			s.SettingUp = &eventv1.SettingUp{Open: true}
		}
	}
	s.Epoch = d.Epoch
	for _, c := range d.Commitments {
		s.Commitments[c.Branch] = c.Commitment
	}
	if len(d.Entropy) > 0 {
		s.Entropy = d.Entropy
	}
	if d.Secret != nil {
		s.SecretDice = &eventv1.SecretBranches{Policy: d.Secret}
	}
}

func foldEntropy(s *eventv1.State, g *eventv1.EntropyGiven) {
	if g.Epoch != s.Epoch || slices.ContainsFunc(s.Entropy, func(e *eventv1.Entropy) bool { return e.Contributor == g.Contributor }) {
		return
	}
	s.Entropy = append(slices.Clone(s.Entropy), &eventv1.Entropy{Contributor: g.Contributor, Value: g.Value})
	if g.Beacon != nil && s.Beacon != nil {
		s.Beacon = &eventv1.BeaconPromise{Beacon: s.Beacon.Beacon, Given: true}
	}
}

func foldClosed(s *eventv1.State, c *eventv1.EntropyClosed) {
	switch {
	case c.Epoch == s.Epoch:
		s.EntropyOpen, s.SettingUp, s.RulingDice = false, nil, false
	case s.SettingUp != nil && c.Epoch == SettingUpEpoch(s.Epoch):
		s.SettingUp = &eventv1.SettingUp{}
	}
}

func foldBeacon(s *eventv1.State, b *eventv1.BeaconNamed) {
	if b.Epoch == s.Epoch {
		s.Beacon = &eventv1.BeaconPromise{Beacon: b.Beacon, Waived: b.Waived}
	}
}

// foldRevealed notes when secret branches are opened, and that they are.
func foldRevealed(s *eventv1.State, d *eventv1.DiceRevealed) {
	secret := s.SecretDice
	if secret == nil {
		return
	}
	now := &eventv1.SecretBranches{Policy: secret.Policy, DueUnixMillis: secret.DueUnixMillis, Opened: secret.Opened, Leaves: secret.Leaves}
	if d.SecretDueUnixMillis > 0 {
		now.DueUnixMillis = d.SecretDueUnixMillis
	}
	if d.Branch == "gm" && !slices.Contains(now.Opened, d.Epoch) {
		now.Opened = append(slices.Clone(now.Opened), d.Epoch)
	}
	s.SecretDice = now
}

func foldOpened(s *eventv1.State, o *eventv1.RollsOpened) {
	secret := s.SecretDice
	if secret == nil || len(o.Leaf) == 0 || Spent(s, o.Epoch, o.Branch, o.Action) {
		return
	}
	leaf := &eventv1.OpenedLeaf{Epoch: o.Epoch, Branch: o.Branch, Action: o.Action}
	s.SecretDice = &eventv1.SecretBranches{Policy: secret.Policy, DueUnixMillis: secret.DueUnixMillis, Opened: secret.Opened,
		Leaves: append(slices.Clone(secret.Leaves), leaf)}
}

// Spent tells whether the dice of an action on a secret branch were opened, with
// the branch or one by one: they are known, and drawn no more.
func Spent(s *eventv1.State, epoch uint32, branch string, action uint64) bool {
	secret := s.SecretDice
	if branch == "everyone" || secret == nil {
		return false
	}
	return slices.Contains(secret.Opened, epoch&^(1<<31)) || slices.ContainsFunc(secret.Leaves, func(l *eventv1.OpenedLeaf) bool {
		return l.Epoch == epoch && l.Branch == branch && l.Action == action
	})
}

// OfDice tells whether an event is about the dice themselves: what is committed to,
// mixed in, closed or opened. No ruling takes it back, and no rule decides it.
func OfDice(e *eventv1.Event) bool {
	switch e.GetWhat().(type) {
	case *eventv1.Event_DiceEpoch, *eventv1.Event_EntropyGiven, *eventv1.Event_EntropyClosed, *eventv1.Event_BeaconNamed, *eventv1.Event_DiceRevealed:
		return true
	}
	return false
}
