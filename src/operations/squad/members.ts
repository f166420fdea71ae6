import path from 'node:path';
import * as z from 'zod/mini';
import { type MemberChangeResult, recordNamed } from '#core/casting/member-change.js';
import {
  addCastMember,
  editCharter,
  renameMember,
  reroleMember,
  restoreMember,
  retireOne,
} from '#core/casting/members.js';
import { settleClash } from '#core/casting/name-clash.js';
import type { Templates } from '#core/casting/propose.js';
import type { TeamRequest } from '#core/casting/roster-change.js';
import type { Archetype } from '#core/catalog/catalog.js';
import { reassignTasks } from '#core/graph/member.js';
import type { GraphView } from '#core/graph/view.js';
import type { SquadPlan } from '#core/squad/file-change.js';
import { type ClientFiles, pathsOutside } from '#core/squad/outputs.js';
import { historyFile } from '#core/squad/squad-paths.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { castLeader, castMember } from '#core/squad/team.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { GraphContext, MachineContext, ProjectContext, TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { MEMBER_PATH, MEMBERS_PATH, ROLE_FIELDS, textAddress } from '#operations/resource-paths.js';
import { text } from '#operations/shapes.js';
import { briefingFor } from '#operations/squad/memories.js';
import { briefingAnswer, briefingShape } from '#operations/squad/memory-shapes.js';
import { outsideWishes, refuseUnexpected } from '#operations/squad/outside-files.js';
import { scoredMemberShape, scoredMembers, workingWayOf, workingWayShape } from '#operations/squad/scored-members.js';
import { clientFilesOf, teamRequestOf, withAgentFiles, withAgentMapper } from '#operations/squad/team-plan.js';
import {
  changedMembersShape,
  memberAnswer,
  memberName,
  type ShownMember,
  withTasksShape,
} from '#operations/squad/team-shapes.js';
import type { TeamConsequences } from '#ports/squad-files.js';

const CHANGE = { group: 'Members', kind: 'write', graphless: true, writesOutside: true } as const;
const MEMBER = argument('The name of the member', memberName, { names: 'member' });

/** Adds a member, named from the team's universe. */
export const add = operation({
  name: 'member.add',
  command: 'member add',
  ...CHANGE,
  summary: 'Add a member, named from the universe of the team',
  examples: ['troupe member add qa-engineer', 'troupe member add writer --json'],
  resource: [{ method: 'POST', path: MEMBERS_PATH, summary: 'Adds a member.', status: 201, fields: ROLE_FIELDS }],
  input: z.strictObject({ archetype: argument('An id from `catalog show archetypes`', z.string()), ...outsideWishes }),
  output: changedMembersShape,
  run: (context: WorkContext & MachineContext, { archetype, ...files }) =>
    changeMember(context, files, (wish) => addCastMember(wish, archetype)),
});

/** Returns a member with its charter, its diary and its memory. */
export const show = operation({
  name: 'member.show',
  command: 'member show',
  group: 'Members',
  kind: 'read',
  graphless: true,
  summary: 'Show a member with its charter and diary',
  examples: ['troupe member show Neo', 'troupe member show trinity --json'],
  resource: [
    {
      method: 'GET',
      path: MEMBER_PATH,
      summary: 'One member, with charter, diary and memories.',
      params: ['member'],
    },
    textAddress('charter'),
    textAddress('history'),
  ],
  input: z.strictObject({ member: MEMBER }),
  output: z.object({
    member: scoredMemberShape,
    leads: z.boolean(),
    previous_name: z.optional(z.string()),
    succeeded_by: z.optional(z.string()),
    created_at: z.optional(z.string()),
    retired_at: z.optional(z.string()),
    charter: z.nullable(z.string()),
    history: z.nullable(z.string()),
    works: z.nullable(workingWayShape),
    /** Same content as in the prompt of the member's runs. */
    remembers: briefingShape,
  }),
  async run(context: WorkContext, { member: name }) {
    const state = await (await context.squad()).read();
    const record = recordNamed(state, name);
    const member = castMember(record);
    const [scored] = await scoredMembers(context, [member], state.registry.records.map(castMember));
    if (scored === undefined) throw new TroupeError('internal', { what: 'Invariant broken: one answer a member' });
    return {
      member: scored,
      leads: castLeader(state.registry, state.history) === record.name,
      ...(record.previousName === undefined ? {} : { previous_name: record.previousName }),
      ...(record.succeededBy === undefined ? {} : { succeeded_by: record.succeededBy }),
      ...(record.createdAt === undefined ? {} : { created_at: record.createdAt }),
      ...(record.retiredAt === undefined ? {} : { retired_at: record.retiredAt }),
      charter: state.texts.get(member.charterPath) ?? null,
      history: state.texts.get(historyFile(state.texts, record.slug)) ?? null,
      works: await workingWayOf(context, member),
      remembers: briefingAnswer(await briefingFor(context, record.slug)),
    };
  },
});

