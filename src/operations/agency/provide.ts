import * as z from 'zod/mini';
import { shortId } from '#core/agency/entities.js';
import { AUTO_CREATOR, providedFor, whyProvided } from '#core/agency/provide.js';
import { checkFence } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { moverOf } from '#operations/shapes.js';
import { changeAgency } from './open.js';
import { peopleOf } from './person.js';
import { agencyEvent, changedAnswer, changedShape } from './shapes.js';

/**
 * Creates an agent for a task, from a role and a trade-off that are not paired yet. The assignment of the task does not
 * change.
 */
export const agentProvide = operation({
  name: 'identity.provide',
  command: 'agent provide',
  group: 'Agency',
  kind: 'write',
  forRuns: 'any',
  instead: 'assign --provide',
  summary: 'Create an agent for an unmatched task from existing roles and trade-offs',
  examples: ['troupe assign write-the-parser --provide', 'troupe assign write-the-parser --provide --json'],
  input: z.strictObject({ id: TASK_ID }),
  output: z.extend(changedShape, { reason: z.string() }),
  async run(context: WorkContext & MachineContext, { id }) {
    const people = await peopleOf(context, await loadAgency(context));
    const { agency: settings } = (await loadSettings(context)).settings;
    const creator = { agent: settings.creator_agent, model: settings.creator_model };
    const maker = { now: context.clock.now(), by: AUTO_CREATOR, creator };
    const { result, seq } = await changeAgency(context, (agency, view) => {
      if (!view) throw new TroupeError('not_initialized');
      checkProvider(context, view, id);
      const task = taskOf(view, id);
      const agent = providedFor(agency, task, people, maker);
      const reason = whyProvided(agency, agent, people);
      const event = agencyEvent(context, 'agency_add', agent, { task: id, reason });
      const message = cut(
        inert(`${agent.name} (${shortId(agent.id)}) was created for it: ${reason}`),
        TEAM_LIMITS.assignmentReasonCharacters,
      );
      const entry = { timestamp: timestamp(maker.now), actor: moverOf(context).name, message };
      return {
        entities: [agent],
        events: [{ ...event, task_id: id, patch: [{ id, log_at: task.log?.length ?? 0, log: [entry] }] }],
        result: { ...changedAnswer(agent, true, []), reason },
      };
    });
    return { ...result, seq };
  },
});

/** A run may create an agent only as its own task: the one that the coordinator created for this. */
function checkProvider(context: Pick<Context, 'caller'>, view: GraphView, id: string): void {
  const by = moverOf(context);
  if (by.fence === undefined) return;
  const own = by.taskId === `create-agent-${id}` ? view.task(by.taskId) : undefined;
  if (!own?.tags?.includes('assignment')) {
    throw new TroupeError('not_yours', { what: `${by.name} may not create an agent for ${id}.`, details: { id } });
  }
  checkFence(view, own, by);
}
