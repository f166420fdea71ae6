import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ClaudeModel } from '#adapters/models/claude-model.js';
import { LocalPrograms } from '#adapters/programs/local-programs.js';
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
