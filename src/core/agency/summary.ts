// Summary for the proposer of changes: roles and trade-offs with their scores, results of pairs, skills that no agent
// covers.
import type { Agency } from '#core/agency/agency.js';
import type { Entity, Role, Tradeoff } from '#core/agency/entities.js';
import { shortId } from '#core/agency/entities.js';
import { skillParts } from '#core/agency/entity-text.js';
import type { SkillGap } from '#core/agency/match.js';
import { performanceFrom } from '#core/agency/read.js';
import { DIMENSIONS } from '#core/agency/record-evaluation.js';
import type { AgencyStats, Standing } from '#core/agency/stats.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { numberOf } from '#kernel/numbers.js';
import type { Block } from '#kernel/question.js';
import { inert } from '#kernel/text.js';

/** Dimensions of a score, from the evaluation of a task. */
export interface ScoredParts {
  readonly task_id: string;
  readonly agent_id: string | null;
  readonly dimensions: Readonly<Record<string, number>>;
}

/** Agent that serves the agency itself: its purpose, role and trade-off. */
export interface MetaAgent {
  readonly serves: string;
  readonly role_id: string;
  readonly tradeoff_id: string;
}

export interface EvolutionFacts {
  readonly agency: Agency;
  readonly stats: AgencyStats;
  readonly parts: readonly ScoredParts[];
  readonly people: ReadonlySet<string>;
  readonly meta: readonly MetaAgent[];
  readonly gaps: readonly SkillGap[];
  /** The project's guides, by strategy. */
  readonly guides: readonly (readonly [strategy: string, text: string])[];
  readonly heuristics: string;
}

/** With fewer scores, the mean of a role is unreliable. */
export const ENOUGH_SCORES = 5;

/** Agency without the scores of these tasks: the proposer must not see the tasks that the proposal is tested on. */
export function withoutTasks(agency: Agency, tasks: ReadonlySet<string>): Agency {
  if (tasks.size === 0) return agency;
  const kinds = ['role', 'tradeoff', 'agent'] as const;
  const all: Entity[] = kinds.flatMap((kind) => [...agency.all(kind), ...agency.all(kind, true)]);
  return agency.with(
    all
      .filter(({ performance }) => performance.evaluations.some(({ task_id }) => tasks.has(task_id)))
      .map((entity) => ({
        ...entity,
        performance: performanceFrom(entity.performance.evaluations.filter(({ task_id }) => !tasks.has(task_id))),
      })),
  );
}

export function evolutionBlocks(facts: EvolutionFacts): Block[] {
  const { agency, stats, meta, gaps, guides, heuristics } = facts;
  const means = dimensionMeans(facts);
  const rows = (kind: 'role' | 'tradeoff', standings: readonly Standing[]) => {
    const standing = new Map(standings.map((one) => [one.id, one]));
    return agency
      .all(kind)
      .map((entity) => rowOf(entity, standing.get(entity.id), means.get(entity.id)))
      .join('\n\n');
  };
  const pairs = stats.synergy.map(({ role_name, role_id, tradeoff_name, tradeoff_id, mean, count, synergy, trend }) =>
    [
      `${line(role_name)} (${shortId(role_id)}) with ${line(tradeoff_name)} (${shortId(tradeoff_id)})`,
      `mean ${figure(mean)} of ${count}`,
      trend ?? '-',
      ...(synergy === null ? [] : [`${synergy} synergy`]),
    ].join(' | '),
  );
  const served = meta.map(
    ({ serves, role_id, tradeoff_id }) => `${serves}: role ${shortId(role_id)}, trade-off ${shortId(tradeoff_id)}`,
  );
  const most = TEAM_LIMITS.promptGraphBytes;
  return [
    { label: 'roles', text: rows('role', stats.roles), most },
    { label: 'trade-offs', text: rows('tradeoff', stats.tradeoffs), most },
    { label: 'how pairs did', text: pairs.join('\n'), most },
    {
      label: 'skills that tasks need and nobody has',
      text: gaps.map(({ skill, tasks }) => `${line(skill)}: ${tasks}`).join('\n'),
      most: TEAM_LIMITS.promptListBytes,
    },
    { label: 'who serves the agency itself', text: served.join('\n'), most: TEAM_LIMITS.promptListBytes },
    ...guides.map(([strategy, text]) => ({ label: `guide: ${strategy}`, text, most: TEAM_LIMITS.wordingFileBytes })),
    { label: 'what the project wants kept', text: heuristics, most: TEAM_LIMITS.agencyTextBytes },
  ];
}

