package oracle

// Scale holds what speaks for and against a roll, by kind: of one kind on one
// side it counts once (rcr.dice.same-kind-no-stack).
type Scale struct{ For, Against map[string]bool }

// NewScale weighs nothing yet.
func NewScale() *Scale { return &Scale{For: map[string]bool{}, Against: map[string]bool{}} }

// Net is sources of advantage less sources of disadvantage, each of which takes
// one of the other away (rcr.dice.pairwise-cancel).
func (s *Scale) Net() int { return len(s.For) - len(s.Against) }

// D20 throws one die, two or three, and keeps the highest or the lowest
// (rcr.dice.assurance, rcr.dice.disaster).
func (s *Scale) D20(roll Roll) int {
	net := s.Net()
	dice := 1 + min(2, max(net, -net))
	kept := roll(20)
	for range dice - 1 {
		face := roll(20)
		if net > 0 && face > kept || net < 0 && face < kept {
			kept = face
		}
	}
	return kept
}
