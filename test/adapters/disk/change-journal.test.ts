import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ChangeJournal, type Commitment, type JournalLockMode } from '#adapters/disk/change-journal.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import type { FileChange } from '#kernel/file-change.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { ProcessIdentity } from '#ports/processes.js';
import { PATIENCE } from '../../patience.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A machine that was booted under this name. */
class Machine extends ProcessTable {
  private readonly bootName: string;

  constructor(bootName: string) {
    super();
    this.bootName = bootName;
  }

  override self(): ProcessIdentity {
    return { ...super.self(), boot: this.bootName };
  }
}

/** A project, the entries of its log, what followed its changes, and the steps of its journal. */
class Place {
  /** Named like a folder of a change that is settled, which it is not. */
  readonly base = path.join(room('journal'), 'x.settled-y');
  readonly log: string[] = [];
  readonly followed: string[][] = [];
  readonly steps: string[] = [];
  /** The step before which everything stops. */
  stop: string | undefined;
  at: (step: string) => void = () => undefined;
  now = Date.now();
  follows: () => Promise<void> = async () => undefined;

  journal(boot = 'first') {
    const service = () => ({ root: this.base, folder: '.workgraph/service' });
    const place = { base: this.base, service, name: 'test', modeOf: () => 0o640, mayWrite: isMine };
    const step = (name: string) => {
      this.steps.push(name);
      this.at(name);
      if (this.stop !== undefined && name === this.stop) throw new Error(`stopped before ${name}`);
    };
    const journal = new ChangeJournal(place, { processes: new Machine(boot), step, clock: { now: () => this.now } });
    const outcome = {
      committed: async (name: string, from: number) => this.log.slice(from).includes(name),
      follow: async (files: readonly FileChange[]) => {
        await this.follows();
        this.followed.push(files.map(({ path: file }) => file));
      },
    };
    return {
      journal,
      write: (files: readonly FileChange[], commitment: Commitment = null) =>
        journal.alone(outcome, 'writing', (writeChange) => writeChange(files, commitment)),
      recover: (turn: JournalLockMode = 'writing') => journal.alone(outcome, turn, async () => undefined),
    };
  }

  /** Commits in the log, at its end. */
  byLog(answer: () => boolean = () => true): Commitment {
    const commit = async (name: string) => {
      const holds = answer();
      if (holds) this.log.push(name);
      return holds;
    };
    return { from: this.log.length, commit };
  }

  /** Every file of the project but those of the service; folders end with a slash. */
  files(): Record<string, string> {
    const found = readdirSync(this.base, { recursive: true, withFileTypes: true }).map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(this.base, file);
      return entry.isDirectory() ? ([`${name}/`, ''] as const) : ([name, readFileSync(file, 'utf8')] as const);
    });
    return Object.fromEntries(found.filter(([name]) => !name.startsWith('.workgraph')).sort());
  }

  /** Folders of changes that are not over, or whose files may not be on the disk yet. */
  records(): string[] {
    const folder = path.join(this.base, '.workgraph/service/changes/test');
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  recordFolder(): string {
    return path.join(this.base, '.workgraph/service/changes/test', this.records()[0] ?? '');
  }
}

const isMine = (file: string) => file.startsWith('team/') || file === 'beside.md';
const put = (file: string, text: string): FileChange => ({ kind: 'write', path: file, text });

/** One of each kind, in folders that are there and in such as are not: more than are flushed one by one. */
const CHANGES: readonly FileChange[] = [
  put('team/a.md', 'new a'),
  put('team/deep/new/b.md', 'b'),
  { kind: 'create', path: 'team/there.md', text: 'never' },
  { kind: 'create', path: 'team/deep/c.md', text: 'c' },
  { kind: 'append', path: 'team/lines.jsonl', idField: 'id', lines: ['{"id":"1","late":true}', '{"id":"2"}'] },
  { kind: 'remove', path: 'team/old/gone.md' },
  put('beside.md', 'same'),
];
const BEFORE = {
  'team/a.md': 'old a',
  'team/there.md': 'there',
  'team/lines.jsonl': '{"id":"1"}',
  'team/old/gone.md': 'gone',
  'beside.md': 'same',
};
const AFTER = {
  'beside.md': 'same',
  'team/': '',
  'team/a.md': 'new a',
  'team/deep/': '',
  'team/deep/c.md': 'c',
  'team/deep/new/': '',
  'team/deep/new/b.md': 'b',
  'team/lines.jsonl': '{"id":"1"}\n{"id":"2"}\n',
  'team/there.md': 'there',
};

