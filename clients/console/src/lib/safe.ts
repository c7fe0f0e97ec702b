// Texts of people on the page.
/** safe writes control and bidirectional characters as visible escapes. */
export function safe(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (c) =>
    c === '\u200c' || c === '\u200d' ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
