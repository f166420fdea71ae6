import path from 'node:path';
import * as z from 'zod/mini';
import { checkSubmission, deliverableOf } from '#core/graph/deliverable.js';
import { checkDone, type Mover } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { contentTypeOf, newArtifact } from '#core/teams/artifacts.js';
import { reviewedBy } from '#core/teams/ask-review.js';
import { EMPTY_TEAM_PLAN } from '#core/teams/changes.js';
import { refuseEnded } from '#core/teams/review-work.js';
import { VERDICTS } from '#core/teams/team.js';
import { assert, TroupeError } from '#kernel/errors.js';
import { withoutQueries } from '#kernel/query.js';
import { uuidOf } from '#kernel/uuid.js';
import type { FilesContext, GraphContext, MachineContext, ProjectContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { refuseOpenConversations, verify } from '#operations/graph/done.js';
import { reject } from '#operations/graph/moves.js';
import { type Context, operation } from '#operations/operation.js';
import { ACTOR, TASK_ID } from '#operations/options.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { requestOf } from '#operations/request-of.js';
import { approveWork } from '#operations/review/approve.js';
import { type Attempt, attemptOf, refuseUncommitted } from '#operations/review/attempt.js';
import { gatherEvidence } from '#operations/review/evidence.js';
import { checkTeamVerdict } from '#operations/review/team-verdict.js';
import { movedShape, moveOptions, moverOf, number, text } from '#operations/shapes.js';
import { artifactRow, artifactShape, givenBytes } from './artifacts.js';
import { followGraph } from './follow.js';

/**
 * Submits a member's deliverable: runs the checks of `done`, stores it with the team, and sets the task to wait for a
 * review, in one step. Idempotent per request id.
 */
export const submit = operation({
  name: 'task.submit',
  command: 'team submit',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  forPrograms: true,
  summary: 'Submit the result of a team task for review',
  examples: [
    'troupe team submit seal-the-outer --file docs/seal.md',
    'troupe team submit seal-the-outer --content "The seal holds." --actor hicks',
  ],
  input: z.strictObject({
    id: TASK_ID,
    path: option('The file to submit, at most 1 MiB', text, { flag: 'file', value: 'FILE', path: 'always' }),
    content: option('The text to submit', text, { value: 'TEXT' }),
    title: option('Its name (default: the file name, or the title of the task)', text, { value: 'TEXT' }),
    content_type: option('Its content type, such as text/markdown (default: from the file name)', text, {
      value: 'TYPE',
    }),
    summary: option('A note for the reviewer', text, { value: 'TEXT' }),
    actor: ACTOR,
  }),
  output: z.extend(movedShape, { artifact: artifactShape }),
  async run(context: ProjectContext, { id, content, path: file, ...wish }) {
    await relayOutbox(context); // resumes a submission that was killed after storing the artifact
    const [store, teams] = [await context.graph(), await context.teams()];
    const by = moverOf(context, wish.actor);
    const view = await store.view();
    const task = taskOf(view, id);
    const artifactId = uuidOf(`artifact ${id} ${context.request.requestId ?? context.freshId()}`);
    if (deliverableOf(task)?.artifact === artifactId) return await answer(context, id, artifactId, false);
    checkSubmission(view, task, by);
    checkDone(view, task, moveOptions(context, wish));
    if (by.fence !== undefined) await refuseOpenConversations(context, task);
    const attempt = await attemptOf(context, task);
    const artifact = newArtifact({
      id: artifactId,
      teamId: task.team ?? '',
      taskId: id,
      attempt: task.fence ?? 0,
      state: 'staged',
      name: wish.title ?? (file === undefined ? task.title : path.basename(file)),
      contentType: wish.content_type ?? contentTypeOf(file),
      content: await givenBytes(context, { content, file }, attempt?.folder),
      createdBy: by.name,
      createdAt: context.clock.now(),
    });
    const evidence = await checkedEvidence(context, task, attempt);
    const { sha256, name: title } = artifact;
    const summary = wish.summary ?? '';
    const args = {
      task_id: id,
      by: authorOf(by),
      artifact: artifactId,
      title,
      sha256,
      summary,
      evidence: { ...evidence },
    };
    await teams.changeOnce(requestOf(context), function* (now) {
      const team = yield* now.team(artifact.teamId);
      if (!team) throw new TroupeError('not_found', { what: `The team of ${id} is not in teams.db.` });
      refuseEnded(team);
      return {
        ...EMPTY_TEAM_PLAN,
        artifacts: [artifact],
        outbox: [{ id: artifactId, op: 'task.submit', args }],
        result: undefined,
      };
    });
    await relayOutbox(context);
    const now = await store.view();
    await followGraph(context);
    if (deliverableOf(now.task(id))?.artifact !== artifactId) {
      await teams.change(() =>
        withoutQueries({ ...EMPTY_TEAM_PLAN, moves: [{ task: id, to: 'orphan' }], result: undefined }),
      );
      throw refusal(now, taskOf(now, id), by);
    }
    return await answer(context, id, artifactId, true);
  },
});

function authorOf({ name, fence, taskId }: Mover) {
  return fence === undefined || taskId === undefined ? { name } : { name, fence, taskId };
}

/** Returns the error for a submission that the graph rejected: the claim or the task has changed since. */
function refusal(view: GraphView, task: Task, by: Mover): TroupeError {
  checkSubmission(view, task, by);
  return new TroupeError('stale_attempt', { what: `${task.id} has changed meanwhile: nothing was submitted.` });
}

/** Gathers evidence as `done` does: runs the check first, then verifies that everything is committed. */
async function checkedEvidence(
  context: GraphContext & FilesContext & MachineContext,
  task: Task,
  attempt: Attempt | undefined,
) {
  const { verify_cmd: command } = task;
  const checked = command === undefined ? undefined : await verify(context, task, command, attempt);
  await refuseUncommitted(context, task);
  return await gatherEvidence(context, task, { checked, attempt });
}

async function answer(context: Pick<Context, 'graph' | 'teams'>, id: string, artifactId: string, changed: boolean) {
  const [store, teams] = [await context.graph(), await context.teams()];
  const view = await store.view();
  const task = taskOf(view, id);
  const artifact = await teams.artifact(artifactId);
  assert(artifact, 'the submission is kept');
  return {
    id,
    status: task.status,
    changed,
    warnings: [],
    task,
    seq: view.seq,
    events: [],
    artifact: artifactRow(artifact),
  };
}

/**
 * Records the leader's or owner's verdict on a task that waits for a review. Uses the graph's own gate and applies to
 * the attempt that was shown.
 */
export const review = operation({
  name: 'task.review',
  command: 'team review',
  group: 'Team',
  kind: 'write',
  forRuns: 'any',
  scope: 'leader',
  summary: 'Approve the work of a member, or reject it with feedback',
  examples: [
    'troupe team review seal-the-outer approve',
    'troupe team review seal-the-outer reject --feedback "handle vacuum"',
  ],
  input: z.strictObject({
    id: TASK_ID,
    verdict: argument('approve or reject', z.optional(z.enum(VERDICTS))),
    feedback: option('The feedback to the member', text, { value: 'TEXT' }),
    attempt: option('Only if this attempt is still waiting', number, { value: 'N' }),
    actor: ACTOR,
    decision: z.optional(z.enum(VERDICTS)),
  }),
  output: z.extend(movedShape, { verdict: z.enum(VERDICTS), ready: z.array(z.string()) }),
  async run(context: ProjectContext, { id: named, verdict: said, decision, feedback, attempt, actor }) {
    const verdict = said ?? decision;
    if (verdict === undefined || (decision !== undefined && decision !== verdict))
      throw new TroupeError('usage', { what: 'Use approve or reject.' });
    const store = await context.graph();
    const view = await store.view();
    // A reviewer may name the review task; resolve it to the work under review.
    const id = reviewedBy(view.task(named))?.task ?? named;
    const task = taskOf(view, id);
    await checkTeamVerdict(context, view, task, moverOf(context, actor), attempt);
    const before = new Set(view.dependents(id).filter((next) => readiness(view, next, context.clock.now()).ready));
    const who = actor === undefined ? {} : { actor };
    const moved =
      verdict === 'approve'
        ? await approveWork(context, { id, ...who, ...(feedback === undefined ? {} : { reason: feedback }) })
        : await reject.run(context, { id, ...who, reason: feedback ?? '' });
    await followGraph(context);
    const after = await store.view();
    const ready = after
      .dependents(id)
      .filter((next) => !before.has(next) && readiness(after, next, context.clock.now()).ready);
    return { ...moved, verdict, ready: ready.sort() };
  },
});
