package pack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/near"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/yamlpb"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Files of a pack's folder.
const (
	headFile    = "pack.yaml"
	rulesFile   = "rules.yaml"
	sheetFolder = "sheets"
	tableFolder = "tables"
)

// Read reads the folder of a pack: pack.yaml and beside it, where there are such
// things, weapons.yaml, armour.yaml, items.yaml, spells.yaml, feats.yaml,
// conditions.yaml, injuries.yaml, rules.yaml, tables/*.csv and sheets/*.yaml;
// files that end in .md or have no ending are for people. The Problems say what
// is wrong with the files as such; whether the pack can be played is for Check.
// The pack is nil when there are any.
func Read(folder fs.FS) (*contentv1.Pack, Problems) {
	r := &reader{folder: folder, pack: &contentv1.Pack{}}
	r.all()
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return r.pack, nil
}

// reader reads a folder.
type reader struct {
	folder   fs.FS
	pack     *contentv1.Pack
	files    int
	problems Problems
}

func (r *reader) wrong(file string, line int, field, format string, args ...any) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, Problem{File: file, Line: line, Field: field, Text: fmt.Sprintf(format, args...)})
	}
}

// maxProblems keeps the answer to a hopeless pack readable.
const maxProblems = 50

func (r *reader) all() {
	names := r.names(".")
	if !slices.Contains(names, headFile) {
		r.wrong(headFile, 0, "", "there is no such file: every pack has one")
		return
	}
	about := &contentv1.Pack{} // reading empties what it reads into: places stay in r.pack
	r.document(headFile, about, "")
	proto.Merge(r.pack, about)
	for _, name := range names {
		switch {
		case name == headFile, ignored(name):
		case name == tableFolder+"/":
			r.tables()
		case name == sheetFolder+"/":
			r.sheets()
		case name == rulesFile:
			r.list(name, "rules")
		default:
			field, isYAML := strings.CutSuffix(name, ".yaml")
			if !isYAML || !slices.Contains(sorts, field) {
				r.wrong(name, 0, "", "a pack has no such file%s", near.DidYouMean(name, known()))
				continue
			}
			r.list(name, field)
		}
	}
}

// sorts are the lists of things that a pack has a file for.
var sorts = []string{"weapons", "armour", "items", "spells", "feats", "conditions", "injuries"}

func known() []string {
	out := []string{headFile, rulesFile, tableFolder + "/", sheetFolder + "/"}
	for _, s := range sorts {
		out = append(out, s+".yaml")
	}
	return out
}

// ignored tells whether a file is for people.
func ignored(name string) bool {
	return strings.HasSuffix(name, ".md") || !strings.ContainsAny(name, "./")
}

// names lists a folder, folders with '/' at the end, in order.
func (r *reader) names(folder string) []string {
	entries, err := fs.ReadDir(r.folder, folder)
	if err != nil {
		r.wrong(folder, 0, "", "cannot be read: %s", plain(err))
		return nil
	}
	var out []string
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			out = append(out, e.Name()+"/")
		case !e.Type().IsRegular():
			r.wrong(path.Join(folder, e.Name()), 0, "", "is no plain file: a pack reaches nothing outside its folder")
		default:
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	if r.files += len(out); r.files > limits.PackFiles {
		r.wrong(folder, 0, "", "a pack has at most %d files", limits.PackFiles)
		return nil
	}
	return out
}

// plain is an error of the file system without the path that it repeats.
func plain(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

// bytes reads a file.
func (r *reader) bytes(name string) ([]byte, bool) {
	f, err := r.folder.Open(name)
	if err != nil {
		r.wrong(name, 0, "", "cannot be read: %s", plain(err))
		return nil, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limits.PackFileBytes+1))
	switch {
	case err != nil:
		r.wrong(name, 0, "", "cannot be read: %s", plain(err))
		return nil, false
	case len(data) > limits.PackFileBytes:
		r.wrong(name, 0, "", "it has more than %d bytes", limits.PackFileBytes)
		return nil, false
	}
	return data, true
}

// node reads a file that holds one YAML document.
func (r *reader) node(name string) *yaml.Node {
	data, ok := r.bytes(name)
	if !ok {
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		line, text := yamlError(err)
		r.wrong(name, line, "", "it is no YAML: %s", text)
		return nil
	}
	if len(doc.Content) == 0 {
		r.wrong(name, 1, "", "it is empty")
		return nil
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		r.wrong(name, max(1, more.Line), "", "it must be one document")
		return nil
	}
	return doc.Content[0]
}

