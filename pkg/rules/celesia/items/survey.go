package items

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
)

// Names of the complex actions that end in a check, and their rules.
const (
	NameDevice = "disable-device"
	NameTracks = "find-tracks"
	RuleDevice = cite.ActionDisableDevice
	RuleTracks = cite.ActionFindTracks
)

// Numbers of such a task: the DC of the check and which check it is.
const (
	ValueDC    = "dc"
	ValueSkill = "skill"
)

// TaskSkills are the checks that end tasks, by their number.
var TaskSkills = map[int32]struct{ Skill, Rule string }{1: {"disable-device", RuleDevice}, 2: {"survival", RuleTracks}}
