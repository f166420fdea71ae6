import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { graphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { graphPlace, leaveLock } from './graph-place.js';

const coded = (code: string, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });

const RESTORE = expect.stringMatching(/`git checkout HEAD -- \.workgraph\/operations\.jsonl`.*backup/);

/** Three tasks, and what doctor says when something was done to their files. */
async function examined() {
  const place = graphPlace();
  for (const title of ['Alpha', 'Beta', 'Gamma']) await place.add(title);
  const paths = graphLayout(place.folder);
  const findings = async () =>
    (await place.doctor.examine()).map(({ file, ...rest }) => ({
      ...rest,
      ...(file === undefined ? {} : { file: path.relative(place.folder, file) }),
    }));
  return { ...place, paths, findings };
}

verifies(
  'graph.store.hand',
  'what doctor says of the lines of the snapshot: each with its number and what helps',
  async () => {
    const { graph, findings } = await examined();
    const [alpha = '', beta = '', gamma = ''] = readFileSync(graph, 'utf8').trimEnd().split('\n');
    writeFileSync(
      graph,
      ['<<<<<<< ours', alpha, '=======', alpha, '>>>>>>> theirs', beta, gamma, gamma, 'broken', ''].join('\n'),
    );
    const found = await findings();
    const at = { file: 'graph.jsonl', repairable: false };
    expect(found.slice(0, 3)).toEqual([
      {
        ...{
          ...at,
          severity: 'error',
          code: 'corrupt',
          line: 9,
          text: expect.stringMatching(/^Not a JSON object.*; the line is kept unchanged\.$/),
        },
        remedy: 'Fix the line in an editor, or remove it; until then it is kept and skipped.',
      },
      {
        ...{ ...at, severity: 'warning', code: 'duplicate_id', line: 8 },
        text: 'The id gamma appears again; the last line is used.',
        remedy: 'Remove the lines that are not used.',
      },
      {
        ...{ ...at, severity: 'warning', code: 'conflict', line: 1 },
        text: 'A git conflict; both sides are merged, the markers removed.',
        remedy: 'Nothing to do: the next command merges both sides.',
      },
    ]);
  },
);

verifies(
  'graph.store.torn',
  'what doctor says of the log: torn, damaged, marked by git, edited, with an entry gone',
  async () => {
    const { log, lines, findings, doctor, paths } = await examined();
    const whole = readFileSync(log, 'utf8');
    const at = { file: 'operations.jsonl' };
    const torn = {
      ...{ ...at, severity: 'warning', code: 'torn', repairable: true },
      text: 'The last 6 bytes of the log are incomplete: they were never acknowledged.',
      remedy: 'The next change moves them to .workgraph/service/lost+found/.',
    };
    appendFileSync(log, '{"half');
    expect(await findings()).toEqual([torn]);
    truncateSync(log, Buffer.byteLength(whole));
    const [one = '', two = '', three = ''] = lines();
    const mark = {
      ...{
        ...at,
        severity: 'error',
        code: 'corrupt',
        text: 'A git conflict marker; it is kept and skipped.',
        repairable: true,
      },
      remedy: 'Run `troupe doctor --repair`: it removes the marker.',
    };
    writeFileSync(log, [one, '<<<<<<< ours', two, '=======', three, '>>>>>>> theirs', ''].join('\n'));
    expect((await findings()).filter(({ code }) => code === 'corrupt')).toEqual(
      [2, 4, 6].map((line) => ({ ...mark, line })),
    );
    const done = await doctor.repair();
    expect(done[0]).toBe('Removed 3 conflict markers from the log; the original is in .workgraph/service/lost+found/.');
    expect(lines().slice(0, 3)).toEqual([one, two, three]);
    const [kept = ''] = readdirSync(paths.lostAndFound);
    expect(kept).toMatch(/^operations-conflict-\d+\.jsonl$/);
    expect(statSync(path.join(paths.lostAndFound, kept)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(paths.lostAndFound, kept), 'utf8')).toContain('<<<<<<< ours');
    expect(await findings()).toContainEqual({
      ...{ severity: 'note', code: 'lost_found', repairable: false, file: path.join('service', 'lost+found') },
      text: 'Torn or damaged pieces that were set aside: 1.',
      remedy: 'Check them, then remove what you do not need.',
    });
    writeFileSync(log, [one, three, 'damaged', ''].join('\n'));
    const id = JSON.parse(two).id;
    expect(await findings()).toContainEqual({
      ...{ ...at, severity: 'error', code: 'log_broken', repairable: false },
      text: `The entry before number 3 is missing: its id was ${id}.`,
      remedy: RESTORE,
    });
    expect(await findings()).toContainEqual({
      ...mark,
      line: 3,
      repairable: false,
      remedy: RESTORE,
      text: expect.stringMatching(/^Not a JSON object/),
    });
    writeFileSync(log, [one, two.replace('Beta', 'Bets'), three, ''].join('\n'));
    expect(await findings()).toContainEqual({
      ...{ ...at, severity: 'error', code: 'log_edited', line: 2, repairable: false },
      text: `The entry ${id} has been changed since it was written.`,
      remedy: RESTORE,
    });
    expect(await findings()).toContainEqual({
      ...{ severity: 'error', code: 'log_differs', file: 'graph.jsonl', repairable: false },
      text: 'Replaying the log does not match graph.jsonl for beta.',
      remedy: 'The snapshot is used. If the log is right, run `troupe doctor --rebuild graph`.',
    });
  },
);

