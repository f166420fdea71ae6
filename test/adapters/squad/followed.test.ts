import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { addTask } from '#core/graph/add.js';
import { memberIdOf } from '#core/squad/registry.js';
import { CAST_SLUG, castTeamOf } from '#core/squad/team-rows.js';
import { TroupeError } from '#kernel/errors.js';
import { confirm, NOW, propose } from '../../core/casting/stage.js';
import { ALONE } from '../../lone-squad.js';
import { mass } from '../../mass.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { followed } from './followed.js';
import { bundle, run } from './program.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');
/** Of the steps between the first and the last ones, one in so many; or each. */
const STRIDE = mass(14, 1);
/** Of so many steps the first and the last, and some between. */
const chosenOf = (steps: number): number[] =>
  Array.from({ length: steps }, (_, index) => index + 1).filter(
    (step) => step > steps - 6 || step <= 5 || step % STRIDE === 0,
  );
type Followed = Awaited<ReturnType<typeof followed>>;

verifies(
  'bridge.same-step',
  'killed before any step, once or twice: the rows, the log and the tasks are those of the old team or of the new one',
  async () => {
    const program = await bundle(path.join(import.meta.dirname, 'followed-child.ts'), room('program'));
    const start = await projectWithProposal();
    const { output } = await run(program, [copyOf(start), MIGRATIONS]);
    const steps = Number(output);
    expect(steps).toBeGreaterThan(15);
    const outcomes = { old: 0, new: 0 };
    const check = async (step: number) => {
      const project = copyOf(start);
      expect((await run(program, [project, MIGRATIONS, String(step)])).killed, `step ${step}`).toBe(true);
      // Every third time whoever carries on dies too: after the same number of steps, which are others now.
      if (step % 3 === 0) await run(program, [project, MIGRATIONS, String(1 + (step % 7))]);
      outcomes[await standing(project, `step ${step}`)]++;
    };
    // What comes last is where the followers stand: every step there, some before.
    const chosen = chosenOf(steps);
    for (let at = 0; at < chosen.length; at += 2) await Promise.all(chosen.slice(at, at + 2).map(check));
    expect(outcomes.old).toBeGreaterThan(0);
    expect(outcomes.new).toBeGreaterThan(0);
  },
);

verifies(
  ['blueprint.restore', 'bridge.same-step'],
  'what failed is the old team, rows and log too; what did not is the new one',
  async () => {
    const start = await projectWithProposal();
    const outcomes = { old: 0, new: 0 };
    const { steps } = await stopped(start, Number.POSITIVE_INFINITY);
    for (const stop of [...chosenOf(steps), steps + 1]) {
      const { project, end } = await stopped(start, stop);
      const which = end === 'confirmed' ? 'new' : 'old';
      expect(await standing(project, `step ${stop}`)).toBe(which);
      outcomes[which]++;
    }
    expect(outcomes.old).toBeGreaterThan(mass(5, 15));
    // Once the log has it, whoever follows is asked again: no failure there undoes the write.
    expect(outcomes.new).toBeGreaterThan(2);
  },
);

verifies('bridge.same-step', 'a data base that cannot be opened refuses before anything is written', async () => {
  const project = await projectWithProposal();
  for (const name of ['teams.db', 'teams.db-wal', 'teams.db-shm'])
    rmSync(path.join(project, '.workgraph', name), { force: true });
  writeFileSync(
    path.join(project, '.workgraph/teams.db'),
    'no data base, and long enough to be taken for one'.repeat(30),
  );
  const before = readdirSync(path.join(project, '.squad'), { recursive: true }).sort();
  const broken = await followed(project, MIGRATIONS);
  await expect(confirmed(broken)).rejects.toMatchObject({ code: 'data_corrupt' });
  expect(readdirSync(path.join(project, '.squad'), { recursive: true }).sort()).toEqual(before);
  expect(teamEvents(await entriesOf(broken))).toHaveLength(1);
  await broken.close();
});

verifies(
  'bridge.same-step',
  'while a follower cannot follow, the team is read, edits stay, and nothing else is written',
  async () => {
    const project = await projectWithProposal();
    let stuck = true;
    const refuse = async () => {
      if (stuck) throw new TroupeError('locked');
    };
    const slow = { prepare: async () => undefined, follow: refuse };
    const squad = new SquadFolder(project, new ProcessTable(), { ...ALONE, followers: async () => [slow] });
    await squad.apply((state, proposal) => {
      if (!proposal) throw new Error('there is no proposal to confirm');
      return confirm(proposal, state, { intent: 'recast' });
    });
    expect((await squad.read()).history.snapshots).toHaveLength(2);
    writeFileSync(path.join(project, '.squad/decisions.md'), 'edited meanwhile\n');
    writeFileSync(path.join(project, '.squad/routing.md'), 'edited meanwhile\n');
    expect((await squad.read()).texts.get('.squad/routing.md')).toBe('edited meanwhile\n');
    const more = () => squad.apply((state) => confirm(propose(['writer'], { state }), state, { intent: 'augment' }));
    await expect(more()).rejects.toMatchObject({ code: 'locked' });
    stuck = false;
    await more();
    expect((await squad.read()).history.snapshots).toHaveLength(3);
    expect(existsSync(path.join(project, '.squad/.scratch'))).toBe(false);
  },
);

