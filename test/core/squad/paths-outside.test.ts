import { expect, test } from 'vitest';
import { previousVersion } from '#core/squad/file-change.js';
import {
  clientPaths,
  configuredOutputs,
  enableOutputs,
  filesOutside,
  isForClients,
  outputsToEnable,
  pathsOutside,
} from '#core/squad/outputs.js';
import { sha256 } from '#kernel/hash.js';
import { verifies } from '../../verifies.js';

const ALL = ['.claude/agents', '.github/agents', 'AGENTS.md'];
const texts = (files: Readonly<Record<string, string>>) => new Map(Object.entries(files));
const config = (outputs: unknown) => texts({ '.squad/config.json': JSON.stringify({ own: 1, outputs }) });

verifies('outputs.members', 'which paths are outside of the team, which of them are for clients', () => {
  const write = (path: string) => ({ kind: 'write' as const, path, text: '' });
  const paths = ['AGENTS.md', '.squad/team.md', '.workgraph/agents/a.yaml', '.gitignore', '.workgraph/roles/b.yaml'];
  expect(pathsOutside([...paths, 'AGENTS.md'].map(write))).toEqual(['.gitignore', '.workgraph/', 'AGENTS.md']);
  const clients = ['.claude/agents', '.claude/agents/neo.md', '.github/agents/x.md', 'AGENTS.md'];
  const others = ['.claude/agents.md', '.claude/x', 'docs/AGENTS.md', '.squad/agents/neo/charter.md', ''];
  expect([clients.map(isForClients), others.map(isForClients)]).toEqual([
    Array(clients.length).fill(true),
    Array(others.length).fill(false),
  ]);
});

verifies('outputs.members', 'what is asked for, what is here, and how more is asked for', () => {
  expect([config(ALL), config(['AGENTS.md', 'x']), config('AGENTS.md'), texts({})].map(configuredOutputs)).toEqual([
    ...[ALL, ['AGENTS.md'], [], []],
  ]);
  expect(
    [texts({}), texts({ 'AGENTS.md': '' }), texts({ '.claude/': '', '.github/agents/': '' })].map(outputsToEnable),
  ).toEqual([...[ALL, ['AGENTS.md'], ['.claude/agents', '.github/agents']]]);
  expect(enableOutputs(config(ALL))).toEqual([]);
  expect(enableOutputs(texts({ '.squad/config.json': 'none' }))).toEqual([]);
  expect(enableOutputs(texts({}))).toEqual([
    { kind: 'write', path: '.squad/config.json', text: `${JSON.stringify({ outputs: ALL }, null, 2)}\n` },
  ]);
  const wanted = { own: 1, outputs: ['.claude/agents', 'AGENTS.md'] };
  expect(enableOutputs(new Map([...config(['AGENTS.md']), ['.claude/', '']]))).toEqual([
    { kind: 'write', path: '.squad/config.json', text: `${JSON.stringify(wanted, null, 2)}\n` },
  ]);
  expect(clientPaths(['neo'], [])).toEqual([]);
  expect(clientPaths(['neo'], ALL)).toEqual([
    ...[
      '.github/agents/squad-agentweaver.agent.md',
      '.claude/agents/neo.md',
      '.github/agents/neo.agent.md',
      'AGENTS.md',
    ],
  ]);
  expect(filesOutside(texts({ 'AGENTS.md': 'mine', 'x.md': 'mine' }))).toEqual(filesOutside(texts({})));
});

test('what is taken over is kept beside, and what was kept there before stays', () => {
  const kept = (files: Readonly<Record<string, string>>) => previousVersion(texts(files), 'a/charter.md', 'OLD');
  const [first = expect.unreachable()] = kept({});
  expect(first).toEqual({ kind: 'write', path: first.path, text: 'OLD' });
  expect(kept({ [first.path]: 'OLD' })).toEqual([]);
  const path = `a/charter.prev.${sha256('OLD').slice(0, 8)}.md`;
  expect(kept({ [first.path]: 'OLDER' })).toEqual([{ kind: 'create', path, text: 'OLD' }]);
});
