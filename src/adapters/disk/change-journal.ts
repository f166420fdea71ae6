import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { diskError, isMissing, safePath } from '#adapters/disk/safe-path.js';
import { type Clock, isRecent } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { freshId } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { StepQueue } from '#kernel/step-queue.js';
import { inSentence } from '#kernel/text.js';
import type { Processes } from '#ports/processes.js';
import { type ChangeRecord, RECORD_PHASES, readRecord } from './change-record.js';
import {
  type FilePlaces,
  flush,
  flushFolders,
  folderMode,
  isFlushed,
  recordFiles,
  redo,
  removeEmpty,
  type StepHook,
  undo,
  writeFlushed,
  writeRecordedFiles,
} from './recorded-files.js';

const SETTLED = '.settled-';

/** Files covered by a journal. Paths are relative to the base, with `/`. */
export interface JournalPlace {
  /** Absolute path. */
  readonly base: string;
  /** Folder for runtime files, never committed, e.g. `.workgraph/service` below the absolute path of a project. */
  service(): { readonly root: string; readonly folder: string };
  /** Unique among the journals of the same base; names its lock and the folder of its records. */
  readonly name: string;
  /** Permissions of a new file. */
  modeOf(file: string): number;
  /** Whether a change may write this file. A record may come from a repository and must not plant executable code. */
  mayWrite(file: string): boolean;
}

/** Effects of a change outside its files. */
export interface ChangeOutcome {
  /** Whether the log has an entry of this name after the position `from`. */
  committed(name: string, from: number): Promise<boolean>;
  /** Updates data derived from these files. Idempotent. */
  follow(files: readonly FileChange[]): Promise<void>;
}

/** Enters a change in the log; `commit` gets its name and returns whether it is valid. Null: the record commits it. */
export type Commitment = { readonly from: number; commit(name: string): Promise<boolean> } | null;

/**
 * Lock behaviour: `writing` waits until every earlier change is settled; `reading` tolerates a follow-up that currently
 * fails; `unless-busy` fails with `locked` if another process holds the lock.
 */
export type JournalLockMode = 'writing' | 'reading' | 'unless-busy';

/** Writes all files and commits them, or restores the previous state. */
export type WriteChange = (files: readonly FileChange[], commitment: Commitment) => Promise<void>;

/**
 * Applies changes of several files atomically, one at a time across processes. A change is recorded with its contents,
 * then its files are written, then a log entry (or its record, if there is no log) commits it. After an interruption,
 * the next user of the journal undoes an uncommitted change and completes the follow-up of a committed one. Files are
 * flushed individually only if there are few. For many files, the record is kept until the system has written them, and
 * the change is redone if the machine stops before that.
 */
export class ChangeJournal {
  private readonly place: JournalPlace;
  private readonly processes: Processes;
  private readonly step: StepHook;
  private readonly clock: Clock;
  /** Changes of this process. The file lock applies to the process as a whole. */
  private readonly changes = new StepQueue({ width: 1, patienceMs: undefined });

  constructor(place: JournalPlace, parts: { processes: Processes; step: StepHook; clock: Clock }) {
    this.place = place;
    this.processes = parts.processes;
    this.step = parts.step;
    this.clock = parts.clock;
  }

  /** Whether a change is in progress, was interrupted, or may have lost files in a power failure. Cheap. */
  async isPending(): Promise<boolean> {
    return (await this.pending()).length > 0;
  }

  /** Runs `body` while no other caller or process changes files of this journal. */
  async locked<Result>(body: () => Promise<Result>): Promise<Result> {
    return await this.inTurn('writing', body);
  }

  private async inTurn<Result>(turn: JournalLockMode, body: () => Promise<Result>): Promise<Result> {
    return await this.changes.run(() => this.withLock(turn, body));
  }

  /** Runs `work` with the lock after recovering interrupted changes. */
  async alone<Result>(
    outcome: ChangeOutcome,
    turn: JournalLockMode,
    work: (write: WriteChange) => Promise<Result>,
  ): Promise<Result> {
    return await this.inTurn(turn, async () => {
      await this.recover(outcome, turn === 'reading');
      return await work((files, commitment) => this.write(outcome, files, commitment));
    });
  }

  private async withLock<Result>(turn: JournalLockMode, body: () => Promise<Result>): Promise<Result> {
    const { name } = this.place;
    const service = this.place.service();
    const file = await safePath(service.root, `${service.folder}/${name}.lock`);
    try {
      await makeServiceFolder(path.dirname(file), folderMode(this.place.modeOf(`${service.folder}/.gitignore`)));
      const lock = this.processes.lock(file, this.clock);
      await lock.acquire(() => turn === 'unless-busy');
      try {
        return await body();
      } finally {
        lock.release();
      }
    } catch (error) {
      throw diskError(error);
    }
  }

  private async write(outcome: ChangeOutcome, files: readonly FileChange[], commitment: Commitment): Promise<void> {
    await this.checkTargets(files);
    const { places, record } = await this.stage(files, commitment);
    try {
      await writeRecordedFiles(places, record, this.step);
      await this.step('commit');
      if (commitment === null) this.commitByRecord(places);
    } catch (error) {
      await this.rollBack(places, record);
      throw diskError(error, 'The change could not be written completely: everything was restored.');
    }
    if (commitment && !(await this.commit(outcome, places, record, commitment)))
      return await this.rollBack(places, record);
    // The change is committed: the next writer reports and completes a failed follow-up.
    await this.finish(outcome, places, record).catch(() => undefined);
  }

