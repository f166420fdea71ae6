import { PLUGINS } from '#core/formations/plugin-names.js';
import { operationSpecs, REPLACE } from '#operations/operation-spec.js';

// biome-ignore format: one row an operation reads best
export const GATE_SPECS = operationSpecs([
  {
    name: 'formation.check-handoffs', command: 'roles check-handoffs', group: 'Roles', kind: 'read', where: 'caller', place: 'here', graphless: true,
    summary: 'Has a phase of a crew handed on what it should? Exit code 0: yes, 1: no, 2: it cannot be told',
    options: [
      { flag: 'run', field: 'run', type: 'text', value: 'RUN', summary: 'The run' },
      { flag: 'phase', field: 'phase', type: 'text', value: 'P', summary: 'architect, dev, qa, deployer, or the name of another seat' },
      { flag: 'before', field: 'before', type: 'switch', summary: 'May the phase begin, with what those before it handed on? `release` is a phase here too' },
    ],
    examples: ['troupe roles check-handoffs --run 20261123-add-csv-export-1f0c --phase dev', 'troupe roles check-handoffs --run 20261123-add-csv-export-1f0c --phase deployer --before'],
    load: () => import('./check-handoffs.js').then((module) => module.checkHandoffs),
  },
  {
    name: 'export.claude-plugins', command: 'export claude-plugins', group: 'Roles', kind: 'write', where: 'caller', place: 'here', graphless: true,
    summary: 'Write a marketplace of plugins for Claude Code into a folder: roles, crew, panel and sweep',
    arguments: [{ field: 'folder', summary: 'Where to; it is made', required: true, path: 'always', writes: true }],
    options: [
      { flag: 'only', field: 'only', type: 'list', value: 'NAMES', values: PLUGINS, summary: 'Some of them (default: all four)' },
      REPLACE,
    ],
    examples: ['troupe export claude-plugins plugins', 'troupe export claude-plugins plugins --only roles,dev-crew --force'],
    load: () => import('./export-plugins.js').then((module) => module.exportClaudePlugins),
  },
]);
