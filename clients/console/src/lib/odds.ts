// Exact odds as the API gives them, "11/20", for showing.

export function fraction(odds: string): number {
  const [a, b] = odds.split('/');
  if (b === undefined) return Number(a);
  // Long fractions are longer than numbers are exact: their leading digits say enough.
  const cut = Math.max(0, Math.max(a!.length, b.length) - 15);
  return Number(a!.slice(0, Math.max(0, a!.length - cut)) || '0') / Number(b.slice(0, Math.max(1, b.length - cut)));
}

export function percent(odds: string): string {
  const p = 100 * fraction(odds);
  const text = p >= 99.95 || p < 0.05 ? p.toFixed(2) : p.toFixed(1);
  return `${text.replace(/\.0+$/, '')} %`;
}
