package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (a *app) encounterCommand() *cobra.Command {
	return group("encounter", "Create, fight and look at encounters",
		"Encounter holds the commands of a fight. Each prints what it did; with --json the\nwhole answer of the server.",
		a.createCommand(), a.addCommand(), a.revealCommand(), a.removeCommand(), a.editCommand(), a.startCommand(), a.takeCommand(), a.togetherCommand(),
		a.answerCommand(), a.endTurnCommand(), a.endCommand(), a.setCommand(), a.orderCommand(),
		a.entropyCommand(), a.openRollsCommand(), a.openDiceCommand(),
		a.stateCommand(), a.optionsCommand(), a.nextCommand(), a.decisionsCommand(), a.historyCommand(), a.explainCommand(), a.diffCommand(),
		a.listCommand(), a.exportCommand(), a.importRecordCommand(), a.headCommand(), a.publicWordsCommand(),
		a.contestCommand(), a.contestsCommand(), a.upholdCommand(), a.declineCommand(), a.takeBackCommand(), a.grantCommand(), a.refuseCommand(), a.withdrawCommand(), a.saveCommand(),
		a.whatIfCommand(), a.forkCommand(), a.compareCommand())
}

// commandFlags are those of every command that changes an encounter.
type commandFlags struct {
	dice     string
	answers  []string
	request  string
	expected string
	rollMode string
	dryRun   bool
}

func (f *commandFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.dice, "dice", "", "faces rolled by hand in rolling order, such as 4,17,9")
	flags.StringArrayVar(&f.answers, "answer", nil, "answer given ahead: DECISION=VALUE or DECISION/CREATURE=VALUE")
	flags.StringVar(&f.rollMode, "roll-mode", "", "who sees the rolls, where not who the rules say: open, private (the roller and the game master), blind (the game master)")
	flags.StringVar(&f.request, "request-id", "", "id of the request: repeating it repeats the answer, not the deed")
	flags.StringVar(&f.expected, "expected-cursor", "", "refuse when the encounter has moved beyond this cursor")
}

// execute sends a command and prints what it did.
func (a *app) execute(ctx context.Context, conn grpc.ClientConnInterface, f *commandFlags, encounter string, cmd *eventv1.Command) error {
	as, err := a.principal()
	if err != nil {
		return err
	}
	if cmd.Faces, err = faces("dice", f.dice); err != nil {
		return err
	}
	if cmd.Answers, err = early(f.answers); err != nil {
		return err
	}
	if f.rollMode != "" {
		mode, known := eventv1.RollMode_value["ROLL_MODE_"+strings.ToUpper(f.rollMode)]
		if !known || mode == 0 {
			return usage("--roll-mode: want open, private or blind, got %q", f.rollMode)
		}
		cmd.RollMode = eventv1.RollMode(mode)
	}
	id, err := requestID(f.request)
	if err != nil {
		return err
	}
	call, cancel := a.call(ctx)
	defer cancel()
	client := encounterv1.NewEncounterServiceClient(conn)
	if f.dryRun {
		return a.preview(call, client, &encounterv1.PreviewRulingRequest{As: as, Table: a.table, Encounter: encounter, Command: cmd})
	}
	resp, err := a.made(call, client, &encounterv1.ExecuteRequest{RequestId: id, As: as, Table: a.table,
		Encounter: encounter, ExpectedCursor: f.expected, Command: cmd})
	if err != nil {
		return err
	}
	style, err := a.style(call, client, resp.Encounter)
	if err != nil {
		return err
	}
	return a.answer(resp, func() string { return executed(style, resp, cmd) })
}

func executed(style render.Style, resp *encounterv1.ExecuteResponse, cmd *eventv1.Command) string {
	var b strings.Builder
	if cmd.GetCreate() != nil {
		b.WriteString(text.Escape(resp.Encounter) + "\n")
	}
	b.WriteString(style.Step(resp.Step))
	if resp.Repeated {
		b.WriteString("(done before, under the same request id)\n")
	}
	for _, d := range resp.Decisions {
		b.WriteString("? " + style.Decision(d) + "\n")
	}
	return b.String()
}

// style knows the names of an encounter's creatures. Names are a courtesy: not
// seeing the state is no reason to fail what was already done.
func (a *app) style(ctx context.Context, client encounterv1.EncounterServiceClient, encounter string) (render.Style, error) {
	style := render.Style{Rules: a.rules}
	if a.json {
		return style, nil
	}
	as, err := a.principal()
	if err != nil {
		return style, err
	}
	if resp, err := client.GetState(ctx, &encounterv1.GetStateRequest{As: as, Table: a.table, Encounter: encounter}); err == nil {
		style.Names = render.Names(resp.State)
	}
	style.Persons = a.persons(ctx, as)
	return style, nil
}

