import path from 'node:path';
import { readUniverse } from '#core/catalog/read-universe.js';
import { addPool as plan } from '#core/team/add-pool.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import type { Context } from '#operations/operation.js';

/** Puts a person's own names beside the shipped ones. */
export async function addPool(context: Context, file: string): Promise<void> {
  if (context.caller.kind === 'run')
    throw new TroupeError('not_yours', { what: 'A run does not change where names come from: a person does.' });
  const [source, squad, files] = await Promise.all([context.catalog(), context.squad(), context.files()]);
  const value = await files.data(path.resolve(context.projectFolder, file), LIMITS.catalogFileBytes);
  const pool = readUniverse({ name: cut(inert(path.basename(file)), 120), value });
  const catalog = await source.load();
  await squad.apply((state) => plan(state, catalog, pool));
}
