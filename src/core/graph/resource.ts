import type { Plan } from '#core/graph/event.js';
import { isIdForm } from '#core/graph/slug.js';
import type { GraphNode, NodeFields } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { didYouMean, shellWord } from '#kernel/text.js';

export const REQUIRES = taskField('requires', anything);

/** A limited resource that tasks need: money, hours of a person, a machine. */
export interface Resource {
  readonly kind: 'resource';
  readonly id: string;
  readonly name?: string;
  readonly type?: string;
  /** Available amount, in `unit`. */
  readonly available?: number;
  readonly unit?: string;
  readonly [field: string]: unknown;
}

export interface ResourceDraft {
  readonly id: string;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly available?: number | undefined;
  readonly unit?: string | undefined;
}

/** Whether a node is a resource. Its fields may be hand-edited. */
export function isResource(node: GraphNode): node is Resource {
  return node.kind === 'resource';
}

/** Warnings about resources that do not exist: a misspelt one counts nowhere. */
export function unknownResources(view: GraphView, ids: readonly string[] = []): string[] {
  const isKnown = (id: string) => {
    const node = view.node(id);
    return node !== undefined && isResource(node);
  };
  return [...new Set(ids)]
    .filter((id) => !isKnown(id))
    .map((id) => {
      const near = didYouMean(
        id,
        [...view.nodes()].filter(isResource).map((resource) => resource.id),
      );
      return `There is no resource ${id}: it limits nothing.${near ? ` Did you mean ${near}?` : ` \`troupe resource add ${shellWord(id)}\` adds it.`}`;
    });
}

/**
 * Adds a resource or changes an existing one. Refused for runs, because resources limit them. Errors: `not_yours`,
 * `id_taken`, `bad_input`, `too_large`.
 */
export function addResource(
  view: GraphView,
  draft: ResourceDraft,
  by: { readonly name: string; readonly fence?: number },
): Plan<{ readonly resource: string; readonly changed: boolean }> {
  const { id } = draft;
  if (by.fence !== undefined)
    throw new TroupeError('not_yours', { what: `${by.name} is a run and may not change resources.` });
  const present = view.node(id);
  if (present && !isResource(present)) {
    throw new TroupeError('id_taken', {
      what: `The id ${id} belongs to a ${present.kind}.`,
      hint: 'Give the resource another id.',
      details: { id },
    });
  }
  const fields = checkedFields(draft);
  if (!present) {
    if (!isIdForm(id)) {
      throw new TroupeError('bad_input', {
        what: `Not an id: ${JSON.stringify(id.slice(0, 60))}`,
        hint: 'Use letters, digits, . _ and -, at most 100, starting with a letter or digit.',
      });
    }
    if (view.wasUsed(id)) {
      throw new TroupeError('id_taken', {
        what: `The id ${id} was in use.`,
        hint: 'Give the resource another id.',
        details: { id },
      });
    }
    const node = { kind: 'resource', id, ...fields };
    return {
      events: [{ op: 'resource_add', actor: by.name, patch: [{ id, put: node }] }],
      result: { resource: id, changed: true },
    };
  }
  const fresh = Object.entries(fields).filter(([field, value]) => present[field] !== value);
  if (fresh.length === 0) return { events: [], result: { resource: id, changed: false } };
  const patch = [{ id, set: Object.fromEntries(fresh) as NodeFields }];
  return { events: [{ op: 'resource_edit', actor: by.name, patch }], result: { resource: id, changed: true } };
}

function checkedFields({ name, type, available, unit }: ResourceDraft): NodeFields {
  if (available !== undefined && !(Number.isFinite(available) && available >= 0)) {
    throw new TroupeError('bad_input', { what: '--available must be a number of 0 or more.' });
  }
  for (const [field, value] of Object.entries({ name, type, unit })) {
    if (value !== undefined && [...value].length > LIMITS.resourceTextCharacters) {
      throw new TroupeError('too_large', {
        what: `The ${field} of a resource has at most ${LIMITS.resourceTextCharacters} characters.`,
      });
    }
  }
  return {
    ...(name ? { name } : {}),
    ...(type ? { type } : {}),
    ...(available === undefined ? {} : { available }),
    ...(unit ? { unit } : {}),
  };
}
