import path from 'node:path';
import { type FunctionInFile, parseFunction } from '#core/workflows/function-file.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { Context } from '#operations/operation.js';

/** A function of this project. */
export async function ownFunction(context: Context, id: string): Promise<FunctionInFile> {
  const file = await (await context.functions()).read(id);
  return named(parseFunction(file.value, file.name), id, file.name);
}

/** A function from elsewhere: a file, another project, later a peer. A run sees nothing outside its own project. */
export async function foreignFunction(context: Context, from: string, id: string | undefined): Promise<FunctionInFile> {
  if (/^[A-Za-z0-9._-]+(:[^/\\]*)?$/.test(from) && !/^\.|\.ya?ml$/i.test(from)) {
    const peer = cut(inert(from.split(':')[0] ?? from), 60);
    throw new TroupeError('unknown_peer', {
      what: `There is no peer ${peer}: no peers are configured for this project.`,
      details: { peer },
    });
  }
  const place = path.resolve(context.projectFolder, from);
  const file = await (await context.functions()).readFrom(place, id, context.caller.kind === 'run');
  const found = parseFunction(file.value, path.basename(file.name));
  return id === undefined ? found : named(found, id, file.name);
}

/** A file is called as the function in it, so that nobody gets another one than asked for. */
export function named<Found extends { readonly id: string }>(found: Found, id: string, file: string): Found {
  if (found.id === id) return found;
  throw new TroupeError('function_invalid', {
    what: `${cut(inert(file), 200)} holds the function ${found.id}, not ${cut(inert(id), 120)}.`,
    hint: 'Give file and function the same name.',
    details: { id: found.id },
  });
}