// command makes a cobra command that sends one Command about an encounter,
// whose id is the first argument.
func (a *app) command(use, short, example string, args cobra.PositionalArgs, flags func(*pflag.FlagSet),
	build func(ctx context.Context, conn grpc.ClientConnInterface, args []string) (*eventv1.Command, error)) *cobra.Command {
	return a.commandWith(&commandFlags{}, use, short, example, args, flags, build)
}

func (a *app) commandWith(f *commandFlags, use, short, example string, args cobra.PositionalArgs, flags func(*pflag.FlagSet),
	build func(ctx context.Context, conn grpc.ClientConnInterface, args []string) (*eventv1.Command, error)) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Example: example, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.connected(cmd.Context(), needServer, func(ctx context.Context, conn grpc.ClientConnInterface) error {
				command, err := build(ctx, conn, args)
				if err != nil {
					return err
				}
				encounter := ""
				if command.GetCreate() == nil {
					encounter = args[0]
				}
				return a.execute(ctx, conn, f, encounter, command)
			})
		}}
	f.add(c.Flags())
	if flags != nil {
		flags(c.Flags())
	}
	return c
}

func (a *app) createCommand() *cobra.Command {
	create := &eventv1.CreateEncounter{}
	var settings, packs []string
	var policy, repeat, beacon, secret string
	return a.command("create --system SYSTEM", "Create an encounter and print its id",
		`  skald encounter create --system rcr --title "The bridge" --id bridge
  skald encounter create --system rcr --dice-policy supplied --set rcr.dice.inspiration-fudge=off
  skald encounter create --system rcr --pack our-table
  skald encounter create --system spark --preset alternate-fumbles --set turn_ends=by-itself`,
		cobra.NoArgs,
		func(f *pflag.FlagSet) {
			f.StringVar(&create.Encounter, "id", "", "encounter id; empty lets the server choose")
			f.StringVar(&create.Title, "title", "", "title for people")
			f.StringVar(&create.System, "system", "", "rule system")
			f.StringVar(&create.Preset, "preset", "", "settings of the document by one name (skald rules settings SYSTEM); --set lies over it")
			f.StringArrayVar(&settings, "set", nil, "setting that differs from its default: ID=VALUE")
			f.StringArrayVar(&packs, "pack", nil, "pack of content that it is played with, by digest or name; repeat for several, later ones over earlier ones")
			f.StringVar(&policy, "dice-policy", "server", "where faces come from: server, supplied, either")
			f.StringVar(&repeat, "repeat-policy", "fresh", "what a repeated action rolls: fresh, same")
			f.StringVar(&beacon, "beacon", "", "round of a public beacon that will be mixed into the dice before the start: NAME/ROUND")
			f.StringVar(&secret, "secret-dice", "never", "when the dice that not everybody sees are opened: never, end, by-game-master, after=24h (from the end), after=2027-01-31")
			f.Int32Var(&create.DecisionSeconds, "decision-seconds", 0, "seconds after which an open decision takes its default; 0 means never")
		},
		func(context.Context, grpc.ClientConnInterface, []string) (*eventv1.Command, error) {
			if create.System == "" {
				return nil, usage("--system: say which rule system (skald rules systems)")
			}
			var err error
			if create.Settings, err = pairs("set", settings); err != nil {
				return nil, err
			}
			if create.Beacon, err = beaconRound("beacon", beacon); err != nil {
				return nil, err
			}
			if create.SecretDice, err = secretDice(secret); err != nil {
				return nil, err
			}
			dp, known := eventv1.DicePolicy_value["DICE_POLICY_"+strings.ToUpper(policy)]
			if !known {
				return nil, usage("--dice-policy: want server, supplied or either, got %q", policy)
			}
			rp, known := eventv1.RepeatPolicy_value["REPEAT_POLICY_"+strings.ToUpper(repeat)]
			if !known {
				return nil, usage("--repeat-policy: want fresh or same, got %q", repeat)
			}
			create.DicePolicy, create.RepeatPolicy, create.Table = eventv1.DicePolicy(dp), eventv1.RepeatPolicy(rp), a.table
			create.Packs = packs
			return &eventv1.Command{What: &eventv1.Command_Create{Create: create}}, nil
		})
}

