package body

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
)

// FumbleRow is a cell of the fumble table.
type FumbleRow struct {
	// Effect is the slug of the cell's rule.
	Effect string
	// Text for people.
	Text string
	// Footnote: the cell bears an asterisk whose note the source lacks.
	Footnote bool
	// Line of its table, counted from 0.
	Line int
}

// Rule is the rule id of the cell.
func (f FumbleRow) Rule() string {
	if rule := altFumbleRules[f.Effect]; rule != "" {
		return rule
	}
	return fumbleRules[f.Effect]
}

// step is a row of a table of thresholds, with its line counted from 0.
type step struct {
	from, gives int32
	line        int
}

// ruleBook is all tables.
type ruleBook struct {
	// Fumbles by class, for 2d4: index 0 is the roll 2.
	Fumbles map[string][]FumbleRow
	// Alt is the alternate table by column: index 0 is the face 1 of its d20.
	Alt map[string][]FumbleRow
	// Multiplier of a critical hit by the second d20, by lowest face.
	Multiplier []step
	// lastMultiplier is the highest face read so far.
	lastMultiplier int32
	// Mana staked on a counterspell.
	Mana []step
	// Hardness by material; -1 gives way without a check.
	Hardness map[string]int32
	// Materials are the lines of Hardness, counted from 0.
	Materials map[string]int
	// Places of rest.
	Places map[string]int32
	// Situations are advantage, disadvantage and modifiers.
	Situations *situation.Table[Moment]
	// line of the row that is read, counted from 0.
	line int
}

// Book is the tables as shipped; BookError says why they are unfit.
var Book, BookError = LoadTables(content.Book().Table)

// Decided are the tables that a table's own content can change: those that decide in
// a fight.
var Decided = []string{TableFumble, TableAlt, TableMultiplier, TableMana, TableHardness, TableSituations}

// Names of tables.
const (
	TableFumble     = "fumble"
	TableAlt        = "alt_fumble"
	TableMultiplier = "multiplier"
	TableMana       = "mana"
	TableHardness   = "hardness"
	TableSituations = "situations"
)

// TableText is the text of one of Decided as shipped.
func TableText(name string) (text string, found bool) {
	if !slices.Contains(Decided, name) {
		return "", false
	}
	text, err := content.Book().Table(name)
	return text, err == nil
}

// CheckTables says what is wrong with the tables when those that can be changed are
// read from open.
func CheckTables(open func(name string) (string, error)) error {
	_, err := LoadTables(func(name string) (string, error) {
		if slices.Contains(Decided, name) {
			return open(name)
		}
		return content.Book().Table(name)
	})
	return err
}

// TablesOf are the tables as a table's own content has them.
func TablesOf(own *effects.Book) *ruleBook {
	if own == nil {
		return Book
	}
	return own.Memo("spark.tables", func() any {
		made, err := LoadTables(func(name string) (string, error) {
			if text, changed := house.Situations(own); name == TableSituations && changed {
				return text, nil
			}
			if text, found := own.TableText(name); found {
				return text, nil
			}
			return content.Book().Table(name)
		})
		if err != nil {
			return Book // the packs were checked against these tables when they were laid over
		}
		return made
	}).(*ruleBook)
}

// LoadTables reads and checks every table.
func LoadTables(open func(name string) (string, error)) (*ruleBook, error) {
	t := &ruleBook{Fumbles: map[string][]FumbleRow{}, Alt: map[string][]FumbleRow{}, Hardness: map[string]int32{}, Materials: map[string]int{},
		Places: map[string]int32{}}
	read := []struct {
		name, header string
		row          func(rec []string) error
		done         func() error
	}{
		{TableFumble, "roll,class,effect,text,footnote", t.fumbleRow, t.fumblesDone},
		{TableAlt, "roll,class,effect,text", t.altRow, t.altDone},
		{TableMultiplier, "roll,multiplier", t.multiplierRow, t.multiplierDone},
		{TableMana, "mana_used,modifier", t.manaRow, t.manaDone},
		{TableHardness, "material,thickness,dc", t.hardnessRow, t.hardnessDone},
		{"places", "place,multiplier", t.placeRow, func() error { return csvtable.Rows(len(t.Places), 5) }},
	}
	for _, table := range read {
		text, err := open(table.name)
		t.line = -1
		if err == nil {
			_, err = csvtable.Read(text, table.header, func(rec []string) error {
				t.line++
				return table.row(rec)
			})
		}
		if err == nil {
			err = table.done()
		}
		if err != nil {
			return &ruleBook{}, fmt.Errorf("spark: table %s: %w", table.name, err)
		}
	}
	text, err := open(TableSituations)
	if err == nil {
		t.Situations, err = situation.Read(text, SituationLimits)
	}
	if err != nil {
		return &ruleBook{}, fmt.Errorf("spark: table %s: %w", TableSituations, err)
	}
	return t, nil
}

