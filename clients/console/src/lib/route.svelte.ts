// The address says what is shown: #/fight/ID, #/fight/ID/12 (the state after step
// 12), #/fight/ID/12.3 (inside the corrected history of the ruling in step 12),
// #/fight/ID/after, #/rules/SYSTEM/ID, ...

class Route {
  parts = $state<string[]>(parse());

  constructor() {
    addEventListener('hashchange', () => (this.parts = parse()));
  }

  go(...parts: (string | number)[]): void {
    location.hash = address(...parts);
  }

  /** replace changes the address without a new entry in the browser's history. */
  replace(...parts: (string | number)[]): void {
    history.replaceState(null, '', location.pathname + location.search + address(...parts));
    this.parts = parse();
  }
}

export function address(...parts: (string | number)[]): string {
  return '#/' + parts.map((p) => encodeURIComponent(String(p))).join('/');
}

function parse(): string[] {
  return location.hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter((p) => p !== '')
    .map((p) => {
      try {
        return decodeURIComponent(p);
      } catch {
        return p;
      }
    });
}

export const route = new Route();

/** overlay tells whether the page is a picture over a stream: nothing but the state. */
export const overlay = new URLSearchParams(location.search).get('view') === 'overlay';
