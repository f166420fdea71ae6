import { formationTag, type NewTask } from './formation.js';
import { stepId } from './record.js';

/** Steps done by code without a model: each is a task whose command calls troupe. */
export const CODE_STEPS = ['unanimity', 'merge', 'merge-again', 'settle', 'log', 'next'] as const;
export type CodeStep = (typeof CODE_STEPS)[number];

/**
 * Task of a code step: always the same command, with run and step in the environment. It works on the project's own
 * files, wherever the tasks before it worked.
 */
export function codeTask(
  run: string,
  step: CodeStep,
  task: Pick<NewTask, 'title' | 'description' | 'after' | 'after_success'>,
): NewTask {
  return {
    ...task,
    id: stepId(run, step),
    exec: '"$TROUPE_BIN" formation step "$IN_RUN" "$IN_STEP" --quiet',
    environment: { IN_RUN: run, IN_STEP: step },
    exec_mode: 'shell',
    in: 'project',
    tags: [formationTag(run)],
    no_place: true,
  };
}