function started(): Place {
  const place = new Place();
  write(place.base, BEFORE);
  return place;
}

verifies(
  ['one.commit', 'one.flush'],
  'all files are written, each by its kind, and what follows is told once',
  async () => {
    const place = started();
    chmodSync(path.join(place.base, 'team/a.md'), 0o600);
    const inode = statSync(path.join(place.base, 'beside.md')).ino;
    await place.journal().write(CHANGES, place.byLog());
    expect(place.files()).toEqual(AFTER);
    expect(place.log).toHaveLength(1);
    expect(place.followed).toEqual([CHANGES.map(({ path: file }) => file)]);
    const mode = (file: string) => statSync(path.join(place.base, file)).mode & 0o777;
    expect([mode('team/a.md'), mode('team/deep/c.md'), mode('team/deep')]).toEqual([
      ...[0o600, 0o640 & ~process.umask(), 0o750 & ~process.umask()],
    ]);
    expect(statSync(path.join(place.base, 'beside.md')).ino, 'a file that stays as it is is not written').toBe(inode);
    expect(place.steps).toEqual([
      ...['make folder', 'stage', 'write team/a.md', 'put team/a.md', 'write team/deep/new/b.md'],
      ...['put team/deep/new/b.md', 'create team/deep/c.md', 'put team/deep/c.md', 'append team/lines.jsonl'],
      ...['put team/lines.jsonl', 'remove team/old/gone.md', 'commit', 'follow', 'settle'],
    ]);
  },
);

verifies('one.commit', 'stopped before any step, all of it stands or none, with what follows from it', async () => {
  for (const commits of ['log', 'record'] as const) {
    const whole = started();
    await whole.journal().write(CHANGES, commits === 'log' ? whole.byLog() : null);
    for (const stop of whole.steps) {
      const place = started();
      const before = place.files();
      place.stop = stop;
      const commitment = commits === 'log' ? place.byLog() : null;
      const ended = await place
        .journal()
        .write(CHANGES, commitment)
        .then(
          () => 'done',
          (error: Error) => error.message,
        );
      place.stop = undefined;
      await place.journal().recover();
      const stands = stop === 'follow' || stop === 'settle';
      expect([ended, place.files()]).toEqual([stands ? 'done' : `stopped before ${stop}`, stands ? AFTER : before]);
      expect(place.log, stop).toHaveLength(stands && commits === 'log' ? 1 : 0);
      expect(place.followed.length > 0, stop).toBe(stands);
      if (!stands) expect(place.records(), stop).toEqual([]);
    }
  }
});

verifies('one.commit', 'the log has the last word: no, an error before its entry, an error after it', async () => {
  const refused = started();
  const before = refused.files();
  await refused.journal().write(
    CHANGES,
    refused.byLog(() => false),
  );
  expect([refused.files(), refused.records(), refused.followed]).toEqual([before, [], []]);

  const failed = started();
  const fails = { from: 0, commit: () => Promise.reject(new Error('no room')) };
  await expect(failed.journal().write(CHANGES, fails)).rejects.toThrow('no room');
  expect([failed.files(), failed.records()]).toEqual([before, []]);

  const entered = started();
  const enters = {
    from: 0,
    commit: async (name: string) => {
      entered.log.push(name);
      throw new Error('the answer was lost');
    },
  };
  await entered.journal().write(CHANGES, enters);
  expect([entered.files(), entered.followed.length]).toEqual([AFTER, 1]);

  const earlier = started();
  earlier.log.push('other');
  earlier.stop = 'commit';
  await expect(earlier.journal().write(CHANGES, { from: 1, commit: async () => true })).rejects.toThrow('stopped');
  expect(earlier.files(), 'an entry before the position is of another change').toEqual(before);
});

