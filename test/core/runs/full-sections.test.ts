import path from 'node:path';
import { expect, test } from 'vitest';
import type { NodeFields } from '#core/graph/task.js';
import { customDefinition } from '#core/runs/custom-executor.js';
import { Section } from '#core/runs/lib/section.js';
import type { PromptFacts } from '#core/runs/prompt-facts.js';
import { TroupeError } from '#kernel/errors.js';
import { bytesOf } from '#kernel/fence.js';
import { graphOf } from '../graph/graph.js';
import { NONCE, promptFor, taken } from './facts.js';

const AT = '2026-03-21T10:00:00.000Z';
const many = <One>(count: number, one: (number: number) => One): One[] =>
  Array.from({ length: count }, (_, number) => one(number));
const words = (bytes: number) => 'some words and '.repeat(Math.ceil(bytes / 15)).slice(0, bytes);

/** A task with so much around it that no section has room for all of it. */
function crowd(count: number, bytes: number) {
  const before = many(count, (number): NodeFields & { id: string } => ({
    ...{ id: `before-${number}`, title: `Before ${number}`, status: number % 3 === 0 ? 'failed' : 'done' },
    ...{ artifacts: many(count, (at) => `made-${at}.md`), failure_reason: number % 6 === 0 ? undefined : words(bytes) },
    log: many(count, (at) => ({ timestamp: AT, actor: 'agent-1', message: `line ${at} ${words(bytes / 40)}` })),
  }));
  const after = many(count, (number): NodeFields & { id: string } => ({
    ...{ id: `after-${number}`, title: `After ${number}`, after: ['own'] },
    inputs: many(number === 0 ? count : number % 2, (at) => `in-${at}`),
  }));
  const own: NodeFields & { id: string } = {
    ...{ id: 'own', title: words(bytes / 20), description: words(bytes), after: before.map(({ id }) => id) },
    ...{ verify_cmd: words(bytes), deliverables: many(count, (at) => `out-${at}.md`), checkpoint: words(bytes) },
    log: many(count, (at) => ({ timestamp: AT, actor: 'agent-1', message: at % 4 === 0 ? 'Failed: no' : `did ${at}` })),
  };
  return graphOf(own, ...before, ...after);
}

function around(count: number, bytes: number): Partial<PromptFacts> {
  return {
    roster: many(count * 3, (number) => ({ name: `N${number}`, id: `n-${number}`, about: words(bytes / 100) })),
    judged: many(Math.max(1, count % 7), (number) => ({ task: `t${number}`, changes: words(bytes * 4) })),
    handsIn: { run: 'f-1', names: many(count, (number) => `file-${number}`) },
    lacks: many(count, (number) => `node_modules/${number}`),
    functions: many(count, (number) => ({ id: `f-${number}`, description: words(bytes / 200) })),
    evaluations: new Map([['before-0', many(count, (number) => `note ${number}`)]]),
    identity: {
      role: { name: 'Writer', outcome: words(bytes) },
      member: { name: 'Neo', charter: words(bytes * 2) },
      agent: { name: 'scribe', id: 'scribe', does: 'writes', file: `  ${words(bytes * 2)}  ` },
      tradeoff: { acceptable: many(count, (at) => `may ${at}`), unacceptable: many(count, (at) => `never ${at}`) },
    } as never,
  };
}

