import { realpathSync } from 'node:fs';
import { LAUNCHER_FLAG } from '#core/runs/launcher-flag.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';
import type { Caller, CallerConnection, Callers, Introduction, RunCaller } from '#ports/callers.js';
import type { Peers, ProcessLineage, TcpConnection } from '#ports/processes.js';
import type { RunAtWork, RunFolders } from '#ports/run-folders.js';
import type { Credentials } from '#ports/service.js';
import { callerFrom, personHere } from './caller-from.js';
import { originOfProcess, type ProcessOrigin } from './process-origin.js';
import { shownName } from './shown-name.js';

/** Facts about runs that identify a caller. */
type AskedRuns = Pick<RunFolders, 'identity' | 'atWork' | 'named'>;

export interface CallerIdentifierOptions {
  readonly peers: Peers;
  folders(): Promise<AskedRuns>;
  /** Runs that have begun and not ended. */
  atWork(): readonly RunAtWork[];
  /** Whether the runs folder of a launcher belongs to another project. */
  isElsewhere(folder: string): boolean;
  /** The caller, with the name from the person's own settings. */
  known(caller: Caller): Promise<Caller>;
}

/** Snapshot of a process that proved a request to be its own. */
export interface IntroducedProcess {
  readonly asks: string;
  readonly lineage: ProcessLineage | undefined;
  readonly limit: number | undefined;
}

/** The unidentified process at the other end of a connection, until it introduces itself. */
export class UnidentifiedPeer {
  private readonly maybeOfRun: () => boolean;
  private person = false;
  private caller: Caller | undefined;

  constructor(maybeOfRun: () => boolean) {
    this.maybeOfRun = maybeOfRun;
  }

  /** The person of this account under the name that `known` gives, asked once for a connection. */
  async personHere(known: CallerIdentifierOptions['known']): Promise<Caller> {
    this.caller ??= await known(personHere(process.env));
    return this.caller;
  }

  /**
   * Origin of the process: a person if no process of the machine could belong to a run. This then holds for the whole
   * connection, even if runs start later, so the processes of the machine are scanned only once.
   */
  origin(): ProcessOrigin {
    this.person ||= !this.maybeOfRun();
    return this.person ? { of: 'person' } : { of: 'unclear' };
  }
}

/** Maximum scans of the process list when processes end during a scan. */
const MAX_PROCESS_SCANS = 8;

/**
 * Identifies callers on this machine: a run by its token or its socket, all others by facts of the system about their
 * process.
 */
export class CallerIdentifier implements Callers {
  private readonly options: CallerIdentifierOptions;
  /** Our own hard limit. A process with a lower one comes from a run. */
  private readonly unmarked: number;

  constructor(options: CallerIdentifierOptions) {
    this.options = options;
    this.unmarked = options.peers.limitOf(process.pid) ?? 0;
  }

  async here(claimed: Caller): Promise<Caller> {
    const { peers } = this.options;
    const { pid } = process;
    const shown = { lineage: peers.lineageOf(pid), limit: peers.limitOf(pid) }; // first: ancestors may end meanwhile
    const folders = await this.options.folders();
    const origin = this.originOf(shown, folders, await folders.atWork());
    return await this.callerOf(origin, claimed);
  }

  async client(claimed: RunCaller): Promise<RunCaller> {
    const { name, taskId, fence, token = '' } = claimed;
    const identity = await (await this.options.folders()).identity(name);
    if (identity?.tokenHash === sha256(token) && identity.taskId === taskId && fence <= identity.fence) return claimed;
    throw notThat(name);
  }

  connect(): CallerConnection {
    const unintroduced = this.unintroduced();
    let introduced: IntroducedProcess | undefined;
    return {
      introduce: (introduction, line) => {
        introduced = this.introduced(introduction, line);
        return introduced !== undefined;
      },
      request: (line, proof) => {
        const asker = introduced !== undefined && introduced.asks === sha256(line) ? introduced : unintroduced;
        introduced = undefined;
        return { claimed: () => this.claimed(proof, asker), proven: () => this.proven(proof, asker) };
      },
    };
  }

