import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, writeSync } from 'node:fs';
import path from 'node:path';
import { worktreeAround } from '#adapters/disk/worktree-folder.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { MAIL_RIGHTS } from '#core/mail/conversation.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { safeJson } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { redact } from '#kernel/secrets.js';
import type { Processes } from '#ports/processes.js';
import type { RunAtWork, RunFolders, RunIdentity, RunPart, RunSession } from '#ports/run-folders.js';
import type { ListedRun } from '#ports/run-host.js';
import { readSession } from './client-files.js';
import { endLeftovers } from './leftovers.js';
import { adoptedRun, exitOf, factOf, takeHeartbeat } from './live-run.js';
import { cleanOutput, linesFrom, tailOf, wholeLines } from './output-file.js';
import { isRun, RunFolder } from './run-folder.js';
import { readRegistry } from './run-registry.js';

const END_POLL_MS = 100;

const RUN_ID = /^agent-\d{1,9}$/;

/** Reads prompts and output of runs from their folders. */
export class FileRunFolders implements RunFolders {
  private readonly agentsFolder: string;
  private readonly processes: () => Promise<Processes>;

  constructor(agentsFolder: string, processes: () => Promise<Processes>) {
    this.agentsFolder = agentsFolder;
    this.processes = processes;
  }

  async part(
    runId: string,
    of: 'output' | 'events',
    { from, most }: { from?: number; most: number },
  ): Promise<RunPart | undefined> {
    if (!RUN_ID.test(runId)) return undefined;
    const file = new RunFolder(this.agentsFolder, runId)[of];
    if (from !== undefined) return linesFrom(file, from, most);
    if (most === 0) return tailOf(file, 0, 'end');
    // Reads more than requested, so that a secret that begins before the part is recognised.
    const tail = tailOf(file, most + WORK_LIMITS.redactorHeldCharacters, 'end');
    const part = tail && of === 'events' ? wholeLines(tail) : tail;
    if (part === undefined) return undefined;
    const clean = Buffer.from(redact(part.text));
    const length = Math.min(most, part.size);
    return { ...part, text: clean.subarray(Math.max(0, clean.length - length)).toString('utf8') };
  }

  async prompt(runId: string, maxBytes: number): Promise<string | undefined> {
    if (!RUN_ID.test(runId)) return undefined;
    return tailOf(new RunFolder(this.agentsFolder, runId).prompt, maxBytes, 'beginning')?.text;
  }

  async identity(runId: string): Promise<RunIdentity | undefined> {
    const record = RUN_ID.test(runId) ? new RunFolder(this.agentsFolder, runId).record() : undefined;
    if (!record) return undefined;
    const { task_id: taskId, fence, token_hash: tokenHash, branch, folder } = record;
    return {
      taskId,
      fence,
      mail: MAIL_RIGHTS.find((right) => right === record.mail) ?? 'none',
      ...(tokenHash === undefined ? {} : { tokenHash }),
      ...(branch === undefined || folder === undefined || this.treeAround(folder) === undefined
        ? {}
        : { tree: { branch, folder } }),
    };
  }

