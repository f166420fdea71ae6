import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { OutsideFiles } from '#operations/squad/outside-files.js';
import type { Invocation } from './invocation.js';

/** Fields added to the request: files outside `.squad/` that may be written, and whether to write files for clients. */
interface Said {
  readonly outside: string[];
  readonly clients?: boolean;
}
type Asking = Pick<Invocation, 'host' | 'screen' | 'json'>;

/**
 * Calls an operation that may write outside `.squad/`, after listing the files of its plan. Files for clients that were
 * not requested need consent at a terminal; without a terminal the settings decide.
 */
export async function callNamingFiles<Wish extends object, Answer>(
  asking: Asking,
  input: Wish,
  call: (wish: Wish & Said) => Promise<Answer>,
): Promise<Answer> {
  let wish: Wish & Said = { ...input, outside: [] };
  for (;;) {
    try {
      return await call(wish);
    } catch (error) {
      if (!(error instanceof TroupeError) || error.code !== 'outside_files') throw error;
      wish = await agreed(asking, wish, filesIn(error.details));
    }
  }
}

/** Parses the details of an `outside_files` error. */
function filesIn(details: TroupeError['details']): OutsideFiles {
  const list = (field: keyof OutsideFiles) => {
    const value = details[field];
    return Array.isArray(value) ? value.map(String) : [];
  };
  return { files: list('files'), configured: list('configured'), offered: list('offered') };
}

/**
 * Returns the request with consent for the files listed now. Each round adds files or decides about files for clients.
 */
async function agreed<Wish extends object>({ host, screen, json }: Asking, wish: Wish, files: OutsideFiles) {
  const { configured, offered } = files;
  const ask = async (paths: readonly string[], usual: 'y' | 'n') => {
    if (json || paths.length === 0) return undefined;
    const hint = usual === 'y' ? '[Y/n]' : '[y/N]';
    const reply = await host.ask(`Client files outside .squad/: ${listed(paths)}. Write them? ${hint} `);
    return reply === undefined ? undefined : /^y(es)?$/i.test(reply.trim() || usual);
  };
  const more = await ask(offered, 'n');
  // Without an answer, only files that the project already has are written.
  const confirmed = offered.length === 0 ? await ask(configured, 'y') : undefined;
  const refused = offered.length > 0 ? more !== true : confirmed === false;
  const outside = [...files.files.filter((path) => !(refused && configured.includes(path))), ...(more ? offered : [])];
  if (outside.length > 0) screen.aside(`Changes outside .squad/: ${listed(outside)}`);
  const clients = refused ? { clients: false } : more === true ? { clients: true } : {};
  return { ...wish, ...clients, outside };
}

/** Returns the sentence printed after a cast that names the written files. */
export function writtenFiles(outside: readonly string[]): string {
  return `Its files: .squad/${outside.length === 0 ? '' : `, and outside it ${listed(outside)}`}`;
}

const listed = (paths: readonly string[]) => paths.map((path) => inert(path)).join(', ');
