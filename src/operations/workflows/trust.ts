import * as z from 'zod/mini';
import type { EventDraft } from '#core/graph/event.js';
import { isTask, isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { workflowMark } from '#core/playbooks/outcome.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { ProjectContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { commandsOf, findWorkflow, trustName } from './workflow-source.js';

/**
 * Grants or withdraws the permission for the commands of a project workflow to run on this machine, for the current
 * content of its file.
 */
export const workflowTrust = operation({
  name: 'workflow.trust',
  command: 'workflow trust',
  group: 'Plans',
  kind: 'write',
  trusts: true,
  instead: 'trust workflow',
  summary: 'Trust the commands of a project workflow, as its file is now',
  examples: ['troupe trust workflow nightly --show', 'troupe trust workflow nightly'],
  input: z.strictObject({
    id: argument('The workflow', z.string(), { names: 'workflow' }),
    show: option('Only show the commands', z.optional(z.boolean())),
    withdraw: option('Revoke the trust', z.optional(z.boolean())),
  }),
  output: z.object({
    id: z.string(),
    trusted: z.boolean(),
    changed: z.boolean(),
    sha256: z.optional(z.string()),
    commands: z.array(z.object({ node: z.string(), run: z.string() })),
    /** Held tasks that this trust released. */
    released: z.array(z.string()),
  }),
  async run(context: ProjectContext, { id, show, withdraw }) {
    if (context.caller.kind === 'run')
      throw new TroupeError('not_yours', { what: 'A run cannot change what is trusted: only a person can.' });
    if (show === true && withdraw === true)
      throw new TroupeError('usage', { what: 'Use --show or --withdraw, not both.' });
    const { workflow, sha256, trusted: before } = await findWorkflow(context, id);
    const commands = commandsOf(workflow);
    if (sha256 === undefined) return { id, trusted: true, changed: false, commands, released: [] };
    const release = async (): Promise<string[]> => {
      const store = await context.graph();
      const commit = await store.commit((view) => releasePlan(view, id, sha256, context.caller.name), context.request);
      return commit.result;
    };
    const record = await context.executorTrust();
    let trusted = before;
    if (withdraw === true) {
      await record.withdraw(trustName(id));
      trusted = false;
    } else if (show !== true) {
      if (!before) await record.give(trustName(id), { sha256, at: timestamp(context.clock.now()) });
      trusted = true;
    }
    const released = trusted && show !== true ? await release() : [];
    return { id, trusted, changed: trusted !== before, sha256, commands, released };
  },
});

/** Releases the held commands of exactly this definition. */
function releasePlan(view: GraphView, id: string, sha256: string, actor: string) {
  const events: EventDraft[] = [];
  const released: string[] = [];
  for (const node of view.nodes()) {
    const mark = isTask(node) ? workflowMark(node) : undefined;
    if (!isTask(node) || mark?.id !== id || mark.held === undefined || mark.sha256 !== sha256) continue;
    if (isTerminal(node.status)) continue;
    const { held, sha256: _fingerprint, ...rest } = mark;
    events.push({
      op: 'edit',
      task_id: node.id,
      actor,
      patch: [{ id: node.id, set: { exec: held, workflow: { ...rest } } }],
    });
    released.push(node.id);
  }
  return { events, result: released };
}
