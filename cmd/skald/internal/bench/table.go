package bench

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// Table is a figure's lines for people: each of floor, figure and ratio.
func Table(f Figure, lines []Line) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %s\n  floor: %s\n", f.Name, f.What, f.Floor)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "  \tmedian\t\t\tp99\t\t\tprocessor\t\t\ta second\t\t\n")
	for _, l := range lines {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Case,
			short(l.Floor.Median), short(l.Skald.Median), times(l.Ratio.Median), short(l.Floor.P99), short(l.Skald.P99), times(l.Ratio.P99),
			short(l.Floor.Processor), short(l.Skald.Processor), times(l.Ratio.Processor), rate(l.Floor.PerSecond), rate(l.Skald.PerSecond), times(l.Ratio.PerSecond))
	}
	w.Flush() //nolint:errcheck // a builder takes everything
	var out strings.Builder
	for line := range strings.Lines(b.String()) {
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return out.String()
}

// times is a ratio, with two digits that count.
func times(r float64) string {
	switch {
	case r == 0:
		return "-"
	case r < 1:
		return fmt.Sprintf("%.2fx", r)
	case r < 10:
		return fmt.Sprintf("%.1fx", r)
	}
	return fmt.Sprintf("%.0fx", r)
}

func rate(r float64) string {
	if r < 10 {
		return fmt.Sprintf("%.1f", r)
	}
	return grouped(int(r))
}

// short is a time with two or three digits.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.1fµs", float64(d)/1e3)
	case d < time.Millisecond:
		return fmt.Sprintf("%.0fµs", float64(d)/1e3)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1fms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%.0fms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}
