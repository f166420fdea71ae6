import path from 'node:path';
import { expect, test } from 'vitest';
import type { PromptPart } from '#core/roles/prompt-parts.js';
import { isSupportedNode } from '#core/runs/node-version.js';
import type { PromptFacts } from '#core/runs/prompt-facts.js';
import { fillPlaceholders, parseWording, WORDING_NAMES, type Wording } from '#core/runs/prompt-wording.js';
import { verbsOf } from '#core/runs/report-way.js';
import { shell } from '#core/runs/shell.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { TaskFields } from '../graph/graph.js';
import { codeOf, graphOf } from '../graph/graph.js';
import { promptFor, WORDING } from './facts.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const AT = '2026-03-21T10:00:00.000Z';

/** Of our own words the name and what is filled into them. */
const SHORT = Object.fromEntries(
  WORDING_NAMES.map((name) => [name, [`(${name})`, ...(WORDING[name].match(/\{\{[^{}]*\}\}/g) ?? [])].join(' ')]),
) as unknown as Wording;

const many = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word}-${index}`);
const entry = (message: string, actor?: string) => ({
  timestamp: AT,
  message,
  ...(actor === undefined ? {} : { actor }),
});
const message = (text: string, more: object = {}) => ({ from: 'ann', at: AT, text, ...more });
const part = (name: PromptPart['part'], text: string): PromptPart => ({
  part: name,
  text,
  bytes: text.length,
  sha256: 's',
});
const more = TEAM_LIMITS.promptListRows + 2;

/** A task with something to say in every section, among tasks of every kind. */
const RICH: (TaskFields & { id: string })[] = [
  {
    ...{ id: 'work', title: 'Do it', description: 'All of it.', status: 'in-progress', fence: 3, assigned: 'agent-1' },
    ...{ after: ['before', 'lost', 'work', 'inner', 'nobody'], tags: ['t1'], skills: ['s1'], inputs: ['in.md'] },
    ...{ deliverables: ['out.md'], verify: 'Read it.', verify_cmd: 'make check', checkpoint: 'half way' },
    ...{ cycle_config: { max_iterations: 4 }, loop_iteration: 2, retry_count: 1, team: 't' },
    ...({ review_feedback: { text: 'Shorter.', by: 'tess', number: 1 }, asked_to_report: 3 } as object),
    log: [entry('first', 'agent-0'), entry('Failed: no luck'), entry('Last words: Farewell', 'agent-0'), entry('last')],
  },
  { id: 'inner', title: 'In the cycle', after: ['work'], log: [entry('pass done')] },
  {
    ...{ id: 'before', title: 'Before', status: 'done', artifacts: many(more, 'art') },
    ...({ deliverable: { artifact: 'A1', title: 'The text', sha256: 's', summary: '', fence: 1 } } as object),
    log: [...many(TEAM_LIMITS.promptLogLines + 2, 'line').map((text) => entry(text)), entry('Last words: Bye')],
  },
  { id: 'lost', title: 'Lost', status: 'failed' },
  { id: 'user', title: 'User', after: ['work'], inputs: ['out.md', 'in.md'] },
  { id: 'away', title: 'Away', status: 'abandoned' },
  { id: 'parked', title: 'Parked', status: 'waiting' },
];
const FULL: Partial<PromptFacts> = {
  scope: 'full',
  attempt: 4,
  identity: {
    role: { name: 'Writer', description: 'Writes.', outcome: 'Texts.' },
    tradeoff: { description: 'Slowly.', acceptable: ['slow', 'dear'], unacceptable: ['wrong'] },
    member: { name: 'Ann', charter: 'Be kind.' },
    agent: { name: 'Bot', id: 'bot-1', does: 'leads', about: 'To lead.', file: 'You lead.' },
  },
  role: {
    parts: [
      part('charter', 'Charter.'),
      part('body', 'Body.'),
      part('row', 'Row.'),
      part('core lessons', 'Core.'),
      part('own lessons', 'Own.'),
    ],
    alone: true,
  },
  skills: [
    { kind: 'name', source: 'prose' },
    { kind: 'file', source: 'a.md', text: 'Text of a file.' },
    { kind: 'url', source: 'https://x', warning: 'gone\naway' },
    { kind: 'inline', text: 'Text inline.' },
  ],
  evaluations: new Map([
    ['work', ['too long']],
    ['lost', ['no idea', 'no plan']],
    ['before', ['never shown']],
  ]),
  recovery: 'It was at the end.',
  conflict: { branch: 'wg/work', diff: '-a\n+b' },
  handsIn: { run: 'r1', names: ['report'] },
  judged: [
    { task: 'before', changes: '+x' },
    { task: 'lost', changes: '+y' },
  ],
  messages: [message('hurry', { urgent: true }), message('and?')],
  team: {
    ...{ id: 't', name: 'Team', member: 'Ann', position: 'leader', others: ['Bob: tester'] },
    strategy: { text: 'The plan.', sha256: 's', part: ['write'], guardrails: ['no lies', 'no key sk-ant-REDACTED'] },
    mail: [message('hello')],
  },
  conversation: {
    id: 'c1',
    from: 'Bob',
    text: 'Please do.',
    checkpoint: many(TEAM_LIMITS.envelopeLines + 2, 'c').join('\n'),
  },
  roster: [{ name: 'Bob', id: 'b', about: 'tests' }],
  memory: {
    learnings: [{ number: 1, importance: 'high', content: 'Cut twice.', created_at: 0 }],
    decisions: [
      { number: 2, type: 'process', title: 'One voice', content: 'Ours.', rationale: 'Peace.' },
      { number: 3, type: 'process', title: 'Bare', content: '', rationale: '' },
      { number: 4, type: 'process', title: 'Why only', content: '', rationale: 'Because.' },
    ],
    older: { learnings: 3, decisions: 1 },
  },
  functions: [{ id: 'f1', description: 'Steps.' }, { id: 'f2' }],
  project: { name: 'book', description: 'A book.' },
  context: 'Chapter one.',
  rules: [
    { file: 'CLAUDE.md', text: 'British.' },
    { file: 'AGENTS.md', text: ' \n' },
  ],
  lacks: ['node_modules is missing'],
};
const TOOLS = { report: { by: 'tools', prefix: 'mcp__t__' }, commits: 'tool' } as const;

/** The same with each thing said in another way, or left out. */
const CASES: Readonly<Record<string, Partial<PromptFacts>>> = {
  all: FULL,
  'tools, light': {
    ...FULL,
    ...TOOLS,
    mode: 'light',
    scope: 'task',
    mayAdd: false,
    identity: { member: { name: 'Ann' } },
  },
  'tools, full': { ...TOOLS, messages: [message('well?', { asks: true })], conversation: FULL.conversation },
  bare: {
    mode: 'bare',
    scope: 'task',
    identity: { role: { name: 'R' }, tradeoff: { acceptable: [], unacceptable: [] } },
  },
  'shared tree': { tree: 'shared', conflict: FULL.conflict, lacks: FULL.lacks, project: { description: 'Only this.' } },
  'long lists': {
    skills: many(TEAM_LIMITS.skills + 2, 'skill').map((source) => ({ kind: 'name' as const, source })),
    messages: many(TEAM_LIMITS.promptMessages + 2, 'm').map((text) => message(text)),
    functions: many(more, 'f').map((id) => ({ id })),
    roster: many(2 * TEAM_LIMITS.promptListRows + 2, 'r').map((id) => ({ name: id, id, about: 'x' })),
    lacks: many(more, 'lack'),
    team: { ...{ id: 't', name: 'T', member: 'A', position: 'member', others: [], strategy: undefined, mail: [] } },
    role: { parts: [part('own lessons', 'Own.')], alone: false },
    identity: { agent: { name: 'Bot', id: 'b', does: 'x', about: undefined, file: undefined } },
    project: { name: 'Only a name' },
  },
};

for (const [name, facts] of Object.entries(CASES)) {
  test(`everything a prompt can say: ${name}`, async () => {
    const view = graphOf(
      ...RICH,
      ...(name === 'long lists'
        ? many(more, 'user').map((id) => ({ id, title: id, after: ['work'], status: 'done' as const }))
        : []),
    );
    const { text, sections } = promptFor(view, 'work', { ...facts, wording: SHORT });
    const told = [text, ...sections.map((one) => `${one.name} ${one.bytes}${one.cut ? ' cut' : ''}`)];
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(
      path.join(GOLDEN, `prompt-${name.replace(/\W+/g, '-')}.txt`),
    );
  });
}

test('what is asked of special tasks alone: a review, a step of a fixed cycle, a cycle around a cycle, nothing left', async () => {
  const view = graphOf(
    { id: 'seen', status: 'pending-validation', team: 't', verify: 'x' },
    { id: 'review', team: 't', ...({ reviews: { task: 'seen', fence: 1 }, review_of: 'seen' } as object) },
    { id: 'outer', after: ['end'], cycle_config: { max_iterations: 2 }, loop_iteration: 1 },
    { id: 'in-1', after: ['outer', 'in-2'], cycle_config: { max_iterations: 5, no_converge: true } },
    { id: 'in-2', after: ['in-1'], status: 'done' },
    { id: 'end', after: ['in-2'] },
    { id: 'empty', title: '', ...({ review_feedback: { text: '', by: 'tess', number: 1 } } as object) },
    { id: 'spent', rejection_count: 1 },
    { id: 'once', log: [entry('Released')] },
  );
  const told = ['seen', 'review', 'in-1', 'in-2', 'outer', 'empty', 'spent', 'once'].map(
    (id) => `== ${id}\n${promptFor(view, id, { wording: SHORT, scope: 'graph' }).text}`,
  );
  await expect(told.join('')).toMatchFileSnapshot(path.join(GOLDEN, 'prompt-special-tasks.txt'));
});

test('texts of prompts: all there, none too long, and nothing in them that is not filled in', () => {
  const texts = (change: Record<string, string>) =>
    codeOf(() => parseWording(new Map(Object.entries({ ...WORDING, ...change }))));
  expect(texts({})).toBe('none');
  expect(texts({ header: ' \n ' })).toBe('catalog_invalid');
  expect(texts({ header: 'x {{nobody}}' })).toBe('catalog_invalid');
  expect([
    texts({ header: `x {{id}}${'y'.repeat(TEAM_LIMITS.wordingFileBytes - 8)}` }),
    texts({ header: 'y'.repeat(TEAM_LIMITS.wordingFileBytes + 1) }),
  ]).toEqual([...['none', 'catalog_invalid']]);
  expect(codeOf(() => parseWording(new Map()))).toBe('catalog_invalid');
  expect(parseWording(new Map(Object.entries({ ...WORDING, task: ' Do it. \n' }))).task).toBe('Do it.');
  expect(fillPlaceholders('{{a}} {{b}} {{c}}', { a: '{{b}}', b: 0 })).toBe('{{b}} 0 {{c}}');
});

test('each verb in both ways of reporting', () => {
  const said = (way: Parameters<typeof verbsOf>[0]) => verbsOf(way, 'tr', 'a1');
  const [tools, commands] = [said({ by: 'tools', prefix: 'p_' }), said({ by: 'commands' })];
  expect([tools.done, tools.wait, tools.own]).toEqual([
    '`p_task_done`',
    '`p_task_wait` (`until`, `checkpoint`)',
    'tools `p_…`',
  ]);
  expect([commands.done, commands.wait, commands.own]).toEqual([
    ...['`tr done a1`', '`tr wait a1 --until CONDITION --checkpoint "…"`', 'commands of `tr`'],
  ]);
  expect(Object.keys(tools)).toEqual(Object.keys(commands));
});

test('versions of Node, and the command of a task', () => {
  const yes = ['20.19.0', '20.20.2', '22.13.0', '22.99', '23.0.0', '24'];
  const no = ['20.18.9', '20', '22.12.9', '21.9.9', '18.20.0', '19.99'];
  expect(yes.filter((version) => !isSupportedNode(version))).toEqual([]);
  expect(no.filter(isSupportedNode)).toEqual([]);
  const plan = { taskId: 'a', folder: '/p', project: '/p', runFolder: '/r', prompt: 'p', environment: {} };
  const prepare = (exec: string | undefined) => shell.prepare({ ...plan, exec } as never);
  expect(prepare('make')).toEqual({
    ...{ program: 'bash', args: ['-c', 'make'], environment: {}, passes: [], folder: '/p' },
    ...{ stdin: '', files: [], resume: false },
  });
  for (const exec of [undefined, '', ' \n']) expect(codeOf(() => prepare(exec))).toBe('exec_missing');
});
