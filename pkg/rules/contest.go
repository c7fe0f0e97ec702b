package rules

import eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

// SettingContests is the setting of every encounter that says who is told of a
// contest.
const SettingContests = "contests"

// Values of SettingContests.
const (
	// ContestsSeen tells whoever saw the contested step; the default.
	ContestsSeen = "seen"
	// ContestsPrivate tells the claimant and the game master alone.
	ContestsPrivate = "private"
	// ContestsOff takes no contests from players.
	ContestsOff = "off"
)

// SettingTakeBack is the setting of every encounter that says who decides when a
// player wants to take its own last commands back.
const SettingTakeBack = "take_back"

// Values of SettingTakeBack.
const (
	// TakeBackGameMaster asks the game master; the default.
	TakeBackGameMaster = "game-master"
	// TakeBackPlayers asks every other player who saw it.
	TakeBackPlayers = "players"
	// TakeBackUnseenDice asks nobody: it is granted unless the player saw a die.
	TakeBackUnseenDice = "unseen-dice"
)

var contestsSetting = Setting{ID: SettingContests, Title: "Who is told of a contest",
	Text:   "A player may contest what happened: whoever saw the contested step is told of it (seen), the claimant and the game master alone (private), or players contest nothing (off).",
	Values: []string{ContestsSeen, ContestsPrivate, ContestsOff}, Default: ContestsSeen}

var takeBackSetting = Setting{ID: SettingTakeBack, Title: "Who grants a take-back",
	Text:   "A player who wants to take its own last commands back asks the game master (game-master), or every other player who saw them (players), or is granted it at once unless it saw a die of them, which nobody grants then (unseen-dice).",
	Values: []string{TakeBackGameMaster, TakeBackPlayers, TakeBackUnseenDice}, Default: TakeBackGameMaster}

// OfTable is what a setting that every system has stands at in a state; empty for
// any other.
func OfTable(s *eventv1.State, setting string) string {
	if v, ok := s.GetSettings()[setting]; ok {
		return v
	}
	for _, t := range tableSettings {
		if t.ID == setting {
			return t.Default
		}
	}
	return ""
}
