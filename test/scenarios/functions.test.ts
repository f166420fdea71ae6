import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, startService, troupe } from './program.js';

interface Applied {
  readonly function_id: string;
  readonly prefix: string;
  readonly task_count: number;
  readonly task_ids: string[];
  readonly held?: string[];
}

interface Listed {
  readonly functions: { readonly id: string }[];
  readonly problems: { readonly id: string; readonly code: string }[];
}

const refusal = async (args: string[], cwd: string, env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await troupe([...args, '--json'], { cwd, env });
  expect(stdout).toBe('');
  return { exit: code, ...(JSON.parse(stderr) as { error: { code: string; message: string } }).error };
};

/** The review cycle of the manual, gone through once and done. */
async function doneCycle(): Promise<string> {
  const cwd = await project();
  await asked(
    [
      'add',
      'Write login page',
      '--id',
      'login-write',
      '--max-iterations',
      '5',
      '--cycle-guard',
      'task:login-review=failed',
    ],
    { cwd },
  );
  await asked(['add', 'Review login page', '--id', 'login-review', '--after', 'login-write'], { cwd });
  await asked(['edit', 'login-write', '--add-after', 'login-review'], { cwd });
  for (const id of ['login-write', 'login-review']) {
    await asked(['claim', id], { cwd });
    await asked(['done', id], { cwd });
  }
  return cwd;
}

const SHELL_FUNCTION = `kind: trace-function
version: 1
id: shell
inputs: [{ name: what, type: string, required: true }]
tasks:
  - { template_id: run, title: "Run {{input.what}}", exec: "touch ran" }
  - { template_id: read, title: Read, after: [run] }
`;

verifies(
  ['graph.func.extract', 'graph.func.apply'],
  'a cycle that went well is extracted, listed, shown and applied to other work',
  async () => {
    const cwd = await doneCycle();
    expect((await troupe(['func', 'list'], { cwd })).stdout).toContain('troupe func extract');
    const made = await asked<{ function_id: string; file: string; task_count: number }>(
      ['func', 'extract', 'login-write', '--subgraph'],
      { cwd },
    );
    expect(made).toMatchObject({ function_id: 'login', file: '.workgraph/functions/login.yaml', task_count: 2 });
    expect(readFileSync(path.join(cwd, made.file), 'utf8')).toContain('guard: task:review=failed');
    expect(await refusal(['func', 'extract', 'login-write', '--subgraph'], cwd)).toMatchObject({
      code: 'function_exists',
      exit: 1,
    });
    expect((await asked<Listed>(['func', 'list'], { cwd })).functions).toMatchObject([{ id: 'login', task_count: 2 }]);
    const shown = await troupe(['func', 'show', 'login'], { cwd });
    expect(shown.stdout).toContain('Write {{input.feature_name}}');
    expect(shown.stdout).toContain('≤ 5 while task:review=failed');

    const dry = await asked<Applied>(['func', 'apply', 'login', '--input', 'feature_name=Search, new', '--dry-run'], {
      cwd,
    });
    const applied = await asked<Applied>(['func', 'apply', 'login', '--input', 'feature_name=Search, new'], { cwd });
    expect(Object.keys(applied)).toEqual(['function_id', 'prefix', 'task_count', 'task_ids']);
    expect(applied).toEqual({
      function_id: 'login',
      prefix: 'search-new',
      task_count: 2,
      task_ids: ['search-new-review', 'search-new-write'],
    });
    expect(dry).toMatchObject(applied);
    const log = readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8').trim().split('\n').slice(-2);
    expect(log.map((line) => (JSON.parse(line) as { tx: number[] }).tx)).toEqual([
      [1, 2],
      [2, 2],
    ]);
    const { tasks } = await asked<{ tasks: { id: string; title: string }[] }>(['ready'], { cwd });
    expect(tasks).toMatchObject([{ id: 'search-new-write', title: 'Write Search, new' }]);
  },
);

