import { codeTask } from '#core/playbooks/code-step.js';
import type { Compiled } from '#core/playbooks/formation.js';
import { type FormationRecord, stepId } from '#core/playbooks/record.js';

/** Tasks of a stage, plus one that proposes the next stage once this one has succeeded. */
export function withNextStage(compiled: Compiled, { run, options }: FormationRecord): Compiled {
  const next = options['stages']?.split(',')[0];
  if (next === undefined) return compiled;
  const task = codeTask(run, 'next', {
    title: `Propose the ${next} after ${run}`,
    description: 'Hands over the files of this stage, by path and hash. The next line-up waits for a person.',
    after_success: [stepId(run, 'log')],
  });
  return { ...compiled, tasks: [...compiled.tasks, { ...task, paused: true }] };
}
