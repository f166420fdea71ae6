import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';
import type { Caller } from '#ports/callers.js';

const SECRET_BYTES = 32;
const CODES_MOST = 16;

/** Secrets are kept and looked up as hashes only: neither a dump of memory nor the time a look-up takes shows one. */
const fingerprint = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whoever holds a secret: for whom it was made, and whether it opens changes or only lets them look. */
export interface SecretHolder {
  readonly caller: Caller;
  readonly scope: 'all' | 'look';
}

/** A session as it is kept over a restart: by the hash of its secret, for a person. */
export interface StoredSession {
  readonly key: string;
  readonly name: string;
  readonly scope: SecretHolder['scope'];
  /** Milliseconds. */
  readonly until: number;
}

/** What the dashboard of a project keeps over restarts, so that an open page goes on. */
export interface StoredDashboard {
  readonly port?: number | undefined;
  readonly sessions: readonly StoredSession[];
}

/** Where that is kept. Neither throws: where nothing can be kept, a page needs a new link after a restart. */
export interface DashboardMemory {
  read(): StoredDashboard;
  write(state: StoredDashboard): void;
}

/** How a browser gets in: a short-lived code that works once buys a session, for the same holder, that lives in a cookie. */
export class BrowserSessions {
  private readonly clock: Clock;
  private readonly tokens: readonly { readonly hash: Buffer; readonly holder: SecretHolder }[];
  private readonly codes: Expiring;
  private readonly sessions: Expiring;
  private readonly changed: (sessions: readonly StoredSession[]) => void;

  /** The tokens are the person's; that of a `viewer` only lets look. `changed` is told of the sessions that persons have now. */
  constructor(
    clock: Clock,
    person: Caller,
    { token, viewer }: { readonly token: string; readonly viewer?: string },
    {
      stored,
      changed,
    }: { readonly stored: readonly StoredSession[]; changed(sessions: readonly StoredSession[]): void },
  ) {
    this.clock = clock;
    this.tokens = [
      { hash: fingerprint(token), holder: { caller: person, scope: 'all' } },
      ...(viewer === undefined
        ? []
        : [{ hash: fingerprint(viewer), holder: { caller: person, scope: 'look' } as const }]),
    ];
    this.codes = new Expiring(CODES_MOST, LIMITS.loginCodeMs);
    this.sessions = new Expiring(LIMITS.sessions, LIMITS.sessionMs);
    this.sessions.restore(stored, clock.now());
    this.changed = changed;
  }

  /** A fresh code. Asking for many forgets the oldest. */
  loginCode(holder: SecretHolder): string {
    return this.codes.issue(holder, this.clock.now());
  }

  /** Spends a code; the id of a new session, or undefined when the code is unknown, used or too old. */
  redeem(code: string): string | undefined {
    const holder = this.codes.holderOf(code, this.clock.now());
    this.codes.forget(code);
    const session = holder && this.sessions.issue(holder, this.clock.now());
    if (session !== undefined) this.tell();
    return session;
  }

  /** Whose session this is; undefined when there is none of this id, or no more. */
  ofSession(id: string): SecretHolder | undefined {
    return this.sessions.holderOf(id, this.clock.now());
  }

  /** Constant in time: digests of equal length are compared, and all of them. */
  ofToken(bearer: string): SecretHolder | undefined {
    const hash = fingerprint(bearer);
    return this.tokens.filter((token) => timingSafeEqual(token.hash, hash))[0]?.holder;
  }

  /** Logs one browser out. */
  end(id: string): void {
    this.sessions.forget(id);
    this.tell();
  }

  /** Logs everybody out, and those too who have not come in yet. */
  endAll(): void {
    this.codes.clear();
    this.sessions.clear();
    this.tell();
  }

  private tell(): void {
    this.changed(this.sessions.ofPersons(this.clock.now()));
  }
}

/** A bounded set of secrets that go bad after `lifeMs`. */
class Expiring {
  private readonly most: number;
  private readonly lifeMs: number;
  private readonly holders = new Map<string, { readonly holder: SecretHolder; readonly until: number }>();

  constructor(most: number, lifeMs: number) {
    this.most = most;
    this.lifeMs = lifeMs;
  }

  issue(holder: SecretHolder, now: number): string {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    this.holders.set(keyOf(secret), { holder, until: now + this.lifeMs });
    for (const oldest of this.holders.keys()) {
      if (this.holders.size <= this.most) break;
      this.holders.delete(oldest);
    }
    return secret;
  }

  holderOf(secret: string, now: number): SecretHolder | undefined {
    const grant = this.holders.get(keyOf(secret));
    return grant !== undefined && now < grant.until ? grant.holder : undefined;
  }

  forget(secret: string): void {
    this.holders.delete(keyOf(secret));
  }

  clear(): void {
    this.holders.clear();
  }

  restore(rows: readonly StoredSession[], now: number): void {
    for (const { key, name, scope, until } of rows.slice(-this.most))
      if (now < until && until <= now + this.lifeMs)
        this.holders.set(key, { holder: { caller: { kind: 'person', name }, scope }, until });
  }

  /** What a run was let in with ends with the life of the service. */
  ofPersons(now: number): StoredSession[] {
    return [...this.holders].flatMap(([key, { holder, until }]) =>
      holder.caller.kind === 'person' && now < until
        ? [{ key, name: holder.caller.name, scope: holder.scope, until }]
        : [],
    );
  }
}

const keyOf = (secret: string): string => fingerprint(secret).toString('hex');
