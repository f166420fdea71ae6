import type { Clock } from '#kernel/clock.js';

/**
 * The clock of the database, as near as the round trips tell: each answer was written between the question and its arrival. The difference
 * to the clock of this process is corrected only where an answer proves it wrong, and time never goes back.
 */
export class DatabaseClock implements Clock {
  /** To `performance.now()`; that of the clock of this process until the database has said its own. */
  private offset = performance.timeOrigin;
  private isSet = false;
  private latest = 0;

  now(): number {
    this.latest = Math.max(this.latest, Math.floor(performance.now() + this.offset));
    return this.latest;
  }

  /** Takes in what the database's clock said in a round trip of `performance.now()` values; all in milliseconds. */
  observe(said: number, asked: number, answered: number): void {
    const [least, most] = [said - answered, said - asked];
    if (this.isSet) this.offset = Math.min(Math.max(this.offset, least), most);
    else this.offset = (least + most) / 2;
    this.isSet = true;
  }
}
