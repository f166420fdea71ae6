import { expect, test } from 'vitest';
import type { FunctionInput, TraceFunction } from '#core/playbooks/function.js';
import { checkedValues, type FileContent, inputFiles } from '#core/playbooks/function-values.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

const asking = (...inputs: FunctionInput[]): TraceFunction => ({ id: 'f', version: 1, inputs, tasks: [], fixed: true });

/** The text that is put in for one input, or what is wrong with the value. */
function read(input: Omit<FunctionInput, 'name'>, value: unknown, contents: [string, FileContent][] = []): string {
  try {
    const values = value === undefined ? {} : { v: value };
    return `= ${checkedValues(asking({ name: 'v', ...input }), values, new Map(contents)).get('v')}`;
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    const { problems } = error.details as { problems: { input: string; problem: string }[] };
    return problems.map(({ input: name, problem }) => `${name} ${problem}`).join('; ');
  }
}

const NUMBER = { type: 'number', min: 1, max: 9 } as const;
const CHOICE = { type: 'enum', values: ['a', 2] } as const;
const URL_PROBLEM = 'v must be a URL such as https://example.org, not ';
const ROWS: readonly (readonly [Omit<FunctionInput, 'name'>, unknown, string])[] = [
  [{ type: 'string' }, 'x', '= x'],
  [{ type: 'string' }, 7, '= 7'],
  [{ type: 'string' }, false, '= false'],
  [{ type: 'string' }, ['x'], 'v must be text'],
  [{ type: 'string' }, 'x\ny', 'v must be one line'],
  [{ type: 'string' }, 'x\ry', 'v must be one line'],
  [{ type: 'text' }, 'x\ny', '= x\ny'],
  [{ type: 'text' }, {}, 'v must be text'],
  [NUMBER, 1, '= 1'],
  [NUMBER, ' 9 ', '= 9'],
  [NUMBER, 0, 'v must be at least 1, not 0'],
  [NUMBER, '10', 'v must be at most 9, not 10'],
  [NUMBER, 'x', 'v must be a number, not "x"'],
  [NUMBER, true, 'v must be a number, not boolean'],
  [NUMBER, 'y'.repeat(60), `v must be a number, not "${'y'.repeat(39)}…"`],
  [{ type: 'number' }, -1e6, '= -1000000'],
  [{ type: 'number', min: 1 }, 10, '= 10'],
  [{ type: 'number', max: 9 }, 0, '= 0'],
  [{ type: 'url' }, 'https://example.org/x', '= https://example.org/x'],
  [{ type: 'url' }, 'example.org', `${URL_PROBLEM}"example.org"`],
  [{ type: 'url' }, 'https://a b', `${URL_PROBLEM}"https://a b"`],
  [{ type: 'url' }, 'https://[', `${URL_PROBLEM}"https://["`],
  [{ type: 'url' }, 7, `${URL_PROBLEM}number`],
  [CHOICE, 'a', '= a'],
  [CHOICE, '2', '= 2'],
  [CHOICE, 2, '= 2'],
  [CHOICE, 'b', 'v must be one of a, 2, not "b"'],
  [{ type: 'enum' }, 'b', 'v must be one of , not "b"'],
  [{ type: 'file_list' }, 'a, b\n, c', '= a, b, c'],
  [{ type: 'file_list' }, ['a', ' b '], '= a, b'],
  [{ type: 'file_list' }, ' , ', 'v must name a file'],
  [{ type: 'file_list' }, ['a', 7], 'v must be a list of files'],
  [{ type: 'file_list' }, 7, 'v must be a list of files'],
  [{ type: 'json' }, '{"a":1}', '= {"a":1}'],
  [{ type: 'json' }, '{', 'v must be JSON, not "{"'],
  [{ type: 'json' }, { a: 1 }, '= {"a":1}'],
  [{ type: 'json' }, [1], '= [1]'],
  [{ type: 'json' }, 1, '= 1'],
  [{ type: 'json' }, false, '= false'],
  [{ type: 'json' }, Symbol.iterator, 'v must be JSON'],
  [{ type: 'file_content' }, 7, 'v must be the path of a file'],
  [{ type: 'file_content' }, 'gone', 'v cannot be read'],
  [{ type: 'string' }, undefined, '= '],
  [{ type: 'string' }, '', '= '],
  [{ type: 'string', required: true }, undefined, 'v is missing'],
  [{ type: 'string', required: true }, null, '= d'],
  [{ type: 'string' }, undefined, '= d'],
  [{ type: 'string' }, 'x', '= x'],
  [{ type: 'file_content' }, undefined, '= '],
];

test('every type of value, right and wrong, with its bounds', () => {
  for (const [input, value, wanted] of ROWS) {
    const hasDefault = wanted === '= d' || input.type === 'file_content';
    const asked = hasDefault ? { ...input, default: 'd' } : input;
    expect(read(asked, value), `${JSON.stringify(asked)} ${String(value)}`).toBe(wanted);
  }
  expect(read({ type: 'file_content' }, 'a.md', [['v', { text: 'all of it' }]])).toBe('= all of it');
  expect(read({ type: 'file_content' }, 'a.md', [['v', { problem: 'is a folder' }]])).toBe('v is a folder');
});

test('a value may have as many bytes as there are, whatever its letters', () => {
  const most = TEAM_LIMITS.functionValueBytes;
  const problem = `v is larger than ${most} bytes`;
  for (const [text, wanted] of [
    ['x'.repeat(most), undefined],
    ['x'.repeat(most + 1), problem],
    ['ä'.repeat(most / 2), undefined],
    ['ä'.repeat(most / 2 + 1), problem],
  ] as const)
    expect(read({ type: 'text' }, text)).toBe(wanted ?? `= ${text}`);
});

test('the files of values are those that are named for their contents', () => {
  const file = { name: 'file', type: 'file_content' } as const;
  const asked = asking(file, { name: 'list', type: 'file_list' }, { name: 'other', type: 'file_content' });
  expect(inputFiles(asked, { file: 'a.md', list: 'b.md', other: 'c.md' })).toEqual([
    { input: 'file', file: 'a.md' },
    { input: 'other', file: 'c.md' },
  ]);
  for (const value of ['', 7, undefined]) expect(inputFiles(asked, { file: value })).toEqual([]);
  expect(inputFiles(asking({ name: 'toString', type: 'file_content' }), {}), 'nothing inherited is a value').toEqual(
    [],
  );
});

test('all that is wrong is said at once: with what was found before, unknown names, and which inputs there are', () => {
  const said = (inputs: FunctionInput[], values: object, already: { input: string; problem: string }[] = []) => {
    try {
      checkedValues(asking(...inputs), { ...values }, new Map(), already);
    } catch (error) {
      if (error instanceof TroupeError) return [error.message, error.hint];
    }
    return undefined;
  };
  const inputs: FunctionInput[] = [
    { name: 'name', type: 'string', required: true },
    { name: 'size', type: 'number' },
  ];
  expect(said(inputs, { nmae: 'x', size: 'y' }, [{ input: 'file', problem: 'is gone' }])).toEqual([
    'f cannot be applied: file is gone; nmae is not one of its inputs (did you mean name?); name is missing; size must be a number, not "y".',
    'Its inputs: name (string, required), size (number).',
  ]);
  expect(said([], { [`${'z'.repeat(70)}`]: 1 })).toEqual([
    `f cannot be applied: ${'z'.repeat(63)}… is not one of its inputs.`,
    'It takes no inputs.',
  ]);
  expect(said([], {})).toBeUndefined();
});
