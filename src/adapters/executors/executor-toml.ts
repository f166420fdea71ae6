import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

const DEPTH_MOST = 8;

/** Foreign TOML as data. Refuses with `bad_executor`, the file and the line: faults, keys given twice, `__proto__`, depth. */
export async function parseToml(text: string, file: string): Promise<unknown> {
  const { parse, TomlError } = await import('smol-toml');
  if (/[\u0000\ufeff]/.test(text)) throw refused(file, undefined, 'it holds characters that no TOML file has');
  let value: unknown;
  try {
    value = parse(text, { maxDepth: DEPTH_MOST });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw refused(file, error.line, error.message.split('\n')[0] ?? 'not understood');
  }
  if (holdsPrototype(value)) throw refused(file, undefined, 'the key __proto__ is not allowed');
  return value;
}

function holdsPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototype);
}

function refused(file: string, line: number | undefined, problem: string): TroupeError {
  const place = line === undefined ? file : `${file}:${line}`;
  return new TroupeError('bad_executor', {
    what: `${place}: ${cut(inert(problem), 200)}`,
    details: { file, ...(line === undefined ? {} : { line }) },
  });
}