/** A project as a writer leaves it that is killed before its change is committed. */
async function killed(): Promise<Place> {
  const place = started();
  const saved = room('saved');
  place.at = (step) => {
    if (step === 'commit') cpSync(place.base, saved, { recursive: true });
  };
  await place.journal().write(CHANGES, place.byLog());
  rmSync(place.base, { recursive: true });
  renameSync(saved, place.base);
  rmSync(path.join(place.base, '.workgraph/service/test.lock'));
  place.log.length = 0;
  place.followed.length = 0;
  return place;
}

verifies('one.commit', 'what a killed writer left is undone, but for what somebody has edited since', async () => {
  const place = await killed();
  expect(place.files()['team/a.md']).toBe('new a');
  expect(await place.journal().journal.isPending()).toBe(true);
  writeFileSync(path.join(place.base, 'team/deep/c.md'), 'edited by hand');
  await place.journal().recover();
  expect(place.files()).toMatchObject({
    'team/a.md': 'old a',
    'team/old/gone.md': 'gone',
    'team/deep/c.md': 'edited by hand',
    'team/lines.jsonl': '{"id":"1"}',
  });
  expect(existsSync(path.join(place.base, 'team/deep/new'))).toBe(false);
  expect([place.records(), await place.journal().journal.isPending()]).toEqual([[], false]);
  // Killed before it had a record, or while that was written, it has changed nothing.
  mkdirSync(path.join(place.recordFolder(), 'bare'), { recursive: true });
  writeFileSync(path.join(place.recordFolder(), 'draft'), '');
  await place.journal().recover();
  expect([place.records(), await place.journal().journal.isPending()]).toEqual([[], false]);
});

verifies(
  'one.commit',
  'a committed change of a killed writer stays, with the edits since, and is followed',
  async () => {
    const place = await killed();
    const text = readFileSync(path.join(place.recordFolder(), 'staged.json'), 'utf8');
    place.log.push(JSON.parse(text).name);
    writeFileSync(path.join(place.base, 'team/a.md'), 'old a');
    await place.journal().recover();
    expect(place.files(), 'a hand that went back to the old text, on the same boot, counts').toEqual({
      ...AFTER,
      'team/a.md': 'old a',
    });
    expect(place.followed).toHaveLength(1);
  },
);

verifies(
  ['one.commit', 'one.flush'],
  'files that a stopped machine lost are written again from the record',
  async () => {
    const place = started();
    await place.journal().write(CHANGES, place.byLog());
    expect(place.records()).toEqual([expect.stringMatching(/\.settled-first$/)]);
    expect(await place.journal().journal.isPending()).toBe(false);
    const at = (file: string) => path.join(place.base, file);
    truncateSync(at('team/a.md'), 0);
    writeFileSync(at('team/deep/c.md'), Buffer.alloc(5));
    rmSync(at('team/deep/new/b.md'));
    truncateSync(at('team/lines.jsonl'), 0);
    write(place.base, { 'team/old/gone.md': 'gone' });
    writeFileSync(at('team/there.md'), 'edited by hand');
    expect(await place.journal('second').journal.isPending()).toBe(true);
    place.steps.length = 0;
    await place.journal('second').recover();
    expect(place.files()).toEqual({ ...AFTER, 'team/there.md': 'edited by hand' });
    expect(place.steps, 'what is there already is left alone').toEqual([
      ...['write team/a.md', 'put team/a.md', 'write team/deep/new/b.md', 'put team/deep/new/b.md'],
      ...['create team/deep/c.md', 'put team/deep/c.md', 'append team/lines.jsonl', 'put team/lines.jsonl'],
      ...['remove team/old/gone.md', 'follow', 'settle'],
    ]);
    expect(place.records()).toEqual([expect.stringMatching(/\.settled-second$/)]);
    writeFileSync(at('team/a.md'), 'edited after all');
    await place.journal('third').recover();
    expect(place.files()['team/a.md']).toBe('edited after all');
  },
);

