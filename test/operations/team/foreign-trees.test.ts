import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { add, rename, retire } from '#operations/squad/members.js';
import { migrate, render } from '#operations/squad/team-files.js';
import { verifies } from '../../verifies.js';
import { Stage, team } from './casting-stage.js';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/squads');

const TEAM = `# The Paperback People

> A shop for used books

## Coordinator

| Name | Role | Notes |
|------|------|-------|
| Squad | Coordinator | Routes work. |

## Members

| Name | Role | Charter | Status | Model |
|------|------|---------|--------|-------|
| 🏗️ Keaton | Lead | \`.squad/agents/keaton/charter.md\` | ✅ Active | opus |
| Watcher | Queue Watcher | — | 🔄 Monitor | |
| Ann \\| Ben | Owner | — | 💤 Part time | |

### How we work

Slowly.

## Issue Source

| Label | Who |
|-------|-----|
| \`squad\` | Lead |
`;
const ROUTING = `# Work Routing

| Work Type | Route To |
|-----------|----------|
| Code review | Keaton |

## Rules

1. Eager by default.
`;

/** Headings and rows of tables, without the padding of cells. */
function telling(text: string): string[] {
  const lines = text.split('\n').filter((line) => /^(#|\|(?!\s*:?-))/.test(line));
  return lines.map((line) => line.replace(/\s*\|\s*/g, ' | ').trim());
}

verifies(
  'tree.squad',
  'a tree of another tool keeps every row, heading and file through migration and changes',
  async () => {
    for (const name of ['snake', 'flat', 'markdown', 'wildcard']) {
      const stage = new Stage();
      cpSync(path.join(FIXTURES, name), stage.folder, { recursive: true });
      const put = (file: string, text: string) => writeFileSync(path.join(stage.folder, file), text);
      const text = (file: string) => readFileSync(path.join(stage.folder, file), 'utf8');
      put('.squad/routing.md', ROUTING);
      put('.squad/notes.md', '# Ours\n');
      put('.squad/team.md', TEAM);
      const before = filesIn(stage.folder);

      await stage.call(migrate);
      const migrated = text('.squad/team.md');
      await stage.call(render);
      await stage.call(add, { archetype: 'writer' });
      const [first] = (await stage.call(team)).members;
      await stage.call(rename, { member: first?.name ?? '', name: 'Zephyr' });
      await stage.call(retire, { member: 'Zephyr' });

      expect(migrated, name).toBe(TEAM);
      for (const file of before)
        expect([name, file, existsSync(path.join(stage.folder, file)) || isMoved(stage.folder, file)]).toEqual([
          name,
          file,
          true,
        ]);
      // What the other tool wrote goes on in the file; its own words for members stand in the copy.
      expect(text('.squad/team.prev.md'), name).toBe(TEAM);
      expect(text('.squad/routing.prev.md'), name).toBe(ROUTING);
      expect(text('.squad/routing.md'), name).toMatch(
        new RegExp(`^${ROUTING.trimEnd().replace(/[|.\\]/g, '\\$&')}\n\n<!-- troupe`),
      );
      const rows = telling(text('.squad/team.md'));
      const known = name === 'markdown' ? [] : telling(TEAM).filter((line) => /Watcher|Ann/.test(line));
      expect(rows, name).toEqual(
        expect.arrayContaining([...known, ...telling(TEAM).filter((line) => !/Keaton|Watcher|Ann|Model/.test(line))]),
      );
    }
  },
);

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? path.relative(folder, path.join(entry.parentPath, entry.name)) : [],
  );
}

/** Moved aside by the migration, or with the member that it is of. */
function isMoved(folder: string, file: string): boolean {
  return filesIn(folder).some(
    (other) => path.basename(other) === path.basename(file) && /\.migrated|_alumni|agents/.test(other),
  );
}
