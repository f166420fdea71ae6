import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

const DEPTH_MOST = 8;

/** The file of an executor as data, read strictly; what is not taken is `bad_executor` with file and line. */
export async function parseToml(text: string, file: string): Promise<unknown> {
  const { strictToml } = await import('#adapters/disk/strict-toml.js');
  if (text.includes('\ufeff')) throw refused(file, undefined, 'it holds characters that no TOML file has');
  try {
    return strictToml(text, DEPTH_MOST);
  } catch (error) {
    if (!(error instanceof UnreadableData)) throw error;
    throw refused(file, error.line, error.message);
  }
}

function refused(file: string, line: number | undefined, problem: string): TroupeError {
  const place = line === undefined ? file : `${file}:${line}`;
  return new TroupeError('bad_executor', {
    what: `${place}: ${cut(inert(problem), 200)}`,
    details: { file, ...(line === undefined ? {} : { line }) },
  });
}
