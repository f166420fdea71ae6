import { untilAnswered } from '#adapters/postgres/answers.js';
import { channelsOf, followChannel } from '#adapters/postgres/channel.js';
import type { PostgresDatabase } from '#adapters/postgres/database.js';
import { publishedLeaders } from '#adapters/postgres/leaders.js';
import type { EndReason } from '#core/coordinator/snapshot.js';
import { Batches } from '#kernel/batches.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { inert } from '#kernel/text.js';
import type { Blobs } from '#ports/blobs.js';
import type { LeaderCard, PublishedLeader, SealedText } from '#ports/leader-seal.js';
import type {
  AttemptEnd,
  AttemptReport,
  HeartbeatAnswer,
  RunInstruction,
  RunPiece,
  SignedOrder,
  WorkerCard,
  WorkerGateway,
} from '#ports/worker-gateway.js';
import { folderOfRun } from './run-pieces.js';

interface PostgresWorkerGatewayParts {
  /** Closed together with this object. */
  readonly database: PostgresDatabase;
  /** Key that a worker keeps across restarts, to regain its name at once. */
  readonly key: string;
  /** Poll interval without notifications, in milliseconds. */
  readonly lookMs: number;
  /** Store for the output of runs. */
  readonly blobs: Blobs;
}

/** JSON form of a wish. */
interface WishRow extends Omit<RunInstruction, 'end' | 'limit'> {
  readonly end: EndReason | null;
  readonly limit: SealedText | null;
}

interface BeatRow extends Omit<HeartbeatAnswer, 'wishes' | 'leader'> {
  readonly wishes: readonly WishRow[];
  readonly leader: LeaderCard | null;
}

/** Columns may be null: other writers of the table may leave them out. */
interface TakenRow {
  readonly known: boolean;
  readonly run_: string;
  readonly task_: string;
  readonly fence_: number;
  readonly order_: string | null;
  readonly key_: string | null;
  readonly signature_: string | null;
}

/** Worker's side of the board in PostgreSQL. Calls only functions, so a worker needs no permission on tables. */
export class PostgresWorkerGateway implements WorkerGateway {
  readonly clock: Clock;
  private readonly database: PostgresDatabase;
  private readonly lookMs: number;
  private readonly blobs: Blobs;
  /** Secret of this process. Another process with the same name counts as another worker unless it has the key. */
  private readonly token: string;
  private readonly stops = new Set<() => Promise<void>>();
  private readonly ends = new Batches(
    (ends: readonly AttemptEnd[]) => this.endAll(ends),
    DATABASE_LIMITS.attemptsAtOnce,
  );
  private name = '';

  constructor({ database, key, lookMs, blobs }: PostgresWorkerGatewayParts) {
    this.database = database;
    this.token = `${key}/${freshId()}`;
    this.clock = database.clock;
    this.lookMs = lookMs;
    this.blobs = blobs;
  }

  async leaders(): Promise<readonly PublishedLeader[]> {
    return await publishedLeaders(this.database);
  }

  async registerWorker({ name, at, version, slots, labels, executors, leaders }: WorkerCard): Promise<void> {
    const asked = performance.now();
    const now = await this.call<number | null>('worker_arrive($1, $2, $3, $4, $5, $6, $7, $8)', [
      ...[name, this.token, at, version, slots, labels, executors, leaders],
    ]);
    if (now === null) throw new TroupeError('worker_exists', { what: `Another process works as ${inert(name)}.` });
    this.database.clock.observe(now, asked, performance.now());
    this.name = name;
  }

  async take(most: number, known: readonly string[]): Promise<readonly SignedOrder[]> {
    const { rows } = await this.database.query<TakenRow>(
      'SELECT known, run_, task_, fence_::float8, order_, key_, signature_ FROM worker_take($1, $2, $3, $4)',
      [this.name, this.token, most, known],
    );
    if (rows.some(({ known }) => !known)) throw this.stranger();
    return rows.map(({ run_, task_, fence_, order_, key_, signature_ }) => ({
      run: run_,
      task: task_,
      fence: fence_,
      order: { text: order_ ?? '', key: key_ ?? '', signature: signature_ ?? '' },
    }));
  }