verifies('bridge.same-step', 'a lost data base is made again from the events, with the same ids', async () => {
  const project = await projectWithProposal();
  const first = await followed(project, MIGRATIONS);
  await confirmed(first);
  const before = await first.teams.getTeam(memberIdOf(CAST_SLUG));
  await first.close();
  for (const name of readdirSync(path.join(project, '.workgraph')))
    if (name.startsWith('teams.db')) rmSync(path.join(project, '.workgraph', name));
  const second = await followed(project, MIGRATIONS);
  await second.squad.notifyFollowers();
  expect(await second.teams.getTeam(memberIdOf(CAST_SLUG))).toEqual(before);
  expect(before?.id).toBe(memberIdOf(CAST_SLUG));
  expect(teamEvents(await entriesOf(second))).toHaveLength(2);
  await second.close();
});

/** A copy of the project in which a new team is confirmed, until this step fails; how that ended, and after how many steps. */
async function stopped(start: string, stop: number) {
  const project = copyOf(start);
  let steps = 0;
  const cut = await followed(project, MIGRATIONS, () => {
    if (++steps === stop) throw new Error('cut off');
  });
  const end = await confirmed(cut).then(
    () => 'confirmed' as const,
    () => 'refused' as const,
  );
  await cut.close();
  return { project, end, steps };
}

/** Whose team it is, after whoever comes next has opened it; everything else has to agree with that. */
async function standing(project: string, what: string): Promise<'old' | 'new'> {
  const next = await followed(project, MIGRATIONS);
  try {
    const state = await next.squad.read();
    const which = state.history.snapshots.length === 1 ? 'old' : 'new';
    const wanted = castTeamOf(path.basename(project), state.registry, state.history);
    const kept = await next.teams.getTeam(memberIdOf(CAST_SLUG));
    const byId = (rows: readonly { id: string }[] = []) =>
      [...rows].sort((left, right) => (left.id < right.id ? -1 : 1));
    expect(byId(kept?.members), what).toEqual(byId(wanted?.members));
    const events = teamEvents(await entriesOf(next));
    expect(
      events.map((entry) => entry.detail?.['operation']),
      what,
    ).toEqual(state.history.snapshots.map(({ snapshotId }) => snapshotId));
    const view = await next.store.view();
    const members = ['a', 'b', 'c'].map((id) => view.task(id)?.member);
    expect(members, what).toEqual(which === 'old' ? ['Neo', 'Trinity', 'Morpheus'] : ['Neo', 'Trinity', undefined]);
    expect(existsSync(path.join(project, '.squad/.scratch')), what).toBe(false);
    return which;
  } finally {
    await next.close();
  }
}

function confirmed({ squad }: Followed) {
  return squad.apply((state, proposal) => {
    if (!proposal) throw new Error('there is no proposal to confirm');
    return confirm(proposal, state, { intent: 'recast' });
  });
}

async function entriesOf({ store }: Followed) {
  const entries = [];
  for await (const entry of store.entries(1)) entries.push(entry);
  return entries;
}

function teamEvents(entries: Awaited<ReturnType<typeof entriesOf>>) {
  return entries.filter(({ op }) => op === 'team');
}

/** A team of three who each have a task, and a proposal that one of them is not in. */
async function projectWithProposal(): Promise<string> {
  const project = path.join(room('start'), 'zion');
  mkdirSync(project);
  initialiseStore(path.join(project, '.workgraph'));
  const here = await followed(project, MIGRATIONS);
  const { squad, store } = here;
  await squad.apply((state) =>
    confirm(propose(['lead-architect', 'writer', 'docs-writer'], { state }), state, { intent: 'new' }),
  );
  for (const [id, member] of [
    ['a', 'Neo'],
    ['b', 'Trinity'],
    ['c', 'Morpheus'],
  ] as const) {
    await store.commit((view) => addTask(view, { id, title: id, member, no_place: true }, { now: NOW, actor: 'ann' }));
  }
  const state = await squad.read();
  const proposal = propose(['lead-architect', 'writer'], { state, intent: 'recast' });
  await squad.saveProposal(proposal, Date.parse(proposal.created_at));
  await here.close();
  return project;
}

function copyOf(folder: string): string {
  const copy = path.join(room('copy'), 'zion');
  cpSync(folder, copy, { recursive: true });
  return copy;
}
