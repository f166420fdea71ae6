import * as z from 'zod/mini';
import { slugOf } from '#core/catalog/member-slug.js';
import { memberNamed } from '#core/team/member-change.js';
import {
  type Briefing,
  briefingOf,
  type CheckedValue,
  checkedText,
  IMPORTANCES,
  MEMORY_TYPES,
} from '#core/team/memory.js';
import { slugsBefore, slugsOf } from '#core/team/registry.js';
import { requestSource } from '#core/team/row-source.js';
import { refuseWrites, type SquadState } from '#core/team/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import { type Context, operation } from '#operations/operation.js';
import { fitting, limit, memoryRow, memoryShape, text } from './memory-shapes.js';
import { changeMemory, sharedMemory } from './shared-memory.js';

/** Keeps something that a member of the team is to remember. */
export const add = operation({
  name: 'memory.add',
  input: z.strictObject({
    agent: z.string(),
    content: z.string(),
    type: z.optional(z.enum(MEMORY_TYPES)),
    importance: z.optional(z.enum(IMPORTANCES)),
  }),
  output: memoryShape,
  async run(context, { agent, content, type, importance }) {
    const { slug } = memberNamed(await (await context.squad()).read(), agent);
    const text = storedText('content', checkedText('the text', content));
    if (text === '') throw unfit('the text is empty', 'content');
    const attributes = { type: type ?? 'learning', importance: importance ?? 'medium', ...provenance(context) };
    return memoryRow(
      await changeMemory(context, (memory) => memory.remember({ agent: slug, content: text, ...attributes })),
    );
  },
});

/** What the members remember, the latest last. */
export const list = operation({
  name: 'memory.list',
  input: z.strictObject({ agent: text, type: z.optional(z.enum(MEMORY_TYPES)), limit }),
  output: z.object({ memories: z.array(memoryShape) }),
  async run(context, { agent, type, limit: most }) {
    const memory = await sharedMemory(context);
    const before = await formerNames(context);
    const rows = await memory.memories({
      agents: agent === undefined ? undefined : slugsOf(before, slugOf(agent) ?? agent),
      types: type === undefined ? undefined : [type],
      limit: most ?? LIMITS.memoryRowsListed,
    });
    return { memories: fitting(rows.map((row) => memoryRow({ ...row, agent: before.get(row.agent) ?? row.agent }))) };
  },
});

/**
 * Which slug members have now, by each they had before. Of a team whose files cannot be read nothing is known: what is
 * remembered does not depend on it.
 */
async function formerNames(context: Context): Promise<ReadonlyMap<string, string>> {
  const state = await readable(context, () => false);
  return state ? slugsBefore(state.registry.records) : new Map();
}

/** The same for those who write files of the team. Errors: `layout_conflict`, `migration_required`, `name_clash`. */
export async function namesForWriting(context: Context): Promise<ReadonlyMap<string, string>> {
  const state = await readable(context, (error) => error.code === 'layout_conflict');
  if (!state) return new Map();
  refuseWrites(state);
  return slugsBefore(state.registry.records);
}

async function readable(context: Context, matters: (error: TroupeError) => boolean): Promise<SquadState | undefined> {
  try {
    return await (await context.squad()).read();
  } catch (error) {
    if (error instanceof TroupeError && !matters(error)) return undefined;
    throw error;
  }
}

/** A value in the form in which it is kept; `bad_input` says why it cannot be. */
export function storedText(field: string, checked: CheckedValue): string {
  if ('reason' in checked) throw unfit(checked.reason, field);
  return checked.value;
}

export function unfit(reason: string, field?: string): TroupeError {
  const what = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return new TroupeError('bad_input', { what, ...(field === undefined ? {} : { details: { field } }) });
}

/** Who makes a row and when; a request that comes twice makes one. */
export function provenance(context: Context): { created_by: string; created_at: number; source?: string } {
  const source = requestSource(context.request);
  return {
    created_by: callerName(context),
    created_at: context.clock.now(),
    ...(source === undefined ? {} : { source }),
  };
}

export function callerName(context: Context): string {
  return cut(inert(context.caller.name), 100);
}

/** The part of the memory for the prompt of the member with this slug; without one, of nobody in particular. */
export async function briefingFor(context: Context, slug: string | undefined): Promise<Briefing> {
  const memory = await sharedMemory(context);
  const [learnings, decisions] = await Promise.all([
    slug === undefined
      ? []
      : memory.memories({
          agents: slugsOf(await formerNames(context), slug),
          types: ['learning'],
          limit: LIMITS.memories,
        }),
    memory.decisions({ status: 'active', limit: LIMITS.decisionsActive }),
  ]);
  return briefingOf(learnings, decisions);
}
