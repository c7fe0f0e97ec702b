package engine

import (
	"crypto/sha256"
	"encoding/hex"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checkRequest checks what can be checked without a state and fills what may
// be left out.
func checkRequest(req *Request) error {
	if err := aggregate.CheckPrincipal(req.As); err != nil {
		return err
	}
	if err := aggregate.CheckRequestID(req.ID); err != nil {
		return err
	}
	if req.Command.GetWhat() == nil {
		return fault.Field("command", "missing")
	}
	if err := checkSize(req.Command); err != nil {
		return err
	}
	req.Table = aggregate.TableOr(req.Table)
	c := req.Command.GetCreate()
	if c == nil {
		return nil
	}
	return checkCreate(req, c)
}

// checkSize bounds a command.
func checkSize(cmd *eventv1.Command) error {
	if n := proto.Size(cmd); n > maxCommandBytes {
		return fault.Limit("command bytes", maxCommandBytes, int64(n))
	}
	if n := len(cmd.Faces); n > maxFaces {
		return fault.Limit("faces", maxFaces, int64(n))
	}
	return nil
}

// checkCreate settles the names of a new encounter: what the request says and
// what the command says must agree, and a missing id is made from the request
// id so that a retry names the same encounter.
func checkCreate(req *Request, c *eventv1.CreateEncounter) error {
	if c.Encounter == "" {
		c.Encounter = req.Encounter
	}
	if c.Table == "" {
		c.Table = req.Table
	}
	if req.Table == aggregate.DefaultTable {
		req.Table = c.Table
	}
	if c.Encounter == "" {
		sum := sha256.Sum256([]byte("skald/encounter/v1\x00" + c.Table + "\x00" + req.ID))
		c.Encounter = "e" + hex.EncodeToString(sum[:10])
	}
	if req.Encounter == "" {
		req.Encounter = c.Encounter
	}
	if req.Encounter != c.Encounter || req.Table != c.Table {
		return fault.Field("command.create.encounter", "does not agree with the request's own encounter and table")
	}
	if err := text.Line(c.Title, limits.TitleBytes); err != nil {
		return fault.Field("command.create.title", "%v", err)
	}
	if c.DecisionSeconds < 0 || c.DecisionSeconds > limits.DecisionSeconds {
		return fault.Field("command.create.decision_seconds", "must be 0 to %d", limits.DecisionSeconds)
	}
	if len(c.Entropy) > 0 { // it would be given before anything is committed to
		return fault.Field("command.create.entropy", "entropy is given after the commitments are published: create without it, then each gives theirs by add_entropy (skald encounter entropy)")
	}
	return nil
}

// permitted says whether the principal may give the command at all.
func permitted(s *eventv1.State, as *eventv1.Principal, cmd *eventv1.Command) error {
	if as.Role == eventv1.Principal_ROLE_GM {
		return nil
	}
	var creatures []string
	denied := fault.New(fault.Denied, "NOT_ALLOWED", "only the game master may do that")
	if as.Role == eventv1.Principal_ROLE_SPECTATOR {
		return fault.New(fault.Denied, "NOT_ALLOWED", "spectators only watch")
	}
	switch w := cmd.What.(type) {
	case *eventv1.Command_Take:
		creatures = []string{w.Take.Creature}
	case *eventv1.Command_Together:
		for _, t := range w.Together.Actions {
			creatures = append(creatures, t.GetCreature())
		}
	case *eventv1.Command_EndTurn:
		creatures = []string{w.EndTurn.Creature}
		if w.EndTurn.Creature == "" && len(s.Active) == 1 {
			creatures = []string{s.Active[0]}
		}
	case *eventv1.Command_Order:
		if w.Order.Side != "" || w.Order.Monsters {
			return fault.New(fault.Denied, "NOT_ALLOWED", "only the game master orders a side or the monsters; give the order to creatures of yours")
		}
		creatures = append(creatures, w.Order.Creatures...)
		if w.Order.Creature != "" || len(creatures) == 0 {
			creatures = append(creatures, w.Order.Creature)
		}
	case *eventv1.Command_AddEntropy:
		return nil
	case *eventv1.Command_Contest, *eventv1.Command_TakeBack, *eventv1.Command_AnswerContest:
		return nil // whose it is is checked against the step and the contest
	case *eventv1.Command_Answer:
		if w.Answer.ByDefault {
			return denied
		}
		return nil // who may answer is checked against the decision
	default:
		return denied
	}
	for _, id := range creatures {
		if c := s.Creatures[id]; c != nil && event.KnownTo(s, c, as) && !event.Controls(c, as) {
			return fault.New(fault.Denied, "NOT_YOUR_CREATURE", "you do not control %q", id)
		}
	}
	return nil
}
