import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { FunctionFolder } from '#adapters/catalog/function-folder.js';
import { OutputFolder } from '#adapters/files/output-folder.js';
import { FileDoctor } from '#adapters/store/files/doctor.js';
import { sha256 } from '#kernel/hash.js';
import { callOperation } from '#operations/call.js';
import { keepOutput } from '#operations/keep-output.js';
import type { Context } from '#operations/operation.js';
import { asksForFile, type OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';
import type { Caller } from '#ports/callers.js';
import { NO_RUNS } from '../../no-runs.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { place } from '../history/place.js';

const RUN: Caller = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1, token: 'of-the-run' };

/** What names a file, a folder or a place, by how it is said in help or what it is called. */
const LIKE_A_FILE = /^(FILE|PATH|FOLDER|DIR)$/;
const CALLED_LIKE_ONE = /(^|_)(file|files|path|paths|out|output|folder|dir|base|ours|theirs|artifacts)$/;
/** Fields that sound like a file and write none where they say: they are read, or only written down. */
const NOT_WRITTEN = new Set([
  ...['task.import file', 'worktree.show path'],
  ...['trace.import file', 'func.apply input_file', 'func.apply from', 'casting.universes add', 'member.charter file'],
  ...['blueprint.validate file', 'blueprint.apply file', 'graph.simulate file', 'task.checkpoint files'],
  ...['task.artifact paths', 'project.git-merge base', 'project.git-merge theirs'],
  ...['task.add inputs', 'task.add deliverables', 'graph.viz critical_path', 'workflow.run dependenciesFrom'],
  ...['task.submit path', 'plan.submit path', 'artifact.put path', 'agency.remote.add path', 'evolve.apply file'],
  ...['formation.sweep slices', 'formation.hand-in path', 'formation.read file'],
  ...['work.start blueprint_file', 'work.start dependenciesFrom', 'roster.workgroup file'],
  ...['office', 'project', 'workgroup', 'sub-roster', 'show', 'check'].map((name) => `roster.${name} home`),
]);

const flagsOf = (spec: OperationSpec) => [...(spec.options ?? []), ...(spec.arguments ?? [])];
const WRITERS = OPERATIONS.filter((spec) => flagsOf(spec).some(({ writes }) => writes === true));

/** A project with a done task, and the folders of a run with a worktree. */
async function project() {
  const own = await place();
  await own.store.commit(() => ({
    events: [
      {
        op: 'add_task',
        task_id: 'a',
        patch: [{ id: 'a', put: { kind: 'task', id: 'a', title: 'A', status: 'done' } as never }],
      },
    ],
    result: undefined,
  }));
  const mine = [path.join(own.folder, 'agents', 'agent-1'), path.join(own.folder, 'worktrees', 'attempt-1')];
  for (const folder of mine) mkdirSync(folder, { recursive: true });
  const contextOf = (caller: Caller): Context => ({
    ...own.context(),
    caller,
    runs: async () => ({
      ...NO_RUNS,
      identity: async () => ({ taskId: 'a', fence: 1, mail: 'none', tokenHash: sha256('of-the-run') }),
      places: async () => mine,
    }),
    outputs: async () => new OutputFolder(own.project, own.project),
    functions: async () => new FunctionFolder(own.project),
    doctor: async () =>
      new FileDoctor({ folder: own.folder, clock: own.context().clock, processes: undefined as never }),
    inspector: async () => ({ leaks: async () => [] }) as never,
    squad: async () => ({ readTeam: async () => undefined }) as never,
  });
  return { ...own, contextOf, mine };
}

/** An input with which an operation would write there; the file of the merge driver is one of its inputs too. */
function inputFor(name: string, file: string, graph: string): object | undefined {
  const inputs: Record<string, object> = {
    'graph.viz': { output: file },
    'store.rebuild': { output: file },
    'trace.export': { output: file, visibility: 'internal' },
    'func.extract': { output: file, tasks: ['a'] },
    'project.git-merge': { base: graph, ours: file, theirs: graph },
  };
  return inputs[name];
}

verifies(
  'sec.doors',
  'whatever sounds like a file in the table is said to be written, or known to be none that is',
  () => {
    const undecided = OPERATIONS.flatMap((spec) =>
      flagsOf(spec)
        .filter((each) => ('value' in each && LIKE_A_FILE.test(each.value ?? '')) || CALLED_LIKE_ONE.test(each.field))
        .filter(({ writes }) => writes !== true)
        .map(({ field }) => `${spec.name} ${field}`)
        .filter((each) => !NOT_WRITTEN.has(each)),
    );
    expect(undecided).toEqual([]);
    expect(WRITERS.map(({ name }) => name).sort()).toEqual([
      'artifact.get',
      'blueprint.generate',
      'export.claude-plugins',
      'func.extract',
      'graph.viz',
      'project.git-merge',
      'store.rebuild',
      'trace.export',
    ]);
    for (const spec of WRITERS)
      expect(asksForFile(spec, { [flagsOf(spec).find(({ writes }) => writes)?.field ?? '']: 'x' })).toBe(true);
  },
);

