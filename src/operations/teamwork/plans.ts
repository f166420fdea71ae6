// `team plan submit|approve|reject|list`: plans that members make before team work starts, and the decisions on them.

import * as z from 'zod/mini';
import { deliverableOf } from '#core/graph/deliverable.js';
import { feedbackOf } from '#core/graph/feedback.js';
import { isTask, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { PLAN_OF, PLAN_STATES, planState, planTaskOf } from '#core/graph/team-plan.js';
import type { GraphView } from '#core/graph/view.js';
import type { VERDICTS } from '#core/teams/team.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { compareText } from '#kernel/order.js';
import type { ProjectContext, WorkContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { ACTOR, TASK_ID, TEAM_NAME } from '#operations/options.js';
import { number, text } from '#operations/shapes.js';
import { teamNamed } from '#operations/teams/team-lookup.js';
import { review, submit } from './submissions.js';

type Verdict = (typeof VERDICTS)[number];

/** Submits a plan, by the member whose run or claim it is. Errors: those of `task.submit`, `plan_decided`. */
export const submitPlan = operation({
  name: 'plan.submit',
  command: 'team plan submit',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  forPrograms: true,
  summary: 'Submit the plan of a team task to the leader for approval',
  examples: [
    'troupe team plan submit seal-the-outer --file PLAN.md',
    'troupe team plan submit seal-the-outer --content "First the frame." --actor hicks',
  ],
  input: z.strictObject({
    id: TASK_ID,
    path: option('The file with the plan', text, { flag: 'file', value: 'FILE', path: 'always' }),
    content: option('The text of the plan', text, { value: 'TEXT' }),
    summary: option('A note for the leader', text, { value: 'TEXT' }),
    actor: ACTOR,
  }),
  output: submit.output,
  async run(context: ProjectContext, { id, ...wish }) {
    const plan = planOf(await (await context.graph()).view(), id);
    if (plan.status === 'done') throw decided(plan);
    return await submit.run(context, { id: plan.id, title: plan.title, content_type: 'text/markdown', ...wish });
  },
});

const DECISION = {
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'leader',
  input: z.strictObject({
    id: TASK_ID,
    feedback: option('The feedback to the member', text, { value: 'TEXT' }),
    attempt: option('Only if this attempt is still waiting', number, { value: 'N' }),
    actor: ACTOR,
  }),
  output: review.output,
} as const;

export const approvePlan = operation({
  ...DECISION,
  name: 'plan.approve',
  command: 'team plan approve',
  instead: 'team review --approve-plan',
  summary: 'Approve a plan: its task may start',
  examples: [
    'troupe team review seal-the-outer --approve-plan',
    'troupe team review seal-the-outer --approve-plan --feedback "Mind the frame"',
  ],
  run: async (context: ProjectContext, input) => await decide('approve', context, input),
});

export const rejectPlan = operation({
  ...DECISION,
  name: 'plan.reject',
  command: 'team plan reject',
  instead: 'team review --reject-plan',
  summary: 'Reject a plan with feedback: the member makes another',
  examples: [
    'troupe team review seal-the-outer --reject-plan --feedback "The frame comes first"',
    'troupe team review seal-the-outer --reject-plan --attempt 1',
  ],
  run: async (context: ProjectContext, input) => await decide('reject', context, input),
});

/** Lists the plans of a team with their states and, for rejected ones, the feedback. */
export const listPlans = operation({
  name: 'plan.list',
  command: 'team plan list',
  group: 'Team',
  kind: 'read',
  instead: 'team tasks --plans',
  summary: 'List the plans of a team and their status',
  examples: ['troupe team tasks airlock --plans', 'troupe team tasks airlock --plans --status submitted --json'],
  input: z.strictObject({
    team: TEAM_NAME,
    status: option('Only plans with this status', z.optional(z.enum(PLAN_STATES)), { value: 'WORD' }),
  }),
  output: z.object({
    team_id: z.string(),
    plans: z.array(
      z.object({
        /** Ids of the task the plan is for, and of the task that makes it. */
        task_id: z.string(),
        plan_id: z.string(),
        title: z.string(),
        member: z.nullable(z.string()),
        status: z.enum(PLAN_STATES),
        attempt: z.number(),
        artifact: z.nullable(z.string()),
        feedback: z.nullable(z.string()),
      }),
    ),
    more: z.boolean(),
  }),
  async run(context: WorkContext, { team: word, status }) {
    const team = await teamNamed(context, word);
    const view = await (await context.graph()).view();
    const plans = [...view.nodes()]
      .filter((node): node is Task => isTask(node) && node.team === team.id)
      .flatMap((plan) => {
        const work = PLAN_OF.of(plan);
        if (work === undefined || (status ?? planState(plan)) !== planState(plan)) return [];
        const { artifact = null } = deliverableOf(plan) ?? {};
        return [
          {
            task_id: work,
            plan_id: plan.id,
            title: view.task(work)?.title ?? '',
            member: plan.member ?? null,
            status: planState(plan),
            attempt: plan.fence ?? 0,
            artifact,
            feedback: feedbackOf(plan)?.text ?? null,
          },
        ];
      })
      .sort((left, right) => compareText(left.task_id, right.task_id));
    return {
      team_id: team.id,
      plans: plans.slice(0, TEAM_LIMITS.teamRowsListed),
      more: plans.length > TEAM_LIMITS.teamRowsListed,
    };
  },
});

async function decide(
  verdict: Verdict,
  context: ProjectContext,
  { id, ...how }: z.infer<typeof DECISION.input>,
): Promise<z.infer<typeof DECISION.output>> {
  const plan = planOf(await (await context.graph()).view(), id);
  if (isDecided(plan)) throw decided(plan);
  try {
    return await review.run(context, { id: plan.id, verdict, ...how });
  } catch (error) {
    const now = await planNow(context, plan.id);
    throw error instanceof TroupeError && isDecided(now) && !isDecided(plan) ? decided(now) : error;
  }
}

async function planNow(context: Pick<Context, 'graph'>, id: string): Promise<Task> {
  return taskOf(await (await context.graph()).view(), id);
}

/** Finds a plan task by the id of the work it is for, or by its own. */
function planOf(view: GraphView, id: string): Task {
  const task = taskOf(view, id);
  const plan = PLAN_OF.of(task) === undefined ? planTaskOf(view, task) : task;
  if (plan) return plan;
  throw new TroupeError('bad_input', {
    what: `${id} does not need a plan.`,
    hint: 'Only a task that was created with `--plan` has one.',
    details: { id },
  });
}

/** Whether the plan is approved, or rejected and not submitted again. */
function isDecided(plan: Task): boolean {
  return planState(plan) === 'approved' || planState(plan) === 'rejected';
}

/** Returns the error for a decided plan, with the existing decision. */
function decided(plan: Task): TroupeError {
  const state = planState(plan);
  const feedback = feedbackOf(plan);
  const by = state === 'rejected' ? feedback?.by : plan.log?.findLast(({ actor }) => actor !== undefined)?.actor;
  return new TroupeError('plan_decided', {
    what: `${plan.id} was ${state}${by === undefined ? '' : ` by ${by}`}.`,
    hint: state === 'rejected' ? 'Wait for the next plan of the member.' : `Run \`troupe show ${plan.id}\`.`,
    details: { id: plan.id, decision: state, by: by ?? null, feedback: feedback?.text ?? null },
  });
}
