package text

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skaldrpg/skald/pkg/limits"
)

// Name says what is wrong with a name: of a creature, a side, a player, whoever
// contributes entropy. It is a line of at most limits.NameBytes that neither
// begins nor ends with a space. nil when nothing is; an empty name is wrong.
func Name(s string) error {
	if s == "" {
		return fmt.Errorf("must be 1 to %d bytes", limits.NameBytes)
	}
	if err := Line(s, limits.NameBytes); err != nil {
		return err
	}
	if first, last := ends(s); unicode.IsSpace(first) || unicode.IsSpace(last) {
		return errors.New("must not begin or end with a space")
	}
	return nil
}

func ends(s string) (first, last rune) {
	first, _ = utf8.DecodeRuneInString(s)
	last, _ = utf8.DecodeLastRuneInString(s)
	return first, last
}

// Line says what is wrong with one line of text of at most so many bytes: a
// reason, a note, a title. nil when nothing is; an empty line is fine.
func Line(s string, most int) error { return check(s, most, false) }

// Notation says what is wrong with dice notation as far as its characters go: it
// is a line, but tabs and line ends may stand between its signs. Its length is
// bounded where it is read.
func Notation(s string) error { return check(s, len(s), true) }

func check(s string, most int, spread bool) error {
	if len(s) > most {
		return fmt.Errorf("%d bytes, at most %d", len(s), most)
	}
	var d reader
	blank := s != ""
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return fmt.Errorf("is not UTF-8 at byte %d", i)
		}
		after := rune(0)
		if i+n < len(s) {
			after, _ = utf8.DecodeRuneInString(s[i+n:])
		}
		if spread && (r == '\t' || r == '\n' || r == '\r') {
			r = ' '
		}
		if why := d.next(r, after); why != "" {
			return fmt.Errorf("U+%04X at byte %d %s", r, i, why)
		}
		blank = blank && unicode.IsSpace(r)
		i += n
	}
	if blank && !spread {
		return errors.New("has only spaces")
	}
	return nil
}

// ID says what is wrong with the id of an encounter, a table, a creature or a
// patient: 1 to limits.IDBytes letters and digits of ASCII, '-' and '_'.
func ID(s string) error {
	bad := s == "" || len(s) > limits.IDBytes
	for i := 0; i < len(s) && !bad; i++ {
		c := s[i]
		bad = !(c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}
	if bad {
		return fmt.Errorf("must be 1 to %d letters, digits, '-' or '_'", limits.IDBytes)
	}
	return nil
}

// Escape makes any text safe for one line of a terminal or a log: what the rule
// does not allow is written as a visible escape (\n, \x1b, \u202e), everything
// else stays. It gives valid UTF-8 for any bytes, and Escape(Escape(s)) is
// Escape(s). The result is for eyes: it can not be turned back.
func Escape(s string) string { return escape(s, false) }

// EscapeLines is Escape for text of several lines: line ends stay.
func EscapeLines(s string) string { return escape(s, true) }

func escape(s string, lines bool) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	var d reader
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
			d = reader{before: 'x'}
			i++
			continue
		}
		after := rune(0)
		if i+n < len(s) {
			after, _ = utf8.DecodeRuneInString(s[i+n:])
		}
		i += n
		if lines && r == '\n' {
			b.WriteByte('\n')
			d = reader{}
			continue
		}
		if why := d.next(r, after); why == "" {
			b.WriteRune(r)
			continue
		}
		b.WriteString(shown(r))
		// What follows stands after the escape's last letter.
		d = reader{before: 'x'}
	}
	return b.String()
}

// plain tells whether a text is printable ASCII, which needs no second look.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
