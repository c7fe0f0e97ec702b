package sheets

import (
	"sync"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/content/packs"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/wield"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// stock is what the sheets of a system take their weapons from.
func stock(system string) (*effects.Book, error) {
	if system != "rcr" {
		return nil, fault.New(fault.Internal, "INVALID_SHEET", "sheets: the sheets of %s take nothing from content", system)
	}
	return rcrStock()
}

// rcrStock is the weapons of the System Reference Document, without what else
// they do: that is for whoever plays with the pack.
var rcrStock = sync.OnceValues(func() (*effects.Book, error) {
	folder, err := packs.Folder("srd5e")
	if err != nil {
		return nil, err
	}
	p, problems := pack.Read(folder)
	if problems != nil {
		return nil, problems.Fault()
	}
	weapons := &contentv1.Pack{Name: p.System, System: p.System}
	for _, w := range p.Weapons {
		weapons.Weapons = append(weapons.Weapons, &contentv1.Entry{Id: w.Id, Title: w.Title, Data: w.Data})
	}
	return effects.New(effects.Base{System: p.System, Support: effects.Support{Fit: wield.Fit}, Content: weapons})
})
