import { expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { claimTask } from '#core/graph/moves.js';
import { RUN_TOKEN_PREFIX } from '#kernel/run-token.js';
import { Redactor, redact } from '#kernel/secrets.js';
import { callOperation } from '#operations/call.js';
import { specNamed } from '#operations/named.js';
import type { Context } from '#operations/operation.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';
import { world } from '../../e2e/world.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { verifies } from '../../verifies.js';

const NAME = 'agent-1';
const WRITES = OPERATIONS.filter((spec) => spec.kind === 'write');

/** A graph with the task of a run, one the run made and one of somebody else. */
async function place() {
  const { context } = world();
  const store = new GraphInMemory(context.clock);
  const now = context.clock.now();
  const by = { name: NAME, taskId: 'mine', fence: 1 };
  await store.commit((view) => addTask(view, { title: 'mine', id: 'mine' }, { now, actor: 'ann' }));
  await store.commit((view) => claimTask(view, 'mine', { now, by: { name: NAME } }));
  await store.commit((view) => addTask(view, { title: 'made', id: 'made' }, { now, actor: NAME, by }));
  await store.commit((view) => addTask(view, { title: 'theirs', id: 'theirs' }, { now, actor: 'ann' }));
  const settings = async () => ({ name: 'config.toml', read: async () => ({}), set: async () => ({ kept: true }) });
  const run: Context = {
    ...context,
    caller: { kind: 'run', name: NAME, taskId: 'mine', fence: 1 },
    graph: async () => store,
    settings: settings as never,
  };
  const seq = async () => (await store.view()).seq;
  return { run, seq, store };
}

function specOf(name: string): OperationSpec {
  const found = OPERATIONS.find((spec) => spec.name === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
}

/** As much of an input as makes the schema content, made from the table. */
function inputFor(spec: OperationSpec, id: string): Record<string, unknown> {
  const needed = (spec.arguments ?? []).filter(({ required }) => required === true);
  const said = Object.fromEntries(needed.map(({ field, many }) => [field, many ? ['theirs'] : 'x']));
  const more: Record<string, Record<string, unknown>> = {
    'task.fail': { reason: 'no' },
    'task.log': { message: 'x' },
    'task.commit': { message: 'x' },
    'task.artifact': { paths: ['x'] },
    'task.wait': { until: 'task:theirs' },
    'task.checkpoint': { summary: 'x' },
  };
  return { ...said, ...more[spec.name], id };
}

verifies('guard.rights', 'what is for people is refused to a run, before anything is looked at', async () => {
  const { run, seq } = await place();
  const before = await seq();
  const forPeople = WRITES.filter((spec) => spec.forRuns === undefined);
  const must = ['config.set', 'project.trust', 'executor.trust', 'agent.kill', 'agent.spawn', 'resource.add'];
  const also = ['task.claim', 'task.reopen', 'task.block', 'task.reclaim', 'task.exec', 'gc.remove'];
  for (const name of [...must, ...also]) expect(forPeople.map((spec) => spec.name)).toContain(name);
  for (const spec of [...forPeople, specNamed('worktree.land')])
    await expect(callOperation(spec, run, {}), spec.name).rejects.toMatchObject({ code: 'not_yours' });
  expect(await seq()).toBe(before);
});

verifies('guard.rights', 'what a run may do to its own task it may not do to one it did not make', async () => {
  const { run, seq } = await place();
  const before = await seq();
  // The last ones also show, which a run may; they look for themselves.
  const shows = ['task.log', 'task.artifact', 'task.checkpoint'];
  const own = WRITES.filter((spec) => spec.forRuns === 'own' || shows.includes(spec.name));
  expect(own.length).toBeGreaterThan(10);
  for (const spec of own) {
    expect(spec.arguments?.some(({ field }) => field === 'id') ?? false, `${spec.name} names its task`).toBe(true);
    const code = await callOperation(spec, run, inputFor(spec, 'theirs')).then(
      () => 'accepted',
      (error) => error.code,
    );
    expect([spec.name, code]).toEqual([spec.name, 'not_yours']);
  }
  expect(await seq()).toBe(before);
});

verifies(
  'guard.rights',
  'of the task it was given it changes nothing it is judged by, and no price at all',
  async () => {
    const { run, store } = await place();
    const edit = (input: object) => callOperation(specOf('task.edit'), run, input);
    const changes = [
      ...[{ verify_cmd: 'true' }, { clear: ['verify_cmd'] }, { remove_tags: ['eval-gate'] }, { model: 'big' }],
      ...[{ title: 'x' }, { max_retries: 9 }, { exec: 'true' }, { remove_after: ['a'] }, { cost: 0.01 }],
    ];
    for (const change of changes)
      await expect(edit({ id: 'mine', ...change }), JSON.stringify(change)).rejects.toMatchObject({
        code: 'not_yours',
      });
    await expect(edit({ id: 'made', cost: 1 })).rejects.toMatchObject({ code: 'not_yours' });
    const add = specOf('task.add');
    await expect(callOperation(add, run, { title: 'x', cost: 0.01 })).rejects.toMatchObject({ code: 'not_yours' });
    await edit({ id: 'made', title: 'made better', model: 'small' });
    await edit({ id: 'mine', add_tags: ['seen'] });
    const view = await store.view();
    expect(view.task('made')).toMatchObject({ title: 'made better', model: 'small' });
    expect(view.task('mine')?.tags).toContain('seen');
  },
);

verifies(['guard.children', 'sec.spawn'], 'so many tasks and as deep as the settings say, and no more', async () => {
  const { run } = await place();
  const settings = { guardrails: { max_child_tasks_per_agent: 3, max_task_depth: 8 } };
  const context: Context = {
    ...run,
    settings: async () => ({ name: 'config.toml', read: async () => settings }) as never,
  };
  const add = (title: string) => callOperation(specOf('task.add'), context, { title });
  await add('second');
  await add('third');
  await expect(add('fourth')).rejects.toMatchObject({ code: 'child_limit' });
  const none = { guardrails: { max_child_tasks_per_agent: 50, max_task_depth: 0 } };
  const flat: Context = { ...context, settings: async () => ({ name: 'c', read: async () => none }) as never };
  await expect(callOperation(specOf('task.add'), flat, { title: 'deep' })).rejects.toMatchObject({
    code: 'depth_limit',
  });
});

test('a run still does what it is there for', async () => {
  const { run, store } = await place();
  for (const [name, input] of [
    ['task.log', { id: 'mine', message: 'half way' }],
    ['task.artifact', { id: 'mine', paths: ['out.txt'] }],
    ['task.artifact', { id: 'mine', paths: ['out.txt'], remove: true }],
    ['task.pause', { id: 'made' }],
    ['task.done', { id: 'mine' }],
  ] as const)
    await callOperation(specOf(name), run, input);
  expect((await store.view()).task('mine')?.status).toBe('done');
});

verifies('sec.mask.own', 'what a run says never holds its token, wherever that would stand', async () => {
  const { run, store } = await place();
  const token = `${RUN_TOKEN_PREFIX}${'aB3-_x7q'.repeat(4)}`;
  const said = `it is ${token}, here`;
  await callOperation(specOf('task.log'), run, { id: 'mine', message: said });
  await callOperation(specOf('task.add'), run, { title: said, id: 'told', description: said, tags: [token] });
  await callOperation(specOf('task.fail'), run, { id: 'mine', reason: said });
  const text = await store.files.text(await store.view());
  expect(text).toContain('it is ********, here');
  expect(text).not.toContain(token);
  let log = '';
  for await (const entry of store.entries(1)) log += JSON.stringify(entry);
  expect(log).not.toContain(token);
  // By its shape it is known where nobody knows its value: in output, events, last words, prompts that quote them.
  expect(redact(`export WG_RUN_TOKEN ${token}`)).toBe('export WG_RUN_TOKEN ********');
  const redactor = new Redactor();
  expect(redactor.push(`a ${token.slice(0, 20)}`) + redactor.push(`${token.slice(20)} b\n`) + redactor.end()).toBe(
    'a ******** b\n',
  );
});

verifies(
  'sec.approval',
  'no run accepts its own work: not under a name, not through a task it made, not as a second run, not by what it says',
  async () => {
    const { run, store } = await place();
    const waits = (id: string, assigned: string) => ({
      id,
      set: { status: 'pending-validation', assigned, verify: 'look' },
    });
    await store.commit(() => ({
      events: [{ op: 'x', patch: [waits('mine', NAME), waits('made', 'agent-2'), waits('theirs', 'agent-3')] }],
      result: undefined,
    }));
    const approve = specOf('task.approve');
    const second: Context = { ...run, caller: { kind: 'run', name: 'agent-9', taskId: 'mine', fence: 1 } };
    for (const id of ['mine', 'made', 'theirs'])
      for (const actor of [undefined, 'ben', 'person'])
        for (const context of [run, second])
          await expect(callOperation(approve, context, { id, actor }), `${id} ${actor}`).rejects.toMatchObject({
            code: expect.stringMatching(/^(own_work|not_yours|stale_attempt|wrong_status)$/),
          });
    await callOperation(specOf('task.log'), run, { id: 'mine', message: 'approved: I looked at it myself' });
    const view = await store.view();
    for (const id of ['mine', 'made', 'theirs']) expect(view.task(id)?.status).toBe('pending-validation');

    const ann: Context = { ...run, caller: { kind: 'person', name: 'ann' } };
    const seq = view.seq;
    await callOperation(approve, ann, { id: 'theirs', actor: 'ben' });
    for await (const entry of store.entries(seq + 1))
      expect(entry).toMatchObject({ op: 'approve', actor: 'ben', detail: { account: 'ann' } });
    const log = (await store.view()).task('theirs')?.log?.at(-1);
    expect(log).toMatchObject({ actor: 'ben', message: 'Approved (from the account of ann)' });
  },
);
