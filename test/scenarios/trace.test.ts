import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, CLI, project, start, startService, troupe, until, untilStatus } from './program.js';

interface Shown {
  readonly status: string;
  readonly operations: readonly { readonly op: string; readonly seq: number }[];
  readonly runs: readonly Record<string, unknown>[];
  readonly summary: Record<string, unknown>;
  readonly tree: readonly { readonly id: string; readonly depth: number }[];
  readonly totals: Record<string, unknown>;
  readonly timeline: { readonly lanes: readonly (readonly { readonly id: string }[])[] };
  readonly graph: readonly { readonly id: string; readonly layer: number }[];
  readonly frames: readonly { readonly seq: number; readonly tasks: readonly { readonly status: string }[] }[];
}

verifies(
  'graph.trace.show',
  'a task that ran: operations, its run and what it printed, tree, lanes, layers, and how it was',
  async () => {
    const cwd = await project();
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    await troupe(['add', 'Build', '--id', 'build', '--exec', `printf 'hello %s' ${secret}`, '--exec-mode', 'shell'], {
      cwd,
    });
    await troupe(['add', 'Ship', '--id', 'ship', '--after', 'build'], { cwd });
    await startService(cwd);
    await untilStatus(cwd, 'build', 'done');
    await until('the run to be settled', async () => {
      const shown = await asked<Shown>(['trace', 'show', 'build', '--ops-only'], { cwd });
      return shown.operations.at(-1)?.op === 'agent_complete';
    });
    const shown = await asked<Shown>(['trace', 'show', 'build', '--full', '--recursive', '--timeline', '--graph'], {
      cwd,
    });
    expect(shown.operations.map((operation) => operation.op)).toEqual([
      'add_task',
      'claim',
      'spawn_agent',
      'done',
      'agent_complete',
    ]);
    expect(shown.runs).toEqual([
      {
        run: 'agent-1',
        attempt: 1,
        timestamp: expect.stringMatching(/Z$/),
        executor: 'shell',
        ended_at: expect.stringMatching(/Z$/),
        outcome: 'done',
        tokens: null,
        cost_usd: null,
        estimated_usd: null,
        prompt_bytes: 0,
        output_bytes: expect.any(Number), // fewer as soon as the secret in it is gone
        turns: 0,
        tool_calls: 0,
        output: 'hello ********',
      },
    ]);
    expect(shown.summary).toMatchObject({ operations: 5, runs: 1, human_interventions: 0 });
    expect(shown.tree.map((task) => `${task.depth} ${task.id}`)).toEqual(['0 build', '1 ship']);
    expect(shown.totals).toMatchObject({ tasks: 2, runs: 1, human_interventions: 0 });
    expect(shown.timeline.lanes.map((lane) => lane.map((bar) => bar.id))).toEqual([['build']]);
    expect(shown.graph.map((task) => `${task.layer} ${task.id}`)).toEqual(['0 build', '1 ship']);
    const earlier = await asked<Shown>(['trace', 'show', 'build', '--at', '3'], { cwd });
    expect([earlier.status, earlier.operations.length]).toEqual(['in-progress', 1 + 1]);
    const { task } = await asked<{ task: { status: string } }>(['show', 'build', '--at', '1'], { cwd });
    expect(task.status).toBe('open');
    for (const look of [['show'], ['trace', 'show']]) {
      const before = await troupe([...look, 'ship', '--at', '1'], { cwd });
      expect(before.stderr).toMatch(/unknown_task.*no task ship as of event 1[\s\S]*`troupe trace show ship`/);
      const beyond = await troupe([...look, 'build', '--at', '9999'], { cwd });
      expect(beyond.stderr).toMatch(/bad_input.*The log ends at \d+: there is no 9999/);
    }
    const advised = await asked<{ operations: { op: string }[] }>(['trace', 'show', 'ship'], { cwd });
    expect(advised.operations[0]?.op).toMatch(/^add/);
    const printed = await troupe(['trace', 'show', 'build', '--timeline', '--recursive'], { cwd });
    expect(printed.stdout).toContain('LANE');
    expect(printed.stdout).toContain('agent-1');
    expect((await troupe(['trace', 'show', 'nothing'], { cwd })).stderr).toContain('unknown_task');
  },
);