  async beat(reports: readonly AttemptReport[]): Promise<HeartbeatAnswer> {
    const asked = performance.now();
    const answer = await this.call<BeatRow | null>('worker_beat($1, $2, $3, $4)', [
      this.name,
      this.token,
      reports.map(({ fact }) => fact.id),
      reports.map((report) => JSON.stringify(report)),
    ]);
    if (answer === null) throw this.stranger();
    this.database.clock.observe(answer.now, asked, performance.now());
    return { ...answer, leader: answer.leader ?? undefined, wishes: answer.wishes.map(wishIn) };
  }

  async append(run: string, fence: number, { of, from, bytes }: RunPiece): Promise<boolean> {
    const { pieceBytes } = DATABASE_LIMITS;
    let goesOn = true;
    for (let at = 0; at < bytes.length && goesOn; at += pieceBytes) {
      const piece = Buffer.from(bytes.subarray(at, at + pieceBytes));
      const put = await this.blobs.put(folderOfRun(this.database, run), piece);
      const [inRow, hash] = 'bytes' in put ? [put.bytes, null] : [null, put.mark.sha256];
      const values = [this.name, this.token, run, fence, of, from + at, piece.length, inRow, hash];
      goesOn = await this.call<boolean>('worker_append($1, $2, $3, $4, $5, $6, $7, $8, $9)', values);
    }
    return goesOn;
  }

  async end(end: AttemptEnd): Promise<'taken' | 'refused'> {
    return await this.ends.add(end);
  }

  async ask(run: string, fence: number, line: string): Promise<string> {
    const id = freshId();
    const values = [this.name, this.token, run, fence, id, `${line}\n`];
    const sent = await this.call<'sent' | 'absent' | 'lost'>('worker_ask($1, $2, $3, $4, $5, $6)', values);
    if (sent === 'lost') throw new TroupeError('stale_attempt');
    if (sent === 'absent') throw new TroupeError('service_not_running');
    return await untilAnswered(this.database, id, () => this.look(id));
  }

  onWorkAvailable(listener: () => void): () => void {
    const over = followChannel(this.database, channelsOf(this.database).offers, this.lookMs, listener);
    const stop = async () => {
      this.stops.delete(stop);
      await over();
    };
    this.stops.add(stop);
    return () => {
      stop().catch(() => undefined); // already disconnected
    };
  }

  async unregisterWorker(): Promise<void> {
    try {
      await this.call('worker_leave($1, $2)', [this.name, this.token]);
    } finally {
      await Promise.allSettled([...this.stops].map((stop) => stop()));
      await this.database.close();
    }
  }

  private async endAll(ends: readonly AttemptEnd[]): Promise<readonly ('taken' | 'refused')[]> {
    const answers = await this.call<readonly boolean[]>('worker_ends($1, $2, $3, $4, $5)', [
      ...[this.name, this.token, ends.map(({ fact }) => fact.id), ends.map(({ fact }) => fact.fence)],
      ends.map((end) => JSON.stringify(end)),
    ]);
    // Not awaited: the leader also polls.
    if (answers.includes(true)) this.call('worker_tells()', []).catch(() => undefined);
    return answers.map((isTaken) => (isTaken ? 'taken' : 'refused'));
  }

  /**
   * Returns the answer, or undefined while a leader may still provide it. Errors: `database_unsure` if the leader is
   * gone: the next one may have handled the request without an answer.
   */
  private async look(id: string): Promise<string | undefined> {
    const { rows } = await this.database.query<{ line_: string | null; waits: boolean }>(
      'SELECT line_, waits FROM worker_answer($1)',
      [id],
    );
    const [answer] = rows;
    if (typeof answer?.line_ === 'string') return answer.line_;
    if (!answer?.waits) throw new TroupeError('database_unsure');
    return undefined;
  }

  private async call<Answer>(text: string, values: readonly unknown[]): Promise<Answer> {
    const { rows } = await this.database.query<{ answer: Answer }>(`SELECT ${text} AS answer`, values);
    return rows[0]?.answer as Answer;
  }

  private stranger(): TroupeError {
    return new TroupeError('not_found', {
      what: `${inert(this.name)} is no worker here any more: it was removed, or another process has its name.`,
      hint: 'Start the worker again.',
    });
  }
}

function wishIn({ run, fence, end, limit }: WishRow): RunInstruction {
  return { run, fence, ...(end === null ? {} : { end }), ...(limit === null ? {} : { limit }) };
}
