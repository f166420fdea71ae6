import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { initialiseStore } from '#adapters/store/files/initialise.js';
import { legacyEntries, legacyFiles, legacyText } from '#adapters/store/files/legacy-log.js';
import { loadStore } from '#adapters/store/files/store-load.js';
import { graphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { collect } from '../../contract/graph-store.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { graphPlace } from './graph-place.js';

const coded = (code: string) => expect.objectContaining({ code });
const idOf = (line = '') => (line === '' ? undefined : (JSON.parse(line).id as string));

async function threeTasks() {
  const place = graphPlace();
  for (const title of ['Alpha', 'Beta', 'Gamma']) await place.add(title);
  return { ...place, paths: graphLayout(place.folder) };
}

test('a folder for a graph is made once, and what a person has there stays', () => {
  const folder = path.join(room(), '.workgraph');
  expect(initialiseStore(folder)).toEqual({ created: true });
  expect(readdirSync(folder).sort()).toEqual([
    '.gitattributes',
    '.gitignore',
    'graph.jsonl',
    'operations.jsonl',
    'service',
  ]);
  expect(statSync(path.join(folder, 'service')).mode & 0o777).toBe(0o700);
  expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe(
    'service/\nagents/\nreports/\nworktrees/\nteams.db*\n',
  );
  writeFileSync(path.join(folder, 'graph.jsonl'), '# mine\n');
  writeFileSync(path.join(folder, '.gitignore'), 'mine\nagents/');
  expect(initialiseStore(folder)).toEqual({ created: false });
  expect(readFileSync(path.join(folder, 'graph.jsonl'), 'utf8')).toBe('# mine\n');
  expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe(
    'mine\nagents/\nservice/\nreports/\nworktrees/\nteams.db*\n',
  );
  rmSync(path.join(folder, 'operations.jsonl'));
  expect(initialiseStore(folder)).toEqual({ created: false });
  rmSync(path.join(folder, '.gitignore'));
  symlinkSync('/etc/passwd', path.join(folder, '.gitignore'));
  expect(() => initialiseStore(folder)).toThrow(coded('unsafe_path'));
});

verifies('graph.store.load', 'what is read of the files, and what shows that they are ours', async () => {
  const { paths, graph, log, lines } = await threeTasks();
  const looks = () => {
    const { marked, mark, snapshotSeq, pending, lastId, problems, graph: read, logIdentity } = loadStore(paths);
    const ops = pending.map(({ op }) => op);
    return {
      marked,
      ours: mark !== undefined,
      snapshotSeq,
      ops,
      last: lastId === idOf(lines().at(-1)),
      problems: problems.length,
      tasks: read.size,
      seq: read.seq,
      logIdentity,
    };
  };
  const sound = {
    marked: true,
    ours: true,
    snapshotSeq: 3,
    ops: [],
    last: true,
    problems: 0,
    tasks: 3,
    seq: 3,
    logIdentity: expect.stringMatching(/^\d+-\d+$/),
  };
  expect(looks()).toEqual(sound);
  const text = readFileSync(graph);
  writeFileSync(graph, text); // the same at another time
  expect(looks()).toEqual({ ...sound, marked: false });
  writeFileSync(graph, `${text}{"kind":"task","id":"d","title":"D","status":"open"}\n`);
  const notOurs = { ...sound, marked: false, ours: false, snapshotSeq: 0 };
  expect(looks()).toEqual({ ...notOurs, ops: ['hand_edit'], tasks: 4, seq: 3 });
  writeFileSync(graph, text);
  writeFileSync(log, `${lines().slice(0, 2).join('\n')}\n`);
  expect(looks(), 'an older log').toMatchObject({ marked: false, ours: false });
  rmSync(log);
  expect(looks()).toEqual({ ...notOurs, ops: ['adopt'], tasks: 3, seq: 0, logIdentity: '' });
  rmSync(graph);
  expect(looks()).toEqual({ ...notOurs, tasks: 0, seq: 0, logIdentity: '' });
});

test('the history of another tool: which files, which lines, and how much', async () => {
  const paths = graphLayout(room());
  expect(legacyFiles(paths)).toEqual([]);
  const said = (op: string, more: object = {}) =>
    `${JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', op, ...more })}\n`;
  write(paths.folder, {
    'log/operations.jsonl': `${said('claim', { task_id: 'a', actor: 'ann', detail: { x: 1 } })}\n7\nbroken\n${said('patched', { patch: [] })}`,
    'log/b.jsonl.zst': '',
    'log/2026.jsonl.zst': '',
    'log/.hidden.jsonl.zst': '',
    'log/other.jsonl.gz': '',
    'operations.jsonl': `${said('done', { task_id: 7, actor: 7, detail: [] })}{"op":"x"}\n`,
  });
  mkdirSync(path.join(paths.folder, 'log/c.jsonl.zst'));
  expect(legacyFiles(paths).map(({ file, packed }) => [path.relative(paths.folder, file), packed])).toEqual([
    ['log/2026.jsonl.zst', true],
    ['log/b.jsonl.zst', true],
    ['log/operations.jsonl', false],
    ['operations.jsonl', false],
  ]);
  const shared = { seq: 0, timestamp: '2026-01-01T00:00:00Z', patch: [] };
  expect(await collect(legacyEntries(paths))).toEqual([
    { ...shared, id: 'found-1', op: 'claim', task_id: 'a', actor: 'ann', detail: { x: 1 } },
    { ...shared, id: 'found-2', op: 'done' },
  ]);
  const large = path.join(paths.folder, 'large');
  writeFileSync(large, 'x');
  expect(await legacyText({ file: large, packed: false })).toEqual({ text: 'x' });
  truncateSync(large, WORK_LIMITS.legacyLogBytes + 1);
  expect(await legacyText({ file: large, packed: false })).toEqual({ text: '', problem: 'larger than is read' });
  const packed = path.join(paths.folder, 'log/b.jsonl.zst');
  writeFileSync(packed, 'no such thing');
  expect(await legacyText({ file: packed, packed: true })).toEqual({
    text: '',
    problem: expect.stringMatching(/^cannot be unpacked \(/),
  });
});
