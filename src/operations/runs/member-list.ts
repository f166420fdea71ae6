import * as z from 'zod/mini';
import { type MemberOfTask, memberScores, trackRecordOf } from '#core/casting/track-record.js';
import { tokensOf } from '#core/coordinator/budget.js';
import type { Task } from '#core/graph/task.js';
import { LoggedRuns, type LoggedUsage } from '#core/history/task-history.js';
import { currentSlugs } from '#core/squad/registry.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { castMember } from '#core/squad/team.js';
import { lastChangeOf, type MemberWork, sortedWork, workOfMembers } from '#core/teams/member-work.js';
import { MEMBER_STATUSES, POSITIONS, type Team } from '#core/teams/team.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { slugOf } from '#kernel/slug.js';
import { inert } from '#kernel/text.js';
import type { WorkContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import { keptOf } from '#operations/kept-log.js';
import { loadAgency } from '#operations/load-agency.js';
import { type Context, operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { memoryNow } from '#operations/squad/shared-memory.js';
import { castTeam } from '#operations/teams/team-lookup.js';
import type { ListedRun } from '#ports/run-host.js';

const maybeText = z.nullable(z.string());
const maybeNumber = z.nullable(z.number());
const ofTask = { task: z.string(), title: z.string(), status: z.string() };

const attemptShape = z.object({
  ...ofTask,
  run: z.string(),
  executor: text,
  started_at: z.string(),
  ended_at: text,
  outcome: text,
  tokens: maybeNumber,
  cost_usd: maybeNumber,
  /** Part of the cost computed from tokens and the price table. */
  estimated_usd: maybeNumber,
  /** Latest score of the task, on its last attempt. */
  score: maybeNumber,
});

const rowShape = z.object({
  name: z.string(),
  slug: z.string(),
  team_id: z.string(),
  team: z.string(),
  /** Whether the team was cast: its members have a charter, which `member show` prints. */
  cast: z.boolean(),
  position: z.enum(POSITIONS),
  /** `removed`: retired from the cast team. */
  status: z.enum(MEMBER_STATUSES),
  built_in: z.boolean(),
  /** Title of its role; null if it has none. */
  role: maybeText,
  /** Person that it stands for. */
  person: maybeText,
  score: maybeNumber,
  count: z.number(),
  /** Number of its lessons. */
  lessons: z.number(),
  /** Tasks in progress, with the run at work and its cost so far. */
  now: z.array(
    z.object({
      ...ofTask,
      run: maybeText,
      since: maybeText,
      tokens: maybeNumber,
      cost_usd: maybeNumber,
      estimated_usd: maybeNumber,
    }),
  ),
  /** Number of tasks that have neither begun nor ended. */
  ahead: z.number(),
  /** Usage since midnight (UTC): ended runs, and those at work so far. */
  today: z.object({ tokens: z.number(), usd: z.number(), estimated: z.number() }),
  results: z.array(z.object({ ...ofTask, at: maybeText, score: maybeNumber })),
  /** Latest attempts, newest first. Only of a member that was named. */
  attempts: z.optional(z.array(attemptShape)),
});

/** Members of all active teams, with what each does now and what has become of its work. */
export const memberList = operation({
  name: 'member.list',
  command: 'member list',
  group: 'Members',
  kind: 'read',
  graphless: true,
  summary: 'List the members of all teams: what each does now, results, scores and cost today',
  examples: ['troupe member list', 'troupe member list Trinity'],
  input: z.strictObject({
    member: argument('Only members of this name, with their latest attempts', text, { names: 'member' }),
  }),
  output: z.object({ at: z.string(), members: z.array(rowShape) }),
  async run(context: WorkContext, { member: named }) {
    const now = context.clock.now();
    const store = await graphIfAny(context);
    const view = await store?.view();
    const { cast, squad } = await castTeam(context);
    const work = workOfMembers(view, await teamsWith(context, cast)).slice(0, TEAM_LIMITS.teamRowsListed);
    const slug = named === undefined ? undefined : (slugOf(named) ?? named);
    const asked = work.filter(({ member }) => slug === undefined || member.slug === slug);
    if (named !== undefined && asked.length === 0)
      throw new TroupeError('agent_unknown', {
        what: `No team has a member ${inert(named)}.`,
        hint: 'Run `troupe member list` to see all of them.',
      });
    const runs = store === undefined ? new LoggedRuns() : await runsIn(store);
    const atWork = await runsAtWork(context);
    const people = await castPeople(context, squad, (id) => {
      const task = view?.task(id);
      return task && (task.member ?? null);
    });
    return {
      at: timestamp(now),
      members: asked.map((one) => {
        const person = one.team.cast ? people(one.member.slug) : NOBODY;
        const attempts = one.tasks.flatMap((task) => attemptsOf(task, { runs, atWork, scores: person.scores }));
        const { now: present, ahead, results } = sortedWork(view, one.tasks);
        return {
          ...identityOf(one),
          ...person.facts,
          now: present.map((task) => ({
            ...briefly(task),
            run: task.assigned ?? null,
            since: task.started_at ?? null,
            ...usageOf(atWork.get(task.assigned ?? '')?.usage),
          })),
          ahead: ahead.length,
          today: usedSince(attempts, timestamp(now).slice(0, 'yyyy-mm-dd'.length)),
          results: results.slice(0, TEAM_LIMITS.memberResults).map((task) => ({
            ...briefly(task),
            at: lastChangeOf(task) ?? null,
            score: person.scores.get(task.id) ?? null,
          })),
          ...(named === undefined ? {} : { attempts: latestOf(attempts) }),
        };
      }),
    };
  },
});

type Attempt = z.infer<typeof attemptShape>;

/** The cast team, then the other active ones. */
async function teamsWith(context: Pick<Context, 'teams'>, cast: Team | undefined): Promise<Team[]> {
  const store = await context.teams();
  const others = (await store.labels()).filter(({ id, status }) => status === 'active' && id !== cast?.id);
  const kept = await Promise.all(others.slice(0, TEAM_LIMITS.conversationTeams).map(({ id }) => store.getTeam(id)));
  return [cast, ...kept].filter((team) => team !== undefined);
}

/** Runs of the log of each store. */
const runsIn = keptOf(() => new LoggedRuns());

async function runsAtWork(context: Pick<Context, 'coordinator'>): Promise<ReadonlyMap<string, ListedRun>> {
  const agents = (await context.coordinator?.().agents()) ?? [];
  return new Map(agents.map((run) => [run.id, run]));
}

/** Facts of the cast team that other teams lack, by slug: roles, scores and lessons. */
async function castPeople(context: WorkContext, { registry }: SquadState, doer: MemberOfTask) {
  const members = registry.records.map(castMember);
  const agency = members.some(({ agentId }) => agentId !== undefined) ? await loadAgency(context) : undefined;
  const renamed = currentSlugs(registry.records);
  const lessons = new Map<string, number>();
  for (const { row } of members.length === 0 ? [] : (await memoryNow(context)).memories) {
    const slug = renamed.get(row.agent) ?? row.agent;
    if (row.type === 'learning') lessons.set(slug, (lessons.get(slug) ?? 0) + 1);
  }
  return (slug: string) => {
    const member = members.find((one) => one.slug === slug);
    const scores = member && agency ? memberScores(agency, member, members, doer) : [];
    return {
      facts: {
        role: member?.roleTitle || null,
        built_in: member?.builtIn ?? false,
        ...trackRecordOf(scores),
        lessons: lessons.get(slug) ?? 0,
      },
      scores: new Map(scores.map(({ task_id, score }) => [task_id, score])),
    };
  };
}

const NOBODY = {
  facts: { role: null, built_in: false, score: null, count: 0, lessons: 0 },
  scores: new Map<string, number>(),
};

function identityOf({ team, member }: MemberWork) {
  const { name, slug, position, status, person } = member;
  return { name, slug, team_id: team.id, team: team.name, cast: team.cast, position, status, person };
}

function briefly({ id, title, status }: Task) {
  return { task: id, title, status };
}

function usageOf(usage: ListedRun['usage'] | LoggedUsage) {
  return {
    tokens: usage === undefined ? null : tokensOf(usage),
    cost_usd: usage?.cost_usd ?? null,
    estimated_usd: usage?.estimated_usd ?? null,
  };
}

interface AttemptFacts {
  readonly runs: LoggedRuns;
  readonly atWork: ReadonlyMap<string, ListedRun>;
  readonly scores: ReadonlyMap<string, number>;
}

function attemptsOf(task: Task, { runs, atWork, scores }: AttemptFacts): Attempt[] {
  const own = runs.of(task.id);
  return own.map(({ run, timestamp: started_at, executor, ended_at, outcome, usage }, index) => ({
    ...briefly(task),
    run,
    executor,
    started_at,
    ended_at,
    outcome,
    ...usageOf(ended_at === undefined ? atWork.get(run)?.usage : usage),
    score: index === own.length - 1 ? (scores.get(task.id) ?? null) : null,
  }));
}

function latestOf(attempts: readonly Attempt[]): Attempt[] {
  const newest = [...attempts].sort((left, right) => Date.parse(right.started_at) - Date.parse(left.started_at));
  return newest.slice(0, TEAM_LIMITS.memberAttempts);
}

/** Usage of the attempts that ended on this day, or are at work. */
function usedSince(attempts: readonly Attempt[], day: string) {
  const used = { tokens: 0, usd: 0, estimated: 0 };
  for (const { ended_at: ended = day, tokens, cost_usd: usd, estimated_usd: estimated } of attempts) {
    if (ended < day) continue;
    used.tokens += tokens ?? 0;
    used.usd += usd ?? 0;
    used.estimated += estimated ?? 0;
  }
  return used;
}
