package cli

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (a *app) entropyCommand() *cobra.Command {
	var hexed, beacon, promise, reason string
	var waive, closed bool
	return a.command("entropy ENCOUNTER [WORDS]", "Mix something into the dice before their first roll",
		`  skald encounter entropy bridge "seven of swords" --as player:kim
  skald encounter entropy bridge --hex 0badf00d
  skald encounter entropy bridge --promise "drand quicknet/12345678"
  skald encounter entropy bridge --beacon "drand quicknet/12345678" --hex 8d5b...
  skald encounter entropy bridge --waive --reason "the network is down"
  skald encounter entropy bridge --close`,
		cobra.RangeArgs(1, 2),
		func(f *pflag.FlagSet) {
			f.StringVar(&hexed, "hex", "", "bytes in place of words, in hexadecimal")
			f.StringVar(&beacon, "beacon", "", "what is given is the value of this round, which was promised: NAME/ROUND")
			f.StringVar(&promise, "promise", "", "promise a round of a public beacon: NAME/ROUND; for the game master")
			f.BoolVar(&waive, "waive", false, "do without the round that was promised; for the game master")
			f.StringVar(&reason, "reason", "", "why it is waived")
			f.BoolVar(&closed, "close", false, "close the entropy of the epoch now; for the game master")
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			words := strings.Join(args[1:], "")
			given := 0
			for _, is := range []bool{words != "" || hexed != "", promise != "", waive, closed} {
				if is {
					given++
				}
			}
			if given != 1 {
				return nil, usage("give WORDS or --hex, --promise, --waive or --close, one of them")
			}
			switch {
			case closed:
				return &eventv1.Command{What: &eventv1.Command_CloseEntropy{CloseEntropy: &eventv1.CloseEntropy{}}}, nil
			case waive:
				return &eventv1.Command{What: &eventv1.Command_NameBeacon{NameBeacon: &eventv1.NameBeacon{Waive: true, Reason: reason}}}, nil
			case promise != "":
				round, err := beaconRound("promise", promise)
				return &eventv1.Command{What: &eventv1.Command_NameBeacon{NameBeacon: &eventv1.NameBeacon{Beacon: round, Reason: reason}}}, err
			}
			add := &eventv1.AddEntropy{Words: words}
			var err error
			if add.Value, err = hex.DecodeString(hexed); err != nil {
				return nil, usage("--hex: %v", err)
			}
			add.Beacon, err = beaconRound("beacon", beacon)
			return &eventv1.Command{What: &eventv1.Command_AddEntropy{AddEntropy: add}}, err
		})
}

func (a *app) openRollsCommand() *cobra.Command {
	open := &eventv1.OpenRolls{}
	return a.command("open-rolls ENCOUNTER STEP", "Open what one step rolled in secret, where the table's policy is by-game-master",
		"  skald encounter open-rolls bridge 12\n  skald encounter open-rolls bridge 12 --label stealth", cobra.ExactArgs(2),
		func(f *pflag.FlagSet) {
			f.StringVar(&open.Label, "label", "", "this roll alone; the others of the same action on the same branch can be derived with it")
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			var err error
			if open.Step, err = strconv.ParseUint(args[1], 10, 64); err != nil {
				return nil, usage("STEP: want a number, got %q", args[1])
			}
			return &eventv1.Command{What: &eventv1.Command_OpenRolls{OpenRolls: open}}, nil
		})
}

// beaconRound reads NAME/ROUND; nil for an empty text.
func beaconRound(flag, text string) (*eventv1.Beacon, error) {
	if text == "" {
		return nil, nil
	}
	at := strings.LastIndex(text, "/")
	if at < 1 {
		return nil, usage("--%s: want NAME/ROUND, got %q", flag, text)
	}
	round, err := strconv.ParseUint(text[at+1:], 10, 64)
	if err != nil {
		return nil, usage("--%s: want NAME/ROUND, got %q", flag, text)
	}
	return &eventv1.Beacon{Name: text[:at], Round: round}, nil
}

// secretDice reads when the dice that not everybody sees are opened; nil for never.
func secretDice(text string) (*eventv1.SecretDice, error) {
	switch text {
	case "", "never":
		return nil, nil
	case "end":
		return &eventv1.SecretDice{When: eventv1.SecretDice_WHEN_END}, nil
	case "by-game-master":
		return &eventv1.SecretDice{When: eventv1.SecretDice_WHEN_BY_GAME_MASTER}, nil
	}
	out := &eventv1.SecretDice{When: eventv1.SecretDice_WHEN_AFTER}
	after, ok := strings.CutPrefix(text, "after=")
	if d, err := time.ParseDuration(after); ok && err == nil {
		out.SecondsAfterEnd = int64(d / time.Second)
		return out, nil
	}
	if day, err := time.Parse(time.DateOnly, after); ok && err == nil {
		out.UnixMillis = day.UnixMilli()
		return out, nil
	}
	if at, err := time.Parse(time.RFC3339, after); ok && err == nil {
		out.UnixMillis = at.UnixMilli()
		return out, nil
	}
	return nil, usage("--secret-dice: want never, end, by-game-master, or after= with a duration (24h), a day or a time (RFC 3339), got %q", text)
}
