package dice

import "slices"

// LabelSum is what the parts of a total with one label sum to.
type LabelSum struct {
	Label string // empty for the unlabelled rest
	Sum   int64
}

// ByLabel splits the total by label, in order of first appearance. The sums
// add up to the total. The innermost label wins. A factor without labels
// scales each label's part. A quotient whose dividend has one label keeps it,
// since rounding is done once; a quotient of several labels, a product of two
// labelled sides and a count of successes go whole to the label around them.
func (r *Result) ByLabel() []LabelSum {
	return split(&r.Root, "")
}

// split returns the parts of a node's value; outer is the label around it.
func split(n *Node, outer string) []LabelSum {
	if n.Label != "" {
		outer = n.Label
	}
	if parts, ok := splitKids(n, outer); ok {
		return parts
	}
	return []LabelSum{{outer, n.Value}}
}

// splitKids splits by operands; ok is false where the value is indivisible.
func splitKids(n *Node, outer string) (parts []LabelSum, ok bool) {
	switch n.Kind {
	case KindGroup:
		return split(&n.Children[0], outer), true
	case KindNegate:
		return merge(nil, split(&n.Children[0], outer), -1)
	case KindAdd, KindSubtract:
		sign := int64(1)
		if n.Kind == KindSubtract {
			sign = -1
		}
		return merge(split(&n.Children[0], outer), split(&n.Children[1], outer), sign)
	case KindMultiply:
		a, b := &n.Children[0], &n.Children[1]
		if labelled(a) {
			a, b = b, a
		}
		if labelled(a) {
			return nil, false
		}
		return merge(nil, split(b, outer), a.Value)
	case KindDivide:
		parts := split(&n.Children[0], outer)
		if len(parts) != 1 || labelled(&n.Children[1]) {
			return nil, false
		}
		return []LabelSum{{parts[0].Label, n.Value}}, true
	case KindPool:
		if n.Counting {
			return nil, false
		}
		parts, ok := []LabelSum(nil), true
		for i := range n.Children {
			if k := &n.Children[i]; k.Kept && ok {
				parts, ok = merge(parts, split(k, outer), 1)
			}
		}
		return parts, ok && len(parts) > 0
	}
	return nil, false
}

// merge adds factor times each part of more to the parts; ok is false when a
// sum does not fit, as can happen though the total does.
func merge(parts, more []LabelSum, factor int64) (sum []LabelSum, ok bool) {
	for _, m := range more {
		v, err := mul(m.Sum, factor)
		if err != nil {
			return nil, false
		}
		i := slices.IndexFunc(parts, func(p LabelSum) bool { return p.Label == m.Label })
		if i < 0 {
			parts = append(parts, LabelSum{m.Label, v})
			continue
		}
		if parts[i].Sum, err = add(parts[i].Sum, v); err != nil {
			return nil, false
		}
	}
	return parts, true
}

// labelled reports whether a label stands anywhere in the node.
func labelled(n *Node) bool {
	return n.Label != "" || slices.ContainsFunc(n.Children, func(k Node) bool { return labelled(&k) })
}