verifies(
  'one.flush',
  'a record is kept until the system has written its files; of few files it goes at once',
  async () => {
    const few = started();
    await few.journal().write(CHANGES.slice(0, TEAM_LIMITS.flushedFiles));
    expect(existsSync(path.join(few.base, '.workgraph/service/changes'))).toBe(false);
    const place = started();
    await place.journal().write(CHANGES);
    expect(readdirSync(place.recordFolder())).toEqual(['before-0', 'before-4', 'before-5', 'committed.json']);
    place.now = Date.now() + TEAM_LIMITS.changeKeptMs - 5_000;
    await place.journal().recover();
    expect(place.records()).toHaveLength(1);
    place.now = Date.now() + TEAM_LIMITS.changeKeptMs + 5_000;
    await place.journal().recover();
    expect(place.records()).toEqual([]);
    const ahead = started();
    await ahead.journal().write(CHANGES);
    ahead.now = Date.now() - 2 * TEAM_LIMITS.changeKeptMs;
    await ahead.journal().recover();
    expect(ahead.records(), 'written before the clock was set back').toEqual([]);
    const silent = started();
    await silent.journal('').write(CHANGES);
    expect(silent.records(), 'where no boot is told of, all is flushed').toEqual([]);
    const long = started();
    await long.journal(`../${'0123456789'.repeat(5)}`).write(CHANGES);
    expect(long.records()).toEqual([expect.stringMatching(/\.settled-(?:0123456789){3}01$/)]);
  },
);

verifies('one.commit', 'a follower that cannot follow holds up who writes, not who reads', async () => {
  const place = started();
  place.follows = () => Promise.reject(new Error('busy'));
  await place.journal().write(CHANGES, place.byLog());
  expect([place.files(), place.records().length]).toEqual([AFTER, 1]);
  await place.journal().recover('reading');
  await expect(place.journal().write([put('team/x.md', 'x')])).rejects.toThrow('busy');
  expect(place.files()).toEqual(AFTER);
  place.follows = async () => undefined;
  await place.journal().write([put('team/x.md', 'x')]);
  expect(place.followed).toEqual([CHANGES.map(({ path: file }) => file), ['team/x.md']]);
});

verifies(
  ['one.commit', 'sec.inert'],
  'a record that lies in a repository writes nothing but what is ours to write',
  async () => {
    const place = started();
    const folder = path.join(place.base, '.workgraph/service/changes/test/planted');
    mkdirSync(folder, { recursive: true });
    const digest = 'a'.repeat(64);
    const record = { name: 'n', from: null, boot: 'first', files: [] as unknown[], newFolders: [] as unknown[] };
    const file = { change: put('team/a.md', 'planted'), before: null, after: digest };
    const planted = (value: unknown, name = 'committed.json') =>
      writeFileSync(path.join(folder, name), JSON.stringify(value));
    const recovered = () =>
      place
        .journal('second')
        .recover()
        .then(
          () => 'fine',
          (error: { code: string }) => error.code,
        );
    for (const bad of [
      ...['.git/hooks/post-commit', '../x', 'package.json', 'team/../x', '/etc/passwd'],
      ...['.workgraph/graph.jsonl', ''],
    ]) {
      planted({ ...record, files: [{ ...file, change: put(bad, 'x') }] });
      expect([bad, await recovered()]).toEqual([bad, 'unsafe_path']);
    }
    for (const odd of [
      ...[7, {}, { ...record, name: 1 }, { ...record, from: 'x' }, { ...record, from: 0.5 }, { ...record, boot: 1 }],
      ...[
        { ...record, files: [null] },
        { ...record, files: [{ ...file, change: null }] },
      ],
      ...[{ ...record, files: [{ ...file, change: { kind: 'write', text: 'x' } }] }],
      ...[{ ...record, files: [{ ...file, change: { kind: 'append', path: 'team/a.md', lines: ['x'] } }] }],
      ...[{ ...record, files: [{ ...file, change: { kind: 'append', path: 'team/a.md', idField: 'id' } }] }],
      ...[
        { ...record, files: {} },
        { ...record, files: [{ ...file, before: 'x' }] },
      ],
      ...[
        { ...record, files: [{ ...file, after: undefined }] },
        { ...record, files: [{ ...file, change: { kind: 'exec' } }] },
      ],
      ...[{ ...record, files: [{ ...file, change: { kind: 'write', path: 'team/a.md' } }] }],
      ...[{ ...record, files: [{ ...file, change: { kind: 'replace', path: 'team/a.md', text: 'x', was: 'y' } }] }],
      ...[{ ...record, files: [{ ...file, change: { kind: 'replace', path: 'team/a.md', was: null } }] }],
      ...[
        { ...record, files: [{ ...file, change: { kind: 'append', path: 'team/a.md', idField: 'id', lines: [1] } }] },
      ],
      ...[
        { ...record, newFolders: ['src'] },
        { ...record, files: [file], newFolders: [7] },
        { ...record, newFolders: 'team' },
      ],
    ]) {
      planted(odd);
      expect([odd, await recovered()]).toEqual([odd, 'corrupt']);
    }
    expect(place.files()).toMatchObject(BEFORE);
    // A kept file that is a link does not become a file of the project.
    rmSync(path.join(folder, 'committed.json'));
    symlinkSync('/etc/passwd', path.join(folder, 'before-0'));
    truncateSync(path.join(place.base, 'team/a.md'), 0);
    planted({ ...record, files: [{ ...file, before: 'b'.repeat(64) }] }, 'staged.json');
    expect(await recovered()).toBe('unsafe_path');
    rmSync(path.join(folder, 'before-0'));
    expect([await recovered(), place.records()]).toEqual(['fine', []]);
  },
);

