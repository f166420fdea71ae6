import path from 'node:path';
import { isTradeoffDraft } from '#core/agency/starters.js';
import { AgentMapper } from '#core/casting/agent-mapper.js';
import type { TeamRequest } from '#core/casting/roster-change.js';
import type { SquadPlan } from '#core/squad/file-change.js';
import type { ClientFiles } from '#core/squad/outputs.js';
import { projectName, type TeamFile } from '#core/squad/team-file.js';
import { isRefusal } from '#kernel/errors.js';
import { withAgencyLock } from '#operations/agency/open.js';
import type { CallContext, WorkContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';

/** Composes the input of a team change: the state already read, the time, and the caller. */
export function teamRequestOf(
  context: CallContext,
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

export function projectOf(context: Pick<Context, 'projectFolder'>, teamFile: TeamFile): string {
  return projectName(teamFile, path.basename(context.projectFolder));
}

/**
 * Resolves whether client files are written: by the argument, else by the setting `casting.client_files`, else as
 * configured before.
 */
export async function clientFilesOf(
  context: Pick<Context, 'settings' | 'trust'>,
  requested?: boolean,
): Promise<ClientFiles> {
  const setting = requested ?? (await settingOf(context));
  return setting === undefined ? 'configured' : setting ? 'wanted' : 'untouched';
}

/** Undefined for a team without a graph, which has no settings. */
async function settingOf(context: Pick<Context, 'settings' | 'trust'>): Promise<boolean | undefined> {
  try {
    return (await loadSettings(context)).settings.casting.client_files;
  } catch (error) {
    if (isRefusal(error, 'not_initialized')) return undefined;
    throw error;
  }
}

/**
 * Changes the team under the lock of the agency, so that the agency entities of its members are written in the same
 * step.
 */
export async function withAgentMapper<Result>(
  context: WorkContext,
  work: (mapper: AgentMapper) => Promise<Result>,
): Promise<Result> {
  const { entities } = await (await context.agency()).shipped();
  const drafts = entities.flatMap(({ kind, value }) => (kind === 'tradeoff' && isTradeoffDraft(value) ? [value] : []));
  const by = context.caller.kind === 'run' ? context.caller.name : 'human';
  const maker = { now: context.clock.now(), by };
  return await withAgencyLock(context, (agency) => work(new AgentMapper(agency, drafts, maker)));
}

/** Adds the files of new agents to a change of the team. An empty change creates no agents. */
export function withAgentFiles<Result>(mapper: AgentMapper, { changes, result }: SquadPlan<Result>): SquadPlan<Result> {
  return { changes: changes.length === 0 ? [] : [...mapper.changes, ...changes], result };
}
