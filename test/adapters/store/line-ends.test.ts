import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { convertedFiles, keepingLines, restoreLineEnds } from '#adapters/store/files/line-ends.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

verifies('graph.store.git', 'which files git gave other line ends, wherever they belong to the project', () => {
  const project = room('project');
  const crlf = 'a\r\nb\r\n';
  const converted = [
    '.workgraph/graph.jsonl',
    '.workgraph/notes.md',
    '.workgraph/agency/roles/one/deep.yaml',
    '.workgraph/functions/a.yml',
    '.workgraph/formations/f.toml',
    '.squad/team.md',
    '.squad/agents/ann/charter.md',
    '.claude/roles/crew.md',
    '.claude/agents/a.json',
    '.squad/1/2/3/4/5/6/deep.md',
  ];
  const left = {
    '.workgraph/config.toml': 'a\nb\n', // as it was
    '.workgraph/mixed.md': 'a\r\nb\n', // by whoever wrote it
    '.workgraph/service/own.json': crlf, // runtime
    '.workgraph/log/operations-1-2.jsonl.gz': crlf, // compressed
    '.squad/1/2/3/4/5/6/7/deeper.md': crlf,
    '.claude/settings.json': crlf,
    'src/a.md': crlf,
    '.squad/picture.png': crlf,
  };
  write(project, { ...Object.fromEntries(converted.map((name) => [name, crlf])), ...left });
  write(project, { '.workgraph/operations.jsonl': '{"a":1}\r\n{"b":2}\n' });
  symlinkSync(path.join(project, 'src/a.md'), path.join(project, '.squad/link.md'));
  mkdirSync(path.join(project, '.squad/empty'));
  const paths = graphLayout(path.join(project, '.workgraph'));
  const found = convertedFiles(paths);
  expect(found.map((file) => path.relative(project, file)).sort()).toEqual(
    [...converted, '.workgraph/operations.jsonl'].sort(),
  );
  expect(keepingLines(paths, found)).toEqual(['.squad/** -text', '.claude/roles/** -text', '.claude/agents/** -text']);
  const inside = (name: string) => keepingLines(paths, [path.join(project, name)]);
  expect(inside('.squad/team.md')).toEqual(['.squad/** -text']);
  expect(inside('.claude/agents/a.json')).toEqual(['.claude/agents/** -text']);
  expect(inside('.workgraph/graph.jsonl')).toEqual([]);
  expect(inside('.squadron/team.md')).toEqual([]);
  for (const file of found) restoreLineEnds(file);
  expect(convertedFiles(paths)).toEqual([]);
  expect(readFileSync(path.join(project, '.squad/team.md'), 'utf8')).toBe('a\nb\n');
  expect(readFileSync(path.join(project, 'src/a.md'), 'utf8')).toBe(crlf);
});

verifies('graph.store.git', 'a folder of roles that a link stands for is not gone into', () => {
  const project = room('project');
  const outside = room('outside');
  write(outside, { 'roles/a.md': 'a\r\n' });
  write(project, { '.workgraph/graph.jsonl': '' });
  symlinkSync(outside, path.join(project, '.claude'));
  symlinkSync(outside, path.join(project, '.squad'));
  expect(convertedFiles(graphLayout(path.join(project, '.workgraph')))).toEqual([]);
});