// FumbleClasses are the classes of weapons that the fumble tables tell apart.
var FumbleClasses = []string{classMissile, ClassSlashing, classBludgeoning, classPiercing, ClassFist}

// fumbleRules are the effects that the rules know, each with its rule: see settleFumble and hurtByFumble.
var fumbleRules = map[string]string{
	"bow-breaks":              cite.FumbleBowBreaks,
	"weapon-chipped":          cite.FumbleWeaponChipped,
	"hit-own-knee":            cite.FumbleHitOwnKnee,
	"trip-two-rounds":         cite.FumbleTripTwoRounds,
	"trip-one-round":          cite.FumbleTripOneRound,
	"missile-broken":          cite.FumbleMissileBroken,
	"bump-nearest":            cite.FumbleBumpNearest,
	"hit-own-head":            cite.FumbleHitOwnHead,
	"hit-behind-half":         cite.FumbleHitBehindHalf,
	"wrong-angle":             cite.FumbleWrongAngle,
	"drop-weapon":             cite.FumbleDropWeapon,
	"sprain-wrist":            cite.FumbleSprainWrist,
	"missile-rebounds":        cite.FumbleMissileRebounds,
	"wrong-target-half":       cite.FumbleWrongTargetHalf,
	"hit-nearest-full":        cite.FumbleHitNearestFull,
	"weapon-flies":            cite.FumbleWeaponFlies,
	"weapon-cracked":          cite.FumbleWeaponCracked,
	"wrist-breaks":            cite.FumbleWristBreaks,
	"string-breaks":           cite.FumbleStringBreaks,
	"broken-double-damage":    cite.FumbleBrokenDoubleDamage,
	"weapon-hits-nearest":     cite.FumbleWeaponHitsNearest,
	"hits-nearest-not-target": cite.FumbleHitsNearestNotTarget,
}

func (t *ruleBook) fumbleRow(rec []string) error {
	n, err := strconv.Atoi(rec[0])
	switch {
	case err != nil:
		return err
	case !slices.Contains(FumbleClasses, rec[1]):
		return fmt.Errorf("no class %q", rec[1])
	case n != len(t.Fumbles[rec[1]])+2:
		return fmt.Errorf("%s %d does not follow", rec[1], n)
	case fumbleRules[rec[2]] == "":
		return fmt.Errorf("no effect %q", rec[2])
	case rec[4] != "" && rec[4] != "missing":
		return fmt.Errorf("footnote %q", rec[4])
	}
	t.Fumbles[rec[1]] = append(t.Fumbles[rec[1]], FumbleRow{rec[2], rec[3], rec[4] != "", t.line})
	return nil
}

func (t *ruleBook) fumblesDone() error {
	for _, class := range FumbleClasses {
		if err := csvtable.Rows(len(t.Fumbles[class]), 7); err != nil {
			return fmt.Errorf("class %s: %w", class, err)
		}
	}
	return nil
}

// altColumns of the alternate table.
var altColumns = []string{ColumnMelee, ColumnShooting, ColumnThrown, ColumnNatural}

// altFumbleRules are the effects of the alternate table, each with its rule: see settleAlt and altHarm.
var altFumbleRules = map[string]string{
	"alt-weapon-break":          cite.FumbleAltWeaponBreak,
	"alt-ouch":                  cite.FumbleAltOuch,
	"alt-weapon-flies":          cite.FumbleAltWeaponFlies,
	"alt-string-snaps":          cite.FumbleAltStringSnaps,
	"alt-pulled-arms":           cite.FumbleAltPulledArms,
	"alt-wild-swing":            cite.FumbleAltWildSwing,
	"alt-loose-string":          cite.FumbleAltLooseString,
	"alt-stuck-weapon":          cite.FumbleAltStuckWeapon,
	"alt-slip-up":               cite.FumbleAltSlipUp,
	"alt-stray-melee":           cite.FumbleAltStrayMelee,
	"alt-self-wound":            cite.FumbleAltSelfWound,
	"alt-stray-ranged":          cite.FumbleAltStrayRanged,
	"alt-slip-up-natural":       cite.FumbleAltSlipUpNatural,
	"alt-pulled-legs":           cite.FumbleAltPulledLegs,
	"alt-loss-of-nerve":         cite.FumbleAltLossOfNerve,
	"alt-loss-of-nerve-natural": cite.FumbleAltLossOfNerveNatural,
	"alt-ammo-accident":         cite.FumbleAltAmmoAccident,
	"alt-broken-item":           cite.FumbleAltBrokenItem,
	"alt-hopeless-throw":        cite.FumbleAltHopelessThrow,
	"alt-accident":              cite.FumbleAltAccident,
}

