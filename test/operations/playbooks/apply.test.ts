import path from 'node:path';
import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { blueprintApply } from '#operations/playbooks/apply.js';
import { blueprintValidate } from '#operations/playbooks/blueprints.js';
import { startWork } from '#operations/playbooks/start-work.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';
import { TRIPS } from './sample.js';

const ALWAYS = ['.gitattributes', '.gitignore', '.workgraph/'];
const wrong = { ...TRIPS, review_policy: 'none', sandbox_profile: 'open' };

verifies('blueprint.apply', 'without a seed, names are drawn by the project; with one, by the seed', async () => {
  const universe = async (project: string, more: object = {}) => {
    const stage = new Stage(path.join(room(), project));
    return (await stage.call(blueprintApply, { id: 'support', ...more })).universe;
  };
  for (const project of ['alpha', 'beta', 'gamma'])
    expect(await universe(project)).toBe(await universe('another', { seed: project }));
});

verifies('blueprint.apply', 'what is written outside of .squad/ is as the caller expects, or nothing is', async () => {
  const stage = new Stage();
  await expect(stage.call(blueprintApply, { id: 'support', outside: [] })).rejects.toMatchObject({
    ...{ code: 'outside_files', details: { files: ALWAYS } },
  });
  expect(stage.files()).toEqual({});
  expect((await stage.call(blueprintApply, { id: 'support', clients: false, outside: ALWAYS })).outside).toEqual(
    ALWAYS,
  );
});

verifies(['blueprint.apply', 'member.retire'], 'whoever is retired by a blueprint has no open tasks left', async () => {
  const stage = new Stage();
  const store = new GraphInMemory({ now: () => stage.now });
  stage.store = store;
  const first = await stage.call(blueprintApply, { id: 'support' });
  expect(first.tasks).toEqual([]);
  for (const [id, member] of [
    ['first', first.added[0]],
    ['second', first.added[1]],
  ] as const)
    await store.commit((view) =>
      addTask(view, { id, title: id, member: member ?? '', no_place: true }, { now: stage.now, actor: 'ann' }),
    );
  const second = await stage.call(blueprintApply, { id: 'operations', intent: 'new' });
  expect([...second.tasks].sort()).toEqual(['first', 'second']);
  expect((await store.view()).task('first')).not.toHaveProperty('member');
});

verifies(
  'blueprint.validate',
  'everything wrong is listed in the refusal too, and a file is read as its reader may',
  async () => {
    const stage = new Stage();
    const { errors } = await stage.call(blueprintValidate, { blueprint: wrong });
    expect(errors).toHaveLength(2);
    await expect(stage.call(blueprintApply, { blueprint: wrong })).rejects.toMatchObject({
      ...{ code: 'invalid_blueprint', message: errors.join('; '), details: { errors } },
    });
    const asked: unknown[] = [];
    const validated = async (value: unknown, kind: 'person' | 'run' = 'person') => {
      const context = {
        ...stage.context(),
        caller: kind === 'person' ? stage.caller : ({ kind, name: 'agent-1', taskId: 'a', fence: 1 } as const),
        functions: async () => ({
          readValues: async (...given: unknown[]) => {
            asked.push(given);
            return value;
          },
        }),
      };
      return (await blueprintValidate.run(context as never, { file: 'own.yaml' })).errors;
    };
    expect(await validated(TRIPS)).toEqual([]);
    expect(await validated({ blueprint: TRIPS, method: 'model' }, 'run')).toEqual([]);
    const place = path.join(stage.folder, 'own.yaml');
    expect(asked).toEqual([
      [place, false],
      [place, true],
    ]);
    for (const value of [null, 7, 'words', [TRIPS]]) expect(await validated(value)).toHaveLength(1);
    expect((await validated({ ...TRIPS, blueprint: TRIPS })).join(), 'a blueprint with such a field').toContain(
      'blueprint',
    );
  },
);

verifies('ui.do', 'files for clients are written with a blueprint only where a person asks for them', async () => {
  for (const [wish, more] of [
    [{}, false],
    [{ clients: true }, true],
  ] as const) {
    const stage = new Stage();
    stage.store = new GraphInMemory({ now: () => stage.now });
    stage.settings = { casting: { client_files: true } };
    const { team } = await stage.call(startWork, { blueprint: 'support', goal: 'Answer the mails', ...wish });
    expect(team?.outside).toEqual(expect.arrayContaining(ALWAYS));
    expect((team?.outside.length ?? 0) > ALWAYS.length).toBe(more);
  }
});

verifies(
  'gate.plan-shown',
  'a plan without a team names no members, unless the team would be cast for it',
  async () => {
    const stage = new Stage();
    stage.store = new GraphInMemory({ now: () => stage.now });
    const owners = async (wish: object) =>
      (await stage.call(startWork, { goal: 'Add a flag', dry_run: true, ...wish })).tasks?.flatMap(
        ({ member }) => member ?? [],
      );
    expect(await owners({})).toEqual([]);
    expect(await owners({ cast: false })).toEqual([]);
    expect((await owners({ cast: true }))?.length).toBeGreaterThan(0);
  },
);
