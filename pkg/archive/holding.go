package archive

import "context"

// Holding lists the segments of an archive whose range of sequences holds one that
// has tells of: has is asked for first and last of each segment, where the last one
// is open (^uint64(0)). Nothing is read but names.
func Holding(ctx context.Context, s Store, has func(first, last uint64) bool) ([]string, error) {
	list, err := entries(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []string
	for i, e := range list {
		last := ^uint64(0)
		for _, next := range list[i+1:] {
			if next.first > e.first {
				last = next.first - 1
				break
			}
		}
		if has(e.first, last) {
			out = append(out, e.Name)
		}
	}
	return out, nil
}