// altRow reads a band of the alternate table.
//
// spark.fumble.alt-table
func (t *ruleBook) altRow(rec []string) error {
	from, to, err := band(rec[0])
	switch {
	case err != nil:
		return err
	case !slices.Contains(altColumns, rec[1]):
		return fmt.Errorf("no column %q", rec[1])
	case int(from) != len(t.Alt[rec[1]])+1:
		return fmt.Errorf("%s %s does not follow", rec[1], rec[0])
	case altFumbleRules[rec[2]] == "":
		return fmt.Errorf("no effect %q", rec[2])
	}
	for range to - from + 1 {
		t.Alt[rec[1]] = append(t.Alt[rec[1]], FumbleRow{Effect: rec[2], Text: rec[3], Line: t.line})
	}
	return nil
}

func (t *ruleBook) altDone() error {
	for _, column := range altColumns {
		if err := csvtable.Rows(len(t.Alt[column]), 20); err != nil {
			return fmt.Errorf("column %s: %w", column, err)
		}
	}
	return nil
}

// band reads "7" or "10-14".
func band(cell string) (from, to int32, err error) {
	low, high, isRange := strings.Cut(cell, "-")
	if !isRange {
		high = low
	}
	if from, err = small(low); err != nil {
		return 0, 0, err
	}
	if to, err = small(high); err == nil && to < from {
		err = fmt.Errorf("%s is no band", cell)
	}
	return from, to, err
}

func (t *ruleBook) multiplierRow(rec []string) error {
	from, to, err := band(rec[0])
	if err != nil {
		return err
	}
	gives, err := small(rec[1])
	if err != nil {
		return err
	}
	if from != t.lastMultiplier+1 {
		return fmt.Errorf("%s does not follow %d", rec[0], t.lastMultiplier)
	}
	t.lastMultiplier = to
	t.Multiplier = append(t.Multiplier, step{from, gives, t.line})
	return nil
}

func (t *ruleBook) multiplierDone() error {
	if t.lastMultiplier != 20 {
		return fmt.Errorf("faces must end at 20, not %d", t.lastMultiplier)
	}
	return nil
}

func (t *ruleBook) manaDone() error {
	if len(t.Mana) == 0 {
		return fmt.Errorf("no rows")
	}
	return nil
}

func (t *ruleBook) manaRow(rec []string) error {
	from, err := small(rec[0])
	if err != nil {
		return err
	}
	gives, err := small(rec[1])
	if err != nil {
		return err
	}
	if n := len(t.Mana); n == 0 && from != 1 || n > 0 && (from <= t.Mana[n-1].from || gives <= t.Mana[n-1].gives) {
		return fmt.Errorf("%d mana does not follow", from)
	}
	t.Mana = append(t.Mana, step{from, gives, t.line})
	return nil
}

func (t *ruleBook) hardnessRow(rec []string) error {
	dc := int32(-1)
	if rec[2] != "none" {
		n, err := small(rec[2])
		if err != nil {
			return err
		}
		dc = n
	}
	t.Materials[rec[0]] = t.line
	return once(t.Hardness, rec[0], dc)
}

// hardnessDone holds that what weapons are made of when nothing is said is there.
func (t *ruleBook) hardnessDone() error {
	for _, material := range []string{wood, steel} {
		if t.Hardness[material] < 1 {
			return fmt.Errorf("%s must have a number", material)
		}
	}
	return nil
}

// What weapons are made of when nothing is said: what shoots, and all else.
const (
	wood  = "wood"
	steel = "iron-steel-or-deep-crystal"
)

func (t *ruleBook) placeRow(rec []string) error {
	n, err := small(rec[1])
	if err != nil {
		return err
	}
	return once(t.Places, rec[0], n)
}

func once(m map[string]int32, key string, n int32) error {
	if _, twice := m[key]; twice || key == "" {
		return fmt.Errorf("%q twice or empty", key)
	}
	m[key] = n
	return nil
}

func small(cell string) (int32, error) {
	n, err := strconv.ParseInt(cell, 10, 16)
	if err == nil && n < 1 {
		err = fmt.Errorf("%d is less than 1", n)
	}
	return int32(n), err
}

// Threshold is what the last row not above n gives; 0 below the first.
func Threshold(rows []step, n int32) int32 {
	gives, _ := Row(rows, n)
	return gives
}

// Row is what the last row not above n gives, and its line; 0 and -1 below the first.
func Row(rows []step, n int32) (gives int32, line int) {
	line = -1
	for _, row := range rows {
		if n >= row.from {
			gives, line = row.gives, row.line
		}
	}
	return gives, line
}