func (a *app) addCommand() *cobra.Command {
	var id, name, side, patient, at, use string
	var controllers, facts, knownTo []string
	var hp int32
	var staged bool
	var flags *pflag.FlagSet
	return a.command("add ENCOUNTER [SHEET]", "Put a creature on the field",
		`  skald encounter add bridge goblin --id snag --position 10,5
  skald encounter add bridge jeera.yaml --controller kim --fact surprised=true
  skald encounter add bridge goblin --id lurk --staged
  skald encounter add bridge --use goblin-king`,
		cobra.RangeArgs(1, 2),
		func(f *pflag.FlagSet) {
			flags = f
			f.StringVar(&id, "id", "", "creature id instead of the sheet's")
			f.StringVar(&name, "name", "", "name instead of the sheet's")
			f.StringVar(&side, "side", "", "side instead of the sheet's")
			f.StringVar(&use, "use", "", "monster of the encounter's packs that it is, in place of a sheet (skald content show PACK --kind monster)")
			f.StringVar(&patient, "patient", "", "patient record that the creature is")
			f.StringVar(&at, "position", "", "where it stands: X,Y or X,Y,Z in feet")
			f.StringArrayVar(&controllers, "controller", nil, "player who controls it; repeat for several")
			f.StringArrayVar(&facts, "fact", nil, "fact on how it joins: NAME=VALUE")
			f.Int32Var(&hp, "hp", 0, "hit points at the start")
			f.BoolVar(&staged, "staged", false, "it is there unseen until it is revealed")
			f.StringArrayVar(&knownTo, "known-to", nil, "creature whose players know of it while it is staged; repeat for several")
		},
		func(ctx context.Context, conn grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			system, err := a.systemOf(ctx, conn, args[0])
			if err != nil {
				return nil, err
			}
			if (len(args) == 2) == (use != "") {
				return nil, usage("give a SHEET or --use MONSTER, one of the two")
			}
			s := &eventv1.Sheet{Use: use}
			if use == "" {
				if s, err = loadSheet(system, args[1]); err != nil {
					return nil, err
				}
			}
			set := func(field *string, value string) {
				if value != "" {
					*field = value
				}
			}
			set(&s.Id, id)
			set(&s.Name, name)
			set(&s.Side, side)
			set(&s.Patient, patient)
			if controllers != nil {
				s.Controllers = controllers
			}
			add := &eventv1.AddCreature{Sheet: s, Staged: staged, KnownTo: knownTo}
			if flags.Changed("hp") {
				add.Vitals = &eventv1.Vitals{Hp: &hp}
			}
			if add.Position, err = position("position", at); err != nil {
				return nil, err
			}
			if add.Facts, err = structOf("fact", facts); err != nil {
				return nil, err
			}
			return &eventv1.Command{What: &eventv1.Command_Add{Add: add}}, nil
		})
}

// systemOf asks which rule system an encounter is played under.
func (a *app) systemOf(ctx context.Context, conn grpc.ClientConnInterface, encounter string) (string, error) {
	as, err := a.principal()
	if err != nil {
		return "", err
	}
	ctx, cancel := a.call(ctx)
	defer cancel()
	resp, err := encounterv1.NewEncounterServiceClient(conn).GetState(ctx, &encounterv1.GetStateRequest{As: as, Table: a.table, Encounter: encounter})
	return resp.GetState().GetSystem(), err
}

func (a *app) revealCommand() *cobra.Command {
	var to []string
	return a.command("reveal ENCOUNTER CREATURE", "Let others know of a creature that is staged",
		"  skald encounter reveal bridge lurk\n  skald encounter reveal bridge lurk --to jeera",
		cobra.ExactArgs(2),
		func(f *pflag.FlagSet) {
			f.StringArrayVar(&to, "to", nil, "creature whose players come to know of it; repeat for several, none means everyone")
		},
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			return &eventv1.Command{What: &eventv1.Command_Reveal{Reveal: &eventv1.RevealCreature{Creature: args[1], To: to}}}, nil
		})
}

func (a *app) removeCommand() *cobra.Command {
	var reason string
	return a.command("remove ENCOUNTER CREATURE", "Take a creature off the field", "  skald encounter remove bridge snag --reason fled",
		cobra.ExactArgs(2),
		func(f *pflag.FlagSet) { f.StringVar(&reason, "reason", "", "why") },
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			return &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: args[1], Reason: reason}}}, nil
		})
}

func (a *app) startCommand() *cobra.Command {
	var facts []string
	return a.command("start ENCOUNTER", "Begin the fight", `  skald encounter start bridge
  skald encounter start bridge --fact surprised="[snag]"`,
		cobra.ExactArgs(1),
		func(f *pflag.FlagSet) {
			f.StringArrayVar(&facts, "fact", nil, "fact on how it begins: NAME=VALUE")
		},
		func(context.Context, grpc.ClientConnInterface, []string) (*eventv1.Command, error) {
			s, err := structOf("fact", facts)
			return &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: s}}}, err
		})
}