/** Changes the role of a member, who keeps name and id. */
export const rerole = operation({
  name: 'member.rerole',
  command: 'member rerole',
  ...CHANGE,
  instead: 'member edit --archetype',
  summary: 'Change the role of a member; name and id stay',
  examples: [
    'troupe member edit Neo --archetype security-engineer',
    'troupe member edit trinity --archetype editor --json',
  ],
  resource: [
    {
      method: 'PATCH',
      path: MEMBER_PATH,
      summary: 'Changes the role of a member.',
      params: ['member'],
      fields: ROLE_FIELDS,
    },
  ],
  input: z.strictObject({
    member: MEMBER,
    archetype: argument('An id from `catalog show archetypes`', z.string()),
    ...outsideWishes,
  }),
  output: changedMembersShape,
  run: (context: WorkContext & MachineContext, { member, archetype, ...files }) =>
    changeMember(context, files, (wish) => reroleMember(wish, member, archetype)),
});

/** Renames a member; after a merge, also one of two members with the same name, identified by its first event. */
export const rename = operation({
  name: 'member.rename',
  command: 'member rename',
  ...CHANGE,
  instead: 'member edit --name',
  summary: 'Rename a member; the old name stays reserved',
  examples: ['troupe member edit Tank --name Dozer', 'troupe member edit 01J8Z0 --name Dozer'],
  resource: [
    {
      method: 'PATCH',
      path: MEMBER_PATH,
      summary: 'Renames a member, if the body has a `name`.',
      params: ['member'],
      when: { field: 'name' },
      fields: ['name'],
    },
  ],
  input: z.strictObject({
    member: argument('The member, or its first event if two share a name', memberName, { names: 'member' }),
    name: argument('The new name', z.string()),
    ...outsideWishes,
  }),
  output: withTasksShape,
  async run(context: WorkContext & MachineContext, { member, name, ...files }) {
    const settled = await repairMember(context, files, (wish) => settleClash(wish, member, name));
    // With two members of one name, the owner of a task is ambiguous: tasks are not reassigned.
    if (settled) return { ...settled, tasks: [] };
    const tasks: string[] = [];
    const renamed = await changeMember(
      context,
      files,
      (wish) => renameMember(wish, member, name),
      (news) => tasks.push(...news.tasks),
    );
    const lateTasks = await passOn(context, renamed.previous_name ?? member, renamed.member.name);
    return { ...renamed, tasks: [...tasks, ...lateTasks] };
  },
});

/**
 * Retires a member and unassigns its tasks that are not terminal. A repeated call also unassigns tasks that remained.
 */
export const retire = operation({
  name: 'member.retire',
  command: 'member retire',
  ...CHANGE,
  summary: 'Retire a member; its open tasks are unassigned',
  examples: ['troupe member retire Tank', 'troupe member retire Neo --leader Trinity'],
  resource: [
    {
      method: 'DELETE',
      path: MEMBER_PATH,
      summary: 'Retires a member.',
      status: 204,
      params: ['member'],
      fields: ['leader'],
    },
  ],
  input: z.strictObject({
    member: MEMBER,
    leader: option('The new leader, if the leader retires', text, { value: 'NAME' }),
    ...outsideWishes,
  }),
  output: withTasksShape,
  async run(context: WorkContext & MachineContext, { member, leader, ...files }) {
    const tasks: string[] = [];
    const result = await changeMember(
      context,
      files,
      (wish) => retireOne(wish, member, leader),
      (news) => tasks.push(...news.tasks),
    );
    return { ...result, tasks: [...tasks, ...(await passOn(context, result.member.name))] };
  },
});

/** Restores a retired member with the same id. */
export const restore = operation({
  name: 'member.restore',
  command: 'member restore',
  ...CHANGE,
  instead: 'member edit --restore',
  summary: 'Restore a retired member with the same id',
  examples: ['troupe member edit Tank --restore', 'troupe member edit tank --restore --json'],
  resource: [
    {
      method: 'PATCH',
      path: MEMBER_PATH,
      summary: 'Restores a retired member, by the `status` Active.',
      params: ['member'],
      when: { field: 'status' },
      only: {
        field: 'status',
        value: 'Active',
        what: 'A status can only be set to Active, and alone.',
        hint: 'DELETE lets a member go.',
      },
    },
  ],
  input: z.strictObject({
    member: MEMBER,
    ...outsideWishes,
  }),
  output: changedMembersShape,
  run: (context: WorkContext & MachineContext, { member, ...files }) =>
    changeMember(context, files, (wish) => restoreMember(wish, member)),
});