  async keepRefused(runId: string, refused: Readonly<Record<string, unknown>>): Promise<void> {
    if (!RUN_ID.test(runId)) return;
    const file = path.join(this.agentsFolder, runId, 'refused.jsonl');
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
    try {
      const descriptor = openSync(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, PRIVATE_FILE);
      try {
        const stats = fstatSync(descriptor);
        const line = `${redact(safeJson(refused))}\n`;
        if (stats.isFile() && stats.size + Buffer.byteLength(line) <= WORK_LIMITS.refusedBytes)
          writeSync(descriptor, line);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // The folder is missing or the disk is full. The refusal itself is reported elsewhere.
    }
  }

  async session(runId: string): Promise<RunSession | undefined> {
    return RUN_ID.test(runId) ? readSession(path.join(this.agentsFolder, runId)) : undefined;
  }

  async state(runId: string): Promise<'at-work' | 'ended' | 'gone'> {
    if (!RUN_ID.test(runId)) return 'gone';
    const folder = new RunFolder(this.agentsFolder, runId);
    if (folder.hasEnded()) return 'ended';
    const pid = folder.pid();
    if (!pid || pid.void) return 'gone';
    return isRun(await this.processes(), this.agentsFolder, pid, folder.record()) ? 'at-work' : 'gone';
  }

  async listed(): Promise<readonly ListedRun[]> {
    const { rows } = readRegistry(this.agentsFolder);
    const listed: ListedRun[] = [];
    for (const row of rows) {
      const state = isLiveStatus(row.status) ? await this.state(row.id) : 'at-work';
      if (state === 'at-work') listed.push(row);
      else listed.push({ ...row, status: state === 'gone' ? 'dead' : this.codeOf(row.id) === 0 ? 'done' : 'failed' });
    }
    return listed;
  }

  async atWork(): Promise<readonly RunAtWork[]> {
    const processes = await this.processes();
    const { host, boot, namespace } = processes.self();
    const runs: RunAtWork[] = [];
    for (const { id, status, host: where, boot_id, pid_namespace } of readRegistry(this.agentsFolder).rows) {
      if (!isLiveStatus(status) || !RUN_ID.test(id) || where !== host || boot_id !== boot) continue;
      if (pid_namespace !== namespace) runs.push({ id });
      else runs.push(...(await this.withProcess(id, processes)));
    }
    return [...runs, ...(await this.notYetListed(processes))];
  }

  /** Runs that began a moment ago: the registry is written with a delay, the record of a run at its start. */
  private async notYetListed(processes: Processes): Promise<readonly RunAtWork[]> {
    const listed = new Set(readRegistry(this.agentsFolder).rows.map(({ id }) => id));
    const numberOf = (id: string) => Number(id.slice(id.lastIndexOf('-') + 1));
    const names = existsSync(this.agentsFolder) ? readdirSync(this.agentsFolder) : [];
    const fresh = names
      .filter((name) => RUN_ID.test(name) && !listed.has(name))
      .sort((left, right) => numberOf(right) - numberOf(left))
      .slice(0, WORK_LIMITS.agentsMost);
    const runs = await Promise.all(fresh.map((id) => this.withProcess(id, processes)));
    return runs.flat();
  }

  /** The run with its process; empty if it is not at work. */
  private async withProcess(id: string, processes: Processes): Promise<RunAtWork[]> {
    if ((await this.state(id)) !== 'at-work') return [];
    const { pid = 0, start = '' } = new RunFolder(this.agentsFolder, id).pid() ?? {};
    return [{ id, process: { pid, start: start || (processes.startOf(pid) ?? '') } }];
  }

  async places(runId: string): Promise<readonly string[]> {
    if (!RUN_ID.test(runId)) return [];
    const { tree } = (await this.identity(runId)) ?? {};
    const top = tree === undefined ? undefined : this.treeAround(tree.folder);
    return [path.join(this.agentsFolder, runId), ...(top === undefined ? [] : [top])];
  }

  named(folder: string): string | undefined {
    const id = path.basename(folder);
    return RUN_ID.test(id) && path.dirname(folder) === this.agentsFolder ? id : undefined;
  }

  async ended(runId: string): Promise<RunFact | undefined> {
    if (!RUN_ID.test(runId)) return undefined;
    const folder = new RunFolder(this.agentsFolder, runId);
    const record = folder.record();
    const recorded = folder.exit(record?.started_at);
    if (record === undefined || recorded === undefined) return undefined;
    const claim = { id: runId, taskId: record.task_id, fence: record.fence, startedAt: record.started_at };
    const now = Date.now();
    const run = adoptedRun(folder, claim, record, now);
    const exit = exitOf(run, recorded);
    if (exit === undefined) return undefined; // its run program was killed: the next service kills the rest
    takeHeartbeat(run, now);
    return factOf({ ...run, started: true, exit }, WORK_LIMITS.leaseMs);
  }

  async tidy(runId: string): Promise<void> {
    if (!RUN_ID.test(runId)) return;
    const { folder, output } = new RunFolder(this.agentsFolder, runId);
    endLeftovers(await this.processes(), new Set([folder]));
    await cleanOutput(output, WORK_LIMITS.outputBytes);
  }

  async end(runId: string, force: boolean): Promise<boolean> {
    if ((await this.state(runId)) !== 'at-work') return false;
    const processes = await this.processes();
    const folder = new RunFolder(this.agentsFolder, runId);
    const group = folder.pid()?.pid ?? 0;
    if (folder.ended() === undefined) folder.markEnded('stopped');
    processes.signalGroup(group, 'SIGTERM');
    if (!force) return true;
    const until = Date.now() + 2 * WORK_LIMITS.killGraceMs;
    while (Date.now() < until && (await this.state(runId)) === 'at-work')
      await new Promise((resolve) => setTimeout(resolve, END_POLL_MS));
    processes.signalGroup(group, 'SIGKILL');
    endLeftovers(processes, new Set([folder.folder]));
    return true;
  }

  /**
   * Worktree around a folder. The run could have rewritten its own record, so only folders of worktrees are accepted.
   */
  private treeAround(folder: string): string | undefined {
    return worktreeAround(path.dirname(path.dirname(this.agentsFolder)), folder);
  }

  private codeOf(runId: string): number | undefined {
    return new RunFolder(this.agentsFolder, runId).exit(undefined)?.code;
  }
}
