import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { activeNames } from '../../core/casting/stage.js';
import { ALONE } from '../../lone-squad.js';
import { mass } from '../../mass.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { bundle, run } from './program.js';

/** One step in so many; or each. */
const STRIDE = mass(20, 1);

verifies(
  'confirm.atomic',
  'killed before any step of a write, the team is the old one or the new one, whole',
  async () => {
    const program = await bundle(path.join(import.meta.dirname, 'cast-child.ts'), room('program'));
    const start = room('start');
    await run(program, [start, 'writer']);
    const { output } = await run(program, [copyOf(start), 'qa-engineer']);
    const steps = Number(output);
    expect(steps).toBeGreaterThan(15);

    const outcomes: string[] = [];
    const check = async (step: number) => {
      const project = copyOf(start);
      expect((await run(program, [project, 'qa-engineer', String(step)])).killed).toBe(true);
      const names = activeNames(await new SquadFolder(project, new ProcessTable(), ALONE).read());
      expect([['Neo'], ['Neo', 'Trinity']], `step ${step}`).toContainEqual(names);
      outcomes.push(names.join(' '));
      for (const file of [
        '.squad/team.md',
        '.squad/routing.md',
        '.squad/casting/registry.json',
        '.squad/casting/history.json',
      ]) {
        expect(readFileSync(path.join(project, file), 'utf8').includes('Trinity'), `${file} after step ${step}`).toBe(
          names.length === 2,
        );
      }
      expect(existsSync(path.join(project, '.squad/agents/trinity/charter.md'))).toBe(names.length === 2);
      expect(existsSync(path.join(project, '.squad/.scratch'))).toBe(false);
      // whoever comes next is not held up by the lock of the dead
      await run(program, [project, 'writer']);
      expect(activeNames(await new SquadFolder(project, new ProcessTable(), ALONE).read())).toHaveLength(
        names.length + 1,
      );
    };
    // The last steps are where the new team begins; of those before, some.
    const chosen = Array.from({ length: steps }, (_, index) => index + 1).filter(
      (step) => step > steps - 6 || step % STRIDE === 1 % STRIDE,
    );
    for (let at = 0; at < chosen.length; at += 2) await Promise.all(chosen.slice(at, at + 2).map(check));
    expect(new Set(outcomes).size).toBe(2);
  },
);

verifies(
  'confirm.atomic',
  'eight processes at once: one after the other, nothing lost, no name given twice',
  async () => {
    const program = await bundle(path.join(import.meta.dirname, 'cast-child.ts'), room('program'));
    const project = path.join(room('start'), 'zion');
    mkdirSync(project);
    const kinds = ['writer', 'qa-engineer', 'lead-architect', 'docs-writer'];
    await Promise.all([...kinds, ...kinds].map((archetypeId) => run(program, [project, archetypeId])));
    const { registry } = await new SquadFolder(project, new ProcessTable(), ALONE).read();
    const members = registry.records.filter((record) => record.builtIn !== true);
    expect(members.map((record) => record.archetypeId).sort()).toEqual([...kinds, ...kinds].sort());
    expect(new Set(members.map((record) => record.slug)).size).toBe(8);
  },
);

function copyOf(folder: string): string {
  const copy = path.join(room('copy'), 'zion');
  cpSync(folder, copy, { recursive: true });
  return copy;
}
