import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ClaudeModel } from '#adapters/models/claude-model.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { room } from '../../room.js';

const BIN = path.resolve(import.meta.dirname, '../../fixtures/bin');
const coded = (code: string, words: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(words) });
const question = { prompt: 'Reword "this".\n', timeMs: 20_000 };

function model(variables: Record<string, string> = {}, bin = BIN) {
  const kept = room();
  const programs = new LocalPrograms({ projectFolder: kept, environment: {} });
  const shared = { PATH: `${bin}:/usr/bin:/bin`, FAKE_KEPT: kept, ...variables };
  const ours = { ANTHROPIC_API_KEY: 'key', OTHER_SECRET: 'secret' };
  const of = (name: string) => readFileSync(path.join(kept, name), 'utf8');
  return { model: new ClaudeModel({ programs, shared, ours }), of };
}

/** A `claude` of its own for one test. */
function written(script: string): string {
  const bin = room();
  writeFileSync(path.join(bin, 'claude'), `#!/bin/bash\n${script}\n`);
  chmodSync(path.join(bin, 'claude'), 0o755);
  return bin;
}

test('asks with the prompt on the input, without tools, in a folder of its own that is gone after', async () => {
  const { model: claude, of } = model({ FAKE_CASE: 'success' });
  await claude.ready();
  const answer = await claude.complete(question);
  expect(answer.text.length).toBeGreaterThan(0);
  expect(answer.usage?.outputTokens).toBeGreaterThan(0);
  expect(of('stdin')).toBe(question.prompt);
  const args = of('args').split('\0');
  expect(args.slice(0, 3)).toEqual(['--print', '--output-format', 'json']);
  expect(args[args.indexOf('--disallowedTools') + 1]).toContain('Bash');
  expect(of('environment')).toContain('ANTHROPIC_API_KEY=key');
  expect(of('environment')).not.toContain('secret');
  expect(of('folder')).toContain('troupe-model-');
  expect(existsSync(of('folder').trim())).toBe(false);
});

test('a client that is not installed is named, with the way to install it', async () => {
  const { model: claude } = model({ PATH: room() });
  const missing = expect.objectContaining({ code: 'no_model', hint: expect.stringContaining('npm install -g') });
  await expect(claude.ready()).rejects.toThrowError(missing);
  await expect(claude.complete(question)).rejects.toThrowError(missing);
});

test('failures are coded: its own, none, cut, too much, too long, gone before it has read', async () => {
  const cases: [string, string][] = [
    [`echo '{"type":"result","is_error":true,"result":"credit is too low"}'; exit 1`, 'credit is too low'],
    [`echo '{"type":"result","subtype":"error_max_turns","is_error":true}'; exit 1`, 'error_max_turns'],
    ['echo oops >&2; exit 3', 'exited with 3'],
    [`echo '{"type":"result","result":"cu'`, 'without an answer'],
    [`echo '{"type":"result","result":""}'`, 'failed'],
    [`printf '{"type":"result","result":"'; head -c 1000000 /dev/zero | tr '\\0' x; echo '"}'`, 'without an answer'],
    ['exec 0<&-; exit 0', 'without an answer'],
  ];
  for (const [script, words] of cases) {
    const { model: claude } = model({}, written(script));
    const prompt = 'x'.repeat(500_000);
    await expect(claude.complete({ ...question, prompt }), script).rejects.toThrowError(
      coded('bad_model_answer', words),
    );
  }
  const { model: slow } = model({}, written('exec sleep 60'));
  await expect(slow.complete({ prompt: '', timeMs: 200 })).rejects.toThrowError(
    coded('bad_model_answer', 'took longer'),
  );
});

/** As if the program had ended so. */
function ended(outcome: object) {
  const asked: { args: readonly string[]; options: Record<string, unknown> }[] = [];
  const run = async (_: string, args: readonly string[], options: unknown) => {
    asked.push({ args, options: options as Record<string, unknown> });
    return { code: 0, end: 'exited', output: '', durationMs: 1, ...outcome };
  };
  const programs = { run, command: run } as never;
  const of = (more: object = {}) => new ClaudeModel({ programs, shared: {}, ours: {}, ...more });
  return { asked, of };
}

test('of what was printed the last result counts, and of its usage what are numbers', async () => {
  const answered = async (output: string) => (await ended({ output }).of().complete(question)) as unknown;
  const line = (more: object) => JSON.stringify({ type: 'result', result: 'yes', ...more });
  const usage = { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 4 };
  for (const [output, wanted] of [
    [line({ usage, total_cost_usd: 0.5 }), { text: 'yes', usage: { inputTokens: 321, outputTokens: 4, costUsd: 0.5 } }],
    [line({ usage: { ...usage, input_tokens: '1', output_tokens: null } }), { text: 'yes', usage: {} }],
    [line({ usage: { input_tokens: 1, cache_read_input_tokens: 'x' } }), { text: 'yes', usage: { inputTokens: 1 } }],
    [line({ usage: 7, total_cost_usd: '1' }), { text: 'yes', usage: {} }],
    [`warning\n${line({ result: 'first' })}\n${line({})}\n{"type":"other"}\n{half`, { text: 'yes', usage: {} }],
  ] as const)
    expect(await answered(output), output).toEqual(wanted);
  for (const [outcome, words] of [
    [{ output: ` ${line({})}` }, 'claude exited with 0 without an answer.'],
    [{ code: null, end: 'stopped' }, 'claude exited with stopped without an answer.'],
    [{ output: line({}), code: 2 }, 'claude failed: yes'],
    [{ output: line({ is_error: true }) }, 'claude failed: yes'],
    [{ output: line({ result: ' ' }) }, 'claude failed:  '],
    [{ output: line({ result: 7, subtype: 'odd' }) }, 'claude failed: odd'],
    [{ output: line({ result: '' }), code: 2 }, 'claude failed: 2'],
    [{ end: 'timed-out' }, 'The model took longer than 20 s.'],
  ] as const)
    await expect(ended(outcome).of().complete(question), words).rejects.toThrowError(coded('bad_model_answer', words));
  for (const [end, words] of [
    ['missing', 'The program claude is not installed.'],
    ['not-started', 'The program claude does not start.'],
  ] as const)
    await expect(ended({ end }).of().ready(), end).rejects.toThrowError(coded('no_model', words));
});

test('a model that is named is asked for, and is who answered', async () => {
  const { of, asked } = ended({ output: '{"type":"result","result":"yes"}' });
  expect([of().name, of({ model: 'opus' }).name]).toEqual(['claude-cli default', 'claude-cli opus']);
  await of().complete(question);
  await of({ model: 'opus' }).complete(question);
  await of().ready();
  const [plain, named, ready] = asked;
  expect(named?.args).toEqual([...(plain?.args ?? []), '--model', 'opus']);
  expect(plain?.args).toEqual([
    ...['--print', '--output-format', 'json', '--max-turns', '1', '--setting-sources', 'user', '--strict-mcp-config'],
    ...['--permission-mode', 'dontAsk', '--disallowedTools', expect.stringContaining('Bash')],
  ]);
  expect(ready?.args).toEqual(['--version']);
  expect([plain?.options['timeMs'], plain?.options['input']]).toEqual([question.timeMs, question.prompt]);
});
