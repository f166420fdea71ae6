import { callerFrom } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { callersOf } from '#main/caller.js';
import { runsKnownHere } from '#main/runs-known-here.js';
import type { Caller } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import { offerToPerson, offerToRun, type PersonTier } from '#surfaces/mcp/offers.js';
import type { ToolCall } from '#surfaces/mcp/readings.js';
import { serveTools } from '#surfaces/mcp/server.js';

/**
 * Serves the tools of one run to its client. The run is identified by its environment; without a valid token nothing is
 * offered, because an agent must never act as the person it works for.
 */
export async function offerTools(project: Project, version: string, call: ToolCall): Promise<void> {
  const run = callerFrom(process.env);
  if (run.kind !== 'run') {
    throw new TroupeError('bad_run_token', {
      what: 'These tools are for runs, and this is not one.',
      hint: 'For the client that you work with, start `troupe mcp --person`.',
    });
  }
  await (await callersOf(project)).client(run);
  const runs = runsKnownHere(project.layout, async () => new ProcessTable());
  const mail = (await runs.identity(run.name))?.mail ?? 'none';
  const prompt = await runs.prompt(run.name, TEAM_LIMITS.promptStoredBytes);
  await serveTools({ version, offer: offerToRun(run.taskId, mail, prompt ?? ''), call });
}

/**
 * Serves tools to the client of a person: the everyday ones, and on request those for the team, its memory and its
 * plans. A run gets none of them, and neither do the processes it starts.
 */
export async function offerPersonTools(
  version: string,
  tiers: readonly PersonTier[],
  caller: Caller,
  call: ToolCall,
): Promise<void> {
  if (caller.kind === 'run')
    throw new TroupeError('not_yours', { what: `${caller.name} is a run: its tools are those of \`troupe mcp\`.` });
  await serveTools({ version, offer: offerToPerson(tiers), call });
}