func (a *app) takeCommand() *cobra.Command {
	take := &takeFlags{}
	return a.command("take ENCOUNTER CREATURE ACTION [TARGET...]", "Take an action",
		`  skald encounter take bridge jeera attack snag --item Greataxe
  skald encounter take bridge jeera move --path 5,0 --path 10,0
  skald encounter take bridge jeera attack snag --circumstance "advantage:higher ground" --fact cover=half`,
		cobra.MinimumNArgs(3), take.register,
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			t, err := take.action()
			if err != nil {
				return nil, err
			}
			t.Creature, t.Action, t.Targets = args[1], args[2], args[3:]
			return &eventv1.Command{What: &eventv1.Command_Take{Take: t}}, nil
		})
}

// takeFlags are the flags that say how an action is taken.
type takeFlags struct {
	item                                   string
	path, parameters, facts, circumstances []string
}

func (t *takeFlags) register(f *pflag.FlagSet) {
	f.StringVar(&t.item, "item", "", "weapon, spell, item or power")
	f.StringArrayVar(&t.path, "path", nil, "point of the way in feet, X,Y or X,Y,Z; repeat, the last is the destination")
	f.StringArrayVar(&t.parameters, "parameter", nil, "parameter of the action: NAME=VALUE")
	f.StringArrayVar(&t.facts, "fact", nil, "stated fact, which beats a measured one: NAME=VALUE")
	f.StringArrayVar(&t.circumstances, "circumstance", nil, "advantage:CAUSE, disadvantage:CAUSE or modifier:NUMBER:CAUSE")
}

// given tells whether any of the flags was.
func (t *takeFlags) given() bool {
	return t.item != "" || len(t.path)+len(t.parameters)+len(t.facts)+len(t.circumstances) > 0
}

// action is what the flags say.
func (t *takeFlags) action() (*eventv1.TakeAction, error) {
	take := &eventv1.TakeAction{Item: t.item}
	for _, text := range t.path {
		p, err := position("path", text)
		if err != nil {
			return nil, err
		}
		take.Path = append(take.Path, p)
	}
	for _, text := range t.circumstances {
		c, err := circumstance(text)
		if err != nil {
			return nil, err
		}
		take.Circumstances = append(take.Circumstances, c)
	}
	var err error
	if take.Parameters, err = structOf("parameter", t.parameters); err != nil {
		return nil, err
	}
	if take.Facts, err = structOf("fact", t.facts); err != nil {
		return nil, err
	}
	return take, nil
}

func (a *app) answerCommand() *cobra.Command {
	var creature string
	var alike bool
	return a.command("answer ENCOUNTER DECISION VALUE", "Answer an open decision",
		`  skald encounter answer bridge opportunity-attack longsword --creature jeera
  skald encounter answer bridge roll 17
  skald encounter answer bridge initiative-ability dexterity --alike
  skald encounter answer bridge 3f0c9a77b1d2e845 no`,
		cobra.ExactArgs(3),
		func(f *pflag.FlagSet) {
			f.StringVar(&creature, "creature", "", "creature that the decision is about, when several go by the name")
			f.BoolVar(&alike, "alike", false, "the same answer to every open decision of the name that is yours to answer")
		},
		func(ctx context.Context, conn grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			d, err := a.decision(ctx, conn, args[0], args[1], creature, alike)
			if err != nil {
				return nil, err
			}
			answer := &eventv1.AnswerDecision{Decision: d.Id, Answer: answerTo(d, args[2]), Alike: alike}
			return &eventv1.Command{What: &eventv1.Command_Answer{Answer: answer}}, nil
		})
}

// decision finds an open decision by its id or its name. What is not found is
// sent as it is, so that the server words the refusal.
func (a *app) decision(ctx context.Context, conn grpc.ClientConnInterface, encounter, word, creature string, any bool) (*eventv1.Decision, error) {
	as, err := a.principal()
	if err != nil {
		return nil, err
	}
	ctx, cancel := a.call(ctx)
	defer cancel()
	open, err := a.openDecisions(ctx, encounterv1.NewEncounterServiceClient(conn), as, encounter)
	if err != nil {
		return nil, err
	}
	var fits []*eventv1.Decision
	for _, d := range open {
		if d.Id == word {
			return d, nil
		}
		if d.Name == word && (creature == "" || creature == d.Creature) {
			fits = append(fits, d)
		}
	}
	switch {
	case len(fits) == 0:
		return &eventv1.Decision{Id: word}, nil
	case len(fits) == 1 || any:
		return fits[0], nil
	}
	return nil, usage("several open decisions are called %q: name the creature with --creature, or give the id (skald encounter decisions)", word)
}

