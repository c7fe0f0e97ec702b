// Package text has the one rule of what characters a name, an id or a line of
// text may have, and makes any text safe to print.
//
// The rule, for every text that somebody gives (docs/API.md has it in words for
// callers):
//
//   - It is valid UTF-8; it need not be normalized.
//   - It has letters, marks, numbers, punctuation, symbols, the plain space, the
//     no-break space and the ideographic space, and nothing else: no control
//     characters and line ends, no bidirectional controls, nothing invisible, no
//     private, unassigned or replacement characters.
//   - The joiner and the non-joiner stand only between two letters of a script
//     that is written with them (Arabic, Indic and their relatives), and the
//     joiner between two emoji.
//   - A variation selector stands only after the sign that it varies.
//   - Marks stand on something, at most four in a row.
//   - It is not spaces alone, and not longer than allowed, counted in bytes.
//
// It must never change what somebody wrote: text is refused or stored as it is.
// Escape is for eyes alone and never stored.
package text
