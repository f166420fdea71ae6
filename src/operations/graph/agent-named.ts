import type { Context } from '#operations/operation.js';

/**
 * The id of the agent a person means by a name, an id or the beginning of one; undefined when nobody is named. `not_found`
 * with the nearest name, `ambiguous_id`. The agency is loaded only when somebody is named.
 */
export async function agentNamed(context: Context, word: string | undefined): Promise<string | undefined> {
  if (word === undefined) return undefined;
  const { loadAgency } = await import('#operations/agency/open.js');
  return (await loadAgency(context)).find('agent', word).id;
}
