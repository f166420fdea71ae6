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
} from '#core/squad/memory.js';
import { remember } from '#core/squad/memory-changes.js';
import { rowAt } from '#core/squad/memory-state.js';
import { castMembers, currentSlugs, slugsOf } from '#core/squad/registry.js';
import { requestSource } from '#core/squad/row-source.js';
import { charterPath } from '#core/squad/squad-paths.js';
import { refuseWrites, type SquadState } from '#core/squad/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { CallContext, TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { MEMORY_PATH } from '#operations/resource-paths.js';
import { text } from '#operations/shapes.js';
import { fitting, limit, memoryRow, memoryShape } from './memory-shapes.js';
import { changeMemory, memoryNow } from './shared-memory.js';

/** Stores a memory for a member of the team. */
export const add = operation({
  name: 'memory.add',
  command: 'memory add',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  summary: 'Add a memory to a member',
  examples: [
    'troupe memory add Neo "The tests need Node 20."',
    'troupe memory add trinity "Retry once, then say so." --type pattern --importance high',
  ],
  resource: [
    {
      method: 'POST',
      path: MEMORY_PATH,
      summary: 'Adds a memory.',
      status: 201,
      fields: ['agent', 'content', 'type', 'importance'],
    },
  ],
  input: z.strictObject({
    agent: argument('The name of the member', z.string()),
    content: argument('What to remember', z.string()),
    type: option(
      'What it is (default: learning): core_context, learning, pattern, update',
      z.optional(z.enum(MEMORY_TYPES)),
      { value: 'WORD' },
    ),
    importance: option('How much it matters (default: medium): high, medium, low', z.optional(z.enum(IMPORTANCES)), {
      value: 'WORD',
    }),
  }),
  output: memoryShape,
  async run(context: TeamContext, { agent, content, type, importance }) {
    const { slug } = recordNamed(await (await context.squad()).read(), agent);
    const text = storedText('content', checkedText('the text', content));
    if (text === '') throw unfit('the text is empty', 'content');
    const attributes = { type: type ?? 'learning', importance: importance ?? 'medium', ...provenance(context) };
    const memory = { agent: slug, content: text, ...attributes };
    const { after, id } = await changeMemory(context, (state) => remember(state, memory));
    return memoryRow(rowAt(after.memories, id));
  },
});

/** Lists the memories of the members, latest last. */
export const list = operation({
  name: 'memory.list',
  command: 'memory list',
  group: 'Memory',
  kind: 'read',
  graphless: true,
  summary: 'List the memories of the members',
  examples: ['troupe memory list', 'troupe memory list --agent Neo --type learning'],
  resource: [
    { method: 'GET', path: MEMORY_PATH, summary: 'The memories of the team.', fields: ['limit', 'agent', 'type'] },
  ],
  input: z.strictObject({
    agent: option('Only of this member', text, { value: 'NAME' }),
    type: option('Only of this type: core_context, learning, pattern, update', z.optional(z.enum(MEMORY_TYPES)), {
      value: 'WORD',
    }),
    limit: option('Only the latest N', limit, { value: 'N' }),
  }),
  output: z.object({ memories: z.array(memoryShape) }),
  async run(context: TeamContext, { agent, type, limit: most }) {
    const [{ memories }, team] = await Promise.all([memoryNow(context), teamIfReadable(context)]);
    const before = formerNames(team);
    const rows = [...memories.map(({ row }) => row), ...charterMemories(team, memories.at(-1)?.row.number ?? 0)];
    const slugs = agent === undefined ? undefined : slugsOf(before, folderSlug(agent) ?? agent);
    const asked = rows.filter(
      (row) => (slugs === undefined || slugs.includes(row.agent)) && (type === undefined || row.type === type),
    );
    const latest = asked.slice(-(most ?? TEAM_LIMITS.memoryRowsListed));
    return { memories: fitting(latest.map((row) => memoryRow({ ...row, agent: before.get(row.agent) ?? row.agent }))) };
  },
});

/** Returns the charter of each cast member as a memory, numbered after `last`. */
function charterMemories(team: SquadState | undefined, last: number): Memory[] {
  if (team === undefined) return [];
  const charters = castMembers(team.registry).flatMap(({ slug, by, createdAt }) => {
    const charter = team.texts.get(charterPath(slug));
    return charter === undefined ? [] : [{ slug, by, createdAt, charter }];
  });
  return charters.map(({ slug, by, createdAt, charter }, index) => ({
    number: last + index + 1,
    agent: slug,
    type: 'core_context',
    importance: 'high',
    content: charter.trim(),
    created_by: by ?? 'file',
    created_at: Date.parse(createdAt ?? '') || 0,
  }));
}

/** Reads the team; undefined if its files cannot be read, because memories do not depend on them. */
const teamIfReadable = (context: Pick<Context, 'squad'>) => readable(context, () => false);

/** Maps each former slug of a member to its current one. */
const formerNames = (team: SquadState | undefined): ReadonlyMap<string, string> =>
  team ? currentSlugs(team.registry.records) : new Map();

/** Like `formerNames`, for writers of team files. Errors: `layout_conflict`, `migration_required`, `name_clash`. */
export async function namesForWriting(context: Pick<Context, 'squad'>): Promise<ReadonlyMap<string, string>> {
  const state = await readable(context, (error) => error.code === 'layout_conflict');
  if (!state) return new Map();
  refuseWrites(state);
  return currentSlugs(state.registry.records);
}

async function readable(
  context: Pick<Context, 'squad'>,
  matters: (error: TroupeError) => boolean,
): Promise<SquadState | undefined> {
  try {
    return await (await context.squad()).read();
  } catch (error) {
    if (error instanceof TroupeError && !matters(error)) return undefined;
    throw error;
  }
}

/** Returns a value in stored form. Errors: `bad_input` with the reason. */
export function storedText(field: string, checked: CheckedValue): string {
  if ('reason' in checked) throw unfit(checked.reason, field);
  return checked.value;
}

export function unfit(reason: string, field?: string): TroupeError {
  const what = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return new TroupeError('bad_input', { what, ...(field === undefined ? {} : { details: { field } }) });
}

/**
 * Returns the author and time of a new row, and the request as its source, which makes a repeated request create one
 * row.
 */
export function provenance(context: CallContext): { created_by: string; created_at: number; source?: string } {
  const source = requestSource(context.request);
  return {
    created_by: callerName(context),
    created_at: context.clock.now(),
    ...(source === undefined ? {} : { source }),
  };
}

export function callerName(context: Pick<Context, 'caller'>): string {
  return cut(inert(context.caller.name), 100);
}

/**
 * Returns the memory section of the prompt for the member with this slug; without a slug, the section has no member's
 * learnings.
 */
export async function briefingFor(context: TeamContext, slug: string | undefined): Promise<Briefing> {
  const { memories, decisions } = await memoryNow(context);
  const slugs = slug === undefined ? [] : slugsOf(formerNames(await teamIfReadable(context)), slug);
  const learnings = memories.filter(({ row }) => row.type === 'learning' && slugs.includes(row.agent));
  return briefingOf(
    learnings.map(({ row }) => row),
    decisions.map(({ row }) => row).filter(({ status }) => status === 'active'),
  );
}
