import * as z from 'zod/mini';
import { forbiddenField, freeAnswerId, plainLine } from '#core/casting/answer-text.js';
import type { Warning } from '#core/casting/proposal.js';
import { type Catalog, castable } from '#core/catalog/catalog.js';
import type { Blueprint } from '#core/catalog/policies.js';
import { TroupeError } from '#kernel/errors.js';
import { BLUEPRINT_LIMITS } from '#kernel/limits/blueprints.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { objectIn } from '#kernel/question.js';
import { plural } from '#kernel/text.js';

/** Ids that an answer may refer to. */
export interface Library {
  readonly catalog: Catalog;
  readonly workflows: ReadonlySet<string>;
  readonly policies: ReadonlySet<string>;
  readonly profiles: ReadonlySet<string>;
  /** Ids of existing blueprints. */
  readonly blueprints: ReadonlySet<string>;
}

export interface GeneratedBlueprint {
  readonly blueprint: Blueprint;
  readonly warnings: readonly Warning[];
}

type Role = NonNullable<Blueprint['bespoke_roles']>[number];

const loose = z.catch(z.unknown(), undefined);
const answerSchema = z.object({
  id: loose,
  name: loose,
  description: loose,
  roster: z.array(z.unknown()),
  workflows: z.catch(z.array(z.unknown()), []),
  review_policy: loose,
  sandbox_profile: loose,
  bespoke_roles: z.catch(z.array(z.unknown()), []),
});
const roleSchema = z.object({ id: z.string(), title: z.string(), charter: z.catch(z.string(), '') });

const NO_PROCESS = new Set(['', 'custom', 'default']);
const ROLE_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * Parses the blueprint in a model's answer and keeps the references that exist; `workflows` is empty if no process of
 * the library fits. Each omission is reported as a warning. Errors: `blueprint_generation_failed`.
 */
export function readBlueprint(text: string, description: string, library: Library): GeneratedBlueprint {
  const answer = parseAnswer(text);
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ code, message });
  const bespoke = rolesOf(answer.bespoke_roles, library.catalog, warn);
  const roster = rosterOf(answer.roster, bespoke, library.catalog, warn);
  if (roster.length === 0) fail('The answer of the model names no one who can be cast.');
  const name =
    plainLine(answer.name, BLUEPRINT_LIMITS.nameCharacters) || plainLine(description, BLUEPRINT_LIMITS.nameCharacters);
  const one = (field: 'review_policy' | 'sandbox_profile', ids: ReadonlySet<string>) => {
    const id = plainLine(answer[field], BLUEPRINT_LIMITS.idCharacters);
    if (ids.has(id)) return id;
    warn(`no_${field}`, `The model named no ${field.replace('_', ' ')} there is: using “default”.`);
    return 'default';
  };
  return {
    blueprint: {
      id: freeAnswerId([answer.id, name], 'blueprint', library.blueprints),
      name,
      description: longLine(answer.description) || longLine(description),
      roster,
      workflows: workflowsOf(answer.workflows, library.workflows, warn),
      review_policy: one('review_policy', library.policies),
      sandbox_profile: one('sandbox_profile', library.profiles),
      ...(bespoke.length === 0 ? {} : { bespoke_roles: bespoke }),
    },
    warnings,
  };
}

const longLine = (text: unknown) => plainLine(text, BLUEPRINT_LIMITS.descriptionCharacters);

function parseAnswer(text: string) {
  const size = Buffer.byteLength(text);
  if (size > TEAM_LIMITS.modelAnswerBytes)
    fail(`The answer of the model is larger than ${TEAM_LIMITS.modelAnswerBytes} bytes.`);
  const answer = objectIn(text, (value) => {
    const result = answerSchema.safeParse(value);
    return result.success ? { value, data: result.data } : undefined;
  });
  if (answer === undefined) return fail('The answer of the model contains no blueprint.');
  const field = forbiddenField(answer.value);
  if (field !== undefined) fail(`The model sets “${field}”: a model sets no command, permission or budget.`);
  return answer.data;
}

type Warn = (code: string, message: string) => void;

/** Returns the valid bespoke roles: with a charter, and an id that the catalog does not have. */
function rolesOf(values: readonly unknown[], catalog: Catalog, warn: Warn): Role[] {
  const roles = new Map<string, Role>();
  const dropped: string[] = [];
  for (const value of values.slice(0, TEAM_LIMITS.modelRoles)) {
    const { data } = roleSchema.safeParse(value);
    const id = plainLine(data?.id, BLUEPRINT_LIMITS.idCharacters);
    const title = plainLine(data?.title, BLUEPRINT_LIMITS.roleTitleCharacters);
    const charter = data?.charter ?? '';
    const usable = ROLE_ID.test(id) && title !== '' && charter.trim() !== '' && !catalog.archetypes.has(id);
    const room = roles.size < TEAM_LIMITS.teamSizeMost && charter.length <= TEAM_LIMITS.charterCharacters;
    if (usable && room && !roles.has(id)) roles.set(id, { id, title, charter });
    else dropped.push(id);
  }
  tell(warn, 'bespoke_dropped', dropped, 'without a charter or a name of its own');
  return [...roles.values()];
}

/** Returns the distinct ids that can be cast. Bespoke roles missing from the roster are appended. */
function rosterOf(values: readonly unknown[], bespoke: readonly Role[], catalog: Catalog, warn: Warn): string[] {
  const own = new Set(bespoke.map((role) => role.id));
  const roster = new Set<string>();
  const [unknown, builtIn]: [string[], string[]] = [[], []];
  for (const value of values.slice(0, TEAM_LIMITS.modelRoles)) {
    const id = plainLine(value, BLUEPRINT_LIMITS.idCharacters);
    if (own.has(id) || castable(catalog, id)) roster.add(id);
    else (catalog.archetypes.has(id) ? builtIn : unknown).push(id);
  }
  tell(warn, 'unknown_role', unknown, 'that cannot be cast');
  tell(warn, 'builtin_role', builtIn, 'that joins every team automatically');
  const forgotten = [...own].filter((id) => !roster.has(id));
  tell(warn, 'bespoke_rostered', forgotten, 'that was not on the roster and is now');
  const cast = [...roster].slice(0, TEAM_LIMITS.teamSizeMost - forgotten.length);
  return [...cast, ...forgotten];
}

function workflowsOf(values: readonly unknown[], existing: ReadonlySet<string>, warn: Warn): string[] {
  const named = [
    ...new Set(values.slice(0, TEAM_LIMITS.modelRoles).map((value) => plainLine(value, BLUEPRINT_LIMITS.idCharacters))),
  ];
  const unknown = named.filter((id) => !existing.has(id) && !NO_PROCESS.has(id));
  tell(warn, 'unknown_workflow', unknown, 'that the library does not have', 'workflow');
  const ids = named.filter((id) => existing.has(id)).slice(0, BLUEPRINT_LIMITS.workflows);
  return ids.every((id) => NO_PROCESS.has(id)) ? [] : ids;
}

function tell(warn: Warn, code: string, ids: readonly string[], why: string, what = 'role'): void {
  if (ids.length === 0) return;
  const named = ids.slice(0, BLUEPRINT_LIMITS.idsNamed).map((id) => JSON.stringify(id));
  warn(code, `The model named ${plural(ids.length, what)} ${why}: ${named.join(', ')}.`);
}

function fail(what: string): never {
  throw new TroupeError('blueprint_generation_failed', { what });
}
