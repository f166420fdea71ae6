import fc from 'fast-check';
import { expect, test } from 'vitest';
import { customDefinition, customExecutor, expand, VARIABLES } from '#core/runs/custom-executor.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import type { ExecutorPlan } from '#core/runs/plan.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { planOf } from './plans.js';

const WELL = { code: 0, signal: null };
const define = (executor: object) => customDefinition('mine', { executor });
const prepare = (executor: object, plan: Partial<ExecutorPlan> = {}) =>
  customExecutor(define(executor)).prepare(planOf(plan));

function refusal(action: () => unknown): TroupeError {
  try {
    action();
  } catch (error) {
    if (error instanceof TroupeError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

verifies('exec.custom', 'every variable is put in, in arguments, environment, folder and prompt', () => {
  const all = VARIABLES.map((name) => `{{${name}}}`).join('|');
  const values = {
    ...{ task_title: 'Title', task_description: 'Description', task_context: 'Context', task_identity: 'Identity' },
    ...{ skills_preamble: 'Skills', task_loop_info: 'Loop' },
  };
  const filled = 'write-it|Title|Description|Context|Identity|/work/project/tree|Skills|m1|Loop';
  const prepared = prepare(
    {
      ...{ command: 'agent', args: ['--all', all], env: { ALL: all, PLAIN: 'x' }, working_dir: 'sub/{{task_id}}' },
      prompt_template: { template: `{{ task_title }}:\n${all}\n` },
    },
    { values },
  );
  expect(prepared.args).toEqual(['--all', filled]);
  expect(prepared.environment).toEqual({ ALL: filled, PLAIN: 'x' });
  expect(prepared.folder).toBe('/work/project/tree/sub/write-it');
  expect(prepared.stdin).toBe(`Title:\n${filled}\n`);
  expect(prepare({ command: 'agent' }).stdin).toBe('Write it.\n');
  expect(prepare({ command: 'agent', model: 'own', args: ['{{model}}'] }, { model: undefined }).args).toEqual(['own']);
});

verifies('exec.custom', 'what a value holds is never expanded again', () => {
  const names = fc.constantFrom(...VARIABLES);
  const pieces = fc.oneof(
    fc.string(),
    names.map((name) => `{{${name}}}`),
    fc.constantFrom('{{', '}}', '$&', '$1', '{{{'),
  );
  const text = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (title, description) => {
      const filled = expand('<{{task_title}}|{{task_description}}>', {
        task_title: title,
        task_description: description,
      });
      expect(filled).toBe(`<${title}|${description}>`.replaceAll('\0', '\ufffd'));
    }),
  );
});

verifies('exec.custom', 'what is unknown is refused by name: variables, keys, clients, forms', () => {
  const cases: [object, RegExp][] = [
    [{ command: 'a', args: ['{{task_tilte}}'] }, /mine\.toml: there is no variable "task_tilte"/],
    [{ command: 'a', env: { A: '{{secret}}' } }, /"secret"/],
    [{ command: 'a', working_dir: '{{home}}' }, /"home"/],
    [{ command: 'a', prompt_template: { template: 'x {{nothing here}}' } }, /"nothing here"/],
    [{ command: 'a', prompt_template: { template: 'x {{__proto__}}' } }, /"__proto__"/],
    [{ command: 'a', shell: true }, /executor\.shell is an unknown field/],
    [{ command: 'a', prompt_template: { file: 'x' } }, /executor\.prompt_template/],
    [{ args: ['a'] }, /executor\.command is missing/],
    [{ command: '' }, /executor\.command/],
    [{ command: 'a\nb' }, /executor\.command/],
    [{ command: 'a', stream: 'cladue' }, /executor\.stream must be one of/],
    [{ command: 'a', timeout: 'soon' }, /executor\.timeout/],
    [{ command: 'a', timeout: 0 }, /executor\.timeout/],
    [{ command: 'a', env: { '1A': 'x' } }, /1A/],
    [{ command: 'a', env: { WG_RUN_TOKEN: 'x' } }, /WG_RUN_TOKEN is Troupe's own/],
    [{ command: 'a', args: ['x'.repeat(TEAM_LIMITS.executorArgumentBytes + 1)] }, /executor\.args\.0/],
  ];
  for (const [executor, message] of cases) {
    const error = refusal(() => define(executor));
    expect(error.code).toBe('bad_executor');
    expect(error.message).toMatch(message);
  }
  for (const value of [undefined, null, 'text', [], {}, { executor: 1 }, { executor: { command: 'a' }, more: 1 }]) {
    expect(refusal(() => customDefinition('mine', value)).code).toBe('bad_executor');
  }
  for (const name of [...Object.keys(EXECUTORS), '../x', 'A', '', 'a b', 'x'.repeat(60)]) {
    expect(refusal(() => customDefinition(name, { executor: { command: 'a' } })).message).toMatch(/name/);
  }
});

verifies(['exec.custom', 'exec.contract'], 'text of a task never becomes part of a script', () => {
  for (const option of ['-c', '-lc', '-e', '--eval', '/c', '-Command']) {
    const error = refusal(() => define({ command: 'bash', args: [option, 'echo {{task_title}}'] }));
    expect(error.message, option).toMatch(/may not be inserted into it/);
  }
  const title = '$(touch pwned); `id`';
  const values = { task_title: title };
  const asParameter = prepare({ command: 'bash', args: ['-c', 'echo "$1"', 'bash', '{{task_title}}'] }, { values });
  expect(asParameter.args).toEqual(['-c', 'echo "$1"', 'bash', title]);
  expect(prepare({ command: 'a', args: ['{{task_title}}'] }, { values: { task_title: 'a\0b' } }).args).toEqual([
    'a\ufffdb',
  ]);
  const long = { task_context: 'x'.repeat(TEAM_LIMITS.executorArgumentBytes + 1) };
  expect(refusal(() => prepare({ command: 'a', args: ['{{task_context}}'] }, { values: long })).code).toBe('too_large');
});

verifies('exec.custom', 'its folder stays within the project', () => {
  expect(prepare({ command: 'a', working_dir: '..' }).folder).toBe('/work/project');
  expect(prepare({ command: 'a', working_dir: '/work/project/other' }).folder).toBe('/work/project/other');
  for (const folder of ['../..', '/etc', '/work/project-2', '../../{{task_id}}']) {
    expect(refusal(() => prepare({ command: 'a', working_dir: folder })).code, folder).toBe('bad_executor');
  }
});

verifies('exec.custom', 'it succeeds by exit code 0, or as the client whose stream it has', () => {
  const plain = parserOf(customExecutor(define({ command: 'a' })).reader());
  plain.feed('{"type":"result","subtype":"error","is_error":true}\n');
  expect(plain.end(WELL).outcome).toBe('succeeded');
  for (const executor of [
    { command: 'a', stream: 'claude' },
    { command: 'a', type: 'claude' },
  ]) {
    const streamed = parserOf(customExecutor(define(executor)).reader());
    expect(streamed.end(WELL).outcome).toBe('failed');
  }
});

verifies('exec.never-yolo', 'a file of the project cannot turn checks off either', () => {
  const words = [
    '--yolo',
    '--dangerously-skip-permissions',
    '--permission-mode=bypassPermissions',
    'danger-full-access',
  ];
  for (const word of words) {
    const error = refusal(() => prepare({ command: 'a', args: [word] }));
    expect(error.message, word).toMatch(/without permission checks/);
    expect(prepare({ command: 'a', args: [word] }, { allowUnsafe: true }).args).toEqual([word]);
  }
});

test('a time limit is a duration or a number of seconds; a person may be who works', () => {
  expect(define({ command: 'a', timeout: '30m' }).timeoutMs).toBe(1_800_000);
  expect(define({ command: 'a', timeout: 90 }).timeoutMs).toBe(90_000);
  expect(define({ command: 'a' }).timeoutMs).toBeUndefined();
  expect(customExecutor(define({ command: 'a', human: true })).human).toBe(true);
  expect(customExecutor(define({ command: 'a' })).human).toBe(false);
});
