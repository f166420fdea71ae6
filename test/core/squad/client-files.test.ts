import { expect, test } from 'vitest';
import { agentFile, findBlock, isGenerated, isUnmodified, withAgentsBlock } from '#core/squad/generated-file.js';
import { isOurState, withState } from '#core/squad/memory-text.js';
import {
  clientPaths,
  configuredOutputs,
  enableOutputs,
  filesOutside,
  outputsToEnable,
  pathsOutside,
} from '#core/squad/outputs.js';
import { codeOf } from '../graph/graph.js';

const filesOf = (texts: Readonly<Record<string, string>>) => new Map(Object.entries(texts));

test('a file is ours while it says what it said, whatever spaces stand around its lines', () => {
  const ours = withState('# A\n\nb\n');
  const rows = {
    'as written': ours,
    'of another system': ours.replaceAll('\n', '\r\n'),
    indented: ours.replaceAll('\n', '\n  '),
    'with blank lines': ours.replace('\n\n', '\n\n\n \n'),
    'with another word': ours.replace('b', 'c'),
    'with a word more': `${ours}d\n`,
    'with its line twice': `${ours}${ours.split('\n').at(-2)}\n`,
    'without its line': '# A\n\nb\n',
    empty: '',
  };
  expect(Object.entries(rows).flatMap(([name, text]) => (isOurState(text) ? [name] : []))).toEqual([
    ...['as written', 'of another system', 'indented', 'with blank lines'],
  ]);
});

test('a part between marks is found where each stands once and in order', () => {
  const marks = { file: 'F.md', begin: '<b>', end: '<e>' };
  const found = (text: string) => {
    const code = codeOf(() => findBlock(text, marks));
    return code === 'none' ? (findBlock(text, marks) ?? 'no part') : code;
  };
  expect(['', 'x', '<b><e>', 'a<b>c<e>d', '<e><b>', '<b>', '<e>', '<b><b><e>', '<b><e><e>'].map(found)).toEqual([
    ...['no part', 'no part', { from: 0, to: 6 }, { from: 1, to: 8 }],
    ...Array(5).fill('marker_unpaired'),
  ]);
  const file = agentFile({ name: 'neo', description: `a "b"\n${'x'.repeat(500)}`, charter: '# Neo\n' });
  expect(/^description: (.*)$/m.exec(file)?.[1]).toHaveLength(404);
  expect([isGenerated(file), isUnmodified(file)]).toEqual([true, true]);
  expect([isGenerated(`${file}x`), isUnmodified(`${file}x`), isUnmodified('x')]).toEqual([true, false, false]);
  const member = { name: 'Neo', roleTitle: 'Lead', charterPath: 'c.md' } as never;
  const block = withAgentsBlock(undefined, [member], 'Neo');
  expect(withAgentsBlock('', [member], 'Neo')).toBe(block);
  expect(withAgentsBlock('Mine', [member], 'Neo')).toBe(`Mine\n\n${block}`);
  expect(withAgentsBlock('Mine\n', [member], 'Neo')).toBe(`Mine\n\n${block}`);
  expect(withAgentsBlock(`Mine\n${block}More\n`, [member], 'Neo')).toBe(`Mine\n${block}More\n`);
});

test('files outside of the folder of a team: which are there, which would be, and which changes are about them', () => {
  const made = agentFile({ name: 'neo', description: 'd', charter: 'c\n' });
  const texts = filesOf({
    'AGENTS.md': '<!-- troupe:begin -->',
    '.github/agents/neo.md': made,
    '.claude/agents/neo.md': made,
    '.claude/agents/mine.md': 'mine',
    '.squad/agents/neo/copy.md': made,
  });
  const always = ['.gitattributes', '.gitignore', '.workgraph/'];
  expect([filesOutside(texts), filesOutside(filesOf({ 'AGENTS.md': 'mine' }))]).toEqual([
    [...always, '.claude/agents/neo.md', '.github/agents/neo.md', 'AGENTS.md'],
    always,
  ]);
  const all = ['.claude/agents', '.github/agents', 'AGENTS.md'];
  expect([
    clientPaths(['neo', 'tank'], all),
    clientPaths(['neo'], ['.claude/agents']),
    clientPaths(['neo'], ['AGENTS.md', 'other']),
    clientPaths([], all),
  ]).toMatchInlineSnapshot(`
    [
      [
        ".github/agents/squad-agentweaver.agent.md",
        ".claude/agents/neo.md",
        ".github/agents/neo.agent.md",
        ".claude/agents/tank.md",
        ".github/agents/tank.agent.md",
        "AGENTS.md",
      ],
      [
        ".claude/agents/neo.md",
      ],
      [
        "AGENTS.md",
      ],
      [
        ".github/agents/squad-agentweaver.agent.md",
        "AGENTS.md",
      ],
    ]
  `);
  const config = (outputs: unknown) => filesOf({ '.squad/config.json': JSON.stringify({ own: 1, outputs }) });
  expect(
    [config(['AGENTS.md', 'x']), config('AGENTS.md'), config(undefined), filesOf({})].map(configuredOutputs),
  ).toEqual([...[['AGENTS.md'], [], [], []]]);
  expect([
    outputsToEnable(filesOf({})),
    outputsToEnable(filesOf({ '.claude/': '' })),
    outputsToEnable(filesOf({ 'AGENTS.md': '' })),
  ]).toEqual([...[all, ['.claude/agents'], ['AGENTS.md']]]);
  expect([
    enableOutputs(config(['AGENTS.md'])),
    enableOutputs(config(all)),
    enableOutputs(filesOf({ '.squad/config.json': '[' })),
    enableOutputs(filesOf({ '.claude/': '' })),
  ]).toMatchInlineSnapshot(`
    [
      [
        {
          "kind": "write",
          "path": ".squad/config.json",
          "text": "{
      "own": 1,
      "outputs": [
        ".claude/agents",
        ".github/agents",
        "AGENTS.md"
      ]
    }
    ",
        },
      ],
      [],
      [],
      [
        {
          "kind": "write",
          "path": ".squad/config.json",
          "text": "{
      "outputs": [
        ".claude/agents"
      ]
    }
    ",
        },
      ],
    ]
  `);
  const at = (path: string) => ({ kind: 'write', path, text: '' }) as const;
  expect(pathsOutside(['.squad/a', 'b', '.workgraph/x', '.workgraph/y', 'a'].map(at))).toEqual([
    '.workgraph/',
    'a',
    'b',
  ]);
});
