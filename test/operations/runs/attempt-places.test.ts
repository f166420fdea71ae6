import { expect, test } from 'vitest';
import type { NodeFields } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { IsolationFacts, Workplace } from '#core/runs/isolation.js';
import { NO_PARTS } from '#core/runs/own-parts.js';
import { settingsFrom } from '#core/settings/settings.js';
import type { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { attemptAt, confine } from '#operations/runs/prompt-attempt.js';
import { prompt } from '#operations/runs/show-prompt.js';
import { attemptTree, commandPlaces, makeTree, workUnderReview } from '#operations/runs/workplaces.js';
import type { AttemptKey } from '#ports/attempt-trees.js';
import { bothPorts, PUBLISHED } from '../../both-ports.js';
import { sectionOf } from '../../core/runs/facts.js';
import { world } from '../../e2e/world.js';
import { NO_CLIENTS } from '../../no-clients.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';

const BASE = 'a'.repeat(40);

/** A graph in memory; worktrees that only take down what is asked of them. `agent-TASK-FENCE` is a run in `wg/TASK/FENCE`. */
function place(given: { worktrees?: object; settings?: object; profile?: object; choice?: string } = {}) {
  const own = world();
  const asked: unknown[] = [];
  const atWork = new Set<string>();
  const worktrees = {
    workplace: async (facts: object): Promise<Workplace> => {
      asked.push(['workplace', facts]);
      return { place: 'worktree' };
    },
    placeOf: async ({ task, attempt }: AttemptKey) => ({
      ...{ path: `/t/${task}-${attempt}`, folder: `/t/${task}-${attempt}` },
      branch: `wg/${task}/${attempt}`,
    }),
    fits: async ({ task, attempt }: AttemptKey, isReading: boolean) => {
      asked.push(['fits', task, attempt, isReading]);
      return true;
    },
    create: async (request: object) => {
      asked.push(['create', request]);
      return { isSetUp: true };
    },
    publish: async ({ task, attempt }: AttemptKey) => {
      asked.push(['commit', task, attempt]);
      return PUBLISHED;
    },
    base: async () => 'integrated',
    stateOf: async ({ task, attempt }: AttemptKey) => ({ head: `head-of-${task}-${attempt}` }),
    gaps: async () => [{ text: 'There are no submodules.', remedy: '' }],
    patch: async () => '',
    ...given.worktrees,
  };
  const context: Context = {
    ...own.context,
    freshId: () => 'fresh-id-of-this',
    ...bothPorts(async () => worktrees as never),
    settings: async () => ({
      name: 'config.toml',
      read: async () => ({ coordinator: { executor: 'claude' }, ...given.settings }),
      set: async () => expect.unreachable(),
    }),
    squad: async () =>
      ({
        ...(await own.context.squad()),
        texts: async () => new Map(given.choice === undefined ? [] : [['.squad/config.json', given.choice]]),
      }) as never,
    catalog: async () => ({ sandboxProfiles: async () => new Map([['own', given.profile]]) }) as never,
    runs: async () => ({
      ...NO_RUNS,
      state: async (run) => (atWork.has(run) ? 'at-work' : 'ended'),
      identity: async (run) => {
        const [, taskId = '', fence = ''] = run.split('-');
        if (fence === '') return undefined;
        const tree = { branch: `wg/${taskId}/${fence}`, folder: '/t' };
        return { taskId, fence: Number(fence), mail: 'none', tree };
      },
    }),
  };
  const put = async (id: string, fields: NodeFields = {}) => {
    await own.add(id, fields);
    return taskOf(await own.store.view(), id);
  };
  return { ...own, context, asked: () => asked.splice(0), atWork, put };
}

const settings = (coordinator: object = {}) => settingsFrom({ coordinator }).settings;
const parked = (id: string, attempt: number) => ({
  fence: attempt,
  last_run: { run: `agent-${id}-${attempt}`, iteration: 0, goes_on: attempt },
});

verifies(
  'test.bites',
  'what is asked of the repository before an attempt has its place, and where it goes on from another',
  async () => {
    const { context, asked, put } = place();
    const at = async (
      task: Parameters<typeof attemptTree>[1],
      mode: IsolationFacts['mode'],
      own = settings(),
      follows = true,
    ) => [await attemptTree(context, task, { attempt: 5, mode, follows }, own), asked()];
    const workplace = (isolation: string, mode: string, follows: boolean) => [
      'workplace',
      { isolation, mode, follows },
    ];
    const tree = (id: string, attempt: number, mode: string) => ({
      ...{ path: `/t/${id}-${attempt}`, folder: `/t/${id}-${attempt}`, branch: `wg/${id}/${attempt}`, attempt, mode },
    });
    const plain = await put('plain');
    const inProject = await put('inside', { in: 'project' });
    const before = await put('before', parked('before', 2));
    const afresh = await put('afresh', { ...parked('afresh', 2), fresh_from: 3 });
    const same = await put('same', { ...parked('same', 2), fresh_from: 2 });
    const gate = await put('gate', { ...parked('gate', 1), workflow: { role: 'gate' }, after: ['plain'] });
    const trial = await put('.trial-x', { trial: { base: BASE } });
    expect({
      new: await at(plain, 'full'),
      'without what came before': await at(plain, 'full', settings(), false),
      'work as it lies in the project, by the task': await at(inProject, 'shell'),
      'and by the settings': await at(plain, 'shell', settings({ follow: 'project' })),
      always: await at(plain, 'light', settings({ worktree_isolation: 'on' })),
      never: await at(plain, 'full', settings({ worktree_isolation: 'off' })),
      'but a trial': await at(trial, 'full', settings({ worktree_isolation: 'off' })),
      'on in that of before': await at(before, 'full'),
      'to read only': await at(before, 'light'),
      'and with nothing but its text': await at(before, 'bare'),
      'a command begins anew': await at(before, 'shell'),
      'what was set aside stays aside': await at(afresh, 'full'),
      'but the first after that': await at(same, 'full'),
      'a judge reads': await at(gate, 'full'),
    }).toEqual({
      new: [tree('plain', 5, 'full'), [workplace('auto', 'full', true)]],
      'without what came before': [tree('plain', 5, 'full'), [workplace('auto', 'full', false)]],
      'work as it lies in the project, by the task': [tree('inside', 5, 'shell'), [workplace('auto', 'shell', false)]],
      'and by the settings': [tree('plain', 5, 'shell'), [workplace('auto', 'shell', false)]],
      always: [tree('plain', 5, 'light'), [workplace('on', 'light', true)]],
      never: [undefined, []],
      'but a trial': [tree('.trial-x', 5, 'full'), [workplace('on', 'full', true)]],
      'on in that of before': [
        tree('before', 2, 'full'),
        [workplace('auto', 'full', true), ['fits', 'before', 2, false]],
      ],
      'to read only': [tree('before', 2, 'light'), [workplace('auto', 'light', true), ['fits', 'before', 2, true]]],
      'and with nothing but its text': [
        tree('before', 2, 'bare'),
        [workplace('auto', 'bare', true), ['fits', 'before', 2, true]],
      ],
      'a command begins anew': [tree('before', 5, 'shell'), [workplace('auto', 'shell', true)]],
      'what was set aside stays aside': [tree('afresh', 5, 'full'), [workplace('auto', 'full', true)]],
      'but the first after that': [
        tree('same', 2, 'full'),
        [workplace('auto', 'full', true), ['fits', 'same', 2, false]],
      ],
      'a judge reads': [tree('gate', 1, 'full'), [workplace('auto', 'full', true), ['fits', 'gate', 1, true]]],
    });
  },
);

test('where there is no place an attempt works in the project, is refused, or begins anew', async () => {
  const asks = async (worktrees: object) => {
    const { context, put } = place({ worktrees });
    return await attemptTree(
      context,
      await put('a', parked('a', 2)),
      { attempt: 5, mode: 'full', follows: false },
      settings(),
    );
  };
  expect(await asks({ workplace: async () => ({ place: 'project' }) })).toBeUndefined();
  const nowhere = { place: 'nowhere', code: 'bare_repository' };
  await expect(asks({ workplace: async () => nowhere })).rejects.toMatchObject({ code: 'bare_repository' });
  expect(await asks({ fits: async () => false })).toMatchObject({ attempt: 5, branch: 'wg/a/5' });
});

verifies(
  'test.bites',
  'a worktree is made as its mode and its task have it, and prepared for whoever may write',
  async () => {
    const tree = (mode: IsolationFacts['mode']) => ({ path: '/t', folder: '/t', branch: 'wg/a/5', attempt: 5, mode });
    const made = async (mode: IsolationFacts['mode'], fields: NodeFields = {}, worktrees: object = {}) => {
      const own = place({ worktrees, settings: { worktree: { copy: ['.env'], setup: 'make' } } });
      const { id = 'a', ...rest } = fields;
      const task = await own.put(String(id), rest);
      const underReview = mode === 'light' ? { branch: 'wg/b/2', commit: 'c0ffee' } : undefined;
      const request = { underReview, signal: new AbortController().signal };
      const made = makeTree(own.context, task, tree(mode), request);
      return [own.asked, await made.catch((error: TroupeError) => error.code)] as const;
    };
    const asks = async (mode: IsolationFacts['mode'], fields?: NodeFields) => (await made(mode, fields))[0]();
    const created = (more: object) => [
      [
        'create',
        {
          ...{ task: 'a', attempt: 5, base: 'integrated', fresh: false, readOnly: false, trial: false, copy: ['.env'] },
          ...more,
        },
      ],
    ];
    expect(await asks('full')).toEqual(created({}));
    expect(await asks('shell')).toEqual(created({ fresh: true }));
    expect(await asks('light')).toEqual(
      created({ fresh: true, readOnly: true, trial: true, base: 'c0ffee', publishedAs: 'wg/b/2' }),
    );
    expect(await asks('bare', { fresh_from: 3 })).toEqual(created({ fresh: true, readOnly: true, since: 3 }));
    const trial = created({ task: '.trial-x', trial: true, base: BASE });
    expect(await asks('full', { id: '.trial-x', trial: { base: BASE } })).toEqual(trial);
    const bare = { create: async () => ({ isSetUp: false }) };
    const codes = async (mode: IsolationFacts['mode']) => (await made(mode, {}, bare))[1];
    expect([await codes('full'), await codes('shell'), await codes('light'), await codes('bare')]).toEqual([
      ...['untrusted_command', 'untrusted_command', undefined, undefined],
    ]);
  },
);

verifies(
  'test.bites',
  'whoever judges work that waits is given its commit, once nobody writes to it any more',
  async () => {
    const { context, put, asked, atWork, store } = place();
    const waits = (id: string) => ({ status: 'pending-validation', assigned: `agent-${id}-2`, fence: 2 }) as const;
    await put('first', { status: 'done', assigned: 'agent-first-2', fence: 2 });
    await put('second', { status: 'pending-validation', assigned: 'ann', fence: 2 });
    await put('third', waits('third'));
    await put('fourth', waits('fourth'));
    const gate = await put('gate', {
      workflow: { role: 'gate' },
      after: ['gone', 'first', 'second', 'third', 'fourth'],
    });
    const under = async (task = gate) => [await workUnderReview(context, await store.view(), task), asked()];
    expect(await under()).toEqual([PUBLISHED, [['commit', 'third', 2]]]);
    atWork.add('agent-third-2');
    expect(await under()).toEqual([PUBLISHED, [['commit', 'fourth', 2]]]);
    atWork.add('agent-fourth-2');
    expect(await under()).toEqual([undefined, []]);
    expect(await under(await put('plain', { after: ['third'] }))).toEqual([undefined, []]);
  },
);

test('a command is given the worktree that was made for it, or works in the project', async () => {
  const own = place();
  const enter = async (worktrees?: object) => {
    const { context, put, asked } = worktrees ? place({ worktrees }) : own;
    const tree = await commandPlaces(context).enter(await put('a'), 5, new AbortController().signal);
    return [tree?.branch, asked().map((act) => (act as string[])[0])];
  };
  expect(await enter()).toEqual(['wg/a/5', ['workplace', 'create']]);
  expect(await enter({ workplace: async () => ({ place: 'project' }) })).toEqual([undefined, []]);
});

verifies(
  'test.bites',
  'a sandbox profile takes away writing from whoever may not do all of it unasked, and gives nothing',
  async () => {
    const choice = JSON.stringify({ sandbox_profile: 'own' });
    const modeIn = async (profile: object | undefined, mode: string, chosen: string | undefined = choice) =>
      await confine(place({ ...(profile && { profile }), choice: chosen }).context, { mode, model: 'm' }).catch(
        (error: TroupeError) => error.message,
      );
    const free = { write: true, shell: 'allow' };
    expect([
      await modeIn({ write: false, shell: 'deny' }, 'full', '{}'),
      await modeIn(undefined, 'full'),
      await modeIn(free, 'full'),
      await modeIn({ ...free, write: false }, 'full'),
      await modeIn({ ...free, shell: 'ask' }, 'full'),
      await modeIn({ ...free, write: false }, 'light'),
      await modeIn({ ...free, write: false }, 'bare'),
      await modeIn({ ...free, shell: 'deny' }, 'shell'),
    ]).toEqual([
      { mode: 'full', model: 'm' },
      'There is no sandbox profile “own”.',
      { mode: 'full', model: 'm' },
      { mode: 'light', model: 'm' },
      { mode: 'light', model: 'm' },
      { mode: 'light', model: 'm' },
      { mode: 'bare', model: 'm' },
      { mode: 'shell', model: 'm' },
    ]);
  },
);

verifies(
  'test.bites',
  'an attempt is placed and told as who judges, who reads, who runs a command and who may write are',
  async () => {
    const own = place();
    const plan = async (id: string, request: object = {}, from = own, more: object = {}) => {
      const view = await from.store.view();
      const inForce = { settings: settings(more), executor: 'claude', model: 'ours' };
      const attempt = { number: 5, ...request };
      const { execution, tree, prompt } = await attemptAt(from.context, view, taskOf(view, id), inForce, attempt);
      const { executor, mode, model, provider } = execution;
      const asked = from.asked().filter((act) => (act as string[])[0] === 'workplace');
      return [
        ...[executor, mode, model ?? '-', provider ?? '-', 'in', tree?.branch ?? 'the project'],
        ...asked.flatMap((act) => Object.values((act as [string, object])[1])),
        `as ${prompt.number}`,
        sectionOf(prompt, 'git').includes('no submodules') ? 'and is told what is missing' : '',
      ].join(' ');
    };
    await own.put('waits', { status: 'pending-validation', assigned: 'agent-waits-2', fence: 2 });
    await own.put('plain');
    await own.put('light', { exec_mode: 'light' });
    await own.put('command', { exec: 'make' });
    await own.put('gate', { workflow: { role: 'gate' }, after: ['plain', 'waits'] });
    await own.put('pure', { workflow: { role: 'gate' }, after: ['plain'] });
    const provider = { provider: 'openrouter' };
    expect({
      writes: await plan('plain'),
      'of another client': await plan('plain', { executor: 'codex' }, own, provider),
      'as the settings say': await plan('plain', {}, own, provider),
      'a model of its session': await plan('plain', { sessionModel: 'theirs' }),
      'a model for this once': await plan('plain', { model: 'once' }),
      judges: await plan('gate'),
      'judges what has no worktree': await plan('pure'),
      'a command': await plan('command'),
    }).toMatchInlineSnapshot(`
      {
        "a command": "shell shell - - in the project as 5 ",
        "a model for this once": "claude full once - in wg/plain/5 auto full false as 5 and is told what is missing",
        "a model of its session": "claude full theirs - in wg/plain/5 auto full false as 5 and is told what is missing",
        "as the settings say": "claude full ours openrouter in wg/plain/5 auto full false as 5 and is told what is missing",
        "judges": "claude full ours - in wg/gate/5 auto full true as 5 and is told what is missing",
        "judges what has no worktree": "claude full ours - in wg/pure/5 auto full false as 5 and is told what is missing",
        "of another client": "codex full - - in wg/plain/5 auto full false as 5 and is told what is missing",
        "writes": "claude full ours - in wg/plain/5 auto full false as 5 and is told what is missing",
      }
    `);
    const shared = async (workplace: Workplace, id: string) => {
      const from = place({ worktrees: { workplace: async () => workplace } });
      await from.put('plain');
      await from.put('light', { exec_mode: 'light' });
      const view = await from.store.view();
      const inForce = { settings: settings({ worktree_isolation: 'off' }), executor: 'claude', model: undefined };
      const { prompt, tree } = await attemptAt(from.context, view, taskOf(view, id), inForce, { number: 1 });
      return [tree, sectionOf(prompt, 'git') !== ''];
    };
    expect(
      [
        await shared({ place: 'worktree' }, 'plain'),
        await shared({ place: 'project' }, 'plain'),
        await shared({ place: 'worktree' }, 'light'),
      ],
      'git is spoken of where there is one and its files may be changed',
    ).toEqual([
      [undefined, true],
      [undefined, false],
      [undefined, false],
    ]);
  },
);

test('the prompt that is shown says how it would be run, by the session that the task belongs to', async () => {
  const own = place({ settings: { coordinator: { executor: 'claude', model: 'ours', provider: 'openrouter' } } });
  await own.put('a');
  await own.put('tagged', { tags: ['docs'] });
  const rest = { tags: [], roots: [] };
  const row = { max_agents: null, paused: false, status: 'in-progress' };
  const coordinators = [
    { ...row, id: 0, name: 'rest', scope: rest, executor: 'codex', model: 'theirs' },
    { ...row, id: 2, name: 'docs', scope: { ...rest, tags: ['docs'] }, executor: null, model: 'small' },
  ];
  const shown = async (id: string, file: object) => {
    const ownParts = async (client: string) => (client === 'codex' ? { ...NO_PARTS, hooks: ['notify'] } : NO_PARTS);
    const clientPrograms = async () => ({ ...NO_CLIENTS, ownParts });
    const sessions = async () => ({ read: async () => file, change: () => expect.unreachable() }) as never;
    const {
      text: _,
      bytes,
      sections,
      warnings: __,
      ...facts
    } = await prompt.run({ ...own.context, sessions, clientPrograms }, { id, scope: 'clean' });
    expect(sections.every((section) => section.bytes <= bytes && !section.cut)).toBe(true);
    return facts;
  };
  const none = { next_id: 1, coordinators: [] };
  const facts = { attempt: 1, mode: 'full', scope: 'clean' };
  const claude = { ...facts, executor: 'claude', provider: 'openrouter' };
  const hooks = { own: expect.stringContaining('notify') };
  expect([
    await shown('a', none),
    await shown('a', { next_id: 3, coordinators }),
    await shown('tagged', { next_id: 3, coordinators }),
  ]).toEqual([
    { ...claude, task: 'a', model: 'ours' },
    { ...facts, ...hooks, task: 'a', executor: 'codex', model: 'theirs' },
    { ...claude, task: 'tagged', model: 'small' },
  ]);
});
