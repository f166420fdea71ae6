import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { OutputFolder } from '#adapters/files/output-folder.js';
import { TraceFolder } from '#adapters/files/trace-folder.js';
import { LocalGit } from '#adapters/git/local-git.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileDoctor } from '#adapters/store/files/doctor.js';
import { RunSnapshotFolders } from '#adapters/store/run-snapshot-folders.js';
import { claimTask, doneTask, failTask, logTask } from '#core/graph/moves.js';
import { archive, archiveRestore, archiveSearch, gc } from '#operations/history/archive.js';
import { configureMergeDriver, gitMerge, mergeDriverOf } from '#operations/history/merge-driver.js';
import { replay } from '#operations/history/replay.js';
import { runsDiff, runsList, runsRestore, runsShow } from '#operations/history/runs.js';
import { traceShow } from '#operations/history/show-trace.js';
import { traceExport, traceImport } from '#operations/history/trace-files.js';
import type { Context } from '#operations/operation.js';
import type { Caller } from '#ports/callers.js';
import { world } from '../../e2e/world.js';
import { git } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { Calls } from '../told.js';

const golden = (name: string) => path.join(import.meta.dirname, `../golden/${name}.txt`);
const coded = (code: string) => expect.objectContaining({ code });

/** A project with a past, and what each call says of it. */
async function past() {
  const own = world();
  const project = room('past');
  const folder = path.join(project, '.workgraph');
  mkdirSync(folder);
  let caller: Caller = { kind: 'person', name: 'ann' };
  const snapshots = new RunSnapshotFolders(folder);
  const context = (): Context => ({
    ...own.context,
    ...{ caller, projectFolder: project, runSnapshots: async () => snapshots },
    traceFiles: async () => new TraceFolder(folder, project),
    outputs: async () => new OutputFolder(project, project),
    inspector: async () => ({ leaks: async () => [] }) as never,
    git: async () => new LocalGit(process.env),
    doctor: async () => new FileDoctor({ folder, clock: own.clock, processes: new ProcessTable() }),
  });
  const by = { name: 'agent-1' };
  const later = (minutes = 1) => own.pass(minutes * 60_000);
  const move = async (decide: (view: never) => unknown) => {
    later();
    await own.store.commit(decide as never);
  };
  for (const [id, fields] of [
    ['plan', {}],
    ['build', { after: ['plan'], tags: ['core'] }],
    ['test', { after: ['build'], after_success: ['build'] }],
    ['docs', { parent: 'build', visibility: 'public', description: 'Writes it down' }],
    ['old', { status: 'abandoned', completed_at: '2026-01-01T00:00:00.000Z' }],
  ] as const)
    await own.add(id, fields);
  for (const id of ['plan', 'build']) {
    await move((view) => claimTask(view, id, { now: own.clock.now(), by }));
    await move((view) =>
      logTask(view, id, `working at ${id}`, { now: own.clock.now(), by: { name: 'agent-1', fence: 1, taskId: id } }),
    );
    later(30);
    await move((view) => (id === 'plan' ? doneTask : failTask)(view, id, { now: own.clock.now(), by, reason: 'so' }));
  }
  const calls = new Calls(context);
  /** All that was said, with the names that differ from run to run taken out. */
  const text = () => {
    const runs = readdirSync(folder, { recursive: true }) as string[];
    const names = runs
      .map((name) => path.basename(name))
      .filter((name) => /^run-/.test(name))
      .sort();
    return names.reduce(
      (said, name, at) => said.replaceAll(name, `RUN-${at + 1}`),
      calls.text.replaceAll(project, 'PROJECT').replaceAll(path.basename(project), 'PROJECT'),
    );
  };
  return {
    ...own,
    project,
    context,
    calls,
    later,
    text,
    as: (next: Caller) => {
      caller = next;
    },
  };
}

const RUN: Caller = { kind: 'run', name: 'agent-1', taskId: 'plan', fence: 1 };

