package effects

import (
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/near"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Monsters lists the creatures of the packs by id, in order.
func (b *Book) Monsters() []string {
	if b == nil {
		return nil
	}
	all := map[string]bool{}
	for _, p := range b.pinned {
		for _, m := range p.Pack.GetMonsters() {
			all[m.Id] = true
		}
	}
	return sortedKeys(all)
}

// Monster is the sheet of a creature of the packs, the latest of that id; nil
// when there is none. It must not be changed.
func (b *Book) Monster(id string) *eventv1.Sheet {
	if b == nil {
		return nil
	}
	for i := len(b.pinned) - 1; i >= 0; i-- {
		for _, m := range b.pinned[i].Pack.GetMonsters() {
			if m.Id == id {
				return m
			}
		}
	}
	return nil
}

// monster fills a sheet that names a creature of the packs from its sheet, in
// place. What the sheet says itself stands.
func (b *Book) monster(sheet *eventv1.Sheet) error {
	id := sheet.GetUse()
	if id == "" {
		return nil
	}
	m := b.Monster(id)
	if m == nil {
		return fault.Field("sheet.use", "there is no monster %q in the packs%s", id, near.DidYouMean(id, b.Monsters()))
	}
	full := Over(m, sheet)
	proto.Reset(sheet)
	proto.Merge(sheet, full)
	return nil
}
