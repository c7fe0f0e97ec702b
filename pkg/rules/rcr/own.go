package rcr

import (
	"bytes"
	"fmt"
	"sync"

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
	data, err := content.Book().File("feats.yaml")
	if err != nil {
		return out, err
	}
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); err != nil {
		return out, fmt.Errorf("rcr: feats.yaml: %w", err)
	}
	wrong, err := (yamlpb.Reader{}).Read(doc.Content[0], out, "feats")
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("rcr: feats.yaml: %v", wrong[0])
	}
	out.Name = body.ID
	return out, err
})

// plain tells whether a sheet has no feats.
func plain(sheet *eventv1.Sheet) bool {
	return len(sheet.GetFeats()) == 0 && len(sheet.GetRcr().GetFeats()) == 0
}

// ownError says what is wrong with the feats of the book.
func ownError() error {
	if _, err := ownContent(); err != nil {
		return err
	}
	_, err := effects.New(rules.ContentBase(System{}))
	return err
}
