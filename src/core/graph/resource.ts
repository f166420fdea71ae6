import type { Plan } from '#core/graph/event.js';
import { isIdForm } from '#core/graph/slug.js';
import type { NodeFields } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { isResource } from './known-resource.js';

export const REQUIRES = taskField('requires', anything);

export interface ResourceDraft {
  readonly id: string;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly available?: number | undefined;
  readonly unit?: string | undefined;
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
    if (value !== undefined && [...value].length > SURFACE_LIMITS.resourceTextCharacters) {
      throw new TroupeError('too_large', {
        what: `The ${field} of a resource has at most ${SURFACE_LIMITS.resourceTextCharacters} characters.`,
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
