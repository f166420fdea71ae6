import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';

/** Shapes that are secrets wherever they stand. The first group, where there is one, is kept: it only says what it was. */
const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}\b/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}\b/g,
  /\bnpm_[A-Za-z0-9]{30,}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
  /(\bbearer\s+)[\w.~+/=-]{12,}/gi,
  /(\bbasic\s+)[A-Za-z0-9+/]{16,}={0,2}/gi,
  /(:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g,
  /((?:password|passwd|secret|token|api[_-]?key|access[_-]?key)["']?\s*[=:]\s*["']?)(?!\*)[^\s"',;]{8,}/gi,
];

const MASK = '********';

/** Text with everything that has the shape of a secret masked. */
export function redact(text: string): string {
  let clean = text;
  for (const shape of SECRET_SHAPES) {
    clean = clean.replace(shape, (_all, kept: unknown) => `${typeof kept === 'string' ? kept : ''}${MASK}`);
  }
  return clean;
}

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