  async atDoor(run: string, { run: name = run, run_fence, run_token: token }: Credentials): Promise<RunCaller> {
    const identity = await (await this.options.folders()).identity(run);
    if (identity === undefined) throw new TroupeError('bad_run_token', { what: `${run} is no run of this project.` });
    const { taskId, fence: latest, tokenHash } = identity;
    const fence = run_fence ?? latest;
    if (name !== run || fence > latest || (token !== undefined && sha256(token) !== tokenHash)) throw notThat(name);
    return { kind: 'run', name: run, taskId, fence, atItsDoor: true };
  }

  /** The peer of a new connection. */
  unintroduced(): UnidentifiedPeer {
    return new UnidentifiedPeer(() => this.options.atWork().length > 0 || this.seesOwn());
  }

  /**
   * Whether any marked process may come from a run of this project. A process that ends during the scan yields nothing
   * and may have left a child, so the scan is repeated. One complete scan is enough, even on a machine where other runs
   * start and end all the time.
   */
  private seesOwn(): boolean {
    const { peers } = this.options;
    for (let look = 0; look < MAX_PROCESS_SCANS; look++) {
      const unclear = peers.below(this.unmarked).filter((pid) => !this.isOfOthers(pid));
      if (unclear.length === 0) return false;
      if (unclear.some((pid) => peers.limitOf(pid) !== undefined)) return true;
    }
    return true;
  }

  /**
   * Facts about the introduced process. Undefined if the process does not show the name that this introduction
   * requires: it is another process, or not visible from here.
   */
  introduced({ pid, asks }: Introduction, line: string): IntroducedProcess | undefined {
    const { peers } = this.options;
    if (!peers.shows(pid, shownName(line))) return undefined;
    return { asks, lineage: peers.lineageOf(pid), limit: peers.limitOf(pid) };
  }

  /**
   * The run of a token, otherwise the claim in the environment of the process. Suffices for reading, where claims are
   * not verified.
   */
  async claimed(proof: Credentials, asker: IntroducedProcess | UnidentifiedPeer): Promise<Caller> {
    if (proof.run_token !== undefined) return await this.runOf(proof.run_token, proof);
    const { known } = this.options;
    if (asker instanceof UnidentifiedPeer) {
      const reader = readerOf(proof.caller);
      return await (reader === undefined ? asker.personHere(known) : known(reader));
    }
    return await known(claimOf(asker) ?? personHere(process.env));
  }

  /**
   * Same as `claimed`, after verifying that no run claims to be a person. Errors: `caller_unclear`, `not_yours`,
   * `bad_run_token`.
   */
  async proven(proof: Credentials, asker: IntroducedProcess | UnidentifiedPeer): Promise<Caller> {
    const claimed = await this.claimed({ ...proof, caller: undefined }, asker);
    if (proof.run_token !== undefined) return claimed;
    const folders = await this.options.folders();
    const origin = asker instanceof UnidentifiedPeer ? asker.origin() : this.originOf(asker, folders);
    return await this.callerOf(origin, claimed);
  }

  async connected(connection: TcpConnection, holder: Caller, by: 'session' | 'token'): Promise<Caller> {
    const { peers, atWork } = this.options;
    const marked = peers.below(this.unmarked);
    if (holder.kind === 'run' || (marked.length === 0 && atWork().length === 0)) return holder;
    if (peers.isAfar(connection.address)) return holder;
    const found = this.originAt(connection, marked, await this.options.folders());
    if (found.of === 'unclear' && by === 'session') return holder;
    return await this.callerOf(found, holder);
  }

