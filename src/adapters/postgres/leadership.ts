import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { PostgresDatabase } from './database.js';
import { HEAD_COLUMNS, type Head, presentHead, refuseUnused } from './head.js';
import { refuseReading } from './reading.js';
import { afterLeader, ledByAnother, WriterTurn } from './turn.js';

interface LeadershipOptions {
  /** Name of this leader, for display. */
  readonly who: string;
  /** Whether to take the lease from a present leader. */
  readonly seize: boolean;
  readonly stopWaiting: () => boolean;
  /** Called once when leadership is lost. */
  readonly onLost: () => void;
}

const LEASE = `clock_timestamp() + interval '${DATABASE_LIMITS.leaseMs} milliseconds'`;

/**
 * Leadership of a project: a lease in the database's clock, with an epoch that increases by one for each leader.
 * Renewed while this process lives and reaches the database; lost once another process has it or the lease expired.
 */
export class Leadership {
  /** Writer's turn with this leader's epoch. */
  readonly turn: WriterTurn;
  readonly epoch: number;
  private readonly database: PostgresDatabase;
  private readonly onLost: () => void;
  private readonly renewing: NodeJS.Timeout;
  private expiring: NodeJS.Timeout | undefined;
  /** Earliest expiry of the lease, in `performance.now()` time. */
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

  /**
   * Errors: `locked` if another leader renews its lease, or `stopWaiting` returns true; `not_initialized`,
   * `storage_retired`, `database_read_only`.
   */
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
    if (performance.now() >= this.until) this.markLost();
    return this.isLost;
  }

  /** Gives up leadership if the error shows that another process leads. */
  noteFailure(error: unknown): void {
    if (error instanceof TroupeError && error.code === 'locked' && error.details['epoch'] !== undefined)
      this.markLost();
  }

  /** Ends the lease so the next leader can start at once. Idempotent. */
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
      else this.markLost();
    } catch {
      // Database unreachable: retried until the lease expires.
    }
  }

  private extend(asked: number): void {
    this.until = asked + DATABASE_LIMITS.leaseMs;
    clearTimeout(this.expiring);
    this.expiring = setTimeout(() => this.markLost(), this.until - performance.now());
    this.expiring.unref();
  }

  private markLost(): void {
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
