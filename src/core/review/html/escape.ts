import { inert } from '#kernel/text.js';

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes untrusted text for any place in a page: no markup, no control characters, no direction marks. */
export function escapeHtml(text: string, multiline = false): string {
  return inert(text, multiline).replace(/[&<>"']/g, (sign) => NAMED[sign] ?? '');
}

/** Same as `escapeHtml`, with text between backticks as code. */
export function proseHtml(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? escapeHtml(part) : `<code>${escapeHtml(part)}</code>`))
    .join('');
}
