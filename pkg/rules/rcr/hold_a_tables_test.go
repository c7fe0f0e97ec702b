package rcr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// rcr.injury.row3-bleeding, rcr.injury.row5-limb-table, rcr.healing.listed-spells,
// rcr.healing.removed-by-item-rarity, rcr.damage.dangerous-terrain, rcr.underwater.clarity,
// rcr.underwater.depth-light, rcr.equipment.barding-stats and the lists of the feats: a table may
// bring other numbers, but no row that the rules cannot read, twice the same, or with a gap.
func TestTablesThatATableBrings(t *testing.T) {
	limbs := func(n int) string {
		var rows strings.Builder
		rows.WriteString("d4,lost\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&rows, "%d,limb %d\n", i, i)
		}
		return rows.String()
	}
	spells := func(n int) string {
		var rows strings.Builder
		rows.WriteString("spell,wounds,scars,parts,at_zero,revives\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&rows, "spell %d,1,no,no,no,no\n", i)
		}
		return rows.String()
	}
	for name, c := range map[string]struct {
		table    string
		old, new string // what is put in place of what
		whole    string // the whole text instead
		says     string // of the refusal; empty when it is taken
	}{
		"wounds: a row is left out":      {table: "wounds", old: "4,Permanent", new: "5,Permanent", says: "want 4"},
		"wounds: a row has no number":    {table: "wounds", old: "4,Permanent", new: "x,Permanent", says: "want 4"},
		"wounds: an unknown consequence": {table: "wounds", old: ",death\n", new: ",doom\n", says: "happens"},
		"limbs: none":                    {table: "limbs", whole: limbs(0), says: "0 rows"},
		"limbs: one":                     {table: "limbs", whole: limbs(1)},
		"limbs: twenty":                  {table: "limbs", whole: limbs(20)},
		"limbs: one too many":            {table: "limbs", whole: limbs(21), says: "21 rows"},
		"limbs: a gap":                   {table: "limbs", old: "3,leg", new: "4,leg", says: "want 3"},

		"setback: other dice":          {table: "setback", old: "1,4,1d10,2d10", new: "1,4,1d6,2d6"},
		"setback: no dice":             {table: "setback", old: "1,4,1d10,2d10", new: "1,4,many,2d6", says: "many"},
		"setback: a row ends nowhere":  {table: "setback", old: "5,10,", new: "5,x,", says: "does not follow 4"},
		"setback: a row that is empty": {table: "setback", old: "5,10,", new: "5,4,", says: "does not follow 4"},
		"setback: a row of one level":  {table: "setback", old: "5,10,2d10,4d10\n11,", new: "5,5,2d10,4d10\n6,"},
		"setback: a gap":               {table: "setback", old: "5,10,", new: "6,10,", says: "want 5"},
		"setback: it ends before 20":   {table: "setback", old: "17,20", new: "17,19", says: "end at 20"},
		"setback: nothing":             {table: "setback", whole: "from,to,minor,major\n", says: "end at 20"},
		"setback: three rows":          {table: "setback", whole: "from,to,minor,major\n1,4,1,2\n5,10,1,2\n11,20,1,2\n", says: "3 rows"},

		"rarity: another bonus":         {table: "rarity", old: "common,1,1", new: "common,2,1"},
		"rarity: a bonus that is none":  {table: "rarity", old: "common,1,1", new: "common,x,1", says: "x"},
		"rarity: wounds that are none":  {table: "rarity", old: "common,1,1", new: "common,1,x", says: "x"},
		"rarity: one twice":             {table: "rarity", old: "uncommon,", new: "common,", says: "twice"},
		"spells: all of a long list":    {table: "spells", whole: spells(200)},
		"spells: too many":              {table: "spells", whole: spells(201), says: "201 rows"},
		"spells: none":                  {table: "spells", whole: spells(0), says: "0 rows"},
		"spells: one twice":             {table: "spells", old: "mass heal,", new: "heal,", says: "twice"},
		"spells: it takes no wound":     {table: "spells", old: "lesser restoration,3", new: "lesser restoration,0", says: "wounds"},
		"spells: it takes one":          {table: "spells", old: "lesser restoration,3", new: "lesser restoration,1"},
		"spells: it takes some":         {table: "spells", old: "lesser restoration,3", new: "lesser restoration,some", says: "wounds"},
		"spells: neither yes nor no":    {table: "spells", old: "revivify,1,no", new: "revivify,1,maybe", says: "neither"},
		"terrain: other dice":           {table: "terrain", old: "17,20,5d6", new: "17,20,6d6"},
		"terrain: no dice":              {table: "terrain", old: "17,20,5d6", new: "17,20,much", says: "much"},
		"terrain: a gap":                {table: "terrain", old: "5,8", new: "6,8", says: "does not follow"},
		"terrain: it ends before 20":    {table: "terrain", old: "17,20", new: "17,19", says: "end at 20"},
		"terrain: nothing":              {table: "terrain", whole: "from,to,damage\n", says: "end at 20"},
		"clarity: it reaches farther":   {table: "clarity", old: "Murky,30", new: "Murky,60"},
		"clarity: no feet":              {table: "clarity", old: "Murky,30", new: "Murky,far", says: "far"},
		"clarity: a kind is missing":    {table: "clarity", old: "Turbid,0,flood water / sewers / very muddy rivers\n", new: "", says: "2 rows"},
		"depth: another end":            {table: "depth", old: "0,300,unaffected\n300,", new: "0,200,unaffected\n200,"},
		"depth: it begins nowhere":      {table: "depth", old: "0,300", new: "x,300", says: "x"},
		"depth: it ends nowhere":        {table: "depth", old: "0,300", new: "0,x", says: "x"},
		"depth: a gap":                  {table: "depth", old: "300,600", new: "301,600", says: "does not follow 300"},
		"depth: an unknown light":       {table: "depth", old: "dim light", new: "gloom", says: "gloom"},
		"depth: an empty band":          {table: "depth", old: "300,600,dim light\n600,", new: "300,300,dim light\n300,", says: "does not follow"},
		"depth: it ends before":         {table: "depth", old: "300,600,dim light\n600,", new: "300,200,dim light\n200,", says: "does not follow"},
		"depth: a band of no feet at 0": {table: "depth", old: "0,300", new: "0,0", says: "does not follow"},
		"depth: the last one ends":      {table: "depth", old: "600,,", new: "600,900,", says: "no end"},
		"depth: the last one ends at 0": {table: "depth", whole: "depth_from_ft,depth_to_ft,sunlight\n", says: "no end"},
		"depth: one for all":            {table: "depth", whole: "depth_from_ft,depth_to_ft,sunlight\n0,,darkness\n", says: "1 rows"},

		"feats: another ability":          {table: "feat-abilities", old: "durable,constitution", new: "durable,strength"},
		"feats: an ability that is none":  {table: "feat-abilities", old: "durable,constitution", new: "durable,luck", says: "luck"},
		"feats: one twice":                {table: "feat-abilities", old: "crusher,", new: "athlete,", says: "twice"},
		"lists: another ability":          {table: "spell-lists", old: "bard,charisma", new: "bard,wisdom"},
		"lists: one that nobody casts by": {table: "spell-lists", old: "bard,charisma", new: "bard,strength", says: "strength"},
		"improvised: another":             {table: "improvised", old: "brace\n", new: "finesse\n"},
		"improvised: one twice":           {table: "improvised", old: "disarm\n", new: "brace\n", says: "brace"},
		"improvised: one without a name":  {table: "improvised", old: "disarm\n", new: "\"\"\n", says: "missing"},
		"barding: lighter":                {table: "barding-light", old: "Padded,11", new: "Padded,12"},
		"barding: hardly loud":            {table: "barding-light", old: "Leather,11,None", new: "Leather,11,Hardly", says: "Hardly"},
		"barding: no armour":              {table: "barding-light", old: "Leather,11", new: "Leather,x", says: "x"},
		"barding: no weight":              {table: "barding-light", old: "None,10,20", new: "None,x,20", says: "x"},
		"barding: no price":               {table: "barding-light", old: "None,10,20", new: "None,10,x", says: "x"},
		"barding: one twice":              {table: "barding-light", old: "Leather,", new: "Padded,", says: "twice"},
		"a table with another head":       {table: "limbs", old: "d4,lost", new: "d6,lost", says: "first line"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := body.LoadTables(func(id string) (string, error) {
				text, err := content.Book().Table(id)
				switch {
				case id != c.table:
				case c.whole != "":
					return c.whole, nil
				case !strings.Contains(text, c.old):
					t.Fatalf("%s has no %q", id, c.old)
				default:
					return strings.Replace(text, c.old, c.new, 1), nil
				}
				return text, err
			})
			switch {
			case c.says == "" && err != nil, c.says != "" && err == nil:
				t.Errorf("%v, want %q", err, c.says)
			case err != nil && (!strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "table "+c.table)):
				t.Errorf("%v, want table %s: %q", err, c.table, c.says)
			}
		})
	}
	missing := errors.New("not there")
	if book, err := body.LoadTables(func(string) (string, error) { return "", missing }); !errors.Is(err, missing) || len(book.Spells) > 0 {
		t.Errorf("no tables: %v, %v", book, err)
	}
}
