import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { doneTask } from '#core/graph/moves.js';
import { git } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { by, clock, graphPlace, leaveLock } from './graph-place.js';

async function twoTasks() {
  const place = graphPlace();
  await place.add('Alpha');
  await place.add('Beta');
  await place.commit((view) => doneTask(view, 'alpha', { now: clock.now(), by }));
  const codes = async () => (await place.doctor.examine()).map((finding) => finding.code);
  return { ...place, codes, service: path.join(place.folder, 'service') };
}

test('a sound graph has no findings, and looking at it writes nothing', async () => {
  const { doctor, folder, codes } = await twoTasks();
  const look = () => readdirSync(folder, { recursive: true }).sort();
  const before = look();
  expect(await codes()).toEqual([]);
  expect(await doctor.repair()).toEqual([]);
  expect(look()).toEqual(before);
});

verifies('sec.audit', 'an edited line of the log is found, wherever it is and whatever was edited', async () => {
  const { log, lines, codes, doctor, folder } = await twoTasks();
  const [one = '', two = '', three = ''] = lines();
  for (const [number, edited] of [
    [1, [one.replace('"title":"Alpha"', '"title":"Alphb"'), two, three]],
    [2, [one, two.replace('"actor":"ann"', '"actor":"bob"'), three]],
    [3, [one, two, three.replace(/"timestamp":"20/, '"timestamp":"19')]],
  ] as const) {
    writeFileSync(log, `${edited.join('\n')}\n`);
    const found = (await doctor.examine()).filter((finding) => finding.code === 'log_edited');
    expect(found, String(number)).toMatchObject([{ severity: 'error', line: number, file: log, repairable: false }]);
  }
  writeFileSync(log, `${[one, three].join('\n')}\n`);
  expect(await codes()).toContain('log_broken');
  writeFileSync(log, `${[one.replace('"title":"Alpha"', '"title":"Alphb"'), two, three].join('\n')}\n`);
  rmSync(path.join(folder, 'service', 'graph.base.jsonl'));
  expect(await codes()).toContain('log_differs');
});

verifies('graph.store.torn', 'what doctor advises for a damaged log mends it, and nothing is lost', async () => {
  for (const damage of [
    (line: string) => line.slice(0, 40),
    (line: string) => line.replace('"actor":"ann"', '"actor":"bob"'),
    () => undefined,
  ]) {
    const { log, lines, doctor, codes, add, view, folder } = await twoTasks();
    const top = path.dirname(folder);
    git(top, 'init', '--quiet');
    git(top, 'add', '-A');
    git(top, 'commit', '--quiet', '-m', 'one');
    await add('Gamma'); // after the commit: git does not have it
    writeFileSync(
      log,
      `${lines()
        .flatMap((line, at) => (at === 1 ? (damage(line) ?? []) : line))
        .join('\n')}\n`,
    );
    const remedies = (await doctor.examine()).flatMap(({ remedy }) => /`git ([^`]+)`/.exec(remedy)?.[1] ?? []);
    expect(new Set(remedies).size).toBe(1);
    git(top, ...(remedies[0] ?? expect.unreachable()).split(' '));
    await add('Delta');
    expect(await codes()).toEqual([]);
    expect([...(await view()).nodes()].map(({ id }) => id).sort()).toEqual(['alpha', 'beta', 'delta', 'gamma']);
  }
});

test('a torn end, a draft of the dead and an edit by hand are put right', async () => {
  const { graph, log, service, doctor, codes, ops } = await twoTasks();
  appendFileSync(log, '{"seq":4,"id":"half');
  writeFileSync(path.join(service, 'graph.draft.jsonl'), '{"kind":"ta');
  writeFileSync(graph, readFileSync(graph, 'utf8').replace('"Beta"', '"Better"'));
  expect((await codes()).sort()).toEqual(['hand_edit', 'leftover', 'torn']);
  expect(await doctor.repair()).toEqual([
    'Removed the draft graph.draft.jsonl.',
    'Moved the torn end of the log to .workgraph/service/lost+found/.',
    'Recorded the changes made by hand.',
  ]);
  expect(await codes()).toEqual(['lost_found']);
  expect(ops().at(-1)).toBe('hand_edit');
  expect(existsSync(path.join(service, 'graph.draft.jsonl'))).toBe(false);
});

verifies(
  'hold.lock.identity',
  'a lock of the dead, of nobody and of another machine: told apart, and taken by a repair',
  async () => {
    const { service, doctor, codes, add } = await twoTasks();
    const lock = path.join(service, 'write.lock');
    leaveLock(lock, { start: 'long ago' });
    expect(await codes()).toEqual(['lock_stale']);
    expect(await doctor.repair()).toEqual([]);
    leaveLock(lock, { boot: 'another', host: 'elsewhere' });
    expect(await codes()).toEqual(['lock_elsewhere']);
    expect(await doctor.repair()).toEqual([`Took the write lock from pid ${process.pid} on elsewhere.`]);
    writeFileSync(lock, '');
    expect(await codes()).toEqual(['lock_unreadable']);
    expect(await doctor.repair()).toEqual(['Took the write lock from a holder it does not name.']);
    await add('Gamma');
    expect(await codes()).toEqual([]);
  },
);

verifies('graph.store.git', 'lines that git’s files lack are found and added, a person’s own stay', async () => {
  const { folder, doctor, codes } = await twoTasks();
  const attributes = path.join(folder, '.gitattributes');
  writeFileSync(attributes, '*.png binary\ngraph.jsonl merge=workgraph');
  rmSync(path.join(folder, '.gitignore'));
  expect(await codes()).toEqual(['git_files', 'git_files']);
  expect(await doctor.repair()).toEqual(['Completed .gitignore.', 'Completed .gitattributes.']);
  expect(readFileSync(attributes, 'utf8')).toBe(
    '*.png binary\ngraph.jsonl merge=workgraph\n* -text\noperations.jsonl merge=union\n',
  );
  expect(await codes()).toEqual([]);
});

verifies('sec.tree.links', 'neither doctor nor the merge driver goes through a link', async () => {
  const { folder, graph, doctor } = await twoTasks();
  const outside = path.join(path.dirname(folder), 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'notes'), 'mine\n');
  rmSync(path.join(folder, '.gitattributes'));
  symlinkSync(path.join(outside, 'notes'), path.join(folder, '.gitattributes'));
  await expect(doctor.repair()).rejects.toMatchObject({ code: 'unsafe_path' });
  symlinkSync(path.join(outside, 'notes'), path.join(folder, 'ours'));
  const files = { base: graph, ours: path.join(folder, 'ours'), theirs: graph };
  await expect(doctor.mergeFiles(files)).rejects.toMatchObject({ code: 'unsafe_path' });
  await expect(doctor.mergeFiles({ ...files, ours: path.join(folder, 'nothing') })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(readFileSync(path.join(outside, 'notes'), 'utf8')).toBe('mine\n');
  renameSync(graph, path.join(outside, 'graph'));
  symlinkSync(path.join(outside, 'graph'), graph);
  for (const work of [() => doctor.examine(), () => doctor.repair()])
    await expect(work()).rejects.toMatchObject({ code: 'unsafe_path' });
});

test('the merge driver keeps comments and lines it cannot read, of both sides', async () => {
  const { folder, doctor } = await twoTasks();
  const task = (id: string, title: string) => `{"kind":"task","id":"${id}","title":"${title}","status":"open"}`;
  const file = (name: string, ...lines: string[]) => {
    writeFileSync(path.join(folder, name), lines.map((line) => `${line}\n`).join(''));
    return path.join(folder, name);
  };
  const base = file('base', '# plan', task('a', 'A'), 'broken before');
  const ours = file('ours', '# plan', '# mine', task('a', 'A'), task('b', 'B'), 'broken before', 'broken here');
  const theirs = file('theirs', '# plan', '# theirs', task('a', 'A2'), 'broken there');
  const { text, ...counts } = await doctor.mergeFiles({ base, ours, theirs });
  expect(counts).toEqual({ tasks: 2, lost: 0 });
  expect(text).toBe(
    ['# plan', '# mine', '# theirs', task('a', 'A2'), task('b', 'B'), 'broken here', 'broken there', ''].join('\n'),
  );
});

test('where there is no graph doctor says how to begin', async () => {
  const { folder, doctor } = graphPlace();
  rmSync(folder, { recursive: true });
  await expect(doctor.examine()).rejects.toMatchObject({ code: 'not_initialized' });
});