verifies(
  ['graph.func.apply', 'graph.func.inert'],
  'from another project commands wait for a person; values come from a file, the service gives the same answer',
  async () => {
    const other = await project('other');
    mkdirSync(path.join(other, '.workgraph/functions'));
    writeFileSync(path.join(other, '.workgraph/functions/shell.yaml'), SHELL_FUNCTION);
    const cwd = await project();
    writeFileSync(path.join(cwd, 'values.json'), '{"what": "it all"}');
    const near = path.relative(cwd, other);
    const from = ['--from', near];
    const held = await asked<Applied>(['func', 'apply', 'shell', ...from, '--input-file', 'values.json'], { cwd });
    expect(held.held).toEqual(['shell-run']);
    const run = await asked<{ task: { paused?: boolean; tags?: string[] } }>(['show', 'shell-run'], { cwd });
    expect(run.task).toMatchObject({ paused: true, tags: ['review-exec'], title: 'Run it all' });

    await startService(cwd);
    const values = ['--input', 'what=x'];
    const trusted = await asked<Applied>(
      ['func', 'apply', ...from, '--trust', ...values, 'shell', '--after', 'shell-run'],
      { cwd },
    );
    expect(trusted.task_ids).toEqual(['shell-2-read', 'shell-2-run']);
    const free = await asked<{ task: { paused?: boolean; after?: string[] } }>(['show', 'shell-2-run'], { cwd });
    expect(free.task.paused).toBeUndefined();
    expect(free.task.after).toEqual(['shell-run']);
    const file = path.join(near, '.workgraph/functions/shell.yaml');
    expect((await asked<Applied>(['func', 'apply', '--from', file, ...values], { cwd })).prefix).toBe('shell-3');
    expect((await asked<Applied>(['func', 'apply', '--from', `${near}:shell`, ...values], { cwd })).prefix).toBe(
      'shell-4',
    );
  },
);

verifies('graph.func.apply', 'every refusal has its code and changes nothing', async () => {
  const cwd = await project();
  const functions = path.join(cwd, '.workgraph/functions');
  mkdirSync(functions);
  writeFileSync(path.join(functions, 'shell.yaml'), SHELL_FUNCTION);
  writeFileSync(path.join(functions, 'renamed.yaml'), SHELL_FUNCTION);
  writeFileSync(
    path.join(functions, 'planned.yaml'),
    SHELL_FUNCTION.replace('version: 1', 'version: 2').replace('id: shell', 'id: planned'),
  );
  const before = readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8');
  const listed = await asked<Listed>(['func', 'list', '--include-peers'], { cwd });
  expect(listed.functions.map((row) => row.id)).toEqual(['planned', 'shell']);
  expect(listed.problems).toMatchObject([{ id: 'renamed', code: 'function_invalid' }]);
  const values = ['--input', 'what=x'];
  const CASES: [string[], string][] = [
    [['func', 'apply', 'shell', '--input', 'typo=1'], 'bad_input'],
    [['func', 'apply', 'shell', '--input', 'what'], 'bad_input'],
    [['func', 'apply', 'planned', ...values], 'function_unsupported'],
    [['func', 'apply', 'renamed', ...values], 'function_invalid'],
    [['func', 'apply', 'shel', ...values], 'unknown_function'],
    [['func', 'apply', ...values], 'usage'],
    [['func', 'apply', 'shell', '--from', 'friends', ...values], 'unknown_peer'],
    [['func', 'apply', '--from', 'friends:shell', ...values], 'unknown_peer'],
    [['func', 'apply', 'shell', '--from', './gone.yaml', ...values], 'not_found'],
    [['func', 'apply', 'shell', '--after', 'nobody', ...values], 'unknown_task'],
    [['func', 'extract', 'nobody'], 'unknown_task'],
    [['func', 'extract', 'nobody', '--output', '../x.yaml'], 'unsafe_path'],
    [['func', 'extract', 'nobody', '--output', '.git/hooks/x.yaml'], 'bad_input'],
  ];
  for (const [args, code] of CASES) expect(await refusal(args, cwd), args.join(' ')).toMatchObject({ code });
  const noClaude = { PATH: path.dirname(process.execPath) };
  const refused = await refusal(['func', 'extract', 'nobody', '--generalize'], cwd, noClaude);
  expect(refused).toMatchObject({ code: 'no_model', exit: 1 });
  const both = await refusal(['func', 'apply', 'shell', '--input', 'typo=1'], cwd);
  expect(both.message).toContain('what is missing');
  expect(both.message).toContain('typo is not one of its inputs');
  expect(readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8')).toBe(before);
});

test('a run may not vouch for a function, nor read one outside its project', async () => {
  const other = await project('other');
  mkdirSync(path.join(other, '.workgraph/functions'));
  writeFileSync(path.join(other, '.workgraph/functions/shell.yaml'), SHELL_FUNCTION);
  const cwd = await project();
  await asked(['add', 'Own', '--id', 'own'], { cwd });
  await asked(['claim', 'own', '--actor', 'agent-1'], { cwd });
  const run = { WG_AGENT_ID: 'agent-1', WG_TASK_ID: 'own', WG_FENCE: '1' };
  const apply = ['func', 'apply', 'shell', '--from', other, '--input', 'what=x'];
  expect(await refusal([...apply, '--trust'], cwd, run)).toMatchObject({ code: 'not_yours' });
  expect(await refusal(apply, cwd, run)).toMatchObject({ code: 'unsafe_path' });
});