test.each([
  [2, 200],
  [24, 3_000],
  [70, 40_000],
])('of %i things of %i bytes each section shows what it has room for', async (count, bytes) => {
  const told = (['full', 'task'] as const).flatMap((scope) => {
    const prompt = promptFor(crowd(count, bytes), 'own', { ...around(count, bytes), scope, program: '/bin/troupe' });
    const sections = prompt.sections.flatMap(({ name, text }) => {
      const { blocks, outside } = taken(text);
      const cuts = text.split('\n').filter((line) => line.includes('[cut'));
      return [
        `${name}: ${bytesOf(text)} bytes, of them ours ${bytesOf(outside.join('\n'))}`,
        ...blocks.map(
          (block) => `  ${block.label}: ${bytesOf(block.text)} bytes, ${block.text.split('\n').length} lines`,
        ),
        ...[...new Set(cuts)].map((line) => `  ${line.slice(-80)}`),
      ];
    });
    return [`== ${scope}, ${bytesOf(prompt.text)} bytes`, ...sections];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden', `full.${count}.txt`),
  );
});

test('a section takes blocks as long as there is room, and says once that there is none', () => {
  const written = (most: number) => {
    const section = new Section(NONCE, most);
    section.say('Ours.');
    for (const [number, size] of [40, 64, 65, 200, 30].entries()) section.block(`b${number}`, words(size), 150);
    section.list('rows', ['one', 'two', 'three'], 2, 100);
    const sizes = taken(section.text).blocks.map(({ label, text }) => `${label} ${bytesOf(text)}`);
    return [most, bytesOf(section.text), section.cut, ...sizes, ...(section.text.match(/\[cut:.*\]/g) ?? [])];
  };
  expect([200, 260, 330, 400, 470, 540, 700, 800, 900, 1_000, 1_100].map(written)).toMatchInlineSnapshot(`
    [
      [
        200,
        49,
        true,
        "[cut: what else belongs here does not fit]",
      ],
      [
        260,
        49,
        true,
        "[cut: what else belongs here does not fit]",
      ],
      [
        330,
        49,
        true,
        "[cut: what else belongs here does not fit]",
      ],
      [
        400,
        49,
        true,
        "[cut: what else belongs here does not fit]",
      ],
      [
        470,
        146,
        true,
        "b0 40",
        "[cut: what else belongs here does not fit]",
      ],
      [
        540,
        146,
        true,
        "b0 40",
        "[cut: what else belongs here does not fit]",
      ],
      [
        700,
        389,
        true,
        "b0 40",
        "b1 64",
        "b2 65",
        "[cut: what else belongs here does not fit]",
      ],
      [
        800,
        555,
        true,
        "b0 40",
        "b1 64",
        "b2 65",
        "b3 70",
        "[cut: only the beginning of 200 bytes]",
        "[cut: what else belongs here does not fit]",
      ],
      [
        900,
        638,
        true,
        "b0 40",
        "b1 64",
        "b2 65",
        "b3 153",
        "[cut: only the beginning of 200 bytes]",
        "[cut: what else belongs here does not fit]",
      ],
      [
        1000,
        638,
        true,
        "b0 40",
        "b1 64",
        "b2 65",
        "b3 153",
        "[cut: only the beginning of 200 bytes]",
        "[cut: what else belongs here does not fit]",
      ],
      [
        1100,
        776,
        true,
        "b0 40",
        "b1 64",
        "b2 65",
        "b3 153",
        "b4 30",
        "rows 7",
        "[cut: only the beginning of 200 bytes]",
        "[cut: 1 more are not shown]",
      ],
    ]
  `);
  expect([new Section(NONCE, 500).empty, new Section(NONCE, 500).text]).toEqual([true, '']);
  const blank = new Section(NONCE, 900);
  for (const text of ['', ' \n\t ']) blank.block('nothing', text, 150);
  blank.list('none', [], 2, 100);
  expect([blank.empty, blank.cut, blank.text]).toEqual([true, false, '']);
});

test('what the file of an executor may say, up to each bound', () => {
  const said = (executor: object, name = 'mine') => {
    try {
      return customDefinition(name, { executor: { command: 'x', ...executor } });
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      return error.message;
    }
  };
  const [fine, long] = ['m'.repeat(200), 'm'.repeat(201)];
  expect(said({ model: fine })).toMatchObject({ model: fine, human: false, silentEnd: 'done', args: [], env: {} });
  expect([
    said({ model: long }),
    said({ command: '' }),
    said({ command: 'c' }),
    said({ args: ['-c', '{{task_title}}'] }),
    said({ args: ['{{task_title}}'] }),
    said({ args: ['--EVAL', '{{model}}'] }),
    said({ args: [`{{${'v'.repeat(70)}}}`] }),
    said({ env: { wg_x: '1' } }),
    said({ timeout: 90 }),
    said({ timeout: '30m' }),
    said({ timeout: 'soon' }),
    said({ timeout: 0 }),
    said({ type: 'codex', human: true, silent_end: 'ask', working_dir: 'sub' }),
    said({ type: 'custom', stream: 'pi', prompt_template: { template: '{{task_id}}' } }),
    said({}, 'claude'),
    said({}, 'Mine'),
  ]).toMatchInlineSnapshot(`
    [
      "mine.toml: executor.model must have at most 200 characters.",
      "mine.toml: executor.command must have at least 1 character.",
      {
        "args": [],
        "command": "c",
        "env": {},
        "human": false,
        "name": "mine",
        "silentEnd": "done",
      },
      "mine.toml: "{{task_title}}" is a script: task text may not be inserted into it.",
      {
        "args": [
          "{{task_title}}",
        ],
        "command": "x",
        "env": {},
        "human": false,
        "name": "mine",
        "silentEnd": "done",
      },
      "mine.toml: "{{model}}" is a script: task text may not be inserted into it.",
      "mine.toml: there is no variable "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv".",
      "mine.toml: env.wg_x is Troupe's own.",
      {
        "args": [],
        "command": "x",
        "env": {},
        "human": false,
        "name": "mine",
        "silentEnd": "done",
        "timeoutMs": 90000,
      },
      {
        "args": [],
        "command": "x",
        "env": {},
        "human": false,
        "name": "mine",
        "silentEnd": "done",
        "timeoutMs": 1800000,
      },
      "mine.toml: executor.timeout is not a duration such as 30m.",
      "mine.toml: executor.timeout must be at least 1.",
      {
        "args": [],
        "command": "x",
        "env": {},
        "human": true,
        "name": "mine",
        "silentEnd": "ask",
        "stream": "codex",
        "workingDir": "sub",
      },
      {
        "args": [],
        "command": "x",
        "env": {},
        "human": false,
        "name": "mine",
        "silentEnd": "done",
        "stream": "pi",
        "template": "{{task_id}}",
      },
      "claude.toml: this name is reserved, or not of letters, digits, - and _.",
      "Mine.toml: this name is reserved, or not of letters, digits, - and _.",
    ]
  `);
});