  /**
   * Origin of the process at the other end of a connection. If the mark is reliable and no marked process holds the
   * connection, it comes from no run, unless the caller closed it at once. A marked process that ends during the scan
   * shows no files and may have left a child, so the scan is repeated.
   */
  private originAt(connection: TcpConnection, marked: readonly number[], folders: AskedRuns): ProcessOrigin {
    const { peers } = this.options;
    let suspects = marked;
    for (let look = 0; look < MAX_PROCESS_SCANS; look++) {
      const holders = peers.holdersOf(connection, peers.limitsHold ? suspects : peers.all());
      const origins = (holders ?? []).map((pid) =>
        this.originOf({ lineage: peers.lineageOf(pid), limit: peers.limitOf(pid) }, folders),
      );
      const certain = origins.find(({ of }) => of === 'run' || of === 'hidden');
      if (certain ?? origins[0]) return certain ?? origins.find(({ of }) => of === 'unclear') ?? { of: 'person' };
      if (!peers.limitsHold || holders === undefined) return { of: 'unclear' };
      const unseen = suspects.filter((pid) => peers.hidesFiles(pid) && !this.isOfOthers(pid));
      if (unseen.length === 0) return { of: 'person' };
      if (unseen.some((pid) => peers.limitOf(pid) !== undefined)) return { of: 'unclear' };
      suspects = peers.below(this.unmarked);
    }
    return { of: 'unclear' };
  }

  /** The caller of an origin. `claimed` is used only for a person. Errors: `caller_unclear`, `not_yours`. */
  private async callerOf(origin: ProcessOrigin, claimed: Caller): Promise<Caller> {
    if (origin.of === 'person') return claimed;
    if (origin.of === 'unclear') throw new TroupeError('caller_unclear');
    if (origin.of === 'hidden')
      throw new TroupeError('not_yours', {
        what: 'A run started the process that asks for this, and the process does not name it.',
        hint: 'In a run, use `$TROUPE_BIN` with the environment of the run; as a person, a terminal that no run opened.',
      });
    const { run: name, token } = origin;
    if (claimed.kind === 'run' && claimed.name === name) return claimed;
    const { taskId = '', fence = 0 } = (await (await this.options.folders()).identity(name)) ?? {};
    return { kind: 'run', name, taskId, fence, ...(token === undefined ? {} : { token }) };
  }

  private originOf(
    { lineage, limit }: Omit<IntroducedProcess, 'asks'>,
    folders: AskedRuns,
    atWork = this.options.atWork(),
  ): ProcessOrigin {
    const { peers } = this.options;
    const asking = { lineage, limit, unmarked: this.unmarked, limitsHold: peers.limitsHold };
    const runs = atWork.map((run) => ({ ...run, limit: run.process && peers.limitOf(run.process.pid) }));
    return originOfProcess(asking, runs, (folder) => folders.named(folder));
  }

  /**
   * Whether a marked process is a descendant of another project's launcher. A run cannot forge this: the launcher is
   * unmarked, which no process started by a run can be, and it adopts no orphans.
   */
  private isOfOthers(pid: number): boolean {
    const { peers, isElsewhere } = this.options;
    const line = peers.lineageOf(pid)?.line ?? [];
    const above = line.find((candidate) => (peers.limitOf(candidate.pid) ?? 0) >= this.unmarked);
    const words = above ? peers.wordsOf(above.pid) : [];
    const folder = words.includes(LAUNCHER_FLAG) ? words[words.indexOf(LAUNCHER_FLAG) + 1] : undefined;
    return folder !== undefined && isElsewhere(folder);
  }

  private async runOf(token: string, { run, run_fence: fence }: Credentials): Promise<Caller> {
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

/** The person that a request names as its reader. */
function readerOf(claim: unknown): Caller | undefined {
  const { kind, name } = isJsonObject(claim) ? claim : {};
  return kind === 'person' && typeof name === 'string' && name !== '' ? { kind, name } : undefined;
}

/** The caller that the environment of a process claims. */
function claimOf({ lineage }: IntroducedProcess): Caller | undefined {
  const entries = lineage?.line[0]?.environment;
  if (entries === undefined) return undefined;
  const pairs = entries.map((entry) => [entry.split('=', 1)[0] ?? '', entry.slice(entry.indexOf('=') + 1)] as const);
  return callerFrom(Object.fromEntries(pairs));
}

function notThat(run: string): TroupeError {
  return new TroupeError('bad_run_token', { what: `The caller is not ${inert(run)}, or not at that attempt.` });
}

/**
 * Whether two runs folders differ. An unresolvable path may be the same folder under another name, so it counts as
 * equal.
 */
export function isElsewhere(folder: string, own: string): boolean {
  if (folder === own) return false;
  try {
    return realpathSync(folder) !== realpathSync(own);
  } catch {
    return false;
  }
}
