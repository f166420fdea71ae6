import { realpathSync } from 'node:fs';
import { LAUNCHER_FLAG } from '#adapters/runs/run-script.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { callerOf, withLimits } from '#main/caller.js';
import { callerFrom } from '#main/places.js';
import type { Caller } from '#operations/operation.js';
import { type ProcessOrigin, whoAsks } from '#operations/runs/who-asks.js';
import type { LoopbackConnection, Peers, ProcessLineage } from '#ports/processes.js';
import type { RunAtWork, RunFolders } from '#ports/run-folders.js';
import type { RunProof } from '#ports/service.js';
import type { SecretHolder } from '#surfaces/http/sessions.js';
import { type IntroductionRequest, shownName } from '#surfaces/socket/protocol.js';

export interface AskersOptions {
  readonly peers: Peers;
  folders(): Promise<RunFolders>;
  /** The runs that have begun and not ended. */
  atWork(): readonly RunAtWork[];
  /** The folder of runs that a launcher names is another project's. */
  isElsewhere(folder: string): boolean;
  /** The same caller, by the name that the person's own settings give. */
  known(caller: Caller): Promise<Caller>;
}

/** A process that showed that one request is its own, as it was at that moment. */
export interface Introduced {
  readonly asks: string;
  readonly lineage: ProcessLineage | undefined;
  readonly limit: number | undefined;
}

/** The process at the other end of one connection, as long as it does not introduce itself. */
export class Unintroduced {
  private readonly maybeOfRun: () => boolean;
  private person = false;

  constructor(maybeOfRun: () => boolean) {
    this.maybeOfRun = maybeOfRun;
  }

  /**
   * A person's, where no process could be a run's. That stays true of a connection whatever begins later, so the processes of the
   * machine are gone through once.
   */
  origin(): ProcessOrigin {
    this.person ||= !this.maybeOfRun();
    return this.person ? { of: 'person' } : { of: 'unclear' };
  }
}

/**
 * Finds out for a service who asks: by what the system shows of the process at the other end, never by what a request says. A proof
 * only makes the asker a run, which may do less.
 */
export class Askers {
  private readonly options: AskersOptions;
  /** The limit below which a process comes from a run: our own. */
  private readonly unmarked: number;

  constructor(options: AskersOptions) {
    this.options = options;
    this.unmarked = options.peers.limitOf(process.pid) ?? 0;
  }

  /** Whoever is at the other end of a new connection. */
  unintroduced(): Unintroduced {
    const { peers, atWork } = this.options;
    return new Unintroduced(
      () => atWork().length > 0 || peers.below(this.unmarked).some((pid) => !this.isOfOthers(pid)),
    );
  }

  /** Undefined for a process that does not show the name this introduction asks for: it is another's, or not seen from here. */
  introduced({ pid, asks }: IntroductionRequest, line: string): Introduced | undefined {
    const { peers } = this.options;
    if (!peers.shows(pid, shownName(line))) return undefined;
    return { asks, lineage: peers.lineageOf(pid), limit: peers.limitOf(pid) };
  }

  /** The run of a proof, else what the environment of the process claims: whoever only looks is taken at their word. */
  async claimed(proof: RunProof, asker: Introduced | Unintroduced): Promise<Caller> {
    if (proof.run_token !== undefined) return await this.runOf(proof.run_token, proof);
    return await this.options.known(claimOf(asker) ?? personHere());
  }

  /** As `claimed`, once it is known that no run claims to be a person. Errors: `caller_unclear`, `not_yours`, `bad_run_token`. */
  async proven(proof: RunProof, asker: Introduced | Unintroduced): Promise<Caller> {
    const claimed = await this.claimed(proof, asker);
    if (proof.run_token !== undefined) return claimed;
    const folders = await this.options.folders();
    const origin = asker instanceof Unintroduced ? asker.origin() : this.originOf(asker, folders);
    return await callerOf(origin, folders, claimed);
  }

