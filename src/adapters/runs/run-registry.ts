import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runNumber } from '#core/graph/run-name.js';
import { isLiveStatus, type RunStatus } from '#core/runs/run-status.js';
import { timestamp } from '#kernel/clock.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { type JsonObject, parseJsonObject, safeJson } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Processes } from '#ports/processes.js';
import type { ListedRun, RunClaim } from '#ports/run-host.js';
import { adoptedRun, type LiveRun, runLease } from './live-run.js';
import { isRun, makeAgentsFolder, RunFolder } from './run-folder.js';

/** Row of the registry, in the format that other programs read. */
export interface RegistryRow extends ListedRun {
  readonly start_time?: string;
  readonly host: string;
  readonly boot_id: string;
  /** Pid namespace in which its pid is valid. */
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
 * `.workgraph/agents/registry.json`: runs that are alive or ended recently, for people and other programs. Troupe
 * itself relies only on the folder and the process of each run. The file is written as a whole, and not for each
 * change.
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

  /** Row of a run that has begun and is not settled. */
  row(run: LiveRun): RegistryRow {
    return this.rowAs(run, statusOf(run));
  }

  over(run: LiveRun, status: RunStatus): void {
    this.keep(this.rowAs(run, status));
  }

  /** Schedules a write. `look` and `next` are called when it happens. */
  changed(look: () => Iterable<LiveRun>, next: () => number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.write(look(), next());
    }, WORK_LIMITS.registryWriteMs);
    this.timer.unref();
  }

  /** Performs a scheduled write immediately. */
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
      writeFileSync(`${file}.draft`, `${safeJson({ agents, next_agent_id: next })}\n`, { mode: PRIVATE_FILE });
      renameSync(`${file}.draft`, file);
    } catch {
      // The disk is full, or a link is in its place. The folders of the runs are authoritative, and the next change
      // writes again.
    }
  }

  private keep(row: RegistryRow): void {
    this.ended.delete(row.id);
    this.ended.set(row.id, row);
    const [oldest] = this.ended.keys();
    if (this.ended.size > WORK_LIMITS.registryEnded && oldest !== undefined) this.ended.delete(oldest);
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

/** Parses the registry; empty if it is missing or invalid. */
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

/**
 * The run of a claim, from its folder. Undefined if the name is not an id of a run, or if the folder belongs to another
 * claim.
 */
export function claimedRun(agentsFolder: string, claim: RunClaim, now: number): LiveRun | undefined {
  if (runNumber(claim.run) === 0) return undefined;
  const owner = { taskId: claim.taskId, fence: claim.fence };
  const folder = new RunFolder(agentsFolder, claim.run, owner);
  if (folder.foreignRecord() !== undefined) return undefined;
  const record = folder.record();
  const proof = record?.token_hash === undefined ? owner : { ...owner, tokenHash: record.token_hash };
  return adoptedRun(new RunFolder(agentsFolder, claim.run, proof), { ...claim, id: claim.run }, record, now);
}

/** A run at work without a claim, because its task moved on while no service ran. The caller must end it. */
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

/** Highest number of any run that left a trace here; 0 if there is none. */
export function highestRun(agentsFolder: string): number {
  const before = readRegistry(agentsFolder).next - 1;
  return runNames(agentsFolder).reduce((highest, name) => Math.max(highest, runNumber(name)), before);
}

/** Names of all runs with a folder. */
export function runNames(agentsFolder: string): string[] {
  return readdirSync(agentsFolder).filter((name) => runNumber(name) > 0);
}
