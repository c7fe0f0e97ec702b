package natsstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Stream is what the folder of one stream holds.
type Stream struct {
	// Name of the stream and its folder.
	Name, Folder string
	// Metadata of its configuration; nil when meta.inf can not be read.
	Metadata map[string]string
	// First and Last are the sequences that it must start at and ends with; Last
	// counts what was deleted on purpose. Last is First-1 when it is empty.
	First, Last uint64
	// Messages that are whole, those deleted on purpose included.
	Messages uint64
	// Bytes of its blocks.
	Bytes int64
	// Deleted holds the sequences that were deleted on purpose.
	Deleted map[uint64]bool
	// Torn is where the newest block's torn end starts, and Newest that block;
	// Torn is -1 when it has none.
	Torn   int64
	Newest string

	tail  Record // the last record, without its data
	known bool   // the description is whole
}

// Report is what an examination found.
type Report struct {
	// Streams in the order of their names.
	Streams []*Stream
	// Findings in the order of the files.
	Findings []Finding
}

// Visit is called for each whole record, in the order of the blocks; the record's
// bytes are valid only during the call. An error ends the examination.
type Visit func(s *Stream, r Record) error

// names in a stream's folder.
const (
	metaFile    = "meta.inf"
	metaSumFile = "meta.sum"
	blocksDir   = "msgs"
	batchesDir  = "batches"
	obsDir      = "obs"
	// IndexFile is the server's own cache of a stream, in its folder of blocks.
	IndexFile = "index.db"
)