  /**
   * Whoever changes something over HTTP. The holder of a session or a token is believed to be the person it was made for, unless
   * the connection comes from a run, or may: then a session of a browser counts for more than the token, which lies in a file.
   */
  async connected(connection: LoopbackConnection, holder: SecretHolder, by: 'session' | 'token'): Promise<Caller> {
    const { peers, atWork } = this.options;
    const marked = peers.below(this.unmarked);
    if (holder.caller.kind === 'run' || (marked.length === 0 && atWork().length === 0)) return holder.caller;
    const folders = await this.options.folders();
    const holders = peers.holdersOf(connection, peers.limitsHold ? marked : peers.all());
    // Where the mark holds, a connection that no marked process has comes from none of them, unless whoever asked hung up at once.
    const noneOfThem =
      peers.limitsHold &&
      holders !== undefined &&
      !marked.some((pid) => peers.hidesFiles(pid) && !this.isOfOthers(pid));
    const origins = (holders ?? []).map((pid) =>
      this.originOf({ lineage: peers.lineageOf(pid), limit: peers.limitOf(pid) }, folders),
    );
    const origin =
      origins.find(({ of }) => of === 'run' || of === 'hidden') ?? origins.find(({ of }) => of === 'unclear');
    const found: ProcessOrigin = origin ?? (origins.length > 0 || noneOfThem ? { of: 'person' } : { of: 'unclear' });
    if (found.of === 'unclear' && by === 'session') return holder.caller;
    return await callerOf(found, folders, holder.caller);
  }

  private originOf({ lineage, limit }: Omit<Introduced, 'asks'>, folders: RunFolders): ProcessOrigin {
    const { peers, atWork } = this.options;
    const asking = { lineage, limit, unmarked: this.unmarked, limitsHold: peers.limitsHold };
    return whoAsks(asking, withLimits(peers, atWork()), (folder) => folders.named(folder));
  }

  /**
   * Whether a marked process stands below the launcher of another project. A run cannot forge that: the launcher has no mark, as nothing
   * that a run starts, and it adopts no orphans.
   */
  private isOfOthers(pid: number): boolean {
    const { peers, isElsewhere } = this.options;
    const line = peers.lineageOf(pid)?.line ?? [];
    const above = line.find((candidate) => (peers.limitOf(candidate.pid) ?? 0) >= this.unmarked);
    const words = above ? peers.wordsOf(above.pid) : [];
    const folder = words.includes(LAUNCHER_FLAG) ? words[words.indexOf(LAUNCHER_FLAG) + 1] : undefined;
    return folder !== undefined && isElsewhere(folder);
  }

  private async runOf(token: string, { run, run_fence: fence }: RunProof): Promise<Caller> {
    const folders = await this.options.folders();
    const hash = sha256(token);
    for (const name of run === undefined ? this.options.atWork().map(({ id }) => id) : [run]) {
      const identity = await folders.identity(name);
      if (identity?.tokenHash !== hash) continue;
      return { kind: 'run', name, taskId: identity.taskId, fence: fence ?? identity.fence, token };
    }
    const what = run === undefined ? 'No active run has this token.' : `The caller is not ${run}.`;
    throw new TroupeError('bad_run_token', { what });
  }
}

/** What the environment of a process says of it. */
function claimOf(asker: Introduced | Unintroduced): Caller | undefined {
  const entries = asker instanceof Unintroduced ? undefined : asker.lineage?.line[0]?.environment;
  if (entries === undefined) return undefined;
  const pairs = entries.map((entry) => [entry.split('=', 1)[0] ?? '', entry.slice(entry.indexOf('=') + 1)] as const);
  return callerFrom(Object.fromEntries(pairs));
}

/** The person whose service this is. */
function personHere(): Caller {
  return { kind: 'person', name: callerFrom({ USER: process.env['USER'], LOGNAME: process.env['LOGNAME'] }).name };
}

/** Whether two folders of runs are different ones; one that cannot be resolved may be the same under another name. */
export function isElsewhere(folder: string, own: string): boolean {
  if (folder === own) return false;
  try {
    return realpathSync(folder) !== realpathSync(own);
  } catch {
    return false;
  }
}
