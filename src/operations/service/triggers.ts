import type { StartedWorkflow, TriggerFacts } from '#core/coordinator/triggers.js';
import type { WorkflowWish } from '#core/coordinator/workflow-wish.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { makeTriggered } from '#operations/workflows/make-triggered.js';
import { localZone, triggeredWorkflows } from '#operations/workflows/triggers.js';

/** Workflows that begin by themselves: which there are, making their tasks, and which could not begin. */
export class Triggers {
  private readonly context: Context;
  private read: { readonly stamp: string; readonly at: number; readonly facts: TriggerFacts } | undefined;
  private readonly refused = new Map<string, { readonly why: string; readonly at: number }>();

  constructor(context: Context) {
    this.context = context;
  }

  /**
   * Read again when a file changes; who trusts them and what the project allows, from time to time. Where the project has no such
   * file a tick looks at two folders and no more.
   */
  async facts(): Promise<TriggerFacts> {
    const stamp = (await this.context.workflowFiles()).stamp('workflows');
    const now = this.context.clock.now();
    const fresh =
      this.read?.stamp === stamp && (this.read.facts.workflows.length === 0 || this.isRecent(now, this.read.at));
    if (!fresh || !this.read) {
      if (this.read?.stamp !== stamp) this.refused.clear();
      const workflows = stamp === '' ? [] : await triggeredWorkflows(this.context);
      this.read = { stamp, at: now, facts: { workflows, zone: localZone() } };
    }
    return this.without(this.read.facts, now);
  }

  make(wish: WorkflowWish): Promise<StartedWorkflow> {
    return makeTriggered(this.context, wish);
  }

  /** It is not asked for again for a while, or until a file changes. */
  refuse(workflow: string, why: string): void {
    this.refused.set(workflow, { why, at: this.context.clock.now() });
  }

  /** By workflow: why it did not begin when it should have. */
  refusals(): ReadonlyMap<string, string> {
    return new Map([...this.refused].map(([workflow, { why }]) => [workflow, why]));
  }

  private isRecent(now: number, at: number): boolean {
    return Math.abs(now - at) < LIMITS.workflowLookMs;
  }

  private without(facts: TriggerFacts, now: number): TriggerFacts {
    if (this.refused.size === 0) return facts;
    const workflows = facts.workflows.map((workflow) => {
      const refused = this.refused.get(workflow.id);
      const again = refused === undefined || Math.abs(now - refused.at) >= LIMITS.workflowAgainMs;
      return again || workflow.blocked !== undefined ? workflow : { ...workflow, blocked: refused.why };
    });
    return { ...facts, workflows };
  }
}
