import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';

const SECRET_BYTES = 32;
const CODES_MOST = 16;

/** Secrets are kept and looked up as hashes only: neither a dump of memory nor the time a look-up takes shows one. */
const fingerprint = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** How a person's browser gets in: a short-lived code that works once buys a session that lives in a cookie. */
export class Sessions {
  private readonly clock: Clock;
  private readonly token: Buffer;
  private readonly viewer: Buffer | undefined;
  private readonly codes: Expiring;
  private readonly sessions: Expiring;

  /** `viewer`: the token of who may only look. */
  constructor(clock: Clock, token: string, viewer?: string) {
    this.clock = clock;
    this.token = fingerprint(token);
    this.viewer = viewer === undefined ? undefined : fingerprint(viewer);
    this.codes = new Expiring(CODES_MOST, LIMITS.loginCodeMs);
    this.sessions = new Expiring(LIMITS.sessions, LIMITS.sessionMs);
  }

  /** A fresh code. Asking for many forgets the oldest. */
  loginCode(): string {
    return this.codes.issue(this.clock.now());
  }

  /** Spends a code; the id of a new session, or undefined when the code is unknown, used or too old. */
  redeem(code: string): string | undefined {
    return this.codes.spend(code, this.clock.now()) ? this.sessions.issue(this.clock.now()) : undefined;
  }

  holdsSession(id: string): boolean {
    return this.sessions.holds(id, this.clock.now());
  }

  /** Constant in time: two digests of equal length are compared. */
  isToken(bearer: string): boolean {
    return timingSafeEqual(fingerprint(bearer), this.token);
  }

  isViewer(bearer: string): boolean {
    return this.viewer !== undefined && timingSafeEqual(fingerprint(bearer), this.viewer);
  }
}

/** A bounded set of secrets that go bad after `lifeMs`. */
class Expiring {
  private readonly most: number;
  private readonly lifeMs: number;
  private readonly until = new Map<string, number>();

  constructor(most: number, lifeMs: number) {
    this.most = most;
    this.lifeMs = lifeMs;
  }

  issue(now: number): string {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    this.until.set(fingerprint(secret).toString('hex'), now + this.lifeMs);
    for (const oldest of this.until.keys()) {
      if (this.until.size <= this.most) break;
      this.until.delete(oldest);
    }
    return secret;
  }

  holds(secret: string, now: number): boolean {
    const until = this.until.get(fingerprint(secret).toString('hex'));
    return until !== undefined && now < until;
  }

  spend(secret: string, now: number): boolean {
    const held = this.holds(secret, now);
    this.until.delete(fingerprint(secret).toString('hex'));
    return held;
  }
}
