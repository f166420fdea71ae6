import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { tailOf } from './output-file.js';

/** The last lines of what a check printed, without secrets: after the line that says that it begins, as far as that is near. */
export function lastLines(output: string, begins: string): string {
  const found = tailOf(output, LIMITS.lastLinesBytes + LIMITS.redactorHeldCharacters, 'end');
  const lines = redact(found?.text ?? '')
    .trimEnd()
    .split('\n');
  const own = lines.slice(lines.lastIndexOf(begins) + 1).slice(-LIMITS.lastLines);
  const text = own.join('\n');
  return text.length > LIMITS.lastLinesBytes ? text.slice(-LIMITS.lastLinesBytes) : text;
}
