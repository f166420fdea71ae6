import * as z from 'zod/mini';
import { candidatesIn, type GraduationCandidate } from '#core/roles/candidates.js';
import {
  differenceText,
  type Graduation,
  graduated,
  graduationDetail,
  graduationOf,
  type RoleFileChange,
  seenHash,
} from '#core/roles/graduation.js';
import { readRoles } from '#core/roles/registry.js';
import { GRADUATION_WRITER } from '#core/roles/writers.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import type { RoleTexts } from '#ports/role-files.js';
import { changeRoles } from './change-roles.js';
import { loadRoles } from './load-roles.js';
import { refuseTeachingRun } from './persons-only.js';
import { today } from './today.js';

const originShape = z.enum(['crew', 'panel', 'research', 'solo']);
const candidateShape = z.object({
  id: z.string(),
  why: z.enum(['shared-lesson', 'marked-lesson', 'several-lanes', 'many-solo-lessons']),
  role: z.string(),
  origins: z.array(originShape),
  /** Text of the future core lesson. */
  lesson: z.optional(z.string()),
  sources: z.optional(
    z.array(
      z.object({
        origin: originShape,
        name: z.string(),
        file: z.string(),
        line: z.number(),
        text: z.string(),
        date: z.nullable(z.string()),
        /** Word overlap with the first source, 0 to 1. */
        overlap: z.number(),
      }),
    ),
  ),
  /** For a role in several lanes: whether a core role exists and every row is linked to it. */
  linked: z.optional(z.boolean()),
  lessons: z.optional(z.number()),
  /** For a lesson requested by id: the change by its graduation, and the hash that approves exactly this. */
  change: z.optional(z.object({ difference: z.string(), seen: z.string() })),
});

function shown(candidate: GraduationCandidate): z.infer<typeof candidateShape> {
  const { origins, ...rest } = candidate;
  if (!('lesson' in rest)) return { ...rest, origins: [...origins] };
  const sources = rest.sources.map(({ date, ...source }) => ({ ...source, date: date ?? null }));
  return { ...rest, origins: [...origins], sources };
}

/** Candidates for graduation with their evidence. Only suggestions. */
export const rolesCandidates = operation({
  name: 'roles.candidates',
  command: 'roles candidates',
  group: 'Roles',
  kind: 'read',
  graphless: true,
  instead: 'roles graduate --candidates',
  summary: 'List lessons that may hold everywhere, and roles of several lanes',
  examples: [
    'troupe roles graduate --candidates',
    'troupe roles graduate c1 --candidates',
    'troupe roles graduate --candidates --json',
  ],
  input: z.strictObject({ id: argument('One candidate, with the changes of graduating it; default: all', text) }),
  output: z.object({ candidates: z.array(candidateShape) }),
  async run(context: TeamContext, { id }) {
    if (id === undefined) return { candidates: candidatesIn(await loadRoles(context)).map(shown) };
    const { texts } = await (await context.roleFiles()).read();
    const candidate = candidateIn(texts, id);
    if (!candidate) throw noCandidate(id);
    if (!('lesson' in candidate)) return { candidates: [shown(candidate)] };
    const { graduation, changes } = changeOf(context, candidate, texts);
    const change = { difference: differenceText(changes), seen: seenHash(graduation) };
    return { candidates: [{ ...shown(candidate), change }] };
  },
});

/**
 * Graduates a lesson: adds it to the core role, and deletes it where it was learned. Without `seen`, the difference is
 * shown (`confirmation_needed`); the confirmation repeats its `seen` hash, and thus applies only to what was shown.
 * Errors: `user_only` for runs, `candidate_stale`.
 */
export const rolesGraduate = operation({
  name: 'roles.graduate',
  command: 'roles graduate',
  group: 'Roles',
  kind: 'write',
  forRuns: 'any',
  summary: 'Graduate a lesson to the core role and remove it from its lanes',
  examples: ['troupe roles graduate c1', 'troupe roles graduate c1 --seen 4f0c21d9a7b3e865 --json'],
  input: z.strictObject({
    id: argument('The id from `troupe roles graduate --candidates`', z.string()),
    seen: option('Approve the difference with this hash', text, { value: 'HASH' }),
  }),
  output: z.object({
    role: z.string(),
    lesson: z.string(),
    struck: z.array(z.object({ origin: originShape, name: z.string() })),
    files: z.readonly(z.array(z.string())),
    seq: z.number(),
  }),
  async run(context: WorkContext, { id, seen }) {
    refuseTeachingRun(context, 'Graduating a lesson');
    await context.graph(); // the log records what was approved
    const { result, seq } = await changeRoles(context, GRADUATION_WRITER, context.request, ({ texts }) => {
      const { graduation, changes } = agreedTo(context, texts, id, seen);
      const detail = graduationDetail(graduation, changes);
      const event = { op: 'role_graduate', actor: context.caller.name, detail, patch: [] };
      const struck = graduation.sources.map(({ origin, name }) => ({ origin, name }));
      return {
        texts: new Map(changes.map(({ file, after }) => [file, after])),
        events: [event],
        result: { role: graduation.role, lesson: graduation.lesson, struck, files: changes.map(({ file }) => file) },
      };
    });
    return { ...result, seq };
  },
});

/**
 * Current change of the candidate, if it equals the one that was seen. A candidate that is gone counts as stale if it
 * was seen.
 */
function agreedTo(context: Pick<Context, 'clock'>, texts: RoleTexts, id: string, seen: string | undefined) {
  const candidate = candidateIn(texts, id);
  if (!candidate) throw seen === undefined ? noCandidate(id) : stale(id);
  if (seen !== undefined && !('lesson' in candidate)) throw stale(id);
  const change = changeOf(context, candidate, texts);
  const hash = seenHash(change.graduation);
  if (seen === undefined) throw askFirst(id, change.graduation, change.changes, hash);
  if (seen !== hash) throw stale(id);
  return change;
}

const candidateIn = (texts: RoleTexts, id: string) => candidatesIn(readRoles(texts)).find((one) => one.id === id);

function changeOf(context: Pick<Context, 'clock'>, candidate: GraduationCandidate, texts: ReadonlyMap<string, string>) {
  const graduation = graduationOf(candidate, today(context));
  return { graduation, changes: graduated(texts, graduation) };
}

function noCandidate(id: string): TroupeError {
  return new TroupeError('not_found', {
    what: `There is no candidate ${inert(id).slice(0, 40)}.`,
    hint: 'Run `troupe roles graduate --candidates`.',
  });
}

function stale(id: string): TroupeError {
  return new TroupeError('candidate_stale', { what: `${inert(id).slice(0, 40)} has changed since it was shown.` });
}

function askFirst(id: string, { role }: Graduation, changes: readonly RoleFileChange[], seen: string): TroupeError {
  return new TroupeError('confirmation_needed', {
    what: `${id} becomes a core lesson of ${role}.`,
    hint: `Review the difference, then run \`troupe roles graduate ${id} --seen ${seen}\`.`,
    details: { shown: differenceText(changes), agree: { seen } },
  });
}
