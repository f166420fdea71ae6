import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { driftsOf } from '#core/casting/drift.js';
import { catalog, confirm, propose } from '../../core/casting/stage.js';
import { ALONE } from '../../lone-squad.js';
import { mass } from '../../mass.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { bundle, run } from './program.js';

/** How often a process is killed. */
const KILLS = mass(3, 1_000);
const SEED = process.env['TROUPE_SEED'] ?? 'zion';
const AT_ONCE = 2;
/** Half of the deaths come in the few steps around the moment of commitment, which chance would seldom meet. */
const AROUND_COMMIT = 4;
/** A confirmation that was killed is carried on by one that is killed too, so often at most. */
const DEATHS_IN_A_ROW = 4;

const squadOf = (project: string) => new SquadFolder(project, new ProcessTable(), ALONE);

verifies(
  'confirm.atomic',
  'killed at any step of confirming, again and again while it is carried on: the old team or the new one, byte for byte',
  async () => {
    const program = await bundle(path.join(import.meta.dirname, 'crash-child.ts'), room('program'));
    const start = await projectWithProposal();
    const old = filesOf(start);
    const done = copyOf(start);
    const { output } = await run(program, [done]);
    const steps = Number(output);
    const wanted = filesOf(done);
    expect(wanted).not.toEqual(old);
    expect(steps).toBeGreaterThan(20);

    let kills = 0;
    let rounds = 0;
    const outcomes = { old: 0, new: 0 };
    const round = async (number: number) => {
      const project = copyOf(start);
      const draw = drawing(`${SEED}/${number}`);
      const deaths = 1 + draw(DEATHS_IN_A_ROW);
      for (let death = 0; death < deaths; death++) {
        const { killed } = await run(program, [
          project,
          String(draw(2) === 0 ? steps - draw(AROUND_COMMIT) : 1 + draw(steps)),
        ]);
        if (!killed) break; // less was left to do than steps to die before
        kills++;
      }
      const state = await squadOf(project).read();
      const found = filesOf(project);
      const which = state.history.snapshots.length === 1 ? 'old' : 'new';
      expect(found, `seed ${SEED}, round ${number}`).toEqual(which === 'old' ? old : wanted);
      if (which === 'new') expect(driftsOf(state.texts, catalog, 'zion')).toEqual([]);
      outcomes[which]++;
      await run(program, [project]);
      expect(filesOf(project), `seed ${SEED}, round ${number}, finished`).toEqual(wanted);
    };
    while (kills < KILLS) {
      const from = rounds;
      rounds += AT_ONCE;
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => round(from + index)));
    }
    expect(outcomes.old).toBeGreaterThan(0);
    expect(outcomes.new).toBeGreaterThan(0);
    if (KILLS >= 1_000) process.stderr.write(`${kills} kills in ${rounds} rounds: ${JSON.stringify(outcomes)}\n`);
  },
);

verifies('confirm.atomic', 'two proposals for one team confirmed at once: one wins, the other is told', async () => {
  for (let round = 0; round < 5; round++) {
    const project = path.join(room('race'), 'zion');
    mkdirSync(project);
    const state = await squadOf(project).read();
    const answers = await Promise.allSettled(
      ['writer', 'qa-engineer'].map(async (archetype) => {
        const proposal = propose([archetype], { state });
        return await squadOf(project).apply((now) => confirm(proposal, now, { intent: 'new' }));
      }),
    );
    const lost = answers.filter((answer) => answer.status === 'rejected');
    expect(lost.map((answer) => answer.reason)).toEqual([expect.objectContaining({ code: 'team_changed' })]);
    const after = await squadOf(project).read();
    expect(after.history.snapshots).toHaveLength(1);
    expect(after.registry.records.filter((record) => record.builtIn !== true)).toHaveLength(1);
  }
});

verifies('confirm.idempotent', 'one proposal confirmed by several at once: one team, one answer', async () => {
  const project = await projectWithProposal();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      squadOf(project).apply((state, proposal) => {
        if (!proposal) throw new Error('there is no proposal to confirm');
        return confirm(proposal, state, { intent: 'recast' });
      }),
    ),
  );
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect((await squadOf(project).read()).history.snapshots).toHaveLength(2);
});

/** A project with a team, files for clients and a proposal that adds, keeps, changes and retires. */
async function projectWithProposal(): Promise<string> {
  const project = path.join(room('start'), 'zion');
  mkdirSync(path.join(project, '.claude/agents'), { recursive: true });
  writeFileSync(path.join(project, 'AGENTS.md'), '# Rules\n');
  const squad = squadOf(project);
  await squad.apply((state) =>
    confirm(propose(['lead-architect', 'writer', 'docs-writer'], { state }), state, { intent: 'new' }),
  );
  writeFileSync(path.join(project, '.squad/agents/neo/charter.md'), 'edited by hand\n');
  const state = await squad.read();
  const proposal = propose(['lead-architect', 'writer', 'qa-engineer'], { state, intent: 'recast' });
  await squad.saveProposal(proposal, Date.parse(proposal.created_at));
  await squad.apply((now) => ({ changes: [], result: now.base }));
  return project;
}

function copyOf(folder: string): string {
  const copy = path.join(room('copy'), 'zion');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Every file of a project but those of the service, with its bytes. */
function filesOf(project: string): Record<string, string> {
  const files = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = files.map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    found
      .map((file) => [path.relative(project, file), readFileSync(file, 'latin1')] as const)
      .filter(([name]) => !name.startsWith('.workgraph'))
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** Numbers below a bound, the same for the same seed. */
function drawing(seed: string): (below: number) => number {
  let count = 0;
  return (below) => {
    const hash = createHash('sha256').update(`${seed}/${count++}`).digest();
    return hash.readUInt32LE(0) % below;
  };
}
