import type { StepCall } from '#core/playbooks/panel-steps.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import type { ProjectContext } from '#operations/contexts.js';

/** Result of a step: the tasks it added, and messages for the log of its task. */
export interface StepResult {
  readonly added: readonly string[];
  readonly said: readonly string[];
}

export type Step = (context: ProjectContext, record: FormationRecord, call: StepCall) => Promise<StepResult>;
