import type { Catalog } from '#core/catalog/catalog.js';
import type { FileChange } from './file-change.js';
import { findBlock } from './marked-block.js';
import { previousVersion } from './put-aside.js';
import type { RegistryRecord } from './registry.js';
import { sameMarkdown } from './same-text.js';
import { ROUTING_MD } from './squad-paths.js';
import type { SquadTexts } from './squad-texts.js';
import { oneLine, row } from './team-file.js';

const MARKS = { file: ROUTING_MD, begin: '<!-- troupe:routing:begin -->', end: '<!-- troupe:routing:end -->' };

/**
 * `routing.md` with the tables in it, as far as it does not say so already. Between our marks they are written anew with every change
 * of the team; what people write beside stays. A file without our marks is somebody else's: it is kept beside ours.
 */
export function routingChanges(texts: SquadTexts, records: readonly RegistryRecord[], catalog: Catalog): FileChange[] {
  const present = texts.get(ROUTING_MD);
  const tables = routingTables(records, catalog);
  const block = `${MARKS.begin}\n\n${tables}\n${MARKS.end}`;
  const found = findBlock(present ?? '', MARKS);
  if (present !== undefined && found !== undefined) {
    if (sameMarkdown(present.slice(found.from, found.to), block)) return [];
    const text = `${present.slice(0, found.from)}${block}${present.slice(found.to)}`;
    return [{ kind: 'write', path: ROUTING_MD, text }];
  }
  const whole = `${HEAD}\n\n${block}\n`;
  const ours = present === undefined || sameMarkdown(present, `${HEAD}\n\n${tables}`);
  return [
    ...(ours ? [] : previousVersion(texts, ROUTING_MD, present)),
    { kind: 'write', path: ROUTING_MD, text: whole },
  ];
}

const HEAD = '# Routing\n\nWork goes to the member whose line fits it best. What fits no line goes to the Coordinator.';

/** Which kind of work goes to whom. */
function routingTables(records: readonly RegistryRecord[], catalog: Catalog): string {
  const active = records.filter((record) => record.status === 'Active');
  const signal = (record: RegistryRecord) => {
    const owned = catalog.archetypes.get(record.archetypeId ?? '')?.responsibilities.slice(0, 2) ?? [];
    const title = oneLine(record.roleTitle ?? '') || 'Any work';
    return owned.length === 0 ? title : `${title}: ${owned.map(oneLine).join(' ')}`;
  };
  const table = (wanted: boolean) => [
    '| Signal | Agent |',
    '| --- | --- |',
    ...active
      .filter((record) => (record.builtIn === true) === wanted)
      .map((record) => row([signal(record), record.name])),
  ];
  return ['## Work Assignment', '', ...table(false), '', '## Built-in Agents', '', ...table(true), ''].join('\n');
}
