/**
 * `team task|tasks|submit|review`, `team artifact …`: the work of a team, its deliverables, and the verdict of its
 * leader.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { unknownPredecessors } from '#core/graph/add.js';
import { deliverableOf } from '#core/graph/deliverable.js';
import { feedbackOf } from '#core/graph/feedback.js';
import { isForMember } from '#core/graph/member.js';
import { seedFields } from '#core/graph/run-rights.js';
import { freeId, titleSlug, wholeWords } from '#core/graph/slug.js';
import { isTask } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { isTeamTask } from '#core/graph/team-work.js';
import type { GraphView } from '#core/graph/view.js';
import { seedLimits, settingsFrom } from '#core/settings/settings.js';
import { EMPTY_TEAM_PLAN } from '#core/teams/changes.js';
import { takeWork } from '#core/teams/free-work.js';
import { refuseEnded, reviewerSeat } from '#core/teams/review-work.js';
import { planningDependency } from '#core/teams/strata.js';
import { leaderOf, memberNamed, presentMembers, TEAM_TASK_STATUSES, type Team, unknownTeam } from '#core/teams/team.js';
import { planTaskFields, teamStatusOf, teamTaskFields } from '#core/teams/team-task.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { byId } from '#kernel/order.js';
import { inert } from '#kernel/text.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { TASK_ID, TEAM_NAME } from '#operations/options.js';
import { plainLetters } from '#operations/plain-letters.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { requestOf } from '#operations/request-of.js';
import {
  commitFields,
  commitMove,
  eventRows,
  flag,
  movedShape,
  moveOptions,
  moverOf,
  number,
  text,
  texts,
} from '#operations/shapes.js';
import { teamSpeaker } from '#operations/teams/speaker.js';
import { teamNamed } from '#operations/teams/team-lookup.js';
import { followGraph } from './follow.js';

/**
 * Maximum characters of the title in an id. Titles may share a beginning; the rest of the id distinguishes tasks
 * created at once.
 */
const ID_CHARACTERS = 60;

/** Creates a task for a team member, or for any member to take. Among runs, only those of the leader may. */
export const task = operation({
  name: 'team.task',
  command: 'team task',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'leader',
  summary: 'Create a task for a team, or one of its members; the leader reviews it',
  examples: [
    'troupe team task airlock "Seal the outer door" --to Hicks',
    'troupe team task airlock "Test the seal" --to Hicks --after seal-the-outer --verify "It holds vacuum"',
  ],
  input: z.strictObject({
    team: TEAM_NAME,
    title: argument('What to do', z.string()),
    to: option('The member who does it (default: whoever takes it)', text, { value: 'NAME' }),
    description: option('Everything the member needs to know', text, { short: 'd', value: 'TEXT' }),
    verify: option('What the review checks', text, { value: 'TEXT' }),
    after: option('The task it depends on', texts, { value: 'ID', names: 'task' }),
    max_rejections: option('Fail it after this many rejections', number, { value: 'N' }),
    plan: option('Require a plan that the leader approves first', flag),
  }),
  output: z.object({
    id: z.string(),
    team_id: z.string(),
    /** Null if any member can take it. */
    member: z.nullable(z.string()),
    /** Id of the task that makes its plan. */
    plan_id: z.nullable(z.string()),
    ...commitFields,
  }),
  async run(context: WorkContext & MachineContext, { team: word, to, plan: planned = false, ...wish }) {
    if (planned && to === undefined)
      throw new TroupeError('usage', { what: 'A plan is made by the member who does the work: name it with --to.' });
    const store = await context.graph();
    const { id: teamId } = await teamNamed(context, word);
    const view = await store.view();
    const by = moverOf(context);
    unknownPredecessors(view, wish.after ?? [], 'never');
    const fields = { title: wish.title, description: wish.description, verify: wish.verify, after: wish.after };
    const limits = seedLimits(settingsFrom(await (await context.settings()).read()).settings);
    const seed = seedFields(view, by, {}, { now: context.clock.now(), limits });
    const parent = typeof seed['parent'] === 'string' ? { parent: seed['parent'] } : {};
    const words = wholeWords(titleSlug(await plainLetters(wish.title)), ID_CHARACTERS);
    const freshTask = freeId(words, (taken) => view.wasUsed(taken));
    const freshPlan = planned ? freeId(`plan-${freshTask}`, (taken) => view.wasUsed(taken)) : null;
    const draft = { ...fields, max_rejections: wish.max_rejections, to, plan: freshPlan ?? undefined };
    const request = requestOf(context);
    // A repeated request gets the ids of the first one.
    const { id, planId, member } = await (await context.teams()).changeOnce(request, function* (teams) {
      const team = yield* teams.team(teamId);
      if (!team) throw unknownTeam(word, yield* teams.labels());
      refuseEnded(team);
      if (by.fence !== undefined) refuseOthers(view, team, by);
      // No member acts before the team has its plan.
      const planning = planningDependency(teamId, yield* teams.strata(teamId));
      const after = planning === undefined ? draft.after : [...(draft.after ?? []), planning];
      const ordered = { ...draft, after };
      const work = teamTaskFields(team, ordered);
      const tasks = [
        ...(freshPlan === null ? [] : [{ id: freshPlan, ...planTaskFields(team, ordered, freshTask), ...parent }]),
        { id: freshTask, ...work, ...parent },
      ];
      const outbox = tasks.map((task) => ({
        id: `team.task:${request.requestId}:${task.id}`,
        op: 'task.add' as const,
        args: { created_by: by.name, task },
      }));
      const followed = (yield* teams.followed()) === undefined ? view.seq : undefined;
      return {
        ...EMPTY_TEAM_PLAN,
        outbox,
        followed,
        result: { id: freshTask, planId: freshPlan, member: work.member ?? null },
      };
    });
    const entries = await relayOutbox(context);
    await followGraph(context);
    const now = await store.view();
    const made = now.task(id);
    if (made?.team !== teamId) {
      throw new TroupeError('id_taken', {
        what: `${id} was taken by another task at the same moment.`,
        hint: 'Try again.',
      });
    }
    return {
      id,
      team_id: teamId,
      member,
      plan_id: planId,
      task: made,
      seq: now.seq,
      events: eventRows(entries),
    };
  },
});

