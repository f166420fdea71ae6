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
import type { PromptPartRecord } from '#core/lanes/prompt-parts.js';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import type { Processes } from '#ports/processes.js';
import type { RunPlan } from '#ports/run-host.js';
import { hasGuard, writeGuard } from './git-guard.js';
import { lastOutputLines } from './output-file.js';
import type { PlacedPlan } from './placed-plan.js';
import { CHECK_BEGINS, runScript } from './run-script.js';

/** Between making a ticket and writing it lie microseconds. */
const TORN_AFTER_MS = 2_000;

/** Makes the folder of all runs where it is not there. A link is refused: what we write would lie where it leads. */
export function makeAgentsFolder(agentsFolder: string): void {
  if (lstatSync(agentsFolder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new TroupeError('unsafe_path', { what: `${agentsFolder} is a link: no run is started through it.` });
  mkdirSync(agentsFolder, { recursive: true, mode: 0o700 });
}

/** Writes the script all runs share and names it. Once a life of the service, so that it is what this version means. */
export function writeRunScript(agentsFolder: string, runProgram: string): string {
  const script = path.join(agentsFolder, 'run.sh');
  rmSync(script, { force: true }); // never in place: a shell reads its script while it runs
  writeFileSync(script, runScript(process.execPath, runProgram), { mode: 0o700 });
  return script;
}

/** The folder of all runs and the script they share, also after somebody removed it under us. */
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
  /** The hash of the plan of its team, as it was told. */
  readonly strategy?: string;
  /** What it was told of its role: the parts, by their hashes. */
  readonly role_parts?: readonly PromptPartRecord[];
  readonly worktree?: string;
  readonly branch?: string;
  /** The project within the worktree. */
  readonly folder?: string;
  readonly silent_end?: 'ask';
  /** What it may do with conversations. */
  readonly mail?: string;
  /** Of the machine's life it belongs to: no process outlives that. */
  readonly boot_id?: string;
  /** Of what the run proves itself by. */
  readonly token_hash?: string;
}

/** Whose record is looked for: a claim, and what its run proves itself by, where that is known. */
export interface RecordOwner {
  readonly taskId: string;
  readonly fence: number;
  readonly tokenHash?: string;
}

/** What a run's ticket says of its plan. */
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
  /** When it started, in the system's words; empty where the shell could not tell. */
  readonly start: string;
  /** True when a coordinator took the ticket: the run never began and never will. */
  readonly void: boolean;
}

/** A pid alone is a lie; with its start time it is not. Where shells cannot tell that, the command line has to do. */
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
 * The folder of one run: plain files, so that its facts outlive every process. `run.jsonl` is its ticket and its record; the
 * lines after the first say that it was told to end, and how it ended. One file, because a thousand short commands are
 * bound by what is created for each.
 */
export class RunFolder {
  readonly folder: string;
  private readonly owner: RecordOwner | undefined;

  /** With an `owner`, the record of anybody else counts as none. */
  constructor(agentsFolder: string, id: string, owner?: RecordOwner) {
    this.folder = path.join(agentsFolder, id);
    this.owner = owner;
  }

  private get state(): string {
    return path.join(this.folder, 'run.jsonl');
  }

  /** What its client did, a JSON line an event. */
  get events(): string {
    return path.join(this.folder, 'stream.jsonl');
  }

  get output(): string {
    return path.join(this.folder, 'output.log');
  }

  /** What the run was told, where it was told something. */
  get prompt(): string {
    return path.join(this.folder, 'prompt.txt');
  }

  /** Makes the folder; throws EEXIST when the id was used before. */
  create(): void {
    mkdirSync(this.folder, { mode: 0o700 });
  }

  /** What a client will need is there, and nobody took the ticket: nothing has begun. */
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

  /** Takes the ticket of a run that has not begun. Answers whether it is ours: then the run never will begin. */
  voidTicket(): boolean {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(this.state, '{"void":true}\n', { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return this.pid()?.void === true;
      throw error;
    }
  }

  /** Whose record lies here, when it is another's: the folder was removed, and another run made it again. */
  stranger(): string | undefined {
    const [ticket] = this.allLines();
    if (!this.owner || typeof ticket?.['fence'] !== 'number' || isOf(this.owner, ticket)) return undefined;
    return `its folder holds the record of ${String(ticket['task_id'])} under ${ticket['fence']}`;
  }

  /** The ticket is there but says nothing: whoever took it was killed between making and writing it. */
  ticketIsTorn(): boolean {
    const ticketTime = statSync(this.state, { throwIfNoEntry: false })?.mtimeMs;
    return ticketTime !== undefined && this.pid() === undefined && Date.now() - ticketTime > TORN_AFTER_MS;
  }

  hasEnded(): boolean {
    return this.end() !== undefined;
  }

  /** How it ended; undefined while it has not. */
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

  /** Written before a signal is sent, so that whoever settles the run knows why it ended. */
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

  /** Those of our owner's run. */
  private lines(): Record<string, unknown>[] {
    const lines = this.allLines();
    const stranger = this.owner && typeof lines[0]?.['fence'] === 'number' && !isOf(this.owner, lines[0]);
    return stranger ? [] : lines;
  }

  /** Whole lines only; the ticket comes first. */
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

/** Its first line is written whole or not at all, by whoever created it. */
function isRunRecord(ticket: object): ticket is RunRecord {
  return 'fence' in ticket && typeof ticket.fence === 'number';
}

/** Where a bad end explains itself: the lines of the check, or those of the command. */
function exitLines(code: number, checked: boolean, read: () => string): Pick<RunExit, 'check' | 'lastLines'> {
  if (checked) return { check: { lastLines: read() } };
  return code === 0 ? {} : { lastLines: read() };
}
