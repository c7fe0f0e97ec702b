package journal

import "fmt"

// KeepPlaces puts n places into a cache for most and tells how many it holds and
// how many of the newest it has lost.
func KeepPlaces(most, n int) (kept, lost int) {
	p := places{most: most}
	for i := range n {
		p.add(fmt.Sprint(i), i)
		if at, ok := p.get(fmt.Sprint(i)); !ok || at != i {
			lost++
		}
		if at, ok := p.get("0"); ok && at != 0 {
			lost++
		}
	}
	if n > 0 {
		if _, ok := p.get("0"); !ok { // what is asked for stays
			lost++
		}
	}
	return len(p.young) + len(p.old), lost
}
