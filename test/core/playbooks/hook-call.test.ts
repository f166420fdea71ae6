import { expect, test } from 'vitest';
import { mayNameAgent, parseHookCall, phaseOfAgent, phaseOfRow } from '#core/playbooks/hook-call.js';
import { parseLane } from '#core/roles/lane-file.js';
import { rowsAmong } from '#core/roles/rows-among.js';
import { verifies } from '../../verifies.js';

const FILE = [
  '### dev',
  '- subagent: builder',
  '- status: stable',
  '- learnings:',
  '  - 2026-02-01 — plain words',
  '  - 2026-02-02 — the next lines are code',
  '  ```',
  '### qa',
  '- subagent: tester',
  '- status: stable',
  '  ```',
  '  - 2026-02-03 — <!-- hidden',
  '### deployer',
  '- subagent: shipper',
  '- status: stable -->',
  '',
  '### architect',
  '- subagent: planner',
  '- status: stable',
  '',
].join('\n');

const rows = (text: string) => parseLane('crew', text).rows.flatMap(({ row }) => row ?? []);

verifies('gate.role', 'whom a row names is read the same without its lessons, code and comments among them too', () => {
  const less = rowsAmong(FILE, () => true);
  expect(less).not.toContain('plain words');
  for (const agent of ['builder', 'tester', 'shipper', 'planner'])
    expect(phaseOfRow(agent, rows(less)), agent).toBe(phaseOfRow(agent, rows(FILE)));
  expect(phaseOfRow('planner', rows(less))).toBe('architect');
  expect(phaseOfRow('tester', rows(less))).toBeUndefined();
  expect(rowsAmong(FILE, (name) => name === 'architect')).not.toContain('builder');
  // A heading in code ends no row: what stands behind the code is still the row before it.
  const quoted = '### qa\n```\n### other\n```\n- status: stable\n- subagent: late\n';
  expect(phaseOfRow('late', rows(rowsAmong(quoted, (name) => name === 'qa')))).toBe('qa');
});

const LINES = [
  ...['### dev', '### qa', '### other', '## part', '#### deep', '###', ' ### dev', '### qa ###', '### Dev'],
  ...[
    '- status: stable',
    '- status: retired',
    '- subagent: a1',
    '- subagent: b',
    '  2',
    '- owns: things',
    '  - of mine',
  ],
  ...['- learnings:', '  - 2026-01-01 — one', '  - two --> three', '    goes on', '  - `code`', '\u2028### dev'],
  ...['```', '  ```', '~~~~', '    ```', '<!-- note', '-->', '<!-- a --> b', '---', '', 'words', 'words --> ### qa'],
];

verifies('gate.role', 'of any file, the rows that are asked for are read as they are in all of it', () => {
  let state = 20261123;
  const next = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
  let usable = 0;
  for (let file = 0; file < 400; file++) {
    const end = ['\n', '\r\n', '\r'][next(3)] ?? '';
    const lines = Array.from({ length: 2 + next(24) }, () => LINES[next(next(3) === 0 ? LINES.length : 18)]);
    const text = `${next(9) === 0 ? '\ufeff' : ''}${lines.join(end)}${next(2) === 0 ? end : ''}`;
    const fields = (source: string) =>
      rows(source)
        .filter(({ name }) => name === 'dev' || name === 'qa')
        .map(({ name, status, fields }) => [name, status, [...fields].filter(([key]) => key !== 'learnings')]);
    const whole = fields(text);
    usable += whole.length;
    expect(fields(rowsAmong(text, (name) => name === 'dev' || name === 'qa')), JSON.stringify(text)).toEqual(whole);
    if (rows(text).some(({ fields }) => fields.get('subagent') === 'b 2')) expect(mayNameAgent(text, 'b 2')).toBe(true);
  }
  expect(usable).toBeGreaterThan(40);
});

test('what a client says of a call is read, and what it could not mean is left out', () => {
  const call = (more: object, input: unknown = { subagent_type: 'dev' }) =>
    parseHookCall(JSON.stringify({ tool_input: input, cwd: '/p', session_id: 's-1', ...more }));
  expect(call({})).toEqual({ subagent: 'dev', cwd: '/p', session: 's-1' });
  expect(call({}, {})).toMatchObject({ subagent: undefined });
  for (const cwd of ['p', '', 7, '/a\0b']) expect(call({ cwd }).cwd, String(cwd)).toBeUndefined();
  for (const session_id of ['', 'a b', 7, 'x'.repeat(65)]) expect(call({ session_id }).session).toBeUndefined();
  for (const [payload, why] of [
    ['{', /not JSON/],
    ['7', /tool_input/],
    ['{"tool_input":7}', /tool_input/],
    ['{"tool_input":{"subagent_type":7}}', /not text/],
  ] as const)
    expect(() => parseHookCall(payload)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringMatching(why) }),
    );
});

test('the phase that an agent begins is told by its name alone', () => {
  const phase = (agent: string) => phaseOfAgent(agent, ['dev', 'qa']);
  expect(['dev', 'dc-qa', 'plugin:dev', 'plugin:dc-dev', 'a:b:qa'].map(phase)).toEqual([
    'dev',
    'qa',
    'dev',
    'dev',
    undefined,
  ]);
  expect(['devs', 'dc-dc-dev', 'DEV', ''].map(phase)).toEqual([undefined, undefined, undefined, undefined]);
});

test('a call that is no JSON is refused in one sentence', () => {
  expect(() => parseHookCall('garbage')).toThrowError(
    expect.objectContaining({
      ...{
        code: 'bad_input',
        message: expect.stringMatching(/^The hook input of the client cannot be read: it is not JSON/),
      },
    }),
  );
});
