import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { KINDS } from '#core/agency/entities.js';
import { isJsonObject } from '#kernel/json.js';
import type { Shipped } from '#ports/agency.js';
import { parseRecord } from './record-yaml.js';

/** `data/agency`: a file of each kind with a list of entities, and a folder of guides. */
export async function readShipped(folder: string): Promise<Shipped> {
  const entities: { kind: (typeof KINDS)[number]; value: unknown }[] = [];
  for (const kind of KINDS) {
    if (kind === 'agent') continue;
    const value = await parseRecord(await readFile(path.join(folder, `${kind}s.yaml`), 'utf8'));
    const items = isJsonObject(value) ? value['entities'] : undefined;
    for (const item of Array.isArray(items) ? items : []) entities.push({ kind, value: item });
  }
  const guides = path.join(folder, 'guides');
  const names = (await readdir(guides)).filter((name) => name.endsWith('.md')).sort();
  return {
    entities,
    guides: await Promise.all(
      names.map(async (name) => ({
        id: name.slice(0, -'.md'.length),
        text: await readFile(path.join(guides, name), 'utf8'),
      })),
    ),
  };
}
