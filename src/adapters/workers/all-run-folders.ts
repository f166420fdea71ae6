import { channelsOf } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import { refuseReading } from '#adapters/postgres/reading.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { safeJson } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { redact } from '#kernel/secrets.js';
import type { Blobs } from '#ports/blobs.js';
import type { RunAtWork, RunFolders, RunIdentity, RunPart, RunSession } from '#ports/run-folders.js';
import type { ListedRun } from '#ports/run-host.js';
import type { PostedAttempt } from './attempt-board.js';
import { attemptFact, listedAttempt } from './attempt-facts.js';
import { ATTEMPT_COLUMNS, type AttemptRow, attemptIn } from './attempt-rows.js';
import { bytesOfPart, sizeOfPart } from './run-pieces.js';

const KNOWN = `SELECT ${ATTEMPT_COLUMNS} FROM attempts`;

/**
 * Files of runs: those of this machine on disk, those of workers in the database, readable from any machine. A client's
 * session is available only on the machine of its run.
 */
export class AllRunFolders implements RunFolders {
  private readonly here: RunFolders;
  private readonly database: PostgresDatabase;
  private readonly blobs: () => Promise<Blobs>;

  /** `blobs` is called once data outside the database is needed. */
  constructor(here: RunFolders, database: PostgresDatabase, blobs: () => Promise<Blobs>) {
    this.here = here;
    this.database = database;
    this.blobs = blobs;
  }

  async part(
    runId: string,
    of: 'output' | 'events',
    range: { from?: number; most: number },
  ): Promise<RunPart | undefined> {
    const attempt = await this.elsewhere(runId);
    if (attempt === undefined) return await this.here.part(runId, of, range);
    const { from, most } = range;
    const size = await sizeOfPart(this.database, runId, of);
    if (size === 0 && of === 'events') return undefined; // a command has no events
    if (from !== undefined) {
      const start = from > size ? 0 : from;
      const bytes = await this.bytesOf({ run: runId, of, from: start, most });
      const end = bytes.lastIndexOf(10) + 1;
      const read = bytes.subarray(0, end === 0 && bytes.length === most ? bytes.length : end);
      return { text: redact(read.toString('utf8')), next: start + read.length, size };
    }
    if (most === 0) return { text: '', next: size, size };
    // Reads more than requested, to detect secrets that begin earlier.
    const start = Math.max(0, size - most - WORK_LIMITS.redactorHeldCharacters);
    const bytes = await this.bytesOf({ run: runId, of, from: start, most: size - start });
    const whole = of === 'events' ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes;
    const clean = Buffer.from(redact(whole.toString('utf8')));
    const text = clean.subarray(Math.max(0, clean.length - Math.min(most, size))).toString('utf8');
    return { text, next: start + whole.length, size };
  }

  async prompt(runId: string, maxBytes: number): Promise<string | undefined> {
    if ((await this.elsewhere(runId)) === undefined) return await this.here.prompt(runId, maxBytes);
    const bytes = await this.bytesOf({ run: runId, of: 'prompt', from: 0, most: maxBytes });
    return bytes.length === 0 ? undefined : bytes.toString('utf8');
  }

  async identity(runId: string): Promise<RunIdentity | undefined> {
    const here = await this.here.identity(runId);
    if (here !== undefined) return here;
    const { taskId, fence, mail = 'none', branch, folder } = (await this.known(runId))?.card ?? {};
    if (taskId === undefined || fence === undefined) return undefined;
    const tree = branch === undefined || folder === undefined ? {} : { tree: { branch, folder } };
    return { taskId, fence, mail, ...tree };
  }

  async keepRefused(runId: string, refused: Readonly<Record<string, unknown>>): Promise<void> {
    const attempt = await this.elsewhere(runId).catch(() => undefined);
    if (attempt === undefined) return await this.here.keepRefused(runId, refused);
    const text = redact(safeJson(refused)).slice(0, WORK_LIMITS.refusedBytes);
    const { fence } = attempt.card;
    const kept = this.database.query(
      `INSERT INTO refused_ends (run, fence, worker, text) SELECT $1, $2, $3, $4
       WHERE (SELECT coalesce(sum(length(text)), 0) FROM refused_ends WHERE run = $1) + length($4) <= $5`,
      [runId, fence, attempt.worker ?? null, text, WORK_LIMITS.refusedBytes],
    );
    await kept.catch(() => undefined); // the rejection itself matters and is reported anyway
  }

  async session(runId: string): Promise<RunSession | undefined> {
    return await this.here.session(runId);
  }

  async state(runId: string): Promise<'at-work' | 'ended' | 'gone'> {
    const attempt = await this.elsewhere(runId);
    if (attempt === undefined) return await this.here.state(runId);
    if (attempt.state !== 'ended') return 'at-work';
    return attempt.outcome === 'told' ? 'ended' : 'gone';
  }

  async ended(runId: string): Promise<RunFact | undefined> {
    const attempt = await this.elsewhere(runId);
    if (attempt === undefined) return await this.here.ended(runId);
    return attempt.outcome === 'told' ? attemptFact(attempt) : undefined;
  }

  async tidy(runId: string): Promise<void> {
    await this.here.tidy(runId); // elsewhere, output is redacted before it is sent
  }

  async listed(): Promise<readonly ListedRun[]> {
    const { rows } = await this.database.query<AttemptRow>(
      `${KNOWN} WHERE state <> 'prepared' ORDER BY turn DESC LIMIT $1`,
      [WORK_LIMITS.registryEnded],
    );
    return [...(await this.here.listed()), ...rows.map(attemptIn).map(listedAttempt)];
  }

  /** Only runs with processes on this machine. */
  async atWork(): Promise<readonly RunAtWork[]> {
    return await this.here.atWork();
  }

  async places(runId: string): Promise<readonly string[]> {
    return (await this.elsewhere(runId)) === undefined ? await this.here.places(runId) : [];
  }

  named(folder: string): string | undefined {
    return this.here.named(folder);
  }

  async end(runId: string, force: boolean): Promise<boolean> {
    if ((await this.elsewhere(runId)) === undefined) return await this.here.end(runId, force);
    await refuseReading(this.database);
    const { rowCount } = await this.database.query(
      `UPDATE attempts SET wish_end = coalesce(wish_end, 'stopped'),
         outcome = CASE WHEN state = 'offered' THEN 'withdrawn' END,
         ended_at = CASE WHEN state = 'offered' THEN clock_timestamp() END,
         state = CASE WHEN state = 'offered' THEN 'ended' ELSE state END
       WHERE run = $1 AND state IN ('offered', 'running')`,
      [runId],
    );
    if (rowCount !== 0) await this.database.query('SELECT pg_notify($1, $2)', [channelsOf(this.database).offers, '']);
    return rowCount !== 0;
  }

  /** Attempt at a worker; undefined for a run of this machine or an unknown one. */
  private async elsewhere(runId: string): Promise<PostedAttempt | undefined> {
    return (await this.here.identity(runId)) === undefined ? await this.known(runId) : undefined;
  }

  private async known(runId: string): Promise<PostedAttempt | undefined> {
    const { rows } = await this.database.query<AttemptRow>(`${KNOWN} WHERE run = $1`, [runId]);
    return rows.map(attemptIn)[0];
  }

  private bytesOf(range: { readonly run: string; readonly of: string; readonly from: number; readonly most: number }) {
    return bytesOfPart(this.database, this.blobs, range);
  }
}
