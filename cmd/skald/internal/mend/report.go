package mend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Report is what a mend found and did.
type Report struct {
	// Data folder.
	Data string `json:"data"`
	// Sound: nothing was wrong, and nothing was done.
	Sound bool `json:"sound"`
	// DryRun: nothing was done.
	DryRun bool `json:"dry_run,omitempty"`
	// Found is what kept the journal from being opened, with file and place.
	Found []string `json:"found,omitempty"`
	// Notes are about the copies: what could not be read, what was left out.
	Notes []string `json:"notes,omitempty"`
	// Streams that were made again.
	Streams []StreamReport `json:"streams,omitempty"`
	// Aside is the folder that holds the journal as it was.
	Aside string `json:"aside,omitempty"`
	// Projections that do not agree with the mended journal and were moved aside
	// with it: they are made again.
	Projections []string `json:"projections,omitempty"`
}

// StreamReport is about one stream.
type StreamReport struct {
	// Stream and its id.
	Stream string `json:"stream"`
	ID     string `json:"id"`
	// First and Last sequence.
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
	// Records by the copy that they came from.
	Records map[string]uint64 `json:"records"`
	// Mended records: those that the journal's own blocks did not give, the first
	// thousand.
	Mended []Mended `json:"mended,omitempty"`
	// Lost sequences.
	Lost []Lost `json:"lost,omitempty"`
	// Versions that are lost of encounters, patients and dice.
	Versions []Versions `json:"versions,omitempty"`
	// Conflicts are sequences of which copies differ.
	Conflicts []string `json:"conflicts,omitempty"`
}

// Mended is a record and the copy that it came from.
type Mended struct {
	Sequence uint64 `json:"sequence"`
	Subject  string `json:"subject"`
	From     string `json:"from"`
}

// Lost is a sequence that no copy holds.
type Lost struct {
	Sequence uint64 `json:"sequence"`
	// Subject of what was there, where anything knows it.
	Subject string `json:"subject,omitempty"`
}

// Versions are versions that an encounter, a patient or its dice lack.
type Versions struct {
	Table string `json:"table"`
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	First uint64 `json:"first_version"`
	Last  uint64 `json:"last_version"`
	// Before is the sequence of the next record that is there.
	Before uint64 `json:"before"`
}

// Lost counts the sequences that no copy has.
func (r *Report) Lost() int {
	n := 0
	for _, s := range r.Streams {
		n += len(s.Lost)
	}
	return n
}

// String is the report for people.
func (r *Report) String() string {
	var b strings.Builder
	if r.Sound {
		return fmt.Sprintf("%s: the journal is sound; nothing was done\n", r.Data)
	}
	for _, f := range r.Found {
		fmt.Fprintf(&b, "found: %s\n", f)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for _, s := range r.Streams {
		s.write(&b)
	}
	for _, p := range r.Projections {
		fmt.Fprintf(&b, "moved aside, to be made again: %s\n", p)
	}
	switch {
	case r.DryRun:
		b.WriteString("a dry run: nothing was changed\n")
	case r.Lost() == 0:
		fmt.Fprintf(&b, "mended, nothing is lost; the journal as it was lies in %s\n", r.Aside)
	default:
		fmt.Fprintf(&b, "mended as far as the copies reach, %d records are lost; the journal as it was lies in %s\n", r.Lost(), r.Aside)
	}
	return b.String()
}

func (s *StreamReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "stream %s (%s): sequences %d to %d\n", s.Stream, s.ID, s.First, s.Last)
	for _, from := range slices.Sorted(maps.Keys(s.Records)) {
		fmt.Fprintf(b, "  %d records from %s\n", s.Records[from], from)
	}
	for _, m := range s.Mended {
		fmt.Fprintf(b, "  mended: sequence %d, %s, from %s\n", m.Sequence, m.Subject, m.From)
	}
	for _, c := range s.Conflicts {
		fmt.Fprintf(b, "  copies differ: %s\n", c)
	}
	for _, l := range s.Lost {
		fmt.Fprintf(b, "  LOST: sequence %d, %s\n", l.Sequence, named(l.Subject))
	}
	for _, v := range s.Versions {
		fmt.Fprintf(b, "  LOST: %s %s of table %s lacks versions %d to %d (before sequence %d)\n", v.Kind, v.Name, v.Table, v.First, v.Last, v.Before)
	}
}

func named(subject string) string {
	t := strings.Split(subject, ".")
	if len(t) < 5 {
		return "of which no copy knows what it was"
	}
	return fmt.Sprintf("%s %s of table %s", t[3], strings.Join(t[4:], "."), t[2])
}
