import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

/** A function file as data, read strictly; what is not taken is `function_invalid` with its line. */
export async function parseYaml(text: string, name: string): Promise<unknown> {
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
  try {
    return strictYaml(text.replace(/^\ufeff/, '')).value;
  } catch (error) {
    if (!(error instanceof UnreadableData)) throw error;
    throw refused(name, error.line, error.message);
  }
}

function refused(name: string, line: number | undefined, problem: string): TroupeError {
  const place = cut(inert(name), 200) + (line === undefined ? '' : `:${line}`);
  return new TroupeError('function_invalid', {
    what: `${place}: ${cut(inert(problem), 200)}`,
    details: { file: cut(inert(name), 200), ...(line === undefined ? {} : { line }) },
  });
}
