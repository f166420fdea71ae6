import { type TriggerFacts, type WithTriggers, WORKFLOW } from '#core/coordinator/triggers.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { ProjectContext } from '#operations/contexts.js';
import { makeTriggered } from '#operations/workflows/run.js';
import { localZone, triggeredWorkflows } from '#operations/workflows/triggers.js';
import type { Errands } from './errands.js';
import type { HostOf, HostTools } from './host.js';

/** Host for workflows that start without a person: reads them, compiles their tasks and remembers failed starts. */
export class WorkflowsHost implements HostOf<'workflows'> {
  private readonly context: ProjectContext;
  private readonly errands: Errands;
  private read: { readonly stamp: string; readonly at: number; readonly facts: TriggerFacts } | undefined;
  private readonly refused = new Map<string, { readonly reason: string; readonly at: number }>();

  constructor(context: ProjectContext, { errands }: Pick<HostTools, 'errands'>) {
    this.context = context;
    this.errands = errands;
  }

  /**
   * Workflows are read again when a file changes; trust and project permissions, from time to time. Without workflow
   * files a tick checks two folders and nothing more.
   */
  readonly facts = async (): Promise<WithTriggers> => {
    const stamp = (await this.context.workflowFiles()).stamp('workflows');
    const now = this.context.clock.now();
    const fresh =
      this.read?.stamp === stamp && (this.read.facts.workflows.length === 0 || this.isRecent(now, this.read.at));
    if (!fresh || !this.read) {
      if (this.read?.stamp !== stamp) this.refused.clear();
      const workflows = stamp === '' ? [] : await triggeredWorkflows(this.context);
      // Reading the time zone from the system takes longer than a whole tick.
      const zone = workflows.length === 0 ? 'UTC' : localZone();
      this.read = { stamp, at: now, facts: { workflows, zone } };
    }
    return { triggers: this.without(this.read.facts, now) };
  };

  readonly carryOut: HostOf<'workflows'>['carryOut'] = {
    'make-workflow': ({ wish }) => {
      this.errands.start(WORKFLOW, wish.key, () => makeTriggered(this.context, wish));
      return 0;
    },
    'run-workflow': ({ key }) => {
      this.errands.forget(key);
      return 1;
    },
    'drop-workflow': ({ key, refused }) => {
      this.errands.forget(key);
      // Not requested again for a while, or until a file changes.
      if (refused) this.refused.set(refused.workflow, { reason: refused.why, at: this.context.clock.now() });
      return 0;
    },
  };

  /** Reasons why workflows did not start when due, keyed by workflow. */
  refusals(): ReadonlyMap<string, string> {
    return new Map([...this.refused].map(([workflow, { reason }]) => [workflow, reason]));
  }

  private isRecent(now: number, at: number): boolean {
    return Math.abs(now - at) < WORK_LIMITS.workflowLookMs;
  }

  private without(facts: TriggerFacts, now: number): TriggerFacts {
    if (this.refused.size === 0) return facts;
    const workflows = facts.workflows.map((workflow) => {
      const refused = this.refused.get(workflow.id);
      const again = refused === undefined || Math.abs(now - refused.at) >= WORK_LIMITS.workflowAgainMs;
      return again || workflow.blocked !== undefined
        ? workflow
        : { ...workflow, blocked: { cause: 'other' as const, text: refused.reason } };
    });
    return { ...facts, workflows };
  }
}
