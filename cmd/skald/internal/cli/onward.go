package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// onwardFlags say what a ruling does in other fights and in records of patients.
type onwardFlags struct {
	stands, elsewhere []string
}

func (o *onwardFlags) register(f *pflag.FlagSet) {
	f.StringArrayVar(&o.stands, "stands", nil, "later encounter that stands as it was recorded, whatever its patients come with; repeat for several")
	f.StringArrayVar(&o.elsewhere, "elsewhere", nil, "what is done in another fight or record: ENCOUNTER:drop=STEP, ENCOUNTER:force=STEP, patient/ID:drop=VERSION, patient/ID:force=VERSION, or either with resolve=DECISION=VALUE; repeat for several")
}

// into puts them into an amendment.
func (o *onwardFlags) into(am *eventv1.AmendCommand) error {
	at := func(where string) *eventv1.Onward {
		want := &eventv1.Onward{Encounter: where}
		if patient, of := strings.CutPrefix(where, "patient/"); of {
			want = &eventv1.Onward{Patient: patient}
		}
		for _, have := range am.Onward {
			if have.Encounter == want.Encounter && have.Patient == want.Patient {
				return have
			}
		}
		am.Onward = append(am.Onward, want)
		return want
	}
	for _, id := range o.stands {
		at(id).Stands = true
	}
	for _, text := range o.elsewhere {
		where, what, _ := strings.Cut(text, ":")
		verb, value, ok := strings.Cut(what, "=")
		if where == "" || !ok {
			return usage("--elsewhere: want WHERE:drop=STEP, WHERE:force=STEP or WHERE:resolve=DECISION=VALUE, got %q", text)
		}
		if err := settled(at(where), verb, value); err != nil {
			return usage("--elsewhere: %v in %q", err, text)
		}
	}
	return nil
}

// settled adds one thing to what is done elsewhere.
func settled(on *eventv1.Onward, verb, value string) error {
	switch verb {
	case "resolve":
		given, err := early([]string{value})
		if err != nil {
			return err
		}
		on.Resolve = append(on.Resolve, &eventv1.AnswerDecision{Decision: given[0].Decision, Answer: given[0].Answer})
		return nil
	case "drop", "force":
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return usage("want a number")
		}
		if verb == "drop" {
			on.DropIllegal = append(on.DropIllegal, n)
		} else {
			on.ForceIllegal = append(on.ForceIllegal, n)
		}
		return nil
	}
	return usage("want drop, force or resolve")
}

func (a *app) openDiceCommand() *cobra.Command {
	c := a.command("open-dice ENCOUNTER", "Open new dice for a ruling on a fight that is over",
		"  skald encounter open-dice bridge", cobra.ExactArgs(1), func(*pflag.FlagSet) {},
		func(context.Context, grpc.ClientConnInterface, []string) (*eventv1.Command, error) {
			return &eventv1.Command{What: &eventv1.Command_OpenDice{OpenDice: &eventv1.OpenDice{}}}, nil
		})
	c.Long = `The public dice of a fight are revealed at its end. A ruling that makes rolls which
were never made takes them from new ones: this commits to them, everybody may add
entropy, and they are closed by the ruling and revealed with it.`
	return c
}
