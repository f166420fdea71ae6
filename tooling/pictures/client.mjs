// Stand-in for a model client: does what the table says for its task, so that pictures show work and cost nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const { TROUPE_BIN, WG_ATTEMPT, WG_TASK_ID: task } = process.env;
if (process.argv.includes('--version')) {
  process.stdout.write('2.1.330 (Claude Code)\n');
  process.exit(0);
}
process.stdin.resume(); // the prompt

const PARSER = `/** Rows of a table in CSV; an empty text has none. */
export function parse(text) {
  if (text === '') return [];
  const rows = [];
  for (const line of text.split('\\n')) {
    if (line.trim() === '') continue;
    rows.push(line.split(',').map((field) => field.trim()));
  }
  return rows;
}
`;
const PARSER_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from '../src/parser.js';

test('an empty text has no rows', () => assert.deepEqual(parse(''), []));
test('fields are trimmed', () => assert.deepEqual(parse('a, b'), [['a', 'b']]));
`;
const ERRORS = `export const ERRORS = {
  no_seat: { status: 409, what: 'The seat is taken.', hint: 'Choose another one.' },
  no_show: { status: 404, what: 'There is no such show.', hint: 'See /shows.' },
  unpaid: { status: 402, what: 'The booking is not paid.', hint: 'Pay within ten minutes.' },
};
`;
const SCHEMA =
  '# Schema\n\n| Table | Key |\n| --- | --- |\n| show | id |\n| seat | show, row, number |\n| booking | id |\n';

/** Words, calls, files and the end of attempts, by the beginning of their task. */
const PLAYS = {
  'design-the-schema': { cost: 0.31, says: ['Three tables are enough.'], files: { 'docs/schema.md': SCHEMA } },
  'choose-a-licence': { cost: 0.04, says: ['MIT, as the packages we use.'], files: { LICENSE: 'MIT License\n' } },
  'handle-empty-input': {
    cost: 0.18,
    says: ['The parser returns one row with an empty field. I add a case, and a test for it.'],
    calls: [
      ['Read', { file_path: 'src/parser.js' }, '7 lines'],
      ['Bash', { command: 'npm test' }, '2 tests passed'],
    ],
    files:
      WG_ATTEMPT === '1'
        ? { 'src/parser.js': PARSER }
        : { 'src/parser.js': PARSER, 'test/parser.test.js': PARSER_TEST },
  },
  'give-every-api': {
    cost: 0.22,
    says: ['Each error gets a status, a sentence and a hint.'],
    calls: [['Bash', { command: 'grep -rn "throw new Error" src' }, '3 places']],
    files: { 'src/errors.js': ERRORS },
  },
  'design-the-importer': {
    cost: 0.06,
    says: ['Two grammars are possible.'],
    asks: 'Which grammar should the importer read: RFC 4180, or what spreadsheets write?',
  },
  'fix-the-failing': {
    cost: 0.4,
    says: ['I look at the session first.'],
    calls: [['Bash', { command: 'npm test -- auth' }, '2 tests failed', true]],
    fails: '2 tests are still red in auth.test.js',
  },
  'seat-map-part': {
    cost: 0.02,
    says: ['The seat plan is a drawing, not a table.'],
    fails: 'data/plan.svg has no seat numbers',
  },
  'split-the-tokenizer': {
    says: ['The lexer has nine states; I put them into a table.'],
    calls: [
      ['Edit', { file_path: 'src/lexer.js' }, 'edited'],
      ['Bash', { command: 'npm test -- lexer' }, '14 tests passed'],
    ],
  },
  'write-the-booking': {
    says: ['A booking holds its seats for ten minutes.'],
    calls: [['Bash', { command: 'npm test -- rules' }, '1 test failed', true]],
  },
  'measure-the-search': {
    says: ['I read the query plan.'],
    calls: [['Read', { file_path: 'src/search.js' }, '88 lines']],
  },
};
const WORKS = ['split-the-tokenizer', 'write-the-booking', 'measure-the-search'];
const name = Object.keys(PLAYS).find((known) => task?.startsWith(known));
const { cost = 0.05, says = ['Done as asked.'], calls = [], files = {}, asks, fails } = PLAYS[name] ?? {};

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const session = `session-of-${task}`;
let messages = 0;
const assistant = (content) =>
  print({
    type: 'assistant',
    message: {
      id: `message-${++messages}`,
      model: 'claude-sonnet-4-5',
      content: [content],
      usage: { input_tokens: 2_400, output_tokens: 180 },
    },
  });
const troupe = (...words) => execFileSync(TROUPE_BIN, words, { stdio: 'ignore' });
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

print({ type: 'system', subtype: 'init', session_id: session, model: 'claude-sonnet-4-5', tools: [], mcp_servers: [] });
for (const text of says) assistant({ type: 'text', text });
for (const [at, [tool, input, result, isError = false]] of calls.entries()) {
  await pause(400);
  assistant({ type: 'tool_use', id: `call-${at}`, name: tool, input });
  await pause(400);
  const content = [
    { type: 'tool_result', tool_use_id: `call-${at}`, is_error: isError, content: [{ type: 'text', text: result }] },
  ];
  print({ type: 'user', message: { role: 'user', content } });
}
if (WORKS.includes(name)) await pause(10 * 60_000); // until it is stopped
for (const [file, text] of Object.entries(files)) {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  writeFileSync(file, text);
}
if (asks) troupe('wait', task, '--until', 'human-input', '--checkpoint', asks);
else if (fails) troupe('fail', task, '--reason', fails);
else troupe('done', task);
print({
  ...{
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: says.at(-1),
    num_turns: messages,
    session_id: session,
  },
  ...{
    total_cost_usd: cost,
    usage: { input_tokens: Math.round(cost * 60_000), output_tokens: Math.round(cost * 9_000) },
  },
});