verifies('sec.doors', 'no operation writes for a run anywhere but below its own worktree or folder', async () => {
  const { contextOf, project: folder, folder: graphFolder, mine } = await project();
  const graph = path.join(graphFolder, 'graph.jsonl');
  const home = room('home');
  writeFileSync(path.join(home, 'profile.dot'), 'mine\n');
  symlinkSync(home, path.join(mine[1] ?? '', 'way-out'));
  const places = [home, folder, path.join(mine[1] ?? '', 'way-out'), path.join(graphFolder, 'agents'), `${mine[0]}-2`];
  for (const spec of WRITERS) {
    for (const name of ['profile.dot', 'new.dot', 'new.yaml']) {
      for (const place of places) {
        const input = inputFor(spec.name, path.join(place, name), graph);
        if (input === undefined) continue; // it asks a model first: it writes by the same function as the others
        for (const force of spec.name === 'project.git-merge' ? [{}] : [{}, { force: true }]) {
          const code = await callOperation(spec, contextOf(RUN), { ...input, ...force }).then(
            () => 'written',
            (error) => error.code,
          );
          expect(
            ['not_yours', 'unsafe_path', 'bad_input', 'usage', 'not_found'],
            `${spec.name} ${place}/${name}`,
          ).toContain(code);
        }
      }
    }
  }
  expect(readFileSync(path.join(home, 'profile.dot'), 'utf8')).toBe('mine\n');
  expect(readdirSync(home)).toEqual(['profile.dot']);
  expect(readdirSync(folder)).toEqual(['.workgraph']);
  const viz = OPERATIONS.find(({ name }) => name === 'graph.viz') as OperationSpec;
  for (const own of mine) {
    const file = path.join(own, 'mine.dot');
    expect(await callOperation(viz, contextOf(RUN), { output: file })).toMatchObject({ file });
  }
  // What git keeps of a worktree lies in it, and is not the run's to write, whatever it insists on.
  const git = path.join(mine[1] ?? '', '.git');
  writeFileSync(git, 'gitdir: elsewhere\n');
  for (const force of [false, true])
    await expect(keepOutput(contextOf(RUN), git, 'x', { force })).rejects.toMatchObject({ code: 'not_yours' });
  rmSync(git);
  const forged = contextOf({ ...RUN, token: 'guess' });
  await expect(callOperation(viz, forged, { output: path.join(mine[0] ?? '', 'x.dot') })).rejects.toMatchObject({
    code: 'bad_run_token',
  });
  // A run that puts a link where its folder was has no folder.
  rmSync(mine[0] ?? '', { recursive: true });
  symlinkSync(home, mine[0] ?? '');
  await expect(keepOutput(contextOf(RUN), path.join(mine[0] ?? '', 'x'), 'x', {})).rejects.toMatchObject({
    code: 'not_yours',
  });
});

verifies('sec.doors', 'nobody writes over a file they did not write so, unless they insist', async () => {
  const { contextOf, project: folder, folder: graphFolder } = await project();
  const ann = contextOf({ kind: 'person', name: 'ann' });
  const keep = (name: string, text: string, force = false) => keepOutput(ann, name, text, { force });
  const file = path.join(folder, 'out.txt');
  expect(await keep('out.txt', 'one')).toBe(file);
  await keep('out.txt', 'two');
  expect(readFileSync(file, 'utf8'), 'it was written so before').toBe('two');
  writeFileSync(file, 'by hand');
  await expect(keep('out.txt', 'three')).rejects.toMatchObject({ code: 'file_exists' });
  expect(readFileSync(file, 'utf8')).toBe('by hand');
  await keep('out.txt', 'three', true);
  expect(readFileSync(file, 'utf8')).toBe('three');
  const precious = path.join(room('elsewhere'), 'precious');
  writeFileSync(precious, 'precious');
  symlinkSync(precious, path.join(folder, 'link'));
  await expect(keep('link', 'x')).rejects.toMatchObject({ code: 'file_exists' });
  await keep('link', 'x', true);
  expect(readFileSync(precious, 'utf8'), 'a link is replaced, not followed').toBe('precious');
  mkdirSync(path.join(folder, 'a.dot'));
  await expect(keep('a.dot', 'x', true)).rejects.toMatchObject({ code: 'bad_input' });
  await expect(keep('no/where.dot', 'x')).rejects.toMatchObject({ code: 'not_found' });
  for (const name of ['.workgraph/graph.jsonl', '.workgraph/service/x', '.git/config'])
    await expect(keep(name, 'x', true), name).rejects.toMatchObject({ code: 'unsafe_path' });
  expect(readdirSync(folder).sort()).toEqual(['.workgraph', 'a.dot', 'link', 'out.txt']);
  expect(readdirSync(graphFolder)).not.toContain('x');
});
