import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readEntry, refuseField } from '#core/catalog/catalog-file.js';
import { TroupeError } from '#kernel/errors.js';
import { readYaml } from './yaml-file.js';

type FileSchema<Entry> = Parameters<typeof readEntry<Entry>>[0];

/** Every entry of one folder of the catalog, by id; each id is the name of its file. */
export async function readShelf<Entry extends { readonly id: string }>(
  folder: string,
  kind: string,
  schema: FileSchema<Entry>,
): Promise<ReadonlyMap<string, Entry>> {
  let names: string[];
  try {
    names = await readdir(path.join(folder, kind));
  } catch (error) {
    throw new TroupeError('unreadable', { what: `The catalog folder ${kind} cannot be read.`, cause: error });
  }
  const shelf = new Map<string, Entry>();
  for (const name of names.filter((each) => each.endsWith('.yaml')).sort()) {
    const file = await readYaml(folder, `${kind}/${name}`);
    const entry = readEntry(schema, file);
    if (`${entry.id}.yaml` !== name) refuseField(file, ['id'], `“${entry.id}” is not the name of the file`);
    shelf.set(entry.id, entry);
  }
  return shelf;
}
