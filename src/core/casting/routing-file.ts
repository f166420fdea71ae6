import type { RegistryRecord } from '#core/casting/registry.js';
import { oneLine, row } from '#core/casting/team-file.js';
import type { Catalog } from '#core/catalog/catalog.js';

/** `routing.md`: which kind of work goes to whom. Written anew with every change of the team. */
export function renderRouting(records: readonly RegistryRecord[], catalog: Catalog): string {
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
  return [
    '# Routing',
    '',
    'Work goes to the member whose line fits it best. What fits no line goes to the Coordinator.',
    '',
    '## Work Assignment',
    '',
    ...table(false),
    '',
    '## Built-in Agents',
    '',
    ...table(true),
    '',
  ].join('\n');
}
