import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ImportFolder } from '#adapters/files/import-folder.js';
import { parseImport, recognised } from '#core/imports/recognise.js';
import { IMPORT_LIMITS } from '#kernel/limits/imports.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const coded = (code: string) => expect.objectContaining({ code });

function place() {
  const project = room();
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  };
  return { project, write, files: new ImportFolder(project) };
}

const ISSUE = '{"id":"bd-1","title":"One","status":"open","priority":2}\n';

verifies('import.files', 'a folder gives the files in which trackers keep their tasks, and nothing else', async () => {
  const { project, write, files } = place();
  write('.beads/issues.jsonl', ISSUE);
  write('.beads/config.json', '{}');
  write('src/TODO.md', '- [ ] not here');
  write('TODO.md', '- [ ] beside a tracker');
  write('.workgraph/graph.jsonl', '{"kind":"task","id":"own","title":"Own","status":"open"}\n');
  const source = await files.read('.');
  expect(source).toMatchObject({ name: '.', kind: 'folder' });
  expect(source.files.map((file) => file.path)).toEqual(['.beads/issues.jsonl', 'TODO.md']);
  expect(recognised(source).tracker).toBe('beads');
  expect(recognised(source, 'checklist').files).toHaveLength(1);
  const elsewhere = new ImportFolder(room());
  expect((await elsewhere.read(project)).files.map((file) => file.path)).toContain('.workgraph/graph.jsonl');
  expect(() => recognised({ ...source, files: [] })).toThrow(coded('bad_input'));
  expect(recognised(await elsewhere.read(project), 'workgraph').files).toHaveLength(1);
  await expect(elsewhere.read(project).then((two) => recognised(two))).rejects.toThrow(
    'several trackers: beads, workgraph',
  );
});

verifies('import.files', 'front matter is read strictly, except for names of people', async () => {
  const { write, files } = place();
  write(
    'backlog/tasks/task-1 - A.md',
    '---\r\nid: task-1\r\ntitle: A\r\nstatus: To Do\r\nassignee: @ann\r\n---\r\nText\r\n',
  );
  write('backlog/tasks/task-2 - B.md', '---\nid: task-2\ntitle: B\nstatus: Done\nassignee: [@ann, @bob]\n---\nText');
  write('backlog/drafts/task-3 - C.md', '---\nid: task-3\ntitle: C\ntitle: D\nstatus: Draft\n---\n');
  write('backlog/tasks/notes.md', '# Notes');
  write('backlog/config.yml', 'project_name: x');
  for (const folder of ['.', 'backlog']) {
    const { tasks, broken } = parseImport(recognised(await files.read(folder)));
    expect(tasks.map(({ key, text, rest }) => [key, text, rest['assignee']])).toEqual([
      ['task-1', 'Text', '@ann'],
      ['task-2', 'Text', ['@ann', '@bob']],
    ]);
    expect(broken.map(({ why }) => why)).toEqual(['line 4: the key title appears twice']);
  }
});

verifies('import.files', 'no link leads out of the folder, and no file but a text is read', async () => {
  const { project, write, files } = place();
  const outside = room('outside');
  writeFileSync(path.join(outside, 'issues.jsonl'), ISSUE);
  write('.beads/notes.txt', '');
  symlinkSync(path.join(outside, 'issues.jsonl'), path.join(project, '.beads/issues.jsonl'));
  symlinkSync(outside, path.join(project, 'away'));
  await expect(files.read('.')).rejects.toThrow(coded('unsafe_path'));
  await expect(files.read('.beads/issues.jsonl')).rejects.toThrow(coded('unsafe_path'));
  await expect(files.read('away')).rejects.toThrow(coded('unsafe_path'));
  await expect(files.read('away/issues.jsonl')).rejects.toThrow(coded('unsafe_path'));
  await expect(files.read('nothing')).rejects.toThrow(coded('not_found'));
  expect((await files.read(path.join(outside, 'issues.jsonl'))).files).toHaveLength(1);
  write('utf16.json', new Uint8Array([0xff, 0xfe, 0x5b, 0x00]));
  await expect(files.read('utf16.json')).rejects.toThrow(coded('unreadable'));
});

test('more than an import may read is refused by name', async () => {
  const { write, files } = place();
  write('big.md', new Uint8Array(IMPORT_LIMITS.bytes + 1).fill(32));
  await expect(files.read('big.md')).rejects.toThrow('big.md: an import reads at most 50 MB');
});
