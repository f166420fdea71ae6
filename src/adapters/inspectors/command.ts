import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { programEnvironment } from '#adapters/inspectors/environment.js';
import { judgeCommand, notRun } from '#core/review/command-findings.js';
import { excerpt } from '#core/review/excerpt.js';
import type { RecognisedCommand, ReviewPlan } from '#core/review/plan.js';
import { LIMITS } from '#kernel/limits.js';
import type { InspectionResult } from '#ports/inspector.js';
import type { Programs } from '#ports/programs.js';

/** Runs one recognised command in the scratch worktree. Whatever comes of it is evidence; nothing here throws for it. */
export async function runCommand(
  plan: ReviewPlan,
  command: RecognisedCommand,
  worktree: string,
  environment: NodeJS.ProcessEnv,
  programs: Programs,
): Promise<InspectionResult> {
  const said = [command.program, ...command.args].join(' ');
  const cwd = await folderInside(worktree, command.folder);
  if (cwd === undefined) return skipped(said, command, 'There is no scratch copy to run it in.');
  if (command.needs !== undefined && !(await isInstalled(worktree, command.folder, command.needs))) {
    return skipped(said, command, `Its dependencies (${command.needs}) are not installed.`);
  }
  const timeMs = plan.run === 'all' ? LIMITS.commandAllMs : LIMITS.commandFastMs;
  const outcome = await programs.run(await programOf(command, worktree), command.args, {
    cwd,
    environment: programEnvironment(environment, path.join(worktree, 'node_modules', '.cache')),
    timeMs,
  });
  const output = excerpt(outcome.output);
  return {
    command: said,
    exit_code: outcome.code,
    output,
    findings: judgeCommand(command, { code: outcome.code, end: outcome.end, output, timeMs }),
    facts: { end: outcome.end, program_ms: outcome.durationMs, time_box_ms: timeMs },
  };
}

function skipped(said: string, command: RecognisedCommand, why: string): InspectionResult {
  return {
    command: said,
    exit_code: null,
    output: `Not run. ${why}`,
    findings: [notRun(command, why)],
    facts: { end: 'not-run' },
  };
}

/** The folder a command runs in; undefined when it is not there or a tracked link leads out of the worktree. */
async function folderInside(worktree: string, folder: string): Promise<string | undefined> {
  try {
    const top = await realpath(worktree);
    const at = await realpath(path.join(worktree, folder));
    return at === path.join(top, folder) ? at : undefined;
  } catch {
    return undefined;
  }
}

/** Beside the manifest, or at the top, where workspaces keep what they share. */
async function isInstalled(worktree: string, folder: string, needs: string): Promise<boolean> {
  for (const place of new Set([folder, ''])) {
    const stats = await lstat(path.join(worktree, place, needs)).catch(() => undefined);
    if (stats?.isDirectory()) return true;
  }
  return false;
}

/** A project's own Python environment, as copied, before the machine's Python. */
async function programOf(command: RecognisedCommand, worktree: string): Promise<string> {
  if (command.program !== 'python3') return command.program;
  for (const name of ['.venv', 'venv']) {
    for (const place of new Set([command.folder, ''])) {
      const own = path.join(worktree, place, name, 'bin', 'python');
      if (await lstat(own).catch(() => undefined)) return own;
    }
  }
  return command.program;
}