function rowOf(entity: Role | Tradeoff, standing: Standing | undefined, dimensions: string | undefined): string {
  const { generation, created_by, parent_ids } = entity.lineage;
  const from = parent_ids.length === 0 ? '' : ` from ${parent_ids.map(shortId).join(', ')}`;
  const head = [
    shortId(entity.id),
    line(entity.name),
    `generation ${generation}, by ${line(created_by)}${from}`,
    `mean ${figure(standing?.mean ?? null)} of ${standing?.count ?? 0}`,
    standing?.trend ?? '-',
    ...(standing?.gap === null || standing?.gap === undefined
      ? []
      : [`models here say ${standing.gap >= 0 ? '+' : ''}${standing.gap.toFixed(2)} against outside`]),
    ...(dimensions === undefined ? [] : [dimensions]),
  ].join(' | ');
  const identity: (readonly [string, string])[] =
    entity.kind === 'role'
      ? [
          ['description', entity.description],
          ...entity.skills.map((skill) => {
            const { kind, text } = skillParts(skill);
            return [`skill ${kind}`, text] as const;
          }),
          ['desired_outcome', entity.desired_outcome],
        ]
      : [
          ['description', entity.description],
          ...entity.acceptable_tradeoffs.map((item) => ['acceptable', item] as const),
          ...entity.unacceptable_tradeoffs.map((item) => ['unacceptable', item] as const),
        ];
  return [head, ...identity.map(([key, text]) => `  ${key}: ${line(text)}`)].join('\n');
}

/** Means of the dimensions, by role and trade-off; scores of people are left out. */
function dimensionMeans({ agency, parts, people }: EvolutionFacts): ReadonlyMap<string, string> {
  const sums = new Map<string, Map<string, { sum: number; count: number }>>();
  for (const { agent_id, dimensions } of parts) {
    const agent = agent_id === null || people.has(agent_id) ? undefined : agency.agent(agent_id);
    if (!agent) continue;
    for (const id of [agent.role_id, agent.tradeoff_id]) {
      const own = sums.get(id) ?? new Map<string, { sum: number; count: number }>();
      sums.set(id, own);
      for (const name of DIMENSIONS) {
        const value = dimensions[name];
        if (typeof value !== 'number' || !(value >= 0 && value <= 1)) continue;
        const { sum, count } = own.get(name) ?? { sum: 0, count: 0 };
        own.set(name, { sum: sum + value, count: count + 1 });
      }
    }
  }
  return new Map(
    [...sums].map(([id, own]) => [
      id,
      [...own].map(([name, { sum, count }]) => `${name} ${(sum / count).toFixed(2)}`).join(', '),
    ]),
  );
}

function figure(mean: number | null): string {
  return mean === null ? 'none' : mean.toFixed(2);
}

function line(text: string): string {
  return inert(text).replaceAll('\n', ' ').replaceAll('|', '/');
}

/** Warnings for roles with so few scores that a change of them is a guess. */
export function thinlyScored(agency: Agency, stats: AgencyStats): string[] {
  const counts = new Map(stats.roles.map(({ id, count }) => [id, count]));
  return agency.all('role').flatMap(({ id, name }) => {
    const count = numberOf(counts, id);
    return count > 0 && count < ENOUGH_SCORES
      ? [`${inert(name)} has ${count} scores: fewer than ${ENOUGH_SCORES} are not reliable; 5 to 10 are advised.`]
      : [];
  });
}
