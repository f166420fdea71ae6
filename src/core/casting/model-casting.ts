import * as z from 'zod/mini';
import { type Archetype, type Catalog, castable } from '#core/catalog/catalog.js';
import { oneLine } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type Block, listIn, objectIn } from '#kernel/question.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert, plural } from '#kernel/text.js';
import type { Pick, Picks, Warning } from './proposal.js';

/** Subject of the choice: a goal written by a person, or a description of a scan. */
export interface ModelTopic {
  readonly label: 'goal' | 'repository';
  readonly text: string;
}

/**
 * Returns the blocks shown to a model when it chooses: the menu and the topic. Menu entries may come from the project,
 * so the menu is a separate block of untrusted text.
 */
export function choiceBlocks(menu: readonly Archetype[], topic: ModelTopic): Block[] {
  const line = (archetype: Archetype) =>
    [archetype.id, archetype.title, archetype.summary]
      .map((part) => oneLine(part, TEAM_LIMITS.modelTextsBytes))
      .join(' | ');
  const most = topic.label === 'goal' ? TEAM_LIMITS.goalCharacters * 4 : TEAM_LIMITS.analysisSummaryCharacters * 4;
  return [
    { label: 'menu', text: menu.map(line).join('\n'), most: TEAM_LIMITS.modelTextsBytes },
    { label: topic.label, text: topic.text, most },
  ];
}

/** Role in a model's answer: an id alone, or an id with a reason. Other fields are ignored. */
const roleSchema = z.union([
  z.pipe(
    z.string(),
    z.transform((role_id): { role_id: string; reason?: string | undefined } => ({ role_id })),
  ),
  z.object({ role_id: z.string(), reason: z.optional(z.catch(z.string(), '')) }),
]);
type Role = z.infer<typeof roleSchema>;

interface Answer {
  readonly rationale: string;
  readonly roles: readonly Role[];
}

/**
 * Returns the archetypes a model chose that exist in the catalog, at most `size`; the rest of the answer is ignored.
 * Undefined if none remain: the answer has no JSON, no known id, or is too long.
 */
export function picksFromAnswer(
  catalog: Catalog,
  text: string,
  size: number,
): (Picks & { readonly rationale: string }) | undefined {
  const answer = readAnswer(text);
  if (answer === undefined) return undefined;
  const picks = new Map<string, Pick>();
  const unknown = new Set<string>();
  const builtIn = new Set<string>();
  for (const role of answer.roles) {
    const id = role.role_id.trim();
    if (castable(catalog, id)) {
      if (!picks.has(id))
        picks.set(id, { archetypeId: id, reason: harmless(role.reason ?? '') || 'Chosen by the model.' });
    } else if (catalog.archetypes.has(id)) builtIn.add(id);
    else unknown.add(id);
  }
  if (picks.size === 0) return undefined;
  return {
    picks: [...picks.values()].slice(0, size),
    warnings: [
      ...dropWarnings('unknown_role', unknown, 'the catalog does not have'),
      ...dropWarnings('builtin_role', builtIn, 'joins every team automatically'),
    ],
    rationale: cut(harmless(answer.rationale) || 'Chosen by the model.', TEAM_LIMITS.goalCharacters),
  };
}

/** Parses the first object with `roles`; falls back to a list, which also covers a truncated answer or a bare list. */
function readAnswer(text: string): Answer | undefined {
  return (
    objectIn(text, (value) => {
      const object = z.object({ roles: z.array(z.unknown()) }).safeParse(value);
      if (!object.success) return undefined;
      const rationale = z.object({ rationale: z.string() }).safeParse(value);
      return { rationale: rationale.data?.rationale ?? '', roles: rolesIn(object.data.roles) };
    }) ??
    listIn(text, (values) => {
      const roles = rolesIn(values);
      return roles.length === 0 ? undefined : { rationale: '', roles };
    })
  );
}

function rolesIn(values: readonly unknown[]): Role[] {
  return values.slice(0, TEAM_LIMITS.modelRoles).flatMap((value) => roleSchema.safeParse(value).data ?? []);
}

/** Returns a model's sentence on one line, with secrets redacted and active or hidden characters removed. */
function harmless(text: string): string {
  return cut(inert(redact(text)).replace(/ +/g, ' ').trim(), TEAM_LIMITS.goalCharacters);
}

function dropWarnings(code: string, ids: ReadonlySet<string>, why: string): Warning[] {
  if (ids.size === 0) return [];
  const named = [...ids].slice(0, 5).map((id) => JSON.stringify(cut(inert(redact(id)), 60)));
  return [{ code, message: `The model named ${plural(ids.size, 'role')} that ${why}: ${named.join(', ')}.` }];
}