  private async stage(files: readonly FileChange[], commitment: Commitment) {
    await this.step('make folder');
    const places = await this.places(freshId());
    try {
      mkdirSync(places.folder, { recursive: true, mode: PRIVATE_FOLDER });
      await this.step('stage');
      const record: ChangeRecord = {
        name: freshId(),
        from: commitment?.from ?? null,
        boot: this.boot(),
        ...recordFiles(places, files),
      };
      const text = JSON.stringify(record);
      if (Buffer.byteLength(text) > TEAM_LIMITS.changeBytes) throw new TroupeError('too_large');
      // Renamed only when complete: a record left empty by a kill would count as damaged and block every later change.
      const draft = path.join(places.folder, 'draft');
      writeFlushed(draft, text);
      renameSync(draft, path.join(places.folder, RECORD_PHASES.staged));
      flush(places.folder);
      return { places, record };
    } catch (error) {
      rmSync(places.folder, { recursive: true, force: true });
      this.tidy(places.folder);
      throw diskError(error);
    }
  }

  private commitByRecord({ folder }: FilePlaces): void {
    renameSync(path.join(folder, RECORD_PHASES.staged), path.join(folder, RECORD_PHASES.committed));
    flush(folder);
  }

  private async commit(
    outcome: ChangeOutcome,
    places: FilePlaces,
    record: ChangeRecord,
    { from, commit }: NonNullable<Commitment>,
  ): Promise<boolean> {
    try {
      return await commit(record.name);
    } catch (error) {
      // Only the log tells whether it was committed. If the log is unreadable now, the record stays for the next
      // caller.
      if (await outcome.committed(record.name, from)) return true;
      await this.rollBack(places, record);
      throw error;
    }
  }

  private async finish(outcome: ChangeOutcome, places: FilePlaces, record: ChangeRecord): Promise<void> {
    await this.step('follow');
    await outcome.follow(record.files.map(({ change }) => change));
    await this.step('settle');
    await this.settle(places, record);
  }

  /** Removing the record ends the change; a kept record allows a redo. */
  private async settle(places: FilePlaces, record: ChangeRecord): Promise<void> {
    const boot = this.boot();
    if (isFlushed(record)) {
      flushFolders(places, record);
      return this.discard(places.folder);
    }
    const [unsettled] = path.basename(places.folder).split(SETTLED);
    renameSync(places.folder, path.join(path.dirname(places.folder), `${unsettled}${SETTLED}${boot}`));
  }

  private async rollBack(places: FilePlaces, record: ChangeRecord): Promise<void> {
    try {
      await undo(places, record, this.step);
      this.discard(places.folder);
    } catch (error) {
      throw diskError(
        error,
        'The change could not be written completely: the next command that can write restores it.',
      );
    }
  }

  private async recover(outcome: ChangeOutcome, reading: boolean): Promise<void> {
    for (const name of await this.pending()) {
      const places = await this.places(name);
      const found = await readRecord(places.folder);
      if (found === undefined) {
        this.discard(places.folder);
        continue;
      }
      const { record, phase } = found;
      await this.checkTargets(record.files.map(({ change }) => change));
      const holds =
        phase === 'committed' ||
        name.includes(SETTLED) ||
        (record.from !== null && (await outcome.committed(record.name, record.from)));
      if (!holds) {
        await this.rollBack(places, record);
        continue;
      }
      if (record.boot !== this.boot() || record.boot === '') await redo(places, record, this.step);
      try {
        await this.finish(outcome, places, record);
      } catch (error) {
        if (!reading)
          throw diskError(error, 'The change is not complete: the next command that can write finishes it.');
      }
    }
    await this.forgetOld();
  }

  private async checkTargets(files: readonly FileChange[]): Promise<void> {
    for (const { path: target } of files) {
      await safePath(this.place.base, target);
      if (this.place.mayWrite(target)) continue;
      throw new TroupeError('unsafe_path', {
        what: `${inSentence(target)} is not a file that this change may write: nothing was changed.`,
      });
    }
  }

  private async places(name: string): Promise<FilePlaces> {
    const folder = path.join(await this.room(), name);
    return { base: this.place.base, folder, modeOf: (file) => this.place.modeOf(file) };
  }

  private async room(): Promise<string> {
    const { root, folder } = this.place.service();
    return path.dirname(await safePath(root, `${folder}/changes/${this.place.name}/any`));
  }

  /** Names of change folders not settled since the machine booted. */
  private async pending(): Promise<string[]> {
    const settled = `${SETTLED}${this.boot()}`;
    return (await this.names()).filter((name) => !name.endsWith(settled));
  }

  private async names(): Promise<string[]> {
    try {
      return readdirSync(await this.room()).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Discards records whose files the system has written by now. */
  private async forgetOld(): Promise<void> {
    const room = await this.room();
    for (const name of await this.names()) {
      const folder = path.join(room, name);
      // `git clean -fdx` may have removed it since it was listed.
      const settledAt = statSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? 0;
      const isKept = isRecent(settledAt, this.clock.now(), TEAM_LIMITS.changeKeptMs);
      if (name.includes(SETTLED) && !isKept) this.discard(folder);
    }
  }

  private discard(folder: string): void {
    // Without its record the change is over, even if removing the rest fails.
    for (const file of Object.values(RECORD_PHASES)) rmSync(path.join(folder, file), { force: true });
    rmSync(folder, { recursive: true, force: true });
    this.tidy(folder);
  }

  private tidy(folder: string): void {
    removeEmpty(path.dirname(folder));
    removeEmpty(path.dirname(path.dirname(folder)));
  }

  private boot(): string {
    return this.processes
      .self()
      .boot.replaceAll(/[^0-9A-Za-z]/g, '')
      .slice(0, 32);
  }
}

/** Creates the folder for runtime files, with a `.gitignore` because it is never committed. */
async function makeServiceFolder(folder: string, mode: number): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true, mode });
  const created = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  if (created !== undefined) await writeFile(path.join(folder, '.gitignore'), '*\n');
}