verifies('one.commit', 'no link on the way is followed, and nothing is written elsewhere', async () => {
  const place = started();
  const outside = room('outside');
  symlinkSync(outside, path.join(place.base, 'team/link'));
  for (const files of [[put('team/a.md', 'x'), put('team/link/x', 'x')], [put('other.md', 'x')]])
    await expect(place.journal().write(files)).rejects.toMatchObject({ code: 'unsafe_path' });
  expect([readdirSync(outside), place.records()]).toEqual([[], []]);
  expect(readFileSync(path.join(place.base, 'team/a.md'), 'utf8')).toBe('old a');
  // A second name of a file keeps its content: the file is replaced, never written into.
  linkSync(path.join(place.base, 'team/a.md'), path.join(outside, 'second'));
  await place.journal().write([put('team/a.md', 'x')]);
  expect(readFileSync(path.join(outside, 'second'), 'utf8')).toBe('old a');
});

verifies(
  'one.commit',
  'one change at a time; faults of the disk are told by their code, and the lock is free after them',
  async () => {
    const place = started();
    const { journal } = place.journal();
    const order: string[] = [];
    const body = (name: string) => async () => {
      order.push(`${name} begins`);
      expect(existsSync(path.join(place.base, '.workgraph/service/test.lock'))).toBe(true);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    };
    await Promise.all([
      journal.locked(body('a')),
      journal.locked(body('b')),
      place.journal().journal.locked(body('c')),
    ]);
    expect(order.map((line, index) => line.endsWith(index % 2 === 0 ? 'begins' : 'ends'))).toEqual(Array(6).fill(true));
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    await expect(journal.locked(() => Promise.reject(full))).rejects.toMatchObject({ code: 'disk_full', cause: full });
    const service = path.join(place.base, '.workgraph/service');
    expect([readdirSync(service), readFileSync(path.join(service, '.gitignore'), 'utf8')]).toEqual([
      ['.gitignore'],
      '*\n',
    ]);
    expect(statSync(service).mode & 0o777).toBe(0o700 & ~process.umask());
  },
);

verifies('hold.lock.identity', 'a journal in use is waited for, unless its user would rather not', async () => {
  const place = new Place();
  const { recover } = place.journal();
  await recover();
  const file = path.join(place.base, '.workgraph/service/test.lock');
  const other = new Machine('first').lock(file, { now: () => place.now });
  await other.acquire();
  await expect(recover('unless-busy')).rejects.toMatchObject({ code: 'locked' });
  let isOver = false;
  const waits = recover().finally(() => (isOver = true));
  await expect
    .poll(() => readdirSync(path.dirname(file)).some((name) => name.startsWith('test.lock.want.')), PATIENCE)
    .toBe(true);
  expect(isOver).toBe(false);
  other.release();
  await waits;
});
