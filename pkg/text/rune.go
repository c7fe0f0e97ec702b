package text

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Signs that the rule treats by themselves.
const (
	nonJoiner     = '\u200c'
	joiner        = '\u200d'
	noBreakSpace  = '\u00a0'
	wideSpace     = '\u3000'
	blankBraille  = '\u2800'
	replacement   = utf8.RuneError
	marksTogether = 4
)

// joining are the scripts that are written with joiner and non-joiner.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Phags_Pa,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
	unicode.Tibetan, unicode.Balinese, unicode.Javanese,
}

// reader goes through a text rune by rune and says of each whether it may stand
// where it does.
type reader struct {
	before rune // the rune before, 0 at the beginning
	marks  int  // marks in a row before this place
}

// next judges the rune r that is followed by after (0 at the end); why is empty
// when it may stand there.
func (d *reader) next(r, after rune) (why string) {
	if r != replacement && ' ' <= r && r < 0x7f {
		d.before, d.marks = r, 0
		return ""
	}
	mark := unicode.Is(unicode.M, r) && !unicode.Is(unicode.Variation_Selector, r)
	why = d.judge(r, after, mark)
	if mark {
		d.marks++
	} else {
		d.marks = 0
	}
	d.before = r
	return why
}

func (d *reader) judge(r, after rune, mark bool) string {
	switch {
	case r == replacement:
		return "is no character"
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return "is a control character"
	case unicode.Is(unicode.Bidi_Control, r):
		return "changes the direction of writing"
	case r == joiner && emoji(d.before) && pictograph(after):
		return ""
	case r == joiner, r == nonJoiner:
		if letterOf(d.before) && letterOf(after) {
			return ""
		}
		return "is invisible here"
	case unicode.Is(unicode.Variation_Selector, r):
		if d.before == 0 || unicode.In(d.before, unicode.Z, unicode.C, unicode.Variation_Selector) {
			return "is invisible here"
		}
		return ""
	case r == blankBraille, unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point):
		return "is invisible"
	case unicode.Is(unicode.Co, r):
		return "is for private use"
	case unicode.Is(unicode.Zs, r):
		if r == noBreakSpace || r == wideSpace {
			return ""
		}
		return "is no plain space"
	case !unicode.IsGraphic(r):
		return "is not assigned"
	case mark && (d.before == 0 || unicode.Is(unicode.Z, d.before)):
		return "stands on nothing"
	case mark && d.marks >= marksTogether:
		return "is a mark too many"
	}
	return ""
}

// letterOf tells whether a rune is a letter or a mark of a script that is
// written with joiners.
func letterOf(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M) && unicode.In(r, joining...)
}

// pictograph tells whether a rune can stand for itself as an emoji.
func pictograph(r rune) bool {
	return r >= 0x2000 && unicode.Is(unicode.So, r) && r != blankBraille && r != replacement
}

// emoji tells whether a rune can end an emoji: a pictograph, its colour, or the
// selector of its coloured form.
func emoji(r rune) bool { return pictograph(r) || 0x1f3fb <= r && r <= 0x1f3ff || r == '\ufe0f' }

// shown writes a rune so that it can be seen.
func shown(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
