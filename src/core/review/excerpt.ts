import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { inert } from '#kernel/text.js';

/** What a program printed, fit to be kept and shown: masked, harmless, and cut in the middle when long. */
export function excerpt(output: string, bytes: number = LIMITS.excerptBytes): string {
  const clean = inert(redact(withoutColour(output)).replace(/\r\n?/g, '\n'), true).trimEnd();
  if (clean.length <= bytes) return clean;
  const head = Math.floor(bytes / 4);
  const tail = bytes - head;
  return `${clean.slice(0, head)}\n… ${clean.length - bytes} characters left out …\n${clean.slice(-tail)}`;
}

/** Colour is decoration: taken out rather than shown as escapes. Other escapes stay, for `inert` to make visible. */
function withoutColour(text: string): string {
  return text.replace(/\u001b\[[0-9;:]*m/g, '');
}