async function played(cwd: string, keys: readonly string[], speed = '10', signal?: NodeJS.Signals) {
  const command = `node "${CLI}" trace show a --animate --speed ${speed}; echo "ended with $?"; stty -a | grep -o '.echo\\b'`;
  const running = start(['-qefc', command, path.join(cwd, 'typescript')], {
    cwd,
    program: ['script'],
    env: { TERM: 'xterm', SHELL: '/bin/sh' },
    input: 'pipe',
  });
  await until('the first frame', () => running.stdout().includes('1/3'));
  for (const key of keys) {
    const before = running.stdout().length;
    running.child.stdin?.write(key);
    await until(`an answer to ${JSON.stringify(key)}`, () => running.stdout().length > before);
  }
  if (signal !== undefined) {
    const pid = readdirSync('/proc').find((entry) => {
      const file = `/proc/${entry}/cmdline`;
      return (
        /^\d+$/.test(entry) && existsSync(file) && readFileSync(file, 'utf8').startsWith(`node\0${CLI}\0trace\0show\0a`)
      );
    });
    process.kill(Number(pid), signal);
  }
  return (await running.finished).stdout;
}

verifies('graph.trace.animate', 'on a terminal: keys step, and q, Ctrl-C and TERM give it back as it was', async () => {
  const cwd = await project();
  await troupe(['add', 'A', '--id', 'a'], { cwd });
  await troupe(['claim', 'a'], { cwd });
  await troupe(['done', 'a'], { cwd });
  const restored = (text: string) => {
    expect(text).toContain('\u001b[?1049h\u001b[?25l');
    const end = text.lastIndexOf('\u001b[?25h\u001b[?1049l');
    expect(end).toBeGreaterThan(text.lastIndexOf('\u001b[?1049h'));
    expect(text.slice(end)).toContain('ended with 0');
    expect(text.slice(end)).toMatch(/[^-]echo\b/);
  };
  const stepped = await played(cwd, [' ', '\u001b[C', '\u001b[C', '\u001b[D', '+', 'q'], '0.1');
  expect(stepped).toContain('paused, 0.1x');
  expect(stepped).toContain('3/3');
  expect(stepped.lastIndexOf('2/3')).toBeGreaterThan(stepped.lastIndexOf('3/3'));
  expect(stepped).toContain('0.2x');
  restored(stepped);
  restored(await played(cwd, ['\u0003']));
  restored(await played(cwd, [], '0.1', 'SIGTERM'));

  const frames = await asked<Shown>(['trace', 'show', 'a', '--animate'], { cwd });
  expect(frames.frames.map((frame) => [frame.seq, frame.tasks[0]?.status])).toEqual([
    [1, 'open'],
    [2, 'in-progress'],
    [3, 'done'],
  ]);
  const piped = await troupe(['trace', 'show', 'a', '--animate'], { cwd });
  expect([piped.code, piped.stdout]).toEqual([1, '']);
  expect(piped.stderr).toContain('no_terminal');
});

