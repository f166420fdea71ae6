import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#kernel/clock.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { Caller, PersonCaller, TokenScope } from '#ports/callers.js';

const SECRET_BYTES = 32;
const MAX_LOGIN_CODES = 16;

/**
 * Returns the hash under which a secret is stored and looked up: neither a memory dump nor the duration of a look-up
 * reveals the secret.
 */
const fingerprint = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Session persisted over a restart: the hash of its secret and the name of its person. */
export interface StoredSession {
  readonly key: string;
  readonly name: string;
  readonly scope: TokenScope;
  /** Time of expiry, in milliseconds since 1970. */
  readonly until: number;
}

/** Dashboard state persisted over restarts, which keeps open pages logged in. */
export interface StoredDashboard {
  readonly port?: number | undefined;
  readonly sessions: readonly StoredSession[];
}

/** Storage of this state. Neither method throws: without storage, a page needs a new link after a restart. */
export interface DashboardStore {
  read(): StoredDashboard;
  write(state: StoredDashboard): void;
}

/** Login of browsers: a short-lived one-time code is exchanged for a session of the same holder, stored in a cookie. */
export class BrowserSessions {
  private readonly clock: Clock;
  private readonly tokens: readonly { readonly hash: Buffer; readonly holder: Caller }[];
  private readonly codes: Expiring;
  private readonly sessions: Expiring;
  private readonly changed: (sessions: readonly StoredSession[]) => void;

  /**
   * Both tokens act as the person; the `viewer` token only permits reading. `changed` receives the current sessions of
   * persons.
   */
  constructor(
    clock: Clock,
    person: PersonCaller,
    { token, viewer }: { readonly token: string; readonly viewer?: string },
    {
      stored,
      changed,
    }: { readonly stored: readonly StoredSession[]; changed(sessions: readonly StoredSession[]): void },
  ) {
    this.clock = clock;
    this.tokens = [
      { hash: fingerprint(token), holder: person },
      ...(viewer === undefined
        ? []
        : [{ hash: fingerprint(viewer), holder: { ...person, scope: 'observer' as const } }]),
    ];
    this.codes = new Expiring(MAX_LOGIN_CODES, SURFACE_LIMITS.loginCodeMs);
    this.sessions = new Expiring(SURFACE_LIMITS.sessions, SURFACE_LIMITS.sessionMs);
    this.sessions.restore(stored, clock.now());
    this.changed = changed;
  }

  /** Issues a new code. Past the maximum, the oldest is dropped. */
  loginCode(holder: Caller): string {
    return this.codes.issue(holder, this.clock.now());
  }

  /** Redeems a code; returns the id of a new session, or undefined if the code is unknown, used or expired. */
  redeem(code: string): string | undefined {
    const holder = this.codes.holderOf(code, this.clock.now());
    this.codes.forget(code);
    const session = holder && this.sessions.issue(holder, this.clock.now());
    if (session !== undefined) this.notifyChanged();
    return session;
  }

  /** Returns the holder of a session; undefined if it does not exist or has expired. */
  ofSession(id: string): Caller | undefined {
    return this.sessions.holderOf(id, this.clock.now());
  }

  /** Returns the holder of a token. Constant in time: digests of equal length are compared, and all of them. */
  ofToken(bearer: string): Caller | undefined {
    const hash = fingerprint(bearer);
    return this.tokens.filter((token) => timingSafeEqual(token.hash, hash))[0]?.holder;
  }

  /** Logs one browser out. */
  end(id: string): void {
    this.sessions.forget(id);
    this.notifyChanged();
  }

  /** Logs all browsers out and invalidates unused login codes. */
  endAll(): void {
    this.codes.clear();
    this.sessions.clear();
    this.notifyChanged();
  }

  private notifyChanged(): void {
    this.changed(this.sessions.sessionsOfPersons(this.clock.now()));
  }
}

/** Bounded set of secrets that expire after `lifeMs`. Past the maximum, the oldest is dropped. */
class Expiring {
  private readonly most: number;
  private readonly lifeMs: number;
  private readonly holders = new Map<string, { readonly holder: Caller; readonly until: number }>();

  constructor(most: number, lifeMs: number) {
    this.most = most;
    this.lifeMs = lifeMs;
  }

  issue(holder: Caller, now: number): string {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    this.holders.set(keyOf(secret), { holder, until: now + this.lifeMs });
    for (const oldest of this.holders.keys()) {
      if (this.holders.size <= this.most) break;
      this.holders.delete(oldest);
    }
    return secret;
  }

  holderOf(secret: string, now: number): Caller | undefined {
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
        this.holders.set(key, { holder: { kind: 'person', name, scope }, until });
  }

  /** Only sessions of persons: those of runs end with the service. */
  sessionsOfPersons(now: number): StoredSession[] {
    return [...this.holders].flatMap(([key, { holder, until }]) =>
      holder.kind === 'person' && now < until
        ? [{ key, name: holder.name, scope: holder.scope ?? 'owner', until }]
        : [],
    );
  }
}

const keyOf = (secret: string): string => fingerprint(secret).toString('hex');
