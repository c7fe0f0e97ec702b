package rcr

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/yamlpb"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var _ rules.Authored = System{}

// OwnContent is what the feats of the book do, as far as effects can say it.
func (System) OwnContent() *contentv1.Pack {
	p, _ := ownContent()
	return p
}

var ownContent = sync.OnceValues(func() (*contentv1.Pack, error) {
	out := &contentv1.Pack{}
	for _, file := range []string{"feats.yaml", "traits.yaml"} {
		p, err := readOwn(file)
		if err != nil {
			return out, err
		}
		out.Feats, out.Conditions = append(out.Feats, p.Feats...), append(out.Conditions, p.Conditions...)
	}
	out.Name = body.ID
	return out, nil
})

// readOwn reads one file of the book's own content.
func readOwn(file string) (*contentv1.Pack, error) {
	out := &contentv1.Pack{}
	data, err := content.Book().File(file)
	if err != nil {
		return out, err
	}
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); err != nil {
		return out, fmt.Errorf("rcr: %s: %w", file, err)
	}
	wrong, err := (yamlpb.Reader{}).Read(doc.Content[0], out, "feats")
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("rcr: %s: %v", file, wrong[0])
	}
	return out, err
}

// ownIDs are the ids of the feats and traits that have effects.
var ownIDs = sync.OnceValue(func() map[string]bool {
	ids := map[string]bool{}
	p, _ := ownContent()
	for _, e := range p.GetFeats() {
		ids[e.Id] = true
	}
	return ids
})

// plain tells whether a sheet has no feats and no trait that has effects.
func plain(sheet *eventv1.Sheet) bool {
	s := sheet.GetRcr()
	if len(sheet.GetFeats()) > 0 || len(s.GetFeats()) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.GetTraits(), effective) &&
		!slices.ContainsFunc(s.GetFeatures(), func(f *eventv1.RcrFeature) bool { return effective(f.Name) })
}

// featAt is the i-th of the feats, features and traits of a sheet.
func featAt(sheet *eventv1.Sheet, i int) (string, bool) {
	s := sheet.GetRcr()
	if i < len(s.GetFeats()) {
		return s.Feats[i], true
	}
	if i -= len(s.GetFeats()); i < len(s.GetFeatures()) {
		return s.Features[i].GetName(), true
	}
	if i -= len(s.GetFeatures()); i < len(s.GetTraits()) {
		return s.Traits[i], true
	}
	return "", false
}

// effective tells whether a name is that of a feat or trait that has effects: ids have
// small letters, and hyphens for spaces.
func effective(name string) bool {
	var room [48]byte // most names need no memory of their own
	id := room[:0]
	for _, c := range strings.ToLower(name) {
		if c == ' ' {
			c = '-'
		}
		id = utf8.AppendRune(id, c)
	}
	return ownIDs()[string(id)]
}

// ownError says what is wrong with the feats of the book.
func ownError() error {
	if _, err := ownContent(); err != nil {
		return err
	}
	_, err := effects.New(rules.ContentBase(System{}))
	return err
}