// yamlError takes line and words out of an error of the YAML library.
func yamlError(err error) (int, string) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	var line int
	if n, _ := fmt.Sscanf(text, "line %d:", &line); n == 1 {
		_, rest, _ := strings.Cut(text, ": ")
		return line, rest
	}
	return 1, text
}

// document reads a file as a message.
func (r *reader) document(name string, into proto.Message, at string) bool {
	node := r.node(name)
	return node != nil && r.message(name, node, into, at)
}

// message reads a node as a message. Its fields' places are kept under at.
func (r *reader) message(name string, node *yaml.Node, into proto.Message, at string) bool {
	if name == headFile && !r.headOnly(node) {
		return false
	}
	under := func(p string) string { return strings.TrimPrefix(strings.TrimPrefix(p, rootPath), ".") }
	start := at
	if start == "" {
		start = rootPath
	}
	wrong, err := yamlpb.Reader{
		Place: func(p string, line int) {
			r.pack.Sources = append(r.pack.Sources, &contentv1.Source{File: name, Field: under(p), Line: int32(line)})
		},
		Free: func(p string, keys []string) protoreflect.MessageDescriptor { return r.free(p, keys) },
	}.Read(node, into, start)
	for _, v := range wrong {
		r.wrong(name, v.Line, under(v.Field), "%s", v.Text)
	}
	if err != nil {
		r.wrong(name, node.Line, at, "%s", err)
	}
	return err == nil && len(wrong) == 0
}

// rootPath stands for the pack itself in paths.
const rootPath = "pack"

// headOnly refuses in pack.yaml what has files of its own.
func (r *reader) headOnly(node *yaml.Node) bool {
	if node.Kind != yaml.MappingNode {
		r.wrong(headFile, node.Line, "", "want fields: name, version, system, title, ...")
		return false
	}
	fine := true
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		switch {
		case slices.Contains(sorts, key.Value), key.Value == "rules":
			r.wrong(headFile, key.Line, key.Value, "it has a file of its own: %s.yaml", key.Value)
			fine = false
		case key.Value == "monsters":
			r.wrong(headFile, key.Line, key.Value, "creatures have files of their own: sheets/NAME.yaml")
			fine = false
		case key.Value == "sources":
			r.wrong(headFile, key.Line, key.Value, "unknown field")
			fine = false
		}
	}
	return fine
}

// free is the message of the system that the data of an entry must fit.
func (r *reader) free(p string, keys []string) protoreflect.MessageDescriptor {
	field, _, _ := strings.Cut(p, "[")
	i := slices.Index(sorts, field)
	if i < 0 {
		return nil
	}
	return effects.DataOf(r.pack.System, effects.Slot(i), keys)
}

// list reads a file that holds the list of one field of a pack.
func (r *reader) list(name, field string) {
	node := r.node(name)
	if node == nil {
		return
	}
	if node.Kind != yaml.SequenceNode {
		r.wrong(name, node.Line, field, "want a list: every entry begins with \"- id: \"")
		return
	}
	m := r.pack.ProtoReflect()
	into := m.Mutable(m.Descriptor().Fields().ByName(protoreflect.Name(field))).List()
	if len(node.Content) > limits.PackEntries {
		r.wrong(name, node.Line, field, "%d entries; at most %d", len(node.Content), limits.PackEntries)
		return
	}
	for i, item := range node.Content {
		at := fmt.Sprintf("%s[%d]", field, i)
		r.pack.Sources = append(r.pack.Sources, &contentv1.Source{File: name, Field: at, Line: int32(item.Line)})
		one := into.NewElement()
		if r.message(name, item, one.Message().Interface(), at) {
			into.Append(one)
		}
	}
}

// sheets reads the creatures.
func (r *reader) sheets() {
	for _, name := range r.names(sheetFolder) {
		file := path.Join(sheetFolder, name)
		if ignored(name) {
			continue
		}
		if !strings.HasSuffix(name, ".yaml") {
			r.wrong(file, 0, "", "a creature's file ends in .yaml")
			continue
		}
		sheet, at := &eventv1.Sheet{}, fmt.Sprintf("monsters[%d]", len(r.pack.Monsters))
		r.pack.Sources = append(r.pack.Sources, &contentv1.Source{File: file, Field: at, Line: 1})
		if r.document(file, sheet, at) {
			r.pack.Monsters = append(r.pack.Monsters, sheet)
		}
	}
}