verifies(
  'graph.store.rotate',
  'many tasks that differ are named up to ten, and a packed piece that is gone is said',
  async () => {
    const { log, lines, findings, paths, open, folder } = await examined();
    for (const count of [10, 11]) {
      const place = graphPlace();
      for (let task = 0; task < count; task++) await place.add(`Task ${task + 10}`);
      writeFileSync(place.log, readFileSync(place.log, 'utf8').replaceAll('"title":"Task', '"title":"Other'));
      const text = (await place.doctor.examine()).find(({ code }) => code === 'log_differs')?.text;
      expect(text).toMatch(count === 10 ? /task-18, task-19\.$/ : /task-18, task-19 and 1 more\.$/);
    }
    const store = await open();
    await store.rotate();
    await store.close();
    expect(await findings()).toEqual([]);
    rmSync(path.join(folder, 'log'), { recursive: true });
    expect((await findings()).filter(({ code }) => code === 'log_piece')).toEqual([
      {
        ...{ severity: 'warning', code: 'log_piece', file: 'log', repairable: false },
        text: 'A log segment is missing or cannot be unpacked: earlier history cannot be shown.',
        remedy: 'Restore the files in .workgraph/log/ from version control or a backup.',
      },
    ]);
    expect([lines().length, existsSync(log), existsSync(paths.pieces)]).toEqual([1, true, false]);
  },
);

verifies(
  'graph.store.hand',
  'what waits to be written down: a hand, branches that came together, a graph without a log',
  async () => {
    const { graph, log, findings, doctor, lines } = await examined();
    const note = (code: string, text: string, repairable = true) => ({
      ...{ severity: 'note', code, text, remedy: 'The next command records it.', repairable },
    });
    const text = readFileSync(graph, 'utf8');
    writeFileSync(graph, text.replace('"Beta"', '"Better"'));
    expect(await findings()).toEqual([note('hand_edit', 'graph.jsonl was changed by hand since it was written.')]);
    expect(await doctor.repair()).toEqual(['Recorded the changes made by hand.']);
    const branch =
      lines()[2]
        ?.replace(/"id":"[^"]+"/, '"id":"elsewhere"')
        .replaceAll('amma', 'elta') ?? '';
    appendFileSync(log, `${branch}\n`);
    const found = await findings();
    expect(found.map(({ code }) => code)).toEqual(['merged', 'merge']);
    expect(found[0]).toMatchObject({
      severity: 'warning',
      remedy: 'Check it with `troupe list`; the next command records it.',
    });
    expect(found[1]).toEqual(note('merge', 'Branches were merged in the log.'));
    expect(await doctor.repair()).toEqual(['Recorded that branches were merged.']);
    rmSync(log);
    expect(await findings()).toContainEqual(
      note('adopt', 'The graph has no log yet: the first change adopts it unchanged.', false),
    );
    expect(await doctor.repair(), 'which only a change does').toEqual([]);
  },
);

