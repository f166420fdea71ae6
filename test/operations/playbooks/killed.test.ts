import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { confirm } from '#operations/squad/confirm.js';
import { manual } from '#operations/squad/proposals.js';
import { bundle, run } from '../../adapters/squad/program.js';
import { ALONE } from '../../lone-squad.js';
import { mass } from '../../mass.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';
import { furnish, TRIPS, treeOf } from './sample.js';

/** How often a process is killed. */
const KILLS = mass(2, 1_000);
const SEED = process.env['TROUPE_SEED'] ?? 'zion';
const DATA = path.resolve(import.meta.dirname, '../../../data');
const AT_ONCE = 2;
/** What was cut off is put back by a process that is killed too, so often at most. */
const DEATHS_IN_A_ROW = 4;

verifies(
  ['blueprint.restore', 'blueprint.apply'],
  'killed at any step of applying, again while it is put back: the old project or the new one, byte for byte',
  async () => {
    const program = await bundle(path.join(import.meta.dirname, 'apply-child.ts'), room('program'));
    const blueprint = path.join(room('blueprint'), 'trips.json');
    writeFileSync(blueprint, JSON.stringify(TRIPS));
    const start = await projectWithTeam();
    const apply = (project: string, stopBefore = 0) => run(program, [DATA, project, blueprint, String(stopBefore)]);
    const old = treeOf(start);
    const done = copyOf(start);
    const steps = Number((await apply(done)).output);
    const wanted = treeOf(done);
    expect(wanted).not.toEqual(old);
    expect(steps).toBeGreaterThan(40);

    let [kills, rounds] = [0, 0];
    const found = { old: 0, new: 0, between: 0 };
    const round = async (number: number) => {
      const project = copyOf(start);
      const draw = drawing(`${SEED}/${number}`);
      const deaths = 1 + draw(DEATHS_IN_A_ROW);
      for (let death = 0; death < deaths; death++) {
        // The last steps are where the new project begins: chance alone would seldom meet them.
        const step = draw(3) === 0 ? steps - draw(3) : 1 + draw(steps);
        if (!(await apply(project, step)).killed) break; // less was left to do than steps to die before
        kills++;
      }
      await new SquadFolder(project, new ProcessTable(), ALONE).read();
      const tree = JSON.stringify(treeOf(project));
      const which = tree === JSON.stringify(old) ? 'old' : tree === JSON.stringify(wanted) ? 'new' : 'between';
      found[which]++;
      if (which === 'between') expect(treeOf(project), `seed ${SEED}, round ${number}`).toEqual(old);
      if (which === 'new') return;
      await apply(project);
      expect(treeOf(project), `seed ${SEED}, round ${number}, finished`).toEqual(wanted);
    };
    while (kills < KILLS) {
      const from = rounds;
      rounds += AT_ONCE;
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => round(from + index)));
    }
    expect(found).toMatchObject({ old: expect.any(Number), between: 0 });
    expect(found.old).toBeGreaterThan(0);
    if (KILLS >= 1_000) process.stderr.write(`${kills} kills in ${rounds} rounds: ${JSON.stringify(found)}\n`);
  },
);

async function projectWithTeam(): Promise<string> {
  const stage = new Stage();
  stage.settings = { casting: { client_files: true } };
  furnish(stage.folder);
  await stage.call(manual, { archetypes: ['lead-architect', 'docs-writer'] });
  await stage.call(confirm);
  await stage.call(manual, { archetypes: ['qa-engineer'] });
  const project = path.join(room('start'), 'zion');
  mkdirSync(project);
  cpSync(stage.folder, project, { recursive: true });
  return project;
}

function copyOf(folder: string): string {
  const copy = path.join(room('copy'), 'zion');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Numbers below a bound, the same for the same seed. */
function drawing(seed: string): (below: number) => number {
  let count = 0;
  return (below) => {
    const hash = createHash('sha256').update(`${seed}/${count++}`).digest();
    return hash.readUInt32LE(0) % below;
  };
}
