import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EndReason, RunExit } from '#core/coordinator/snapshot.js';
import { parseJsonObject } from '#kernel/json.js';
import type { RunPlan } from '#ports/run-host.js';
import { RUN_SCRIPT } from './run-script.js';

/** Between making a ticket and writing it lie microseconds. */
const TORN_AFTER_MS = 2_000;

/** Writes the script all runs share and names it. Once a life of the service, so that it is what this version means. */
export function writeRunScript(agentsFolder: string): string {
  const script = path.join(agentsFolder, 'run.sh');
  rmSync(script, { force: true }); // never in place: a shell reads its script while it runs
  writeFileSync(script, RUN_SCRIPT, { mode: 0o700 });
  return script;
}

export interface RunRecord {
  readonly id: string;
  readonly task_id: string;
  readonly fence: number;
  readonly started_at: number;
  readonly timeout_ms: number;
}

export interface RunPid {
  readonly pid: number;
  /** When it started, in the system's words; empty where the shell could not tell. */
  readonly start: string;
  /** True when a coordinator took the ticket: the run never began and never will. */
  readonly void: boolean;
}

/** The folder of one run: plain files, so that its facts outlive every process. */
export class RunFolder {
  readonly folder: string;

  constructor(agentsFolder: string, id: string) {
    this.folder = path.join(agentsFolder, id);
  }

  private get commandFile(): string {
    return path.join(this.folder, 'command.sh');
  }

  get output(): string {
    return path.join(this.folder, 'output.log');
  }

  /**
   * Makes the folder; throws EEXIST when the id was used before. One small file, because a thousand short commands are
   * bound by what is created for each: the record stands as a comment above the command.
   */
  create(plan: RunPlan): void {
    mkdirSync(this.folder, { mode: 0o700 });
    const record: RunRecord = {
      id: plan.id,
      task_id: plan.taskId,
      fence: plan.fence,
      started_at: plan.startedAt,
      timeout_ms: plan.timeoutMs,
    };
    writeFileSync(this.commandFile, `# ${JSON.stringify(record)}\n${plan.command}\n`, { mode: 0o600 });
  }

  record(): RunRecord | undefined {
    const [first = ''] = (this.read('command.sh') ?? '').split('\n', 1);
    const value = parseJsonObject(first.slice('# '.length));
    return value && typeof value['fence'] === 'number' ? (value as unknown as RunRecord) : undefined;
  }

  pid(): RunPid | undefined {
    const value = parseJsonObject(this.read('pid.json') ?? '');
    if (!value) return undefined;
    return { pid: Number(value['pid'] ?? 0), start: String(value['start'] ?? ''), void: value['void'] === true };
  }

  /** Takes the ticket of a run that has not begun. Answers whether it is ours: then the run never will begin. */
  voidTicket(): boolean {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(path.join(this.folder, 'pid.json'), '{"void":true}\n', { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return this.pid()?.void === true;
      throw error;
    }
  }

  /** The ticket is there but says nothing: whoever took it was killed between making and writing it. */
  ticketIsTorn(): boolean {
    const taken = statSync(path.join(this.folder, 'pid.json'), { throwIfNoEntry: false })?.mtimeMs;
    return taken !== undefined && this.pid() === undefined && Date.now() - taken > TORN_AFTER_MS;
  }

  hasEnded(): boolean {
    return existsSync(path.join(this.folder, 'exit.json'));
  }

  /** How it ended; undefined while it has not, or when the record is torn. */
  exit(startedAt: number | undefined): RunExit | undefined {
    const value = parseJsonObject(this.read('exit.json') ?? '');
    if (typeof value?.['code'] !== 'number') return undefined;
    const at = statSync(path.join(this.folder, 'exit.json'), { throwIfNoEntry: false })?.mtimeMs;
    const known = startedAt !== undefined && at !== undefined;
    return { code: value['code'], ...(known ? { durationMs: Math.max(0, Math.round(at - startedAt)) } : {}) };
  }

  /** Written before a signal is sent, so that whoever settles the run knows why it ended. */
  markEnded(why: EndReason): void {
    writeFileSync(path.join(this.folder, 'ended.json'), `${JSON.stringify({ why })}\n`, { mode: 0o600 });
  }

  ended(): EndReason | undefined {
    return parseJsonObject(this.read('ended.json') ?? '')?.['why'] as EndReason | undefined;
  }

  outputBytes(): number {
    return statSync(this.output, { throwIfNoEntry: false })?.size ?? 0;
  }

  private read(name: string): string | undefined {
    try {
      return readFileSync(path.join(this.folder, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
