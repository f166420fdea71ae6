import { operationSpecs } from '#operations/operation-spec.js';

// biome-ignore format: one row an operation reads best
export const CATALOG_SPECS = operationSpecs([
  {
    name: 'catalog.show', command: 'catalog show', group: 'Casting', kind: 'read', where: 'caller',
    summary: 'Show entries of the catalog in full',
    arguments: [
      { field: 'kind', summary: 'archetypes, groupings, universes or workflows', required: true },
      { field: 'id', summary: 'Only this entry' },
    ],
    examples: ['troupe catalog show archetypes writer', 'troupe catalog show groupings --json'],
    load: () => import('./entries.js').then((module) => module.show),
  },
  {
    name: 'catalog.lint', command: 'catalog lint', group: 'Casting', kind: 'read', where: 'caller',
    summary: 'Check the catalog entries of this project',
    examples: ['troupe catalog lint', 'troupe catalog lint --json'],
    load: () => import('./entries.js').then((module) => module.lint),
  },
]);
