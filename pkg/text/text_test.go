package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/limits"
)

func TestLine(t *testing.T) {
	for name, c := range map[string]struct{ text, wrong string }{
		"empty":                       {"", ""},
		"plain":                       {"Jeera of the Reeds, 2nd", ""},
		"accents, composed":           {"Kälte", ""},
		"accents, decomposed":         {"Ka\u0308lte", ""},
		"Chinese":                     {"火焰\u3000之劍", ""},
		"Hebrew":                      {"שָׁלוֹם", ""},
		"Persian with a non-joiner":   {"می\u200cخواهم", ""},
		"Hindi with a joiner":         {"क्\u200dष", ""},
		"Thai, four marks at most":    {"ที่นี่", ""},
		"family":                      {"👩\u200d👩\u200d👧", ""},
		"coloured hand":               {"👍🏽", ""},
		"red heart, flag of a pirate": {"❤\ufe0f🏴\u200d☠\ufe0f", ""},
		"coloured with a profession":  {"👩🏽\u200d🚀", ""},
		"variant of a Han sign":       {"葛\U000e0100", ""},
		"no-break space":              {"3\u00a0HP", ""},
		"newline":                     {"a\nb", "U+000A at byte 1 is a control character"},
		"escape":                      {"\x1b[31m", "U+001B at byte 0 is a control character"},
		"tab":                         {"a\tb", "U+0009 at byte 1 is a control character"},
		"C1 control":                  {"a\u009bb", "U+009B at byte 1 is a control character"},
		"line separator":              {"a\u2028b", "U+2028 at byte 1 is a control character"},
		"delete":                      {"a\x7f", "U+007F at byte 1 is a control character"},
		"bidi override":               {"a\u202eb", "U+202E at byte 1 changes the direction of writing"},
		"bidi isolate":                {"\u2066a", "U+2066 at byte 0 changes the direction of writing"},
		"Arabic letter mark":          {"a\u061c", "U+061C at byte 1 changes the direction of writing"},
		"zero-width space":            {"a\u200bb", "U+200B at byte 1 is invisible"},
		"word joiner":                 {"a\u2060b", "U+2060 at byte 1 is invisible"},
		"byte order mark":             {"\ufeffa", "U+FEFF at byte 0 is invisible"},
		"soft hyphen":                 {"a\u00adb", "U+00AD at byte 1 is invisible"},
		"tag letters":                 {"a\U000e0061", "U+E0061 at byte 1 is invisible"},
		"Hangul filler":               {"\u3164", "U+3164 at byte 0 is invisible"},
		"blank Braille":               {"\u2800", "U+2800 at byte 0 is invisible"},
		"grapheme joiner":             {"a\u034fb", "U+034F at byte 1 is invisible"},
		"joiner between Latin":        {"gr\u200dak", "U+200D at byte 2 is invisible here"},
		"non-joiner at the end":       {"می\u200c", "U+200C at byte 4 is invisible here"},
		"joiners in a row":            {"م\u200c\u200cخ", "U+200C at byte 2 is invisible here"},
		"joiner after an emoji":       {"👩\u200da", "U+200D at byte 4 is invisible here"},
		"selector on nothing":         {"\ufe0fa", "U+FE0F at byte 0 is invisible here"},
		"two selectors":               {"❤\ufe0f\ufe0f", "U+FE0F at byte 6 is invisible here"},
		"mark on nothing":             {"\u0301a", "U+0301 at byte 0 stands on nothing"},
		"mark on a space":             {"a \u0301", "U+0301 at byte 2 stands on nothing"},
		"too many marks":              {"a" + strings.Repeat("\u0301", 5), "U+0301 at byte 9 is a mark too many"},
		"private use":                 {"\ue000", "U+E000 at byte 0 is for private use"},
		"unassigned":                  {"\u0378", "U+0378 at byte 0 is not assigned"},
		"no character":                {"\ufffe", "U+FFFE at byte 0 is not assigned"},
		"replacement":                 {"a\ufffd", "U+FFFD at byte 1 is no character"},
		"thin space":                  {"a\u2009b", "U+2009 at byte 1 is no plain space"},
		"surrogate":                   {"\xed\xa0\x80", "is not UTF-8 at byte 0"},
		"broken":                      {"ab\xff", "is not UTF-8 at byte 2"},
		"spaces":                      {" \u00a0 ", "has only spaces"},
		"long":                        {strings.Repeat("ä", 51), "102 bytes, at most 100"},
	} {
		err := Line(c.text, 100)
		if got := message(err); got != c.wrong {
			t.Errorf("%s: %q, want %q", name, got, c.wrong)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestNameIDNotation(t *testing.T) {
	long := strings.Repeat("x", limits.NameBytes)
	for _, c := range []struct {
		check func(string) error
		text  string
		fine  bool
	}{
		{Name, "Grak the Orc", true}, {Name, long, true},
		{Name, "", false}, {Name, long + "x", false}, {Name, " Grak", false}, {Name, "Grak\u00a0", false}, {Name, "Gr\nak", false},
		{ID, "orc-1_A", true}, {ID, strings.Repeat("x", limits.IDBytes), true},
		{ID, "", false}, {ID, strings.Repeat("x", limits.IDBytes+1), false}, {ID, "orc.1", false}, {ID, "örc", false}, {ID, "or c", false},
		{Notation, "2d6\n\t+ 1d4[Kälte]", true}, {Notation, "", true}, {Notation, " ", true},
		{Notation, "2d6\x1b", false}, {Notation, "2d6[\u202e]", false},
	} {
		if err := c.check(c.text); (err == nil) != c.fine {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "",
		"Grak, the \"Orc\"":  "Grak, the \"Orc\"",
		`a\nb`:               `a\nb`,
		"a\nb\tc\r":          `a\nb\tc\r`,
		"\x1b[2Jx":           `\x1b[2Jx`,
		"a\u202eb":           `a\u202eb`,
		"gr\u200bak":         `gr\u200bak`,
		"\U000e0061":         `\U000e0061`,
		"ab\xff\xfe":         `ab\xff\xfe`,
		"a\ufffdb":           `a\ufffdb`,
		"Kälte ❄ می\u200cخو": "Kälte ❄ می\u200cخو",
		"👩\u200d👧":           "👩\u200d👧",
		"\u0301x":            `\u0301x`,
	} {
		if got := Escape(text); got != want {
			t.Errorf("Escape(%q) = %q, want %q", text, got, want)
		}
	}
	if got := EscapeLines("a\nb\x1b\r\n"); got != "a\nb\\x1b\\r\n" {
		t.Errorf("lines: %q", got)
	}
}

// FuzzEscape: whatever the bytes are, what comes out may stand on one line of a
// terminal by the same rule as input, and stays as it is when escaped again.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a\nb", "\x1b[31m", "م\u200c\u200dخ", "👩\u200d\u202e👧", "\xffä\u0301\u0301\u0301\u0301\u0301", "❤\ufe0f\ufe0f", " \u2009", "\u200d👧", "\n\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { safe(t, s) })
}

func safe(t interface{ Fatalf(string, ...any) }, s string) {
	once := Escape(s)
	if err := Line(once, len(once)); err != nil && strings.TrimSpace(s) != "" && strings.TrimFunc(once, unicode.IsSpace) != "" {
		t.Fatalf("Escape(%q) = %q: %v", s, once, err)
	}
	for _, r := range once {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			t.Fatalf("Escape(%q) = %q still has %q", s, once, r)
		}
	}
	if again := Escape(once); again != once {
		t.Fatalf("Escape(%q) = %q, again %q", s, once, again)
	}
	if Line(s, len(s)) == nil && once != s {
		t.Fatalf("%q is fine and was escaped to %q", s, once)
	}
	if !utf8.ValidString(once) {
		t.Fatalf("Escape(%q) is not UTF-8", s)
	}
	if got, want := strings.Count(EscapeLines(s), "\n"), strings.Count(s, "\n"); got != want {
		t.Fatalf("EscapeLines(%q) has %d line ends, want %d", s, got, want)
	}
}

// TestEscapeAnything draws from the signs that the rule treats by themselves far
// oftener than chance would.
func TestEscapeAnything(t *testing.T) {
	special := []rune{0, 7, '\n', '\r', '\t', 0x1b, ' ', 'a', '~', 0x7f, 0x85, 0x9b, 0xa0, 0xad, 0x300, 0x34f, 0x61c, 'م', 'خ', 'क', 0x94d,
		0x115f, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028, 0x2029, 0x202e, 0x2066, 0x2764, 0x2800, 0x3000, 0x3164, 0xe000, 0xfe0f,
		0xfeff, 0xfffd, 0xfffe, 0x1f469, 0x1f3fd, 0xe0061, 0xe0100, 0x10ffff}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "signs") {
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				b.WriteByte(rapid.Byte().Draw(t, "byte"))
			case 1:
				b.WriteRune(rapid.Rune().Draw(t, "rune"))
			default:
				b.WriteRune(rapid.SampledFrom(special).Draw(t, "special"))
			}
		}
		safe(t, b.String())
	})
}
