package pack

import (
	"strings"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// places find file and line of a field.
type places map[string]*contentv1.Source

func newPlaces(sources []*contentv1.Source) places {
	p := make(places, len(sources))
	for _, s := range sources {
		if _, twice := p[s.Field]; !twice {
			p[s.Field] = s
		}
	}
	return p
}

// find gives the place of a field, or of the nearest thing around it.
func (p places) find(field string) (file string, line int) {
	for {
		if s := p[field]; s != nil {
			return s.File, int(s.Line)
		}
		cut := strings.LastIndexAny(field, ".[")
		if cut < 0 {
			return "", 0
		}
		field = field[:cut]
	}
}
