package natsstore

import (
	"fmt"
	"strings"
)

// Kind says what is wrong.
type Kind string

// Kinds of findings.
const (
	// KindChecksum: a record's bytes do not match its checksum.
	KindChecksum Kind = "checksum"
	// KindTorn: the newest block ends in the middle of its last record, and nothing
	// follows: what a process leaves that dies while it writes. NATS cuts it off.
	KindTorn Kind = "torn end"
	// KindTruncated: a file ends too early.
	KindTruncated Kind = "truncated"
	// KindGap: sequences that must be there are in no block.
	KindGap Kind = "sequence gap"
	// KindOrder: a record's sequence does not rise.
	KindOrder Kind = "order"
	// KindGarbage: bytes that are no record.
	KindGarbage Kind = "garbage"
	// KindHeader: a length that no checksum covers is wrong.
	KindHeader Kind = "header"
	// KindBlock: a block of another number, or one that can not be decompressed.
	KindBlock Kind = "block"
	// KindMeta: the stream's description (meta.inf, meta.sum) is missing or broken.
	KindMeta Kind = "meta"
	// KindForeign: a file or folder that the server does not keep there, or that
	// it would act upon.
	KindForeign Kind = "foreign file"
	// KindUnreadable: the file system refuses to give the bytes.
	KindUnreadable Kind = "unreadable"
	// KindUnfinished: a stream whose creation never ended: it holds nothing.
	KindUnfinished Kind = "unfinished stream"
	// KindBatch: the stream ends within an atomic batch whose rest is not kept.
	KindBatch Kind = "half a batch"
)

// Harmless tells whether the server may open a store with such a finding once
// the file has been copied or moved aside: nothing that it holds counts.
func (k Kind) Harmless() bool { return k == KindTorn || k == KindForeign || k == KindUnfinished }

// Finding is one thing that is wrong.
type Finding struct {
	// Stream is the name of the stream's folder; empty outside of any.
	Stream string
	// File with its path, or a folder.
	File string
	// Offset is the byte place in the file; in a compressed block the place in
	// what it decompresses to. -1: the file as a whole.
	Offset int64
	// Kind of the finding.
	Kind Kind
	// First and Last are the sequences that are lost or in doubt; 0 when not known.
	First, Last uint64
	// Text says more, for people.
	Text string
}

// String is the finding in a line.
func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Offset >= 0 {
		fmt.Fprintf(&b, " at byte %d", f.Offset)
	}
	fmt.Fprintf(&b, ": %s", f.Kind)
	if f.Text != "" {
		b.WriteString(": " + f.Text)
	}
	switch {
	case f.First != 0 && f.First == f.Last:
		fmt.Fprintf(&b, " (sequence %d)", f.First)
	case f.First != 0:
		fmt.Fprintf(&b, " (sequences %d to %d)", f.First, f.Last)
	}
	return b.String()
}
