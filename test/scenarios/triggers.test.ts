import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, endEverything, textOf, until, untilStatus } from './program.js';

const LIVES = 6;
const NIGHTLY = `id: nightly
trigger: {type: schedule, every: daily}
nodes: [{id: look, type: run, run: 'true'}]
edges: []
`;
const INTAKE = `id: intake
trigger: {type: event, event: task-added-to-ready}
nodes: [{id: check, type: run, run: 'true'}]
edges: []
`;

function put(cwd: string, id: string, text: string): void {
  const file = path.join(cwd, '.squad/workflows', `${id}.yaml`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  const long = new Date(Date.now() - 30 * 86_400_000);
  utimesSync(file, long, long);
}

const begun = (cwd: string) =>
  textOf(path.join(cwd, '.workgraph/operations.jsonl'))
    .split('\n')
    .filter((line) => line.includes('"op":"trigger"'));

verifies(
  ['workflow.trigger', 'workflow.trust'],
  'the service begins what is due and what a task waits for, once, however often it is killed on the way',
  async () => {
    const cwd = room('project');
    onTestFinished(() => endEverything(cwd));
    await asked(['init'], { cwd });
    put(cwd, 'nightly', NIGHTLY);
    put(cwd, 'intake', INTAKE);
    await asked(['add', 'Build', '--id', 'build', '--exec', 'true', '--tag', 'workflow:intake'], { cwd });
    const problems = async () =>
      (await asked<{ problems: { kind: string; text: string }[] }>(['problems'], { cwd })).problems.filter(
        ({ kind }) => kind === 'workflow',
      );
    expect((await problems()).map(({ text }) => text)).toEqual([
      expect.stringContaining('intake cannot start automatically'),
      expect.stringContaining('nightly cannot start automatically'),
    ]);
    // Nobody agreed to the commands: nothing begins, and the task that waits is given to nobody.
    const first = await asked<{ pid: number }>(['service', 'start'], { cwd });
    await asked(['add', 'Other', '--id', 'other', '--exec', 'true'], { cwd });
    await untilStatus(cwd, 'other', 'done');
    expect(begun(cwd)).toEqual([]);
    expect(await asked(['show', 'build'], { cwd })).toMatchObject({ task: { status: 'open' } });
    process.kill(first.pid, 'SIGKILL');
    for (const id of ['nightly', 'intake']) await asked(['workflow', 'trust', id], { cwd });
    for (let life = 0; life < LIVES; life++) {
      const { pid } = await asked<{ pid: number }>(['service', 'start'], { cwd });
      // The first lives end before, while and just after it begins: as soon as there is something new, at different moments.
      for (let turn = 0; turn < life * 40 && begun(cwd).length < 2; turn++) await new Promise(setImmediate);
      process.kill(pid, 'SIGKILL');
    }
    await asked(['service', 'start'], { cwd });
    await untilStatus(cwd, 'build', 'done');
    await until('the day to have begun', () => begun(cwd).length === 2);
    const { runs, begins } = await asked<{
      runs: { run: string; playbook: string; outcome: string }[];
      begins: { workflow: string; last_run: string; due: boolean }[];
    }>(['workflow', 'status'], { cwd });
    expect(runs.map(({ playbook }) => playbook).sort()).toEqual(['intake', 'nightly']);
    expect(begins.map(({ workflow, due }) => [workflow, due])).toEqual([
      ['intake', false],
      ['nightly', false],
    ]);
    expect(begins[0]?.last_run).toBe('intake-build');
    expect(await problems()).toEqual([]);
    expect(begun(cwd)).toHaveLength(2);
  },
);
