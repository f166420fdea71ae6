/**
 * `memory … decision … inbox … session …`: the memory of the team.
 * @packageDocumentation
 */

import * as z from 'zod/mini';
import { recordNamed } from '#core/casting/member-change.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import {
  type Briefing,
  briefingOf,
  type CheckedValue,
  checkedText,
  IMPORTANCES,
  MEMORY_TYPES,
  type Memory,
} from '#core/memory/memory.js';
import { remember } from '#core/memory/memory-changes.js';
import { rowAt } from '#core/memory/memory-state.js';
import { requestSource } from '#core/memory/row-source.js';
import { castMembers, slugsBefore, slugsOf } from '#core/squad/registry.js';
import { charterPath } from '#core/squad/squad-paths.js';
import { refuseWrites, type SquadState } from '#core/squad/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import { type Context, operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { fitting, limit, memoryRow, memoryShape } from './memory-shapes.js';

import { changeMemory, memoryNow } from './shared-memory.js';

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
    const { slug } = recordNamed(await (await context.squad()).read(), agent);
    const text = storedText('content', checkedText('the text', content));
    if (text === '') throw unfit('the text is empty', 'content');
    const attributes = { type: type ?? 'learning', importance: importance ?? 'medium', ...provenance(context) };
    const memory = { agent: slug, content: text, ...attributes };
    const { after, id } = await changeMemory(context, (state) => remember(state, memory));
    return memoryRow(rowAt(after.memories, id));
  },
});

/** What the members remember, the latest last. */
export const list = operation({
  name: 'memory.list',
  input: z.strictObject({ agent: text, type: z.optional(z.enum(MEMORY_TYPES)), limit }),
  output: z.object({ memories: z.array(memoryShape) }),
  async run(context, { agent, type, limit: most }) {
    const [{ memories }, team] = await Promise.all([memoryNow(context), teamIfReadable(context)]);
    const before = formerNames(team);
    const rows = [...memories.map(({ row }) => row), ...charterMemories(team, memories.at(-1)?.row.number ?? 0)];
    const slugs = agent === undefined ? undefined : slugsOf(before, folderSlug(agent) ?? agent);
    const asked = rows.filter(
      (row) => (slugs === undefined || slugs.includes(row.agent)) && (type === undefined || row.type === type),
    );
    const latest = asked.slice(-(most ?? LIMITS.memoryRowsListed));
    return { memories: fitting(latest.map((row) => memoryRow({ ...row, agent: before.get(row.agent) ?? row.agent }))) };
  },
});

/** The charter of each member that was cast, as a memory numbered after `last`. */
function charterMemories(team: SquadState | undefined, last: number): Memory[] {
  if (team === undefined) return [];
  const charters = castMembers(team.registry).flatMap(({ slug, by, createdAt }) => {
    const charter = team.texts.get(charterPath(slug));
    return charter === undefined ? [] : [{ slug, by, createdAt, charter }];
  });
  return charters.map(({ slug, by, createdAt, charter }, index) => ({
    ...{ number: last + index + 1, agent: slug, type: 'core_context', importance: 'high', content: charter.trim() },
    ...{ created_by: by ?? 'file', created_at: Date.parse(createdAt ?? '') || 0 },
  }));
}

/** The team; undefined where its files cannot be read: what is remembered does not depend on it. */
const teamIfReadable = (context: Context) => readable(context, () => false);

/** Which slug members have now, by each they had before. */
const formerNames = (team: SquadState | undefined): ReadonlyMap<string, string> =>
  team ? slugsBefore(team.registry.records) : new Map();

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
  const { memories, decisions } = await memoryNow(context);
  const slugs = slug === undefined ? [] : slugsOf(formerNames(await teamIfReadable(context)), slug);
  const learnings = memories.filter(({ row }) => row.type === 'learning' && slugs.includes(row.agent));
  return briefingOf(
    learnings.map(({ row }) => row),
    decisions.map(({ row }) => row).filter(({ status }) => status === 'active'),
  );
}
