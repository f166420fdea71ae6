import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { Output } from '#operations/map.js';
import type { ResourceAnswer } from '#operations/resource-address.js';
import type { OrganisationAnswer } from './contract.js';

/** Selects the part of an operation's answer that a resource address sends. Errors: `not_found` for a missing part. */
export function partOf(answer: unknown, wanted: ResourceAnswer | undefined): unknown {
  if (wanted === undefined) return answer;
  if ('wrap' in wanted) return { [wanted.wrap]: [answer] };
  if ('shape' in wanted) return organisation(answer as Output<'roster.check'>);
  const fields = isJsonObject(answer) ? answer : {};
  if ('first' in wanted) return [fields[wanted.first]].flat()[0];
  if ('part' in wanted) return present(fields[wanted.part], wanted.missing);
  const { pick, defaults = {}, missing } = wanted;
  return Object.fromEntries(
    pick.map((field) => {
      const value = fields[field] ?? defaults[field];
      return [field, missing === undefined ? value : present(value, missing)];
    }),
  );
}

/** Answer in place of a refusal: of a resource that is absent and can be shown as empty. */
export function emptyOf(error: unknown, wanted: ResourceAnswer | undefined): JsonObject | undefined {
  if (!(error instanceof TroupeError) || wanted === undefined) return undefined;
  if ('wrap' in wanted && error.code === wanted.none) return { [wanted.wrap]: [] };
  if ('shape' in wanted && error.code === 'config_not_found') return { agents: [], more: 0, problems: 0 };
  return undefined;
}

function present(value: unknown, missing: string): unknown {
  if (value === undefined || value === null) throw new TroupeError('not_found', { what: missing });
  return value;
}

/** All participants of the configuration around the project and the agents each leads. */
const organisation = ({ agents, problems }: Output<'roster.check'>): OrganisationAnswer => ({
  agents: agents.slice(0, SURFACE_LIMITS.organisationRows),
  more: Math.max(0, agents.length - SURFACE_LIMITS.organisationRows),
  problems: problems.length,
});
