import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EndReason, RunExit } from '#core/coordinator/snapshot.js';
import { parseJsonObject } from '#kernel/json.js';
import type { RunPlan } from '#ports/run-host.js';

/**
 * What runs the command and records how it ended. It holds no task data; by hand, `bash run.sh` does the same.
 * - `pid.json` is created exclusively and is the ticket: whoever finds it taken does not run. A coordinator that finds a
 *   claim without a running process takes the ticket itself, and the run can never begin behind its back.
 * - TERM ends the command but not this script, so that the end is recorded.
 * - No process is started but the command: the record is written by the shell itself.
 */
const RUN_SCRIPT = `#!/usr/bin/env bash
unset CLAUDECODE CLAUDE_CODE_ENTRYPOINT
case "$0" in */*) folder=\${0%/*} ;; *) folder=. ;; esac
cd "$folder" && folder=$PWD && cd ../../.. || exit 1
start=
if [ -r "/proc/$$/stat" ]; then
  read -r stat < "/proc/$$/stat"
  set -f; fields=(\${stat##*) }); set +f
  start=\${fields[19]}
fi
set -C
{ printf '{"pid":%s,"start":"%s"}\\n' "$$" "$start" > "$folder/pid.json"; } 2>/dev/null || exit 0
set +C
trap : TERM INT HUP
( trap - TERM INT HUP; . "$folder/command.sh" ) > "$folder/output.log" 2>&1 < /dev/null
printf '{"code":%s}\\n' "$?" > "$folder/exit.json"
`;

export interface RunRecord {
  readonly id: string;
  readonly task_id: string;
  readonly fence: number;
  readonly started_at: number;
  readonly timeout_ms: number;
}

export interface RunPid {
  readonly pid: number;
  /** Empty where the shell could not tell. */
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

  get script(): string {
    return path.join(this.folder, 'run.sh');
  }

  get output(): string {
    return path.join(this.folder, 'output.log');
  }

  /** Makes the folder; throws EEXIST when the id was used before. */
  create(plan: RunPlan): void {
    mkdirSync(this.folder, { mode: 0o700 });
    const record: RunRecord = {
      id: plan.id,
      task_id: plan.taskId,
      fence: plan.fence,
      started_at: plan.startedAt,
      timeout_ms: plan.timeoutMs,
    };
    writeFileSync(path.join(this.folder, 'run.json'), `${JSON.stringify(record)}\n`, { mode: 0o600 });
    writeFileSync(path.join(this.folder, 'command.sh'), `${plan.command}\n`, { mode: 0o600 });
    writeFileSync(this.script, RUN_SCRIPT, { mode: 0o700 });
  }

  record(): RunRecord | undefined {
    const value = parseJsonObject(this.read('run.json') ?? '');
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

  /** How it ended; undefined while it has not, or when the record is torn. */
  exit(): RunExit | undefined {
    const value = parseJsonObject(this.read('exit.json') ?? '');
    if (typeof value?.['code'] !== 'number') return undefined;
    const startedAt = this.record()?.started_at;
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
