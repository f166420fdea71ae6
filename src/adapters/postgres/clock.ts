import type { Clock } from '#kernel/clock.js';

/**
 * Clock of the database, estimated from round trips: each answer was written between sending the query and receiving
 * it. The offset is corrected only if an answer contradicts it, and time never goes backwards.
 */
export class DatabaseClock implements Clock {
  /** Offset to `performance.now()`, from the first answer on. Read late: `performance` loads a dozen modules. */
  private offset: number | undefined;
  private latest = 0;

  now(): number {
    this.latest = Math.max(this.latest, Math.floor(performance.now() + (this.offset ?? performance.timeOrigin)));
    return this.latest;
  }

  /** Adds the database time `said` of a round trip; the others are `performance.now()` values. All in milliseconds. */
  observe(said: number, asked: number, answered: number): void {
    const [least, most] = [said - answered, said - asked];
    this.offset = Math.min(Math.max(this.offset ?? (least + most) / 2, least), most);
  }
}
