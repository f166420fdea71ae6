import path from 'node:path';
import { skillParts } from '#core/agency/entity-text.js';
import { evidenceOf } from '#core/graph/evidence.js';
import type { Task } from '#core/graph/task.js';
import { isTrialId } from '#core/graph/trial.js';
import type { ModelPurpose } from '#core/settings/model-choice.js';
import { formatDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { FilesContext, GraphContext, MachineContext, ModelContext, WorkContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { treeNumber } from '#operations/review/attempt.js';
import { workOf } from '#operations/review/work-of.js';
import { type AskFailure, ask, type ModelRequest } from '#operations/settings/ask.js';
import { type Assignee, assignedTo } from './assignee.js';

const WITHOUT: Partial<Record<ModelPurpose, string>> = {
  flip_verification: 'evaluate run --verify needs a model; set a provider. The task is unchanged.',
};

/**
 * Asks a model to judge; returns its answer and name. There is no fallback without a model. Errors: `model_required`,
 * `budget_spent`, `bad_evaluation`.
 */
export async function askJudge<Answer>(
  context: ModelContext & MachineContext,
  question: ModelRequest<Answer>,
): Promise<{ readonly answer: Answer; readonly model: string }> {
  const { answer, failure, model } = await ask(context, { ...question, tries: TEAM_LIMITS.evaluationTries });
  if (failure) throw refusal(failure, question.purpose);
  return { answer: answer as Answer, model };
}

function refusal({ code, reason, hint }: AskFailure, purpose: ModelPurpose): TroupeError {
  switch (code) {
    case 'no_model': {
      const what = WITHOUT[purpose] ?? 'evaluate run needs a model; set a provider or use evaluate record.';
      return new TroupeError('model_required', { what, why: reason, hint });
    }
    case 'budget_spent':
      return new TroupeError('budget_spent', { what: reason, hint });
    default:
      return new TroupeError('bad_evaluation', {
        what: `None of ${TEAM_LIMITS.evaluationTries} answers was complete: ${reason}`,
      });
  }
}

type Blocks = readonly (readonly [label: string, text: string])[];

/** Request of a task, as untrusted text. */
export function requestBlocks(task: Task): Blocks {
  return [
    ['task: title', task.title],
    ['task: description', task.description ?? ''],
    ['task: deliverables', (task.deliverables ?? []).join('\n')],
  ];
}

/** Identity of the agent that did the task, if known. */
export async function doerBlocks(context: WorkContext, task: Task): Promise<Blocks> {
  return identityBlocks('done by', await assignedTo(context, task));
}

export function identityBlocks(label: string, assigned: Pick<Assignee, 'role' | 'tradeoff'> | undefined): Blocks {
  const { role, tradeoff } = assigned ?? {};
  const skills = role?.skills.map((skill) => skillParts(skill).text) ?? [];
  return [
    [`${label}: role`, role ? [role.name, role.description, role.desired_outcome, ...skills].join('\n') : ''],
    [
      `${label}: trade-off`,
      tradeoff
        ? [
            tradeoff.description,
            ...tradeoff.acceptable_tradeoffs.map((item) => `may: ${item}`),
            ...tradeoff.unacceptable_tradeoffs.map((item) => `may not: ${item}`),
          ].join('\n')
        : '',
    ],
  ];
}

/** Output of a task: its outcome and duration, log, evidence and artifacts. */
export async function output(context: GraphContext & FilesContext, task: Task): Promise<Blocks> {
  const { status, started_at, completed_at, failure_reason } = task;
  const log = (task.log ?? []).slice(-TEAM_LIMITS.evaluationLogLines);
  const ended = [`status: ${status}`, `started: ${started_at ?? '-'}`, `ended: ${completed_at ?? '-'}`];
  const artifacts = (task.artifacts ?? []).slice(0, TEAM_LIMITS.evaluationArtifacts);
  const tree = await treeOf(context, task);
  const texts = await Promise.all(artifacts.map((name, index) => artifact(context, name, index + 1, tree)));
  return [
    ['how it ended', [...ended, ...(failure_reason ? [`reason: ${failure_reason}`] : [])].join('\n')],
    ['log', log.map(({ timestamp, message }) => `${timestamp} ${message}`).join('\n')],
    ['evidence', evidenceLines(task)],
    ['what it changed', await workOf(context, task, TEAM_LIMITS.evaluationArtifactBytes)],
    ...texts.flat(),
  ];
}

/** Result of the check, and the commit of the work. */
function evidenceLines(task: Task): string {
  const { verify_cmd: command, exit, ms, commit, clean } = evidenceOf(task);
  const took = ms === undefined ? '' : ` after ${formatDuration(ms)}`;
  return [
    command === undefined ? 'check: none was run' : `check: \`${command}\` exited with ${exit ?? 'nothing'}${took}`,
    ...(commit === undefined ? [] : [`commit: ${commit}${clean === false ? ', not everything was committed' : ''}`]),
  ].join('\n');
}

/**
 * Reads one byte more than is shown, to make truncation visible. The name is untrusted too, and is put inside the
 * block.
 */
async function artifact(
  context: Pick<Context, 'files'>,
  name: string,
  number: number,
  tree: string | undefined,
): Promise<Blocks> {
  const files = await context.files();
  const label = `artifact ${number}`;
  const most = TEAM_LIMITS.evaluationArtifactBytes + 1;
  try {
    const waiting = tree === undefined ? undefined : await files.text(`${tree}/${name}`, most);
    const text = waiting ?? (await files.text(name, most));
    return [[label, `${name}\n\n${text ?? 'There is no such file.'}`]];
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return [[label, `${name}\n\nIt cannot be read: ${error.message}`]];
  }
}

/** Worktree of an attempt that is not merged: work that awaits its score, or a trial. Relative to the project. */
async function treeOf(context: GraphContext & FilesContext, task: Task): Promise<string | undefined> {
  if (task.status !== 'pending-validation' && !isTrialId(task.id)) return undefined;
  try {
    const attempt = (await treeNumber(context, task)) ?? 0;
    const changes = await (await context.trees()).changes({ task: task.id, attempt });
    return changes.path === undefined ? undefined : path.relative(context.projectFolder, changes.path);
  } catch (error) {
    if (error instanceof TroupeError) return undefined; // it worked in the project itself
    throw error;
  }
}
