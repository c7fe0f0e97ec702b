package attest

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"hash"
	"strings"
)

// Size is the length of transcripts, digests and hashes, bytes.
const Size = sha256.Size

// Domain strings of what is hashed.
const (
	beginDomain = "skald/transcript/begin/v1\n"
	stepDomain  = "skald/step/v1\n"
	nextDomain  = "skald/transcript/v1\n"
)

// Begin is the transcript of an encounter before its first step.
func Begin(table, encounter string) []byte {
	return sum([]byte(beginDomain), []byte(table), []byte("/"), []byte(encounter), []byte("\n"))
}

// BeginPatient is the transcript of a patient before the first entry of the history.
func BeginPatient(table, patient string) []byte { return Begin(table, patientPart+patient) }

// Digest is that of a step, over its bytes as the viewer got them.
func Digest(step []byte) []byte { return sum([]byte(stepDomain), step) }

// Digesting is Digest of bytes that are written to it one piece behind the other.
func Digesting() hash.Hash {
	h := sha256.New()
	h.Write([]byte(stepDomain)) //nolint:errcheck // never fails
	return h
}

// Next is the transcript after step number, whose digest is given.
func Next(transcript []byte, number uint64, digest []byte) []byte {
	return sum([]byte(nextDomain), transcript, binary.BigEndian.AppendUint64(nil, number), digest)
}

func sum(parts ...[]byte) []byte {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(make([]byte, 0, Size))
}

//go:embed words.txt
var wordFile string

var wordList = strings.Fields(wordFile)

// WordCount is how many words a transcript is rendered as.
const WordCount = 8

// Words renders a transcript so that people can compare it aloud: its first bytes, a
// word of WordList each. They hold 64 bits: enough against a slip, and against an
// operator who has not searched for two histories with the same words; the whole
// transcript is what leaves no doubt. Empty for what is no transcript.
func Words(transcript []byte) string {
	if len(transcript) < WordCount {
		return ""
	}
	out := make([]string, WordCount)
	for i := range out {
		out[i] = wordList[transcript[i]]
	}
	return strings.Join(out, " ")
}

// WordList is the list, 256 words, one for each value of a byte. It never changes.
func WordList() []string { return append([]string(nil), wordList...) }
