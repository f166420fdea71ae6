import { readdirSync } from 'node:fs';
import type { Processes } from '#ports/processes.js';
import type { RunClaim } from '#ports/run-host.js';
import { adoptedRun, type LiveRun } from './live-run.js';
import { isRun, RunFolder } from './run-folder.js';

/** The number in a run's name; 0 for any other name. */
export function numberOf(name: string): number {
  return Number(/^agent-(\d{1,9})$/.exec(name)?.[1] ?? 0);
}

/** The run of a claim by what lies in its folder; undefined where its name is none of ours, or borrowed from another task's run. */
export function claimedRun(agentsFolder: string, claim: RunClaim): LiveRun | undefined {
  if (numberOf(claim.run) === 0) return undefined;
  const owner = { taskId: claim.taskId, fence: claim.fence };
  const found = new RunFolder(agentsFolder, claim.run, owner);
  if (found.stranger() !== undefined) return undefined;
  const record = found.record();
  const proof = record?.token_hash === undefined ? owner : { ...owner, tokenHash: record.token_hash };
  return adoptedRun(new RunFolder(agentsFolder, claim.run, proof), { ...claim, id: claim.run }, record);
}

/** A run at work without a claim: its task moved on while nobody looked. Somebody has to end it. */
export function strayRun(agentsFolder: string, name: string, processes: Processes): LiveRun | undefined {
  const folder = new RunFolder(agentsFolder, name);
  if (folder.hasEnded()) return undefined;
  const record = folder.record();
  const pid = folder.pid();
  if (!record || !pid || !isRun(processes, agentsFolder, pid, record)) return undefined;
  return adoptedRun(
    folder,
    { id: record.id, taskId: record.task_id, fence: record.fence, startedAt: record.started_at },
    record,
  );
}

/** The names of all runs that have a folder. */
export function runNames(agentsFolder: string): string[] {
  return readdirSync(agentsFolder).filter((name) => numberOf(name) > 0);
}