// Examine reads every stream under a server's store folder. The error is that of
// the context, of visit, or of a folder that can not be listed; whatever is wrong
// with the files is a finding.
func Examine(ctx context.Context, storeDir string, visit Visit) (*Report, error) {
	r := &Report{}
	accounts, err := list(filepath.Join(storeDir, "jetstream"))
	if err != nil {
		return nil, err
	}
	for _, account := range accounts {
		dir := filepath.Join(storeDir, "jetstream", account.Name(), "streams")
		streams, err := list(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range streams {
			path := filepath.Join(dir, e.Name())
			if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
				r.Findings = append(r.Findings, Finding{File: path, Offset: -1, Kind: KindForeign, Text: "not the folder of a stream"})
				continue
			}
			if err := r.stream(ctx, path, visit); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// list is a folder's entries by name; none when it does not exist.
func list(dir string) ([]fs.DirEntry, error) {
	es, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("natsstore: %w", err)
	}
	return es, nil
}

func (r *Report) stream(ctx context.Context, dir string, visit Visit) error {
	s := &Stream{Name: filepath.Base(dir), Folder: dir, First: 1, Deleted: map[uint64]bool{}, Torn: -1}
	r.Streams = append(r.Streams, s)
	x := &examination{s: s, visit: visit}
	x.meta()
	if err := x.foreign(); err != nil {
		return err
	}
	if err := x.blocks(ctx); err != nil {
		return err
	}
	x.gaps()
	if err := x.batch(ctx); err != nil {
		return err
	}
	if !s.known && s.Messages == 0 && s.Bytes == 0 {
		x.found = []Finding{{Stream: s.Name, File: dir, Offset: -1, Kind: KindUnfinished, Text: "its description was never written and it holds nothing"}}
	}
	r.Findings = append(r.Findings, x.found...)
	return nil
}

// examination is the work on one stream.
type examination struct {
	s      *Stream
	visit  Visit
	found  []Finding
	holes  []hole
	newest int    // read only so many of the newest blocks; 0: all
	last   uint64 // of the records and marks read so far; First-1 before
	open   int    // the last finding whose sequences are not known yet; -1: none
}

// hole is sequences that no record was read for.
type hole struct {
	first, last uint64
	finding     int // that it belongs to; -1: none
	file        string
	text        string
}

func (x *examination) finding(file string, offset int64, kind Kind, format string, args ...any) {
	x.found = append(x.found, Finding{Stream: x.s.Name, File: file, Offset: offset, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// meta reads the stream's description and its checksum.
func (x *examination) meta() {
	path := filepath.Join(x.s.Folder, metaFile)
	data, err := os.ReadFile(path)
	if err != nil {
		x.finding(path, -1, KindMeta, "%v", plain(err))
		return
	}
	sumPath := filepath.Join(x.s.Folder, metaSumFile)
	want, err := os.ReadFile(sumPath)
	if err != nil {
		x.finding(sumPath, -1, KindMeta, "%v", plain(err))
		return
	}
	h := newHasher(sha256.Sum256([]byte(x.s.Name)))
	h.h.Write(data) //nolint:errcheck // never fails
	if hex.EncodeToString(h.h.Sum(nil)) != string(want) {
		x.finding(path, -1, KindMeta, "does not match its checksum in %s", metaSumFile)
		return
	}
	var info struct {
		Name     string            `json:"name"`
		First    uint64            `json:"first_seq"`
		Metadata map[string]string `json:"metadata"`
	}
	if err := json.Unmarshal(data, &info); err != nil || info.Name != x.s.Name {
		x.finding(path, -1, KindMeta, "describes stream %q (%v)", info.Name, err)
		return
	}
	x.s.Metadata, x.s.First, x.s.known = info.Metadata, max(info.First, 1), true
}

// plain is an error without the path, which the finding has.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// foreign looks for what the server does not keep there. Some of it, as leftovers
// of a purge or a block's old index, would make it remove or believe things.
func (x *examination) foreign() error {
	top, err := list(x.s.Folder)
	if err != nil {
		return err
	}
	known := []string{metaFile, metaSumFile, blocksDir, obsDir, batchesDir}
	for _, e := range top {
		if !slices.Contains(known, e.Name()) {
			x.finding(filepath.Join(x.s.Folder, e.Name()), -1, KindForeign, "")
		}
	}
	// Skald's consumers live in memory: what is kept here is nobody's, and the
	// server would stop a stream over a consumer that it does not understand.
	obs, err := list(filepath.Join(x.s.Folder, obsDir))
	if err != nil {
		return err
	}
	for _, e := range obs {
		x.finding(filepath.Join(x.s.Folder, obsDir, e.Name()), -1, KindForeign, "a stored consumer")
	}
	return nil
}

// blockFile is one file of blocks.
type blockFile struct {
	number uint32
	path   string
}

// blockFiles lists the blocks in their order and reports the rest.
func (x *examination) blockFiles() ([]blockFile, error) {
	dir := filepath.Join(x.s.Folder, blocksDir)
	entries, err := list(dir)
	if err != nil {
		return nil, err
	}
	var out []blockFile
	for _, e := range entries {
		var n uint32
		if _, err := fmt.Sscanf(e.Name(), "%d.blk", &n); err == nil && e.Name() == fmt.Sprintf("%d.blk", n) && e.Type().IsRegular() {
			out = append(out, blockFile{n, filepath.Join(dir, e.Name())})
			continue
		}
		if e.Name() != IndexFile {
			x.finding(filepath.Join(dir, e.Name()), -1, KindForeign, "")
		}
	}
	slices.SortFunc(out, func(a, b blockFile) int { return int(int64(a.number) - int64(b.number)) })
	return out, nil
}

func (x *examination) blocks(ctx context.Context) error {
	files, err := x.blockFiles()
	if err != nil {
		return err
	}
	x.last, x.open = x.s.First-1, -1
	if x.newest > 0 {
		files = files[max(0, len(files)-x.newest):]
	}
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := x.block(f, i == len(files)-1); err != nil {
			return err
		}
	}
	if x.open >= 0 { // behind it nothing is left: at least the next sequence is in doubt
		x.found[x.open].First, x.found[x.open].Last = x.last+1, x.last+1
	}
	x.s.Last = x.last
	for seq := range x.s.Deleted { // order-free: the largest
		x.s.Last = max(x.s.Last, seq)
	}
	return nil
}

// block reads one block. newest tells that the server was writing to it.
func (x *examination) block(f blockFile, newest bool) error {
	info, err := os.Stat(f.path)
	if err != nil {
		x.finding(f.path, -1, KindUnreadable, "%v", plain(err))
		return nil
	}
	x.s.Bytes += info.Size()
	if info.Size() > mostBlock {
		x.finding(f.path, -1, KindGarbage, "%d bytes are more than a block has", info.Size())
		return nil
	}
	raw, err := os.ReadFile(f.path)
	if err != nil {
		x.finding(f.path, -1, KindUnreadable, "%v", plain(err))
		return nil
	}
	b := readBlock(raw, blockHasher(x.s.Name, f.number))
	if len(b.entries) == 0 && len(raw) >= emptyRecord {
		if of, n := otherBlock(raw, x.s.Name, f.number); n != 0 {
			b = of
			b.problems = append([]problem{{offset: -1, kind: KindBlock, text: fmt.Sprintf("holds block %d", n)}}, b.problems...)
			b.torn = -1
		}
	}
	if len(b.entries) == 0 && !newest && len(b.problems) == 0 {
		b.problems = append(b.problems, problem{offset: -1, kind: KindTruncated, text: "empty"})
	}
	if newest {
		x.s.Newest, x.s.Torn = f.path, int64(b.torn)
	}
	return x.entries(f, b, newest)
}

// otherBlock tries whether a file holds the block of another number: checksums
// are keyed by it.
func otherBlock(raw []byte, stream string, not uint32) (block, uint32) {
	buf, _ := decompress(raw)
	for n := uint32(1); n < not+64; n++ {
		if n == not {
			continue
		}
		h := blockHasher(stream, n)
		if _, f := parse(buf, h); f == whole || f == badHead {
			return readBlock(raw, h), n
		}
	}
	return block{}, 0
}

// entries takes what a block holds and gives each problem its sequences.
func (x *examination) entries(f blockFile, b block, newest bool) error {
	problems := b.problems
	for i := 0; i <= len(b.entries); i++ {
		for len(problems) > 0 && problems[0].after == i {
			p := problems[0]
			problems = problems[1:]
			if p.kind == KindTorn && !newest {
				p.kind = KindTruncated
			}
			x.finding(f.path, p.offset, p.kind, "%s", p.text)
			if p.kind == KindHeader && i < len(b.entries) {
				x.found[len(x.found)-1].First, x.found[len(x.found)-1].Last = b.entries[i].Seq, b.entries[i].Seq
				continue
			}
			x.open = len(x.found) - 1
		}
		if i == len(b.entries) {
			break
		}
		e := b.entries[i]
		if e.tomb {
			x.s.Deleted[e.Seq] = true
			continue
		}
		if e.Seq <= x.last {
			x.finding(f.path, -1, KindOrder, "sequence %d after %d", e.Seq, x.last)
		} else {
			if e.Seq > x.last+1 {
				x.holes = append(x.holes, hole{first: x.last + 1, last: e.Seq - 1, finding: x.open, file: f.path,
					text: fmt.Sprintf("block %d goes on with sequence %d", f.number, e.Seq)})
			}
			x.last = e.Seq
		}
		x.open = -1
		if e.erased {
			x.s.Deleted[e.Seq] = true
			continue
		}
		x.s.Messages++
		x.s.tail = Record{Subject: e.Subject, Seq: e.Seq, Time: e.Time, Header: e.Header}
		if x.visit != nil {
			if err := x.visit(x.s, e.Record); err != nil {
				return err
			}
		}
	}
	x.s.tail.Header = slices.Clone(x.s.tail.Header)
	return nil
}

// gaps tells sequences that are lost from those deleted on purpose.
func (x *examination) gaps() {
	for _, h := range x.holes {
		first, last, lost := uint64(0), uint64(0), uint64(0)
		for seq := h.first; seq <= h.last; seq++ {
			if x.s.Deleted[seq] {
				continue
			}
			if first == 0 {
				first = seq
			}
			last = seq
			if lost++; lost > 1<<22 {
				last = h.last
				break
			}
		}
		switch {
		case lost == 0:
		case h.finding >= 0:
			x.found[h.finding].First, x.found[h.finding].Last = first, last
		default:
			x.finding(h.file, -1, KindGap, "%s", h.text)
			x.found[len(x.found)-1].First, x.found[len(x.found)-1].Last = first, last
		}
	}
}