func (a *app) endTurnCommand() *cobra.Command {
	return a.command("end-turn ENCOUNTER [CREATURE]", "End a turn", "  skald encounter end-turn bridge jeera", cobra.RangeArgs(1, 2), nil,
		func(_ context.Context, _ grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			end := &eventv1.EndTurn{}
			if len(args) == 2 {
				end.Creature = args[1]
			}
			return &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: end}}, nil
		})
}

func (a *app) endCommand() *cobra.Command {
	var reason string
	return a.command("end ENCOUNTER", "End the encounter and open its public dice", "  skald encounter end bridge --reason victory", cobra.ExactArgs(1),
		func(f *pflag.FlagSet) { f.StringVar(&reason, "reason", "", "why") },
		func(context.Context, grpc.ClientConnInterface, []string) (*eventv1.Command, error) {
			return &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{Reason: reason}}}, nil
		})
}

func (a *app) editCommand() *cobra.Command {
	edit := &eventv1.EditCreature{}
	var hp, temp int32
	var countersGiven, marks, conditions []string
	var at, sheetFile string
	var flags *pflag.FlagSet
	return a.command("edit ENCOUNTER CREATURE", "Change a creature by the game master's word",
		`  skald encounter edit bridge jeera --hp 12 --reason "a potion"
  skald encounter edit bridge snag --condition prone --position 15,5`,
		cobra.ExactArgs(2),
		func(f *pflag.FlagSet) {
			flags = f
			f.Int32Var(&hp, "hp", 0, "hit points")
			f.Int32Var(&temp, "hp-temp", 0, "temporary hit points")
			f.StringArrayVar(&countersGiven, "counter", nil, "counter: NAME=NUMBER")
			f.StringArrayVar(&marks, "mark", nil, "mark: NAME=WORD; an empty word removes it")
			f.StringArrayVar(&conditions, "condition", nil, "condition to add, by name")
			f.StringArrayVar(&edit.RemoveConditions, "remove-condition", nil, "condition to take away, by name or id")
			f.StringArrayVar(&edit.RemoveInjuries, "remove-injury", nil, "injury to take away, by id")
			f.StringVar(&at, "position", "", "where it stands: X,Y or X,Y,Z in feet")
			f.StringArrayVar(&edit.Controllers, "controller", nil, "players who control it from now on")
			f.StringVar(&sheetFile, "sheet", "", "new sheet: a file, or the name of a shipped one")
			f.StringVar(&edit.Reason, "reason", "", "why")
		},
		func(ctx context.Context, conn grpc.ClientConnInterface, args []string) (*eventv1.Command, error) {
			edit.Creature, edit.SetControllers = args[1], flags.Changed("controller")
			v, err := vitals(flags, hp, temp, countersGiven, marks, conditions)
			if err != nil {
				return nil, err
			}
			edit.Vitals = v
			if edit.Position, err = position("position", at); err != nil {
				return nil, err
			}
			if sheetFile != "" {
				system, err := a.systemOf(ctx, conn, args[0])
				if err != nil {
					return nil, err
				}
				if edit.Sheet, err = loadSheet(system, sheetFile); err != nil {
					return nil, err
				}
				edit.Sheet.Id = args[1]
			}
			return &eventv1.Command{What: &eventv1.Command_Edit{Edit: edit}}, nil
		})
}

func vitals(flags *pflag.FlagSet, hp, temp int32, counterArgs, markArgs, conditions []string) (*eventv1.Vitals, error) {
	v := &eventv1.Vitals{}
	if flags.Changed("hp") {
		v.Hp = &hp
	}
	if flags.Changed("hp-temp") {
		v.HpTemp = &temp
	}
	counters, err := pairs("counter", counterArgs)
	if err != nil {
		return nil, err
	}
	for name, text := range counters {
		n, err := number("counter", text)
		if err != nil {
			return nil, err
		}
		if v.Counters == nil {
			v.Counters = map[string]int64{}
		}
		v.Counters[name] = n
	}
	if len(markArgs) > 0 {
		if v.Marks, err = pairs("mark", markArgs); err != nil {
			return nil, err
		}
	}
	for _, name := range conditions {
		v.Conditions = append(v.Conditions, &eventv1.Condition{Name: name})
	}
	return v, nil
}
