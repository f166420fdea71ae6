import { callerFrom } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { callersOf } from '#main/caller.js';
import { runsKnownHere } from '#main/runs-known-here.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { Caller } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import { offerToPerson, offerToRun, type PersonTier } from '#surfaces/mcp/offers.js';
import { serveTools } from '#surfaces/mcp/server.js';

/**
 * Offers our tools to the client of one run. Who it is stands in the environment the run was started with; without that, or with
 * a wrong token, nothing is offered: an agent is never the person it works for.
 */
export async function offerTools(
  project: Project,
  version: string,
  call: (spec: OperationSpec, input: unknown) => Promise<unknown>,
): Promise<void> {
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
  const prompt = await runs.prompt(run.name, LIMITS.promptStoredBytes);
  await serveTools({ version, offer: offerToRun(run.taskId, mail, prompt ?? ''), call });
}

/**
 * Offers tools to the client a person works with: those of every day, and on request for the team, its memory and its plans. A run has none of them, whatever it starts.
 */
export async function offerPersonTools(
  version: string,
  tiers: readonly PersonTier[],
  caller: Caller,
  call: (spec: OperationSpec, input: unknown) => Promise<unknown>,
): Promise<void> {
  if (caller.kind === 'run')
    throw new TroupeError('not_yours', { what: `${caller.name} is a run: its tools are those of \`troupe mcp\`.` });
  await serveTools({ version, offer: offerToPerson(tiers), call });
}
