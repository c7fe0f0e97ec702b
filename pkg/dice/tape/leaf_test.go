package tape_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/dice/tape"
)

// leafVectors were written by the program of docs/DICE.md, in Python.
var leafVectors = map[string]string{
	"everyone":             "224b76288e634d96b6d93e34d6a03f47a4fffb5195a6621bcdf72f9c1849ab16",
	"creatures":            "13fcc25c918e5e76d090e27c68a93635df901a1260aeaa6a266cc846490f0c71",
	"orc":                  "97cdc5f7944a9e231801cc56e9fc1cd0261f85890c5d0a3c0e53fa2e826744b1",
	"commitment":           "f75e3f93f6b9545fb898497fe9e2f981d94cf0115799e767cc076e033d09b75a",
	"creatures commitment": "51c76a04e426e4f5fc488a2db212be849b9474b9e1ac6d45a9bd7cd4c1b82abe",
	"orc commitment":       "631b274d15c175b911408f2159b99b15ae49e049ec0b791dc1b84620c2ca7a79",
	"leaf":                 "478d780250eff49384804377d55f000c15e55b22b9bc513e3d53c195e22c4923",
	"key":                  "bdf9cbe83eeeb410eacf2350f2f883f5ab19c357c185ed18be9947111f53273a",
	"path 0":               "f228753677fbb71fee5ae437831c509272b057b65d3f371264377ece490c73db",
	"path 9":               "3956a94bb65e77a2d636f1898779647167b324a0816820ec0c77d60a0c770b6b",
	"seed hash":            "6f7ed0819582d98e6b4bace622fa2718ad308adf185be81c2b6cf7225a6ea774",
	"setting up":           "ac6d9bf26b2acbfa13e02603a526ad8f042d9275c55fcd695a65098369af82ec",
}

func leafSeed(t *testing.T, epoch uint32, a tape.Audience) tape.Seed {
	t.Helper()
	var root tape.Root
	for i := range root {
		root[i] = byte(i)
	}
	s, err := tape.BranchOf(tape.FormatLeaf, root, "emberfall", epoch, a)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLeafVectors(t *testing.T) {
	check := func(name string, got []byte) {
		t.Helper()
		want, _ := hex.DecodeString(leafVectors[name])
		same(t, name, got, want)
	}
	every, parent, orc := leafSeed(t, 1, tape.Everyone), leafSeed(t, 1, tape.Creatures), leafSeed(t, 1, tape.Creature("orc"))
	check("everyone", every[:])
	check("creatures", parent[:])
	check("orc", orc[:])
	for name, c := range map[string]tape.Digest{"commitment": tape.CommitmentOf(tape.FormatLeaf, tape.Everyone, every),
		"creatures commitment": tape.CommitmentOf(tape.FormatLeaf, tape.Creatures, parent),
		"orc commitment":       tape.CommitmentOf(tape.FormatLeaf, tape.Creature("orc"), orc)} {
		check(name, c[:])
	}
	leaf := tape.LeafOf(every, 3)
	check("leaf", leaf[:])
	key, err := tape.LeafKey(leaf, []tape.Contribution{{Contributor: "player/ann", Bytes: []byte("seven of swords")}})
	if err != nil {
		t.Fatal(err)
	}
	check("key", key[:])
	path, err := tape.PathOf(every, 3)
	if err != nil {
		t.Fatal(err)
	}
	check("path 0", path[0][:])
	check("path 9", path[9][:])
	hash := tape.SeedHash(every)
	check("seed hash", hash[:])
	setting := leafSeed(t, 1|1<<31, tape.Everyone)
	check("setting up", setting[:])
	tp, err := tape.Open(key, tape.Real, tape.Address{Encounter: "emberfall", Epoch: 1, Action: 3, Label: "attack/1/to-hit"})
	if err != nil {
		t.Fatal(err)
	}
	for i, sides := range []int{20, 20, 6} {
		if f, _ := tp.Face(sides); f != []int{15, 19, 5}[i] {
			t.Errorf("face %d is %d", i, f)
		}
	}
}

// A leaf passes for its own action of its own branch, and for no other.
func TestCheckLeaf(t *testing.T) {
	seed := leafSeed(t, 1, tape.GM)
	c := tape.CommitmentOf(tape.FormatLeaf, tape.GM, seed)
	for _, action := range []uint64{1, 2, 77, tape.Leaves} {
		path, err := tape.PathOf(seed, action)
		if err != nil {
			t.Fatal(err)
		}
		leaf, hash := tape.LeafOf(seed, action), tape.SeedHash(seed)
		if err := tape.CheckLeaf(c, leaf, action, path, hash); err != nil {
			t.Errorf("action %d: %v", action, err)
		}
		other := action%tape.Leaves + 1
		wrong := leaf
		wrong[0] ^= 1
		short := path[:len(path)-1]
		bent := append([]tape.Digest{}, path...)
		bent[5][0] ^= 1
		for name, err := range map[string]error{
			"another action": tape.CheckLeaf(c, leaf, other, path, hash),
			"another leaf":   tape.CheckLeaf(c, wrong, action, path, hash),
			"a short path":   tape.CheckLeaf(c, leaf, action, short, hash),
			"a bent path":    tape.CheckLeaf(c, leaf, action, bent, hash),
			"another seed":   tape.CheckLeaf(c, leaf, action, path, tape.Digest{}),
		} {
			if !errors.Is(err, tape.ErrPath) {
				t.Errorf("action %d, %s: %v", action, name, err)
			}
		}
	}
	for _, action := range []uint64{0, tape.Leaves + 1} {
		if _, err := tape.PathOf(seed, action); !errors.Is(err, tape.ErrLeaf) {
			t.Errorf("action %d: %v", action, err)
		}
	}
}

func TestDocumentedLeafVectors(t *testing.T) {
	text, err := os.ReadFile("../../../docs/DICE.md")
	if err != nil {
		t.Skip("the document is not part of this checkout")
	}
	for name, v := range leafVectors {
		if !bytes.Contains(text, []byte("  "+v)) {
			t.Errorf("%s is not in the document", name)
		}
	}
}

func BenchmarkCommitment(b *testing.B) {
	for b.Loop() {
		tape.CommitmentOf(tape.FormatLeaf, tape.GM, tape.Seed{1})
	}
}
