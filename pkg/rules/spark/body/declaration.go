package body

// Extra is the bonus action of a declaration.
type Extra struct {
	// Kind: off-hand, potion, activate, feat, draw, pick-up, free, gather.
	Kind string
	// Item is the weapon, item or feat.
	Item string
	// Class named for an off-hand weapon of several kinds.
	Class string
	// Target of an off-hand attack or of an item.
	Target string
	// First: before the main deed instead of after it.
	First bool
	// Risk: a cracked weapon of an off-hand attack is used regardless.
	Risk bool
}

// Is tells whether a bonus action makes a weapon ready in a certain way.
func (b *Extra) Is(kind string) bool { return b != nil && b.Kind == kind }

// On is the bonus action as far as it is about a weapon; nil otherwise.
func (b *Extra) On(weapon string) *Extra {
	if b == nil || b.Item != weapon {
		return nil
	}
	return b
}