verifies(
  ['graph.trace.export', 'graph.trace.import', 'graph.trace.no-leak'],
  'what one project exports another takes in, twice, and its graph stays as it was',
  async () => {
    const [cwd, other] = [await project('one'), await project('two')];
    await troupe(['add', 'The secret plan ZZ9', '--id', 'secret-plan'], { cwd });
    await troupe(['add', 'P', '--id', 'p', '--after', 'secret-plan', '--exec', 'echo ZZ9', '--visibility', 'public'], {
      cwd,
    });
    const file = path.join(other, 'their trace.json');
    const written = await asked<Record<string, unknown>>(['trace', 'export', '--visibility', 'public', '-o', file], {
      cwd,
    });
    expect(written).toMatchObject({ file, visibility: 'public', tasks: 1, operations: 1 });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/secret-plan|ZZ9/);
    const printed = await troupe(['trace', 'export', '--visibility', 'public'], { cwd });
    expect(JSON.parse(printed.stdout).tasks).toEqual(JSON.parse(text).tasks);
    expect(JSON.parse(text).tasks[0]).toMatchObject({ id: 'p', visibility: 'public' });
    expect((await troupe(['trace', 'export'], { cwd })).code).toBe(2);
    expect((await troupe(['trace', 'export', '--visibility', 'all'], { cwd })).code).toBe(2);

    await startService(other); // an import needs no lock: the service keeps it
    const imports = path.join(other, '.workgraph/imports');
    expect(await asked(['trace', 'import', 'their trace.json', '--dry-run'], { cwd: other })).toEqual({
      source: 'their-trace',
      tasks: 1,
      evaluations: 0,
      replaced: false,
      dry_run: true,
    });
    expect(existsSync(imports)).toBe(false);
    for (const replaced of [false, true]) {
      const answer = await asked(['trace', 'import', 'their trace.json', '--source', 'peer-a'], { cwd: other });
      expect(answer).toMatchObject({ source: 'peer-a', tasks: 1, replaced });
    }
    expect(readFileSync(path.join(imports, 'peer-a/tasks.yaml'), 'utf8')).toContain('imported/peer-a/p');
    expect(await asked<{ total: number }>(['list'], { cwd: other })).toMatchObject({ total: 0 });
    for (const tag of ['../up', 'a/b', '..']) {
      expect((await troupe(['trace', 'import', 'their trace.json', '--source', tag], { cwd: other })).code).toBe(2);
    }
    writeFileSync(path.join(other, 'bad.json'), '{"metadata":{"version":1},"tasks":[{"id":"x"}]}');
    const bad = await troupe(['trace', 'import', 'bad.json'], { cwd: other });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('bad_trace');
    expect(readdirSync(imports)).toEqual(['peer-a']);
  },
);

verifies(
  'sec.export',
  'one secret that no mask knew, and nothing leaves the project: not on a screen, not in a file',
  async () => {
    const cwd = await project();
    const key = `SG.${'aB3dE5gH7jK9mN1pQ3sT5v'}.${'xY2zA4bC6dE8fG0hI2jK4lM6nO8pQ0rS2tU4vW6xY8z'}`;
    const value = 'quite-an-ordinary-passphrase';
    await troupe(['add', 'Plain', '--id', 'plain', '--visibility', 'public'], { cwd });
    await troupe(['add', `Send mail with ${key}`, '--id', 'send-mail', '--visibility', 'public'], { cwd });
    await troupe(['add', `Log in with ${value}`, '--id', 'log-in', '--visibility', 'peer'], { cwd });
    for (const zone of ['public', 'peer']) {
      for (const more of [[], ['-o', 'out.json']]) {
        const refused = await troupe(['trace', 'export', '--visibility', zone, ...more], { cwd });
        expect(refused).toMatchObject({ code: 1, stdout: '' });
        expect(refused.stderr).toContain('secret_in_export');
        expect(refused.stderr).toContain('task send-mail (a key of SendGrid)');
        expect(refused.stderr).not.toContain('SG.');
      }
    }
    expect(existsSync(path.join(cwd, 'out.json'))).toBe(false);
    await troupe(['edit', 'send-mail', '--title', 'Send mail'], { cwd });
    await asked(['trace', 'export', '--visibility', 'public', '-o', 'out.json'], { cwd });
    const env = { MAILER_PASSWORD: value };
    expect((await troupe(['trace', 'export', '--visibility', 'public'], { cwd, env })).code).toBe(0); // it is not in it
    const known = await troupe(['trace', 'export', '--visibility', 'peer'], { cwd, env });
    expect(known).toMatchObject({ code: 1, stdout: '' });
    expect(known.stderr).toContain('task log-in (the value of MAILER_PASSWORD)');
    expect(known.stderr).not.toContain(value);
  },
);
