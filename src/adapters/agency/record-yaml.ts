import type { Tag } from '#adapters/disk/strict-yaml.js';
import { SKILL_KINDS } from '#core/agency/entities.js';

/** Skills as they are tagged: `!name x`, `!file p`. Older tools wrote the kinds with a capital. */
const TAGS: readonly Tag[] = SKILL_KINDS.flatMap((kind) =>
  [kind, `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`].map((word) => ({
    tag: `!${word}`,
    resolve: (value: string) => ({ [kind]: value }),
  })),
);

/** A record of the agency as data. Throws `UnreadableData`. */
export async function parseRecord(text: string): Promise<unknown> {
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
  return strictYaml(text, TAGS).value;
}
