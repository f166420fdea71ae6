import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNumber } from '#core/graph/run-name.js';
import { isLiveStatus, type RunStatus } from '#core/runs/run-status.js';
import { timestamp } from '#kernel/clock.js';
import { type JsonObject, parseJsonObject, safeJson } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import type { Processes } from '#ports/processes.js';
import type { ListedRun, RunClaim } from '#ports/run-host.js';
import { adoptedRun, type LiveRun, runLease } from './live-run.js';
import { isRun, makeAgentsFolder, RunFolder } from './run-folder.js';

/** One run in the registry, as other programs read it. */
export interface RegistryRow extends ListedRun {
  readonly start_time?: string;
  readonly host: string;
  readonly boot_id: string;
  /** Of whoever sees what its pid means. */
  readonly pid_namespace?: string;
  readonly attempt: number;
  readonly fence: number;
  readonly model?: string;
  readonly lease_until?: string;
  readonly output_file: string;
  readonly worktree?: string;
  readonly branch?: string;
  readonly session_id?: string;
  readonly token_hash?: string;
}

/**
 * `.workgraph/agents/registry.json`: who is at work, and who was lately. For people and other programs: we ourselves
 * believe only what each run's own folder and process say. It is written whole, and not for each change.
 */
export class RunRegistry {
  private readonly folder: string;
  private readonly processes: Processes;
  private readonly leaseMs: number;
  private readonly ended = new Map<string, RegistryRow>();
  private timer: NodeJS.Timeout | undefined;

  constructor(agentsFolder: string, processes: Processes, leaseMs: number) {
    this.folder = agentsFolder;
    this.leaseMs = leaseMs;
    this.processes = processes;
    for (const row of readRegistry(agentsFolder).rows) if (!isLiveStatus(row.status)) this.keep(row);
  }

  /** The row of a run that has begun and is not settled. */
  row(run: LiveRun): RegistryRow {
    return this.rowAs(run, statusOf(run));
  }

  over(run: LiveRun, status: RunStatus): void {
    this.keep(this.rowAs(run, status));
  }

  /** Writes soon what `look` answers then. */
  changed(look: () => Iterable<LiveRun>, next: () => number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.write(look(), next());
    }, LIMITS.registryWriteMs);
    this.timer.unref();
  }

  /** Writes what has changed since. */
  close(live: Iterable<LiveRun>, next: number): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.write(live, next);
  }

  private write(live: Iterable<LiveRun>, next: number): void {
    const agents: Record<string, RegistryRow> = {};
    for (const row of this.ended.values()) agents[row.id] = row;
    for (const run of live) agents[run.plan.id] = this.row(run);
    const file = path.join(this.folder, 'registry.json');
    try {
      makeAgentsFolder(this.folder);
      writeFileSync(`${file}.draft`, `${safeJson({ agents, next_agent_id: next })}\n`, { mode: 0o600 });
      renameSync(`${file}.draft`, file);
    } catch {
      // A full disk, or a link in our place: the folders of the runs are the truth, and the next change writes again.
    }
  }

  private keep(row: RegistryRow): void {
    this.ended.delete(row.id);
    this.ended.set(row.id, row);
    const [oldest] = this.ended.keys();
    if (this.ended.size > LIMITS.registryEnded && oldest !== undefined) this.ended.delete(oldest);
  }

  private rowAs(run: LiveRun, status: RunStatus): RegistryRow {
    const { plan, record, heartbeat, result, folder } = run;
    const self = this.processes.self();
    if (isLiveStatus(status)) run.pid ??= folder.pid()?.pid;
    const lease = runLease(run, this.leaseMs);
    const start = isLiveStatus(status) ? folder.pid()?.start : undefined;
    return {
      id: plan.id,
      ...(run.pid === undefined ? {} : { pid: run.pid }),
      ...(start === undefined ? {} : { start_time: start }),
      host: self.host,
      boot_id: self.boot,
      pid_namespace: self.namespace,
      task_id: plan.taskId,
      attempt: plan.fence,
      fence: plan.fence,
      executor: plan.executor ?? 'shell',
      ...(record.model === undefined ? {} : { model: record.model }),
      started_at: timestamp(plan.startedAt),
      last_heartbeat: timestamp(plan.executor === undefined || heartbeat ? run.seenAt : plan.startedAt),
      ...(lease === undefined ? {} : { lease_until: timestamp(lease) }),
      status,
      output_file: folder.output,
      ...(record.worktree === undefined ? {} : { worktree: record.worktree }),
      ...(record.branch === undefined ? {} : { branch: record.branch }),
      ...(result?.sessionId === undefined ? {} : { session_id: result.sessionId }),
      ...(record.token_hash === undefined ? {} : { token_hash: record.token_hash }),
    };
  }
}