/** Sets the charter of a member from a text or from a file of the project. */
export const charter = operation({
  name: 'member.charter',
  command: 'member charter',
  ...CHANGE,
  instead: 'member edit',
  summary: 'Set the charter of a member',
  examples: [
    'troupe member edit Neo --file notes/neo.md',
    'troupe member edit Neo --text "Writes the release notes, and nothing else."',
  ],
  resource: [
    {
      method: 'PUT',
      path: `${MEMBER_PATH}/charter`,
      summary: 'Sets the charter of a member.',
      params: ['member'],
      fields: ['charter'],
    },
  ],
  input: z.strictObject({
    member: MEMBER,
    file: option('A file of the project with the charter', text, { value: 'PATH', path: 'always' }),
    charter: option('The text of the charter', text, { flag: 'text', value: 'TEXT' }),
    ...outsideWishes,
  }),
  output: changedMembersShape,
  async run(context: ProjectContext, { member, charter: typedCharter, file, ...files }) {
    if ((typedCharter === undefined) === (file === undefined))
      throw new TroupeError('bad_input', { what: 'Use either --text or --file for the charter.' });
    const words = typedCharter ?? (await textOf(context, file ?? ''));
    return await changeMember(context, files, (wish) => editCharter(wish, member, words));
  },
});

async function textOf(context: Pick<Context, 'projectFolder' | 'files'>, file: string): Promise<string> {
  const inside = path.relative(context.projectFolder, path.resolve(context.projectFolder, file));
  const most = TEAM_LIMITS.charterCharacters * 4 + 1;
  const content = await (await context.files()).text(inside, most);
  if (content !== undefined) return content.replaceAll('\r\n', '\n');
  throw new TroupeError('not_found', {
    what: `There is no file ${cut(inert(inside), 120)}.`,
    hint: 'Use a file of the project.',
  });
}

/** Options for files outside `.squad/`. */
interface OutsideWish {
  readonly clients?: boolean | undefined;
  readonly outside?: readonly string[] | undefined;
}

/** Result of a member change, with the files written outside `.squad/`. */
type ChangedMember = Omit<MemberChangeResult, 'member'> & {
  readonly member: ShownMember;
  readonly outside: readonly string[];
};

/** Changes a member. Its input is read before the lock is taken. `onNews` receives the reassigned tasks. */
async function changeMember(
  context: WorkContext & MachineContext,
  { clients, outside }: OutsideWish,
  plan: (wish: TeamRequest) => SquadPlan<MemberChangeResult>,
  onNews?: (news: TeamConsequences) => void,
): Promise<ChangedMember> {
  const { squad, wishFor } = await prepare(context, clients);
  return await withAgentMapper(context, (mapper) =>
    squad.apply((state) => {
      const agentFor = (archetype: Archetype) => mapper.agentFor(archetype, state.registry);
      const wish = { ...wishFor(state), agentFor };
      return namingOutside(withAgentFiles(mapper, plan(wish)), outside, wish.clientFiles);
    }, onNews),
  );
}

/** Like `changeMember`, for a team in which two members share a name and other writes are refused. */
async function repairMember(
  context: TeamContext & MachineContext,
  { clients, outside }: OutsideWish,
  plan: (wish: TeamRequest) => SquadPlan<MemberChangeResult> | undefined,
): Promise<ChangedMember | undefined> {
  const { squad, wishFor } = await prepare(context, clients);
  return await squad.repairTexts<ChangedMember | undefined>((texts) => {
    const wish = wishFor(readSquadState(texts));
    const mended = plan(wish);
    return mended === undefined ? { changes: [], result: undefined } : namingOutside(mended, outside, wish.clientFiles);
  });
}

/** Checks that the caller expects the plan's files outside `.squad/`, and adds these to the result. */
function namingOutside(
  plan: SquadPlan<MemberChangeResult>,
  expected: readonly string[] | undefined,
  clientFiles: ClientFiles,
): SquadPlan<ChangedMember> {
  refuseUnexpected(expected, plan, clientFiles);
  const { member, ...result } = plan.result;
  return { ...plan, result: { ...result, member: memberAnswer(member), outside: pathsOutside(plan.changes) } };
}

async function prepare(context: TeamContext & MachineContext, clients: boolean | undefined) {
  const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
  const [catalog, policyText] = await Promise.all([source.load(), source.policyText()]);
  const templates: Templates = await source.charterTemplates([...catalog.archetypes.keys()]);
  const clientFiles = await clientFilesOf(context, clients);
  const wishFor = (state: SquadState) => teamRequestOf(context, { state, catalog, templates, policyText, clientFiles });
  return { squad, wishFor };
}

/**
 * Reassigns remaining tasks of a retired or renamed member, such as tasks assigned to it in the meantime. Its earlier
 * tasks were reassigned with the change itself.
 */
async function passOn(context: GraphContext, member: string, next?: string): Promise<readonly string[]> {
  const options = { now: context.clock.now(), by: { name: context.caller.name } };
  try {
    const store = await context.graph();
    const plan = (view: GraphView) => reassignTasks(view, [{ name: member, next }], options);
    if (plan(await store.view()).events.length === 0) return [];
    const { result } = await store.commit(plan, context.request);
    return result.tasks;
  } catch (error) {
    if (isRefusal(error, 'not_initialized')) return []; // A team may exist without a graph.
    throw error;
  }
}
