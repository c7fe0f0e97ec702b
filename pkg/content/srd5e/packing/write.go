package packing

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// entry is an entry of the pack as it is written.
type entry struct {
	ID      string
	Title   string
	Text    string
	Data    proto.Message
	Area    *area
	Effects []effect
}

type area struct {
	Shape string `yaml:"shape"`
	Feet  int32  `yaml:"feet"`
}

type effect struct {
	When      string    `yaml:"when,omitempty"`
	Trigger   string    `yaml:"trigger,omitempty"`
	Modifier  *modifier `yaml:"modifier,omitempty"`
	Edge      *edge     `yaml:"edge,omitempty"`
	Speed     *speed    `yaml:"speed,omitempty"`
	Set       *set      `yaml:"set,omitempty"`
	Condition *laid     `yaml:"condition,omitempty"`
}

type modifier struct {
	To     string `yaml:"to"`
	Amount string `yaml:"amount"`
	Kind   string `yaml:"kind,omitempty"`
}

type edge struct {
	To        string `yaml:"to"`
	Direction string `yaml:"direction"`
}

type speed struct {
	Mode string `yaml:"mode"`
	Feet string `yaml:"feet"`
}

type set struct {
	Value  string `yaml:"value"`
	Amount string `yaml:"amount"`
}

type laid struct {
	Condition string `yaml:"condition"`
}

// write makes a file of entries.
func (m *maker) write(name string, entries []entry) {
	root := &yaml.Node{Kind: yaml.SequenceNode}
	for _, e := range entries {
		node, err := e.node()
		if err != nil {
			m.err = fmt.Errorf("packing: %s: %s: %w", name, e.ID, err)
			return
		}
		root.Content = append(root.Content, node)
	}
	var out bytes.Buffer
	out.WriteString("# Made by go run ./content/srd5e/makepack (in pkg); change that, not this file.\n")
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil {
		m.err = fmt.Errorf("packing: %s: %w", name, err)
		return
	}
	m.files[name] = out.Bytes()
}

func (e entry) node() (*yaml.Node, error) {
	out := &yaml.Node{Kind: yaml.MappingNode}
	add := func(key string, value any) error {
		v, ok := value.(*yaml.Node)
		if !ok {
			v = &yaml.Node{}
			if err := v.Encode(value); err != nil {
				return err
			}
		}
		out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, v)
		return nil
	}
	if err := add("id", e.ID); err != nil {
		return nil, err
	}
	if err := add("title", e.Title); err != nil {
		return nil, err
	}
	if e.Text != "" {
		if err := add("text", e.Text); err != nil {
			return nil, err
		}
	}
	if e.Data != nil {
		data, err := dataNode(e.Data)
		if err == nil {
			err = add("data", data)
		}
		if err != nil {
			return nil, err
		}
	}
	if e.Area != nil {
		if err := add("area", e.Area); err != nil {
			return nil, err
		}
	}
	if len(e.Effects) > 0 {
		if err := add("effects", e.Effects); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dataNode is a message in the order of its fields, lists of messages in one line
// each.
func dataNode(m proto.Message) (*yaml.Node, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	node := doc.Content[0]
	node.Style = 0
	plain(node)
	return node, nil
}

// plain takes the quotation marks of JSON off.
func plain(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		n.Style = 0
		if n.Tag == "!!str" {
			var fresh yaml.Node
			fresh.SetString(n.Value)
			n.Style = fresh.Style
		}
	}
	for _, c := range n.Content {
		plain(c)
	}
}