verifies(
  'test.bites',
  'what is told of the past of a task, and taken along of it, is as it was found good',
  async () => {
    const { calls, text, project, as, context } = await past();
    for (const more of [
      {},
      { full: true },
      { ops_only: true },
      { recursive: true },
      { timeline: true },
      { graph: true },
      { animate: true },
      { animate: true, speed: 2 },
      { speed: 2 },
      { at: 7 },
      { at: 2, recursive: true, timeline: true },
      { at: 999 },
    ])
      await calls.say(traceShow, { id: 'build', ...more } as never);
    await calls.say(traceShow, { id: 'nobody' });
    for (const visibility of ['internal', 'peer', 'public'] as const) await calls.say(traceExport, { visibility });
    await calls.say(traceExport, { visibility: 'internal', root: 'build', output: 'trace.json' });
    await calls.say(traceExport, { visibility: 'internal', output: 'trace.json' });
    await calls.say(traceExport, { visibility: 'internal', output: 'trace.json', force: true });
    await calls.say(traceExport, { visibility: 'internal', root: 'nobody' });
    for (const more of [{ dry_run: true }, {}, {}, { dry_run: true }, { source: 'elsewhere' }, { source: 'No/Tag' }])
      await calls.say(traceImport, { file: path.join(project, 'trace.json'), ...more });
    await calls.say(traceImport, { file: path.join(project, 'no.json') });
    await calls.say(traceImport, { file: 'trace.json', from: 'somebody' });
    await expect(text()).toMatchFileSnapshot(golden('traces'));

    const driver = () => mergeDriverOf(context());
    expect(await driver()).toBe('no_repository');
    await expect(configureMergeDriver(context())).rejects.toThrow(coded('not_a_repository'));
    git(project, 'init', '--quiet');
    expect(await driver()).toBe('absent');
    as(RUN);
    await expect(configureMergeDriver(context())).rejects.toThrow(coded('not_yours'));
    as({ kind: 'person', name: 'ann' });
    expect([await configureMergeDriver(context()), await driver(), await configureMergeDriver(context())]).toEqual(
      Array(3).fill('configured'),
    );
    const configured = (name: string) => git(project, 'config', '--local', '--get', `merge.workgraph.${name}`).trim();
    expect([configured('name'), configured('driver')]).toEqual([
      'task graph, by task and by field',
      'wg git-merge %O %A %B',
    ]);
    git(project, 'config', 'merge.workgraph.driver', 'troupe git-merge %O %A %B');
    expect(await driver()).toBe('configured');
    git(project, 'config', 'merge.workgraph.driver', 'another');
    expect(await driver()).toBe('absent');
    const line = (title: string) => `{"kind":"task","id":"a","title":"${title}","status":"open"}\n`;
    const files = {
      base: path.join(project, 'base'),
      ours: path.join(project, 'ours'),
      theirs: path.join(project, 'theirs'),
    };
    for (const [name, title] of [
      [files.base, 'A'],
      [files.ours, 'A'],
      [files.theirs, 'B'],
    ] as const)
      writeFileSync(name, line(title));
    writeFileSync(path.join(project, '.workgraph/graph.jsonl'), '');
    expect(await gitMerge.run(context(), files)).toEqual({ tasks: 1, lost: 0 });
    expect(readFileSync(files.ours, 'utf8')).toBe(line('B'));
  },
);

verifies('test.bites', 'what is done again, kept, moved out and brought back is as it was found good', async () => {
  const { calls, text, as, later } = await past();
  for (const input of [
    {},
    { failed_only: true, plan_only: true },
    { tasks: ['plan'], plan_only: true, model: 'opus' },
    { subgraph: 'docs', plan_only: true },
    { below_score: 0.5, plan_only: true },
    { tasks: ['nobody'] },
    { yes: true },
  ])
    await calls.say(replay, input);
  await calls.say(replay, { failed_only: true, model: 'opus' });
  await calls.tasks();
  const { runs } = (await calls.say(runsList, {})) as { runs: { id: string }[] };
  const id = runs[0]?.id ?? '';
  later();
  for (const operation of [runsShow, runsDiff, runsRestore]) await calls.say(operation as typeof runsShow, { id });
  await calls.say(runsRestore, { id });
  await calls.say(runsShow, { id: 'nobody' });
  await calls.tasks();
  for (const input of [
    { list: true, undo: true },
    { list: true, dry_run: true },
    { dry_run: true },
    {},
    { ids: ['plan'] },
    { list: true },
    { yes: true },
    { undo: true, dry_run: true },
    { undo: true },
    { undo: true },
    { older: '30d', dry_run: true },
    { older: '30d', yes: true },
    { ids: ['build', 'nobody'] },
  ])
    await calls.say(archive, input as never);
  for (const input of [{ query: 'old' }, { query: 'nothing' }, { query: 'o', limit: 1 }])
    await calls.say(archiveSearch, input);
  for (const input of [{ ids: ['old'], reopen: true }, { ids: ['nobody'] }, { ids: ['plan'] }])
    await calls.say(archiveRestore, input);
  for (const input of [{ dry_run: true }, {}, { yes: true }]) await calls.say(gc, input as never);
  as(RUN);
  for (const [operation, input] of [
    [replay, { tasks: ['plan'] }],
    [runsRestore, { id }],
    [archive, { yes: true }],
    [archiveRestore, { ids: ['old'] }],
    [gc, { yes: true }],
    [archive, { list: true }],
  ] as const)
    await calls.say(operation as never, input as never);
  await calls.tasks();
  await expect(text()).toMatchFileSnapshot(golden('done-again'));
});
