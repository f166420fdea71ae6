import path from 'node:path';
import { isTradeoffDraft } from '#core/agency/starters.js';
import { Bridge } from '#core/casting/bridge.js';
import type { TeamRequest } from '#core/casting/roster-change.js';
import type { SquadPlan } from '#core/squad/file-change.js';
import type { ClientFiles } from '#core/squad/outputs.js';
import { projectName, type TeamFile } from '#core/squad/team-file.js';
import { isRefusal } from '#kernel/errors.js';
import { withAgencyLock } from '#operations/agency/open.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';

/** What a change of the team has to know, as of now: what was read beforehand, and who asks. */
export function teamWishOf(
  context: Context,
  read: Pick<TeamRequest, 'state' | 'catalog' | 'templates' | 'policyText' | 'clientFiles'>,
): TeamRequest {
  return {
    ...read,
    project: projectOf(context, read.state.teamFile),
    now: context.clock.now(),
    by: context.caller.name,
    freshId: () => context.freshId(),
  };
}

/** What the project is called. */
export function projectOf(context: Pick<Context, 'projectFolder'>, teamFile: TeamFile): string {
  return projectName(teamFile, path.basename(context.projectFolder));
}

/** Whether files for clients are written: as was said with the call, else as `casting.client_files` says, else as before. */
export async function clientFilesOf(context: Context, requested?: boolean): Promise<ClientFiles> {
  const setting = requested ?? (await settingOf(context));
  return setting === undefined ? 'configured' : setting ? 'wanted' : 'untouched';
}

/** A team may be without a graph, and so without settings. */
async function settingOf(context: Context): Promise<boolean | undefined> {
  try {
    return (await loadSettings(context)).settings.casting.client_files;
  } catch (error) {
    if (isRefusal(error, 'not_initialized')) return undefined;
    throw error;
  }
}

/**
 * Changes the team while the agency stays as it is, so that what members are made of is written with them, by the one who
 * writes the team.
 */
export async function withBridge<Result>(context: Context, work: (bridge: Bridge) => Promise<Result>): Promise<Result> {
  const { entities } = await (await context.agency()).shipped();
  const drafts = entities.flatMap(({ kind, value }) => (kind === 'tradeoff' && isTradeoffDraft(value) ? [value] : []));
  const by = context.caller.kind === 'run' ? context.caller.name : 'human';
  const maker = { now: context.clock.now(), by };
  return await withAgencyLock(context, (agency) => work(new Bridge(agency, drafts, maker)));
}

/** A change of the team, with the files of the agents that are new by it. One that changes nothing makes nobody. */
export function withAgentFiles<Result>(bridge: Bridge, { changes, result }: SquadPlan<Result>): SquadPlan<Result> {
  return { changes: changes.length === 0 ? [] : [...bridge.changes, ...changes], result };
}
