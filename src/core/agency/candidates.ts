import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import type { Assignment } from '#core/agency/assign.js';
import type { Candidate } from '#core/agency/choose.js';
import { shortId } from '#core/agency/entities.js';
import type { AgentLoad } from '#core/agency/match.js';
import { CONTEXT_SCOPES, type Task } from '#core/graph/task.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type Block, objectIn } from '#kernel/question.js';
import { cut, inert } from '#kernel/text.js';

/** Minimum number of digits shown of an id. */
const SHORTEST = 8;
const ANSWER = z.strictObject({
  agent: z.string().check(z.maxLength(WORK_LIMITS.idCharacters)),
  // `shell` runs commands; it is not a mode in which an agent works.
  exec_mode: z.optional(z.nullable(z.enum(['full', 'light', 'bare']))),
  context_scope: z.optional(z.nullable(z.enum(CONTEXT_SCOPES))),
  reason: z.string(),
});

/** Prompt blocks for a model: the task and its candidates. Contact addresses of people are left out. */
export function candidateBlocks(
  task: Task,
  agency: Agency,
  candidates: readonly Candidate[],
  load: AgentLoad,
): Block[] {
  const { title, description = '', skills = [], tags = [], deliverables = [] } = task;
  const about = [
    title,
    description,
    ...(skills.length > 0 ? [`needs: ${skills.join(', ')}`] : []),
    ...(tags.length > 0 ? [`filed under: ${tags.join(', ')}`] : []),
    ...(deliverables.length > 0 ? [`produces: ${deliverables.join(', ')}`] : []),
  ];
  const rows = candidates.map((one) => rowOf(agency, one, load.open.get(one.agent.id) ?? 0));
  return [
    { label: 'the task', text: about.join('\n').trim(), most: TEAM_LIMITS.promptReasonBytes },
    { label: 'who could take it', text: rows.join('\n'), most: TEAM_LIMITS.assignmentCandidatesBytes },
  ];
}

function rowOf(agency: Agency, { agent, match }: Candidate, open: number): string {
  const { avg_score: mean, task_count: count } = agent.performance;
  const [role, tradeoff] = [agency.role(agent.role_id), agency.tradeoff(agent.tradeoff_id)];
  const parts = [
    shortId(agent.id),
    line(agent.name),
    `role: ${line(role?.name ?? 'none')}`,
    `weighs: ${line(tradeoff?.name ?? 'none')}`,
    `can: ${line(agent.capabilities.join(', ')) || 'nothing in particular'}`,
    `match: ${match.score}`,
    `mean score: ${mean === null ? 'none' : mean.toFixed(2)} of ${count}`,
    match.available ? 'has room' : 'has no room',
    `open tasks: ${open}`,
  ];
  return parts.join(' | ');
}

function line(text: string): string {
  return cut(inert(text).replaceAll('|', '/'), TEAM_LIMITS.agencyNameCharacters * 2);
}

/**
 * Assignment named by an answer, if the agent is a candidate and the whole answer is valid; else undefined. It may
 * restrict the mode of the agent's role, never widen it.
 */
export function chosenIn(answer: string, candidates: readonly Candidate[], agency: Agency): Assignment | undefined {
  return objectIn(answer, (value) => {
    const { data } = ANSWER.safeParse(value);
    return data && data.reason.trim() !== '' ? assignmentOf(data, candidates, agency) : undefined;
  });
}

function assignmentOf(
  { agent: named, exec_mode: mode, context_scope: scope, reason }: z.infer<typeof ANSWER>,
  candidates: readonly Candidate[],
  agency: Agency,
): Assignment | undefined {
  const matches = named.length < SHORTEST ? [] : candidates.filter(({ agent }) => agent.id.startsWith(named));
  const [only] = matches;
  if (!only || matches.length > 1) return undefined;
  return {
    agent: only.agent,
    reason,
    ...(mode && isNoMore(mode, agency.role(only.agent.role_id)?.default_exec_mode) ? { exec_mode: mode } : {}),
    ...(scope ? { context_scope: scope } : {}),
  };
}

/** In ascending order of permissions. */
const MODES: readonly string[] = ['bare', 'light', 'full'];

function isNoMore(mode: string, usual: Task['exec_mode'] = 'full'): boolean {
  return MODES.indexOf(mode) <= MODES.indexOf(usual);
}
