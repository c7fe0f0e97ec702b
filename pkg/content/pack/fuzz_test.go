package pack_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/pack"
	"github.com/skaldrpg/skald/pkg/content/packs"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr"
)

// FuzzRead: whatever the files of a pack say, it is read or refused with a file;
// what is read and passes the check can be played, and is the same again from
// its bytes.
func FuzzRead(f *testing.F) {
	for _, name := range packs.List() {
		folder, err := packs.Folder(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range []string{"weapons.yaml", "spells.yaml", "feats.yaml", "conditions.yaml", "rules.yaml"} {
			if text, err := fs.ReadFile(folder, file); err == nil && len(text) < 10_000 {
				f.Add(head, file, string(text))
			}
		}
	}
	f.Add(head+"tables: [{name: setback, whole: true}]\n", "tables/setback.csv", "from,to,minor,major\n1,20,1d6,2d6\n")
	f.Add(head, "sheets/a.yaml", "id: a\nrcr: {level: 1}\n")
	f.Add(head+"a: &a [*a]\n", "feats.yaml", "- {id: x, like: y}\n")
	base := rules.ContentBase(rcr.System{})
	f.Fuzz(func(t *testing.T, about, file, text string) {
		if !fs.ValidPath(file) || file == "." || file == "pack.yaml" {
			return
		}
		p, problems := pack.Read(fstest.MapFS{"pack.yaml": {Data: []byte(about)}, file: {Data: []byte(text)}})
		for _, w := range problems {
			if w.File == "" || w.Text == "" {
				t.Fatalf("%+v", w)
			}
		}
		if p == nil {
			return
		}
		if problems := pack.Check(p, base); problems != nil {
			return
		}
		data, err := pack.Marshal(p)
		if err != nil {
			return // too big
		}
		again, err := pack.Unmarshal(data)
		if err != nil {
			t.Fatal(err)
		}
		p.Sources = nil
		if !proto.Equal(p, again) {
			t.Fatal("its bytes are of another pack")
		}
		if _, err := effects.New(base, effects.Pinned{Digest: pack.Digest(data), Pack: again}); err != nil {
			t.Fatalf("it passes the check and is not taken: %v", err)
		}
	})
}
