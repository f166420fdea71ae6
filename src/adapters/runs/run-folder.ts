import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { EndReason, RunExit } from '#core/coordinator/snapshot.js';
import type { PromptPartRecord } from '#core/roles/prompt-parts.js';
import { isRecent } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_FOLDER, PRIVATE_PROGRAM } from '#kernel/file-modes.js';
import { parseJsonObject } from '#kernel/json.js';
import type { Processes } from '#ports/processes.js';
import type { RunPlan } from '#ports/run-host.js';
import { hasGuard, writeGuard } from './git-guard.js';
import { lastOutputLines } from './output-file.js';
import type { PlacedPlan } from './placed-plan.js';
import { CHECK_BEGINS, runScript } from './run-script.js';

/** Time after which an empty ticket counts as torn. Creating and writing a ticket are microseconds apart. */
const TORN_AFTER_MS = 2_000;

/**
 * Creates the folder of all runs if it is missing. Refuses a link, because we would write into its target. Errors:
 * `unsafe_path`.
 */
export function makeAgentsFolder(agentsFolder: string): void {
  if (lstatSync(agentsFolder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new TroupeError('unsafe_path', { what: `${agentsFolder} is a link: no run is started through it.` });
  mkdirSync(agentsFolder, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Writes the script shared by all runs and returns its path. Called once per start of the service, so that the script
 * is of this version.
 */
export function writeRunScript(agentsFolder: string, runProgram: string): string {
  const script = path.join(agentsFolder, 'run.sh');
  rmSync(script, { force: true }); // never overwritten in place: a shell reads its script while it runs
  writeFileSync(script, runScript(process.execPath, runProgram), { mode: PRIVATE_PROGRAM });
  return script;
}

/**
 * Creates the folder of all runs and the script they share if they are missing: they may be removed while the service
 * runs.
 */
export function makeRunsPlace({ agentsFolder, runProgram }: { agentsFolder: string; runProgram: string }): void {
  makeAgentsFolder(agentsFolder);
  if (!existsSync(path.join(agentsFolder, 'run.sh'))) writeRunScript(agentsFolder, runProgram);
  if (!hasGuard(agentsFolder)) writeGuard(agentsFolder);
}

export interface RunRecord {
  readonly id: string;
  readonly task_id: string;
  readonly fence: number;
  readonly started_at: number;
  readonly timeout_ms: number;
  readonly command: string;
  readonly executor?: string;
  readonly model?: string;
  /** Hash of the team plan given to the run. */
  readonly strategy?: string;
  /** Parts of its role in the prompt, by hash. */
  readonly role_parts?: readonly PromptPartRecord[];
  readonly worktree?: string;
  readonly branch?: string;
  /** Folder of the project within the worktree. */
  readonly folder?: string;
  readonly silent_end?: 'ask';
  /** Permissions for conversations. */
  readonly mail?: string;
  /** Id of the boot of the machine: no process survives a reboot. */
  readonly boot_id?: string;
  /** Hash of the run's token. */
  readonly token_hash?: string;
}

/** Expected owner of a record: a claim, and the hash of its run's token if it is known. */
export interface RecordOwner {
  readonly taskId: string;
  readonly fence: number;
  readonly tokenHash?: string;
}

/** Ticket of a run, from its plan. */
export function ticketOf(
  plan: Omit<RunPlan, 'tree'> & Pick<PlacedPlan, 'tree'>,
  proof?: { tokenHash: string; boot: string },
): RunRecord {
  const { executor, client, tree } = plan;
  return {
    id: plan.id,
    task_id: plan.taskId,
    fence: plan.fence,
    started_at: plan.startedAt,
    timeout_ms: plan.timeoutMs,
    command: plan.command,
    ...(executor === undefined ? {} : { executor }),
    ...(client === undefined || client.mail === 'none' ? {} : { mail: client.mail }),
    ...(client?.silentEnd === 'ask' ? { silent_end: 'ask' } : {}),
    ...(client?.request.model === undefined ? {} : { model: client.request.model }),
    ...(client?.strategy === undefined ? {} : { strategy: client.strategy }),
    ...(client?.roleParts === undefined ? {} : { role_parts: client.roleParts }),
    ...(tree === undefined ? {} : { worktree: tree.path, branch: tree.branch, folder: tree.folder }),
    ...(proof === undefined ? {} : { boot_id: proof.boot, token_hash: proof.tokenHash }),
  };
}

export interface RunPid {
  readonly pid: number;
  /** Start time of the process as the system formats it; empty if the shell could not determine it. */
  readonly start: string;
  /** True if a coordinator took the ticket: the run never began and never will. */
  readonly void: boolean;
}

/**
 * Whether a process is the run. Pids are reused, so the start time is compared; without a start time, the command line.
 */
export function isRun(
  processes: Processes,
  agentsFolder: string,
  { pid, start }: RunPid,
  record: Partial<RunRecord> | undefined,
): boolean {
  if (record?.boot_id !== undefined && record.boot_id !== processes.self().boot) return false;
  return start === '' ? processes.commandOf(pid)?.includes(agentsFolder) === true : processes.startOf(pid) === start;
}

/**
 * Folder of one run: plain files, which survive every process. `run.jsonl` is its ticket and its record; the lines
 * after the first record a request to end it, and its end. It is a single file because creating files dominates the
 * cost of a thousand short commands.
 */
export class RunFolder {
  readonly folder: string;
  private readonly owner: RecordOwner | undefined;

  /** With an `owner`, records of other owners are ignored. */
  constructor(agentsFolder: string, id: string, owner?: RecordOwner) {
    this.folder = path.join(agentsFolder, id);
    this.owner = owner;
  }

  private get state(): string {
    return path.join(this.folder, 'run.jsonl');
  }

  /** Events of the client, one JSON object per line. */
  get events(): string {
    return path.join(this.folder, 'stream.jsonl');
  }

  get output(): string {
    return path.join(this.folder, 'output.log');
  }

  /** Prompt of the run; the file exists only for clients. */
  get prompt(): string {
    return path.join(this.folder, 'prompt.txt');
  }

  /** Creates the folder. Throws EEXIST if the id was used before. */
  create(): void {
    mkdirSync(this.folder, { mode: PRIVATE_FOLDER });
  }

  /** Whether the run of a client is prepared but its ticket is not taken, so it has not begun. */
  isOnlyPrepared(): boolean {
    return !existsSync(this.state) && existsSync(path.join(this.folder, 'run.sh'));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  record(): RunRecord | undefined {
    const [ticket] = this.lines();
    return ticket !== undefined && isRunRecord(ticket) ? ticket : undefined;
  }

  pid(): RunPid | undefined {
    const [ticket] = this.lines();
    if (ticket?.['void'] === true) return { pid: 0, start: '', void: true };
    if (typeof ticket?.['pid'] !== 'number') return undefined;
    return { pid: ticket['pid'], start: String(ticket['start'] ?? ''), void: false };
  }

  /** Takes the ticket of a run that has not begun. Returns whether it succeeded: then the run will never begin. */
  voidTicket(): boolean {
    mkdirSync(this.folder, { recursive: true, mode: PRIVATE_FOLDER });
    try {
      writeFileSync(this.state, '{"void":true}\n', { flag: 'wx', mode: PRIVATE_FILE });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return this.pid()?.void === true;
      throw error;
    }
  }

  /** Describes the record if it belongs to another owner: the folder was removed, and another run created it again. */
  foreignRecord(): string | undefined {
    const [ticket] = this.allLines();
    if (!this.owner || typeof ticket?.['fence'] !== 'number' || isOf(this.owner, ticket)) return undefined;
    return `its folder holds the record of ${String(ticket['task_id'])} under ${ticket['fence']}`;
  }

  /** Whether the ticket exists but is empty: its creator was killed between creating and writing it. */
  ticketIsTorn(): boolean {
    const ticketTime = statSync(this.state, { throwIfNoEntry: false })?.mtimeMs;
    return ticketTime !== undefined && this.pid() === undefined && !isRecent(ticketTime, Date.now(), TORN_AFTER_MS);
  }

  hasEnded(): boolean {
    return this.end() !== undefined;
  }

  /** Exit of the run; undefined while it has not ended. */
  exit(startedAt: number | undefined): RunExit | undefined {
    const end = this.end();
    if (end === undefined) return undefined;
    const { code, checked } = end;
    const at = statSync(this.state, { throwIfNoEntry: false })?.mtimeMs;
    const hasTimes = startedAt !== undefined && at !== undefined;
    return {
      code,
      ...exitLines(code, checked, () => lastOutputLines(this.output, CHECK_BEGINS)),
      ...(hasTimes ? { durationMs: Math.max(0, Math.round(at - startedAt)) } : {}),
    };
  }

  /**
   * Records the reason for ending the run. Called before the signal is sent, so that the run can be settled with its
   * reason.
   */
  markEnded(why: EndReason): void {
    appendFileSync(this.state, `${JSON.stringify({ told_to_end: why })}\n`);
  }

  ended(): EndReason | undefined {
    return this.lines().find((line) => line['told_to_end'] !== undefined)?.['told_to_end'] as EndReason | undefined;
  }

  outputBytes(): number {
    return statSync(this.output, { throwIfNoEntry: false })?.size ?? 0;
  }

  private end(): { readonly code: number; readonly checked: boolean } | undefined {
    const line = this.lines().find((line, index) => index > 0 && typeof line['code'] === 'number');
    return line && { code: line['code'] as number, checked: line['checked'] === true };
  }

  /** Lines of the record; none if it belongs to another owner. */
  private lines(): Record<string, unknown>[] {
    const lines = this.allLines();
    const stranger = this.owner && typeof lines[0]?.['fence'] === 'number' && !isOf(this.owner, lines[0]);
    return stranger ? [] : lines;
  }

  /** Complete lines of the record; the first is the ticket. */
  private allLines(): Record<string, unknown>[] {
    let text: string;
    try {
      text = readFileSync(this.state, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => parseJsonObject(line) ?? {});
  }
}

function isOf({ taskId, fence, tokenHash }: RecordOwner, ticket: Record<string, unknown>): boolean {
  if (ticket['task_id'] !== taskId || ticket['fence'] !== fence) return false;
  return tokenHash === undefined || ticket['token_hash'] === tokenHash;
}

/** The first line is written completely or not at all. */
function isRunRecord(ticket: object): ticket is RunRecord {
  return 'fence' in ticket && typeof ticket.fence === 'number';
}

/** Last output lines that explain a failure: those of the check, or those of the command. */
function exitLines(code: number, checked: boolean, read: () => string): Pick<RunExit, 'check' | 'lastLines'> {
  if (checked) return { check: { lastLines: read() } };
  return code === 0 ? {} : { lastLines: read() };
}
