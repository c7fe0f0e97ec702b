package library

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Summary says of a record what lists show. Errors wrap event.ErrBroken.
func Summary(rec *encounterv1.PackRecord) (*encounterv1.PackSummary, error) {
	p := &contentv1.Pack{}
	if err := proto.Unmarshal(rec.Pack, p); err != nil {
		return nil, fmt.Errorf("%w: a pack: %v", event.ErrBroken, err)
	}
	s := Describe(p, rec.Pack)
	s.UnixMillis, s.Base = rec.UnixMillis, rec.Base
	if by := rec.By; by != nil {
		s.By = &eventv1.Principal{Role: by.Role, Name: by.Name}
	}
	return s, nil
}

// Describe says of a pack what lists show, but for who put it and when.
func Describe(p *contentv1.Pack, data []byte) *encounterv1.PackSummary {
	return &encounterv1.PackSummary{Digest: Digest(data), Name: p.Name, System: p.System, Version: p.Version, Title: p.Title,
		License: p.License, Attribution: p.Attribution, Bytes: uint32(len(data))} //nolint:gosec // at most limits.PackBytes
}
