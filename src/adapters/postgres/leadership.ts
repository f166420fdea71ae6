import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { PostgresDatabase } from './database.js';
import { HEAD_COLUMNS, type Head, presentHead, refuseUnused } from './head.js';
import { refuseReading } from './reading.js';
import { afterLeader, ledByAnother, WriterTurn } from './turn.js';

interface LeadershipOptions {
  /** Who leads, in words. */
  readonly who: string;
  /** Takes it from whoever leads. */
  readonly seize: boolean;
  readonly stopWaiting: () => boolean;
  /** Called once when it is lost. */
  readonly onLost: () => void;
}

const LEASE = `clock_timestamp() + interval '${DATABASE_LIMITS.leaseMs} milliseconds'`;

/**
 * The one leader of a project: a lease in the database's clock, and an epoch that grows by one with each leader. Renewed as long as this
 * process lives and reaches the database; lost as soon as another has it, or it ran out.
 */
export class Leadership {
  /** Writes as this leader. */
  readonly turn: WriterTurn;
  readonly epoch: number;
  private readonly database: PostgresDatabase;
  private readonly onLost: () => void;
  private readonly renewing: NodeJS.Timeout;
  private expiring: NodeJS.Timeout | undefined;
  /** Until then the lease runs at least, by `performance.now()`. */
  private until = 0;
  private isLost = false;
  private isOver = false;

  private constructor(database: PostgresDatabase, epoch: number, asked: number, onLost: () => void) {
    this.database = database;
    this.epoch = epoch;
    this.onLost = onLost;
    this.turn = new WriterTurn(database, { epoch });
    this.extend(asked);
    this.renewing = setInterval(() => this.renew(), DATABASE_LIMITS.renewMs);
    this.renewing.unref();
  }

  /** `locked` when another leads whose lease is renewed, or when waiting is in vain. */
  static async take(database: PostgresDatabase, options: LeadershipOptions): Promise<Leadership> {
    await refuseReading(database);
    const attempt = async () => {
      const asked = performance.now();
      const { rows } = await database.query<Head>(
        `UPDATE head SET epoch = epoch + 1, leader = $1, lease_until = ${LEASE}
         WHERE state = 'in-use' AND ($2 OR lease_until IS NULL OR lease_until <= clock_timestamp()) RETURNING ${HEAD_COLUMNS}`,
        [options.who, options.seize],
      );
      const [head] = rows;
      if (head) return new Leadership(database, head.epoch, asked, options.onLost);
      const present = await presentHead(database, database.clock);
      refuseUnused(present);
      throw ledByAnother(present);
    };
    return await afterLeader(attempt, options.stopWaiting);
  }

  get lost(): boolean {
    if (!this.isOver && performance.now() >= this.until) this.lose();
    return this.isLost;
  }

  /** Whether a failure of the turn says that another leads; then it is lost from now on. */
  learn(error: unknown): void {
    if (error instanceof TroupeError && error.code === 'locked' && error.details['epoch'] !== undefined) this.lose();
  }

  /** Lets the next one lead at once. Safe twice. */
  async release(): Promise<void> {
    if (this.isOver) return;
    this.stop();
    if (this.isLost) return;
    await this.database.query('UPDATE head SET leader = NULL, lease_until = NULL WHERE epoch = $1', [this.epoch]);
  }

  private async renew(): Promise<void> {
    const asked = performance.now();
    try {
      const { rowCount } = await this.database.query(
        `UPDATE head SET lease_until = ${LEASE} WHERE epoch = $1 AND lease_until > clock_timestamp()`,
        [this.epoch],
      );
      if (rowCount === 1) this.extend(asked);
      else this.lose();
    } catch {
      // The database is away for now: it is tried again until the lease has run out.
    }
  }

  private extend(asked: number): void {
    if (this.isOver || this.isLost) return;
    this.until = asked + DATABASE_LIMITS.leaseMs;
    clearTimeout(this.expiring);
    this.expiring = setTimeout(() => this.lose(), this.until - performance.now());
    this.expiring.unref();
  }

  private lose(): void {
    if (this.isLost || this.isOver) return;
    this.isLost = true;
    clearInterval(this.renewing);
    clearTimeout(this.expiring);
    this.onLost();
  }

  private stop(): void {
    this.isOver = true;
    clearInterval(this.renewing);
    clearTimeout(this.expiring);
  }
}