function statusOf(run: LiveRun): RunStatus {
  if (!run.alive) return run.exit === undefined ? 'dead' : run.exit.code === 0 ? 'done' : 'failed';
  if (run.ended) return 'stopping';
  return run.pid === undefined ? 'starting' : 'working';
}

/** What the registry says; nothing when it is not there or cannot be understood. */
export function readRegistry(agentsFolder: string): { rows: RegistryRow[]; next: number } {
  let registry: JsonObject | undefined;
  try {
    registry = parseJsonObject(readFileSync(path.join(agentsFolder, 'registry.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const agents = registry?.['agents'];
  const rows = typeof agents === 'object' && agents !== null && !Array.isArray(agents) ? Object.values(agents) : [];
  const next = registry?.['next_agent_id'];
  return {
    rows: (rows as unknown[]).filter(isRow),
    next: typeof next === 'number' && Number.isSafeInteger(next) ? next : 1,
  };
}

function isRow(value: unknown): value is RegistryRow {
  const row = value as Partial<RegistryRow> | null;
  return ['id', 'task_id', 'status', 'started_at', 'executor'].every(
    (field) => typeof row?.[field as keyof RegistryRow] === 'string',
  );
}

/** The run of a claim by what lies in its folder; undefined where its name is none of ours, or borrowed from another task's run. */
export function claimedRun(agentsFolder: string, claim: RunClaim, now: number): LiveRun | undefined {
  if (runNumber(claim.run) === 0) return undefined;
  const owner = { taskId: claim.taskId, fence: claim.fence };
  const folder = new RunFolder(agentsFolder, claim.run, owner);
  if (folder.stranger() !== undefined) return undefined;
  const record = folder.record();
  const proof = record?.token_hash === undefined ? owner : { ...owner, tokenHash: record.token_hash };
  return adoptedRun(new RunFolder(agentsFolder, claim.run, proof), { ...claim, id: claim.run }, record, now);
}

/** A run at work without a claim: its task moved on while nobody looked. Somebody has to end it. */
export function strayRun(agentsFolder: string, name: string, processes: Processes, now: number): LiveRun | undefined {
  const folder = new RunFolder(agentsFolder, name);
  if (folder.hasEnded()) return undefined;
  const record = folder.record();
  const pid = folder.pid();
  if (!record || !pid || !isRun(processes, agentsFolder, pid, record)) return undefined;
  return adoptedRun(
    folder,
    { id: record.id, taskId: record.task_id, fence: record.fence, startedAt: record.started_at },
    record,
    now,
  );
}

/** The highest number of a run of which something is left here; 0 for none. */
export function highestRun(agentsFolder: string): number {
  const before = readRegistry(agentsFolder).next - 1;
  return runNames(agentsFolder).reduce((highest, name) => Math.max(highest, runNumber(name)), before);
}

/** The names of all runs that have a folder. */
export function runNames(agentsFolder: string): string[] {
  return readdirSync(agentsFolder).filter((name) => runNumber(name) > 0);
}
