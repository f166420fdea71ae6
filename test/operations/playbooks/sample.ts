import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const DRAFT = {
  id: 'plan-a-trip',
  name: 'Plan a trip',
  description: 'From a wish to a day by day plan that somebody else has looked at.',
  nodes: [
    { id: 'route', type: 'prompt', archetype: 'travel-planner', prompt: 'Say which way to go.' },
    { id: 'look', type: 'peer_review', archetype: 'writer', branches: { fine: 'pass', again: 'revise' } },
    { id: 'end', type: 'terminal', target: 'success' },
  ],
  edges: [
    { from: 'route', to: 'look' },
    { from: 'look', to: 'end', when: 'fine' },
    { from: 'look', to: 'route', when: 'again' },
  ],
};

/** A blueprint with everything that one can contain, including a role and a workflow of its own. */
export const TRIPS = {
  id: 'trips',
  name: 'Trips',
  description: 'Plans trips and writes them down.',
  roster: ['travel-planner', 'writer'],
  workflows: ['plan-a-trip', 'default'],
  review_policy: 'peer',
  sandbox_profile: 'restricted',
  bespoke_roles: [{ id: 'travel-planner', title: 'Travel Planner', charter: 'Plans ways and nights.' }],
  draft: DRAFT,
};

/** Adds everything besides a team that applying a blueprint may or must not touch. */
export function furnish(project: string): void {
  for (const folder of ['.claude/agents', '.github/agents', '.workgraph/service'])
    mkdirSync(path.join(project, folder), { recursive: true });
  writeFileSync(path.join(project, 'AGENTS.md'), '# Rules\r\n');
  writeFileSync(path.join(project, '.gitignore'), 'node_modules');
  writeFileSync(path.join(project, '.workgraph/teams.db'), 'what the team remembers');
}

/** Every file with its bytes and mode, and every folder, without transient lock files. */
export function treeOf(project: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(project, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(project, file);
    // Records of changes are kept for some time, each under a name of its own.
    if (/\.lock$/.test(name) || /^\.workgraph\/service\/changes\//.test(name)) continue;
    const mode = (lstatSync(file).mode & 0o777).toString(8);
    found[name] = entry.isDirectory() ? 'folder' : `${mode} ${readFileSync(file, 'latin1')}`;
  }
  return Object.fromEntries(Object.entries(found).sort(([left], [right]) => (left < right ? -1 : 1)));
}