function refuseOthers(view: GraphView, team: Team, by: ReturnType<typeof moverOf>): void {
  const leader = leaderOf(team);
  if (leader?.status === 'active' && reviewerSeat(view, team, by)?.id === leader.id) return;
  throw new TroupeError('forbidden', {
    what: `Only the leader of ${inert(team.name)} or a person can give its members work.`,
    hint: 'Log in your task what should be done.',
  });
}

const rowShape = z.object({
  id: z.string(),
  title: z.string(),
  /** Status in the terms of a team. */
  status: z.enum(TEAM_TASK_STATUSES),
  member: z.nullable(z.string()),
  /** Number of claims. */
  attempt: z.number(),
  rejections: z.number(),
  /** Feedback of the last review while it is still to be addressed. */
  feedback: z.nullable(z.string()),
  artifact: z.nullable(z.string()),
});

/** Lists the tasks of a team with their status. Excludes tasks that only discuss such work. */
export const tasks = operation({
  name: 'team.tasks',
  command: 'team tasks',
  group: 'Team',
  kind: 'read',
  summary: 'List the tasks of a team and their status',
  examples: ['troupe team tasks airlock', 'troupe team tasks airlock --status WaitingReview --json'],
  input: z.strictObject({
    team: TEAM_NAME,
    status: option('Only tasks with this status', z.optional(z.enum(TEAM_TASK_STATUSES)), { value: 'WORD' }),
    member: option('Only tasks of this member', text, { value: 'NAME' }),
  }),
  output: z.object({ team_id: z.string(), tasks: z.array(rowShape), more: z.boolean() }),
  async run(context: WorkContext, { team: word, status, member }) {
    const team = await teamNamed(context, word);
    const view = await (await context.graph()).view();
    const rows: z.infer<typeof rowShape>[] = [];
    for (const node of view.nodes()) {
      if (!isTask(node) || !isTeamTask(node) || node.team !== team.id) continue;
      if (status !== undefined && status !== teamStatusOf(node)) continue;
      if (member !== undefined && !isForMember(node, member)) continue;
      rows.push({
        id: node.id,
        title: node.title,
        status: teamStatusOf(node),
        member: node.member ?? null,
        attempt: node.fence ?? 0,
        rejections: node.rejection_count ?? 0,
        feedback: feedbackOf(node)?.text ?? null,
        artifact: deliverableOf(node)?.artifact ?? null,
      });
    }
    rows.sort(byId);
    return {
      team_id: team.id,
      tasks: rows.slice(0, TEAM_LIMITS.teamRowsListed),
      more: rows.length > TEAM_LIMITS.teamRowsListed,
    };
  },
});

/** Assigns a free task to a member: the run's own, the one named, or the one that the calling person is. */
export const take = operation({
  name: 'team.take',
  command: 'team take',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  instead: 'team tasks --take',
  summary: 'Take a team task that is nobody’s yet',
  examples: ['troupe team tasks seal-the-outer --take', 'troupe team tasks seal-the-outer --take --as Hicks'],
  input: z.strictObject({
    id: TASK_ID,
    member: option('The member who takes it (default: you, or the member of the run)', text, {
      flag: 'as',
      value: 'NAME',
    }),
  }),
  output: z.extend(movedShape, { member: z.string() }),
  async run(context: WorkContext, { id, member: word }) {
    const task = taskOf(await (await context.graph()).view(), id);
    if (!isTeamTask(task)) throw new TroupeError('bad_input', { what: `${id} is not a team task.`, details: { id } });
    const team = await teamNamed(context, task.team);
    const speaker = await teamSpeaker(context, team);
    if (context.caller.kind === 'run' && word !== undefined)
      throw new TroupeError('not_yours', { what: 'A run takes work for its own member: leave out --as.' });
    const named = word ?? speaker.member;
    if (named === undefined) {
      throw new TroupeError('usage', {
        what: `You are not on ${inert(team.name)}: say who takes it with --as.`,
        hint: `Members: ${presentMembers(team)
          .filter(({ position }) => position !== 'observer')
          .map(({ name }) => inert(name))
          .join(', ')}.`,
      });
    }
    const member = memberNamed(team, named);
    const moved = await commitMove(context, (view) => takeWork(view, team, id, member, moveOptions(context, {})));
    await followGraph(context);
    return { ...moved, member: member.slug };
  },
});
