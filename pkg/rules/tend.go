package rules

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Tend carries out a deed on patients between fights by a system's medicine,
// after what is the same in every system: the deed is one that the medicine
// lists, and the patients are some, known, and named once.
func Tend(m Medicine, cmd *eventv1.PatientCommand) func(*Resolution) error {
	return func(r *Resolution) error {
		if !slices.Contains(m.Deeds(), cmd.GetDeed()) {
			return fault.Field("command.patient.deed", "%q is not one of %v", cmd.GetDeed(), m.Deeds())
		}
		if len(cmd.Patients) == 0 {
			return fault.Field("command.patient.patients", "at least one")
		}
		for i, id := range cmd.Patients {
			field := "command.patient.patients[" + itoa(i) + "]"
			if r.Creature(id) == nil {
				return fault.New(fault.NotFound, "UNKNOWN_PATIENT", "%s: there is no patient %q", field, id)
			}
			if slices.Contains(cmd.Patients[:i], id) {
				return fault.Field(field, "%q is named twice", id)
			}
		}
		if cmd.User != "" && r.Creature(cmd.User) == nil {
			return fault.New(fault.NotFound, "UNKNOWN_PATIENT", "command.patient.user: there is no patient %q", cmd.User)
		}
		r.actor = cmd.User
		if r.actor == "" {
			r.actor = cmd.Patients[0]
		}
		if err := r.checkDeed(cmd); err != nil {
			return err
		}
		cmd, goOn, err := r.grantedDeed(m, cmd)
		if !goOn {
			return err
		}
		return m.Tend(r, cmd)
	}
}

// checkDeed refuses parameters that the deed does not take. The service's own
// are taken off before.
func (r *Resolution) checkDeed(cmd *eventv1.PatientCommand) error {
	v := VocabularyOf(r.sys)
	if v == nil || !v.knowsDeeds() {
		return nil
	}
	return r.checkWords("command.patient.parameters", PlaceDeed, cmd.Deed, cmd.Parameters)
}

// CheckDeed refuses parameters that are no words of a deed, or of another type.
// Words for creatures are not looked up.
func (v *Vocabulary) CheckDeed(deed string, parameters *structpb.Struct) error {
	return v.check("command.patient.parameters", PlaceDeed, deed, parameters, func(string) bool { return true })
}

// grantedDeed is the deed with what of its parameters counts, as granted is the
// action. A deed that the rules refuse with what is claimed is refused at once;
// one that they refuse without it can be granted or called off.
func (r *Resolution) grantedDeed(m Medicine, cmd *eventv1.PatientCommand) (*eventv1.PatientCommand, bool, error) {
	claims := r.claimsOf("command.patient.parameters.", PlaceDeed, cmd.Deed, cmd.Parameters, nil)
	if len(claims) == 0 {
		return cmd, true, nil
	}
	without := proto.Clone(cmd).(*eventv1.PatientCommand)
	r.drop(PlaceDeed, cmd.Deed, without.Parameters, nil)
	var odds []*eventv1.ClaimOdds
	var refused error
	if r.Value(SettingPlayerFacts) == PlayerFactsPropose {
		trial := func(c *eventv1.PatientCommand) ([]trialRoll, error) {
			return r.tried(func(t *Resolution) error { return m.Tend(t, proto.Clone(c).(*eventv1.PatientCommand)) })
		}
		after, err := trial(cmd)
		if err != nil {
			return nil, false, err
		}
		var before []trialRoll
		before, refused = trial(without)
		odds = forecast(before, after)
	}
	take := &eventv1.TakeAction{Creature: r.actor, Action: cmd.Deed, Parameters: cmd.Parameters}
	answer, err := r.grant(take, claims, odds, refused == nil)
	switch {
	case err != nil || answer == claimCallOff:
		return nil, false, err
	case answer == claimGrant:
		return cmd, true, nil
	}
	return without, true, nil
}