verifies('hold.lock.identity', 'what doctor says of the lock, of drafts and of what git needs', async () => {
  const { paths, findings, folder, doctor } = await examined();
  const lock = { file: path.join('service', 'write.lock'), repairable: true };
  const renewed = 'It is taken over if it is not renewed for a minute; `troupe doctor --repair` takes it at once.';
  leaveLock(paths.lock, { start: 'long ago' });
  expect(await findings()).toEqual([
    {
      ...{ ...lock, severity: 'warning', code: 'lock_stale', remedy: 'The next writer takes it over.' },
      text: `The write lock was left by pid ${process.pid} on ${hostname()}, which is gone.`,
    },
  ]);
  leaveLock(paths.lock, { boot: 'another', host: 'elsewhere' });
  expect(await findings()).toEqual([
    {
      ...{ ...lock, severity: 'warning', code: 'lock_elsewhere', remedy: renewed },
      text: `The write lock is held by pid ${process.pid} on elsewhere: whether it is alive cannot be determined from here.`,
    },
  ]);
  writeFileSync(paths.lock, '');
  expect(await findings()).toEqual([
    { ...lock, severity: 'error', code: 'lock_unreadable', remedy: renewed, text: 'The write lock has no owner.' },
  ]);
  rmSync(paths.lock);
  write(folder, {
    'service/x.draft': '',
    'service/y.draft.json': '',
    'service/drafty.json': '',
    'service/z.drafts': '',
  });
  const draft = (name: string) => ({
    ...{ severity: 'note', code: 'leftover', file: path.join('service', name), repairable: true },
    text: 'A temporary file was left by a killed process.',
    remedy: 'It is harmless and can be removed.',
  });
  expect(await findings()).toEqual([draft('x.draft'), draft('y.draft.json')]);
  writeFileSync(path.join(folder, '.gitignore'), 'service/\nagents/\n  reports/  \nworktrees/\nteams.db*\n');
  writeFileSync(path.join(folder, '.gitattributes'), '* -text\n');
  write(folder, { 'agency/roles/a.yaml': 'a\r\n', '../.squad/team.md': 'a\r\n' });
  expect((await findings()).slice(2)).toEqual([
    {
      ...{ severity: 'error', code: 'line_ends', file: path.join('agency', 'roles', 'a.yaml'), repairable: true },
      text: 'git changed the line ends of 2 files of the project.',
      remedy: 'Run `troupe doctor --repair`: it writes them as they were committed, and tells git to leave them alone.',
    },
    {
      ...{ severity: 'warning', code: 'git_files', file: '.gitattributes', repairable: true },
      text: '.gitattributes lacks "operations.jsonl merge=union", "graph.jsonl merge=workgraph": git could change line ends, and would not merge the log.',
      remedy: 'Run `troupe init` again: it adds them.',
    },
  ]);
  expect(await doctor.repair()).toEqual([
    'Removed the draft x.draft.',
    'Removed the draft y.draft.json.',
    'Gave 2 files the line ends back that git had changed.',
    'Completed .gitattributes.',
  ]);
  expect(readFileSync(path.join(path.dirname(folder), '.gitattributes'), 'utf8')).toBe('.squad/** -text\n');
  rmSync(path.join(folder, '.gitignore'));
  expect((await findings())[0]?.text).toBe(
    '.gitignore lacks "service/", "agents/", "reports/", "worktrees/", "teams.db*": git would keep what belongs to one machine.',
  );
});

verifies('graph.store.merge', 'whose lines may be merged, and how much of them', async () => {
  const { doctor, folder, graph } = await examined();
  const large = path.join(folder, 'large');
  const files = { base: graph, ours: graph, theirs: graph };
  const refused = async (theirs: string) =>
    await doctor.mergeFiles({ ...files, theirs }).then(
      () => expect.unreachable(),
      (error) => error,
    );
  writeFileSync(large, '');
  truncateSync(large, WORK_LIMITS.mergeFileBytes + 1);
  expect(await refused(large)).toEqual(
    coded('too_large', `${large} is larger than can be merged (${WORK_LIMITS.mergeFileBytes} bytes).`),
  );
  expect(await refused(folder)).toEqual(coded('unsafe_path', `${folder} is not a regular file.`));
  expect(await refused(path.join(folder, 'no'))).toEqual(coded('not_found', `There is no file ${folder}/no.`));
  expect((await doctor.mergeFiles(files)).tasks).toBe(3);
});
