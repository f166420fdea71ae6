import type { Agent, Entity } from '#core/agency/entities.js';
import { roleText, tradeoffText } from '#core/agency/identity.js';
import { safeJson } from '#kernel/json.js';

/** A role or trade-off begins with the bytes its id is made of; the rest, one key a line, may change. */
export function fileText(entity: Entity): string {
  const { id, name, performance, lineage, more } = entity;
  const end = lines({ ...more, performance, lineage });
  switch (entity.kind) {
    case 'role': {
      const { default_context_scope, default_exec_mode, scheme } = entity;
      const defaults = { default_context_scope, default_exec_mode };
      // One of an older layout keeps what its id is made of.
      const body = scheme === 'legacy' ? lines({ description: entity.description }) : roleText(entity);
      return lines({ id, name }) + body + lines(defaults) + end;
    }
    case 'tradeoff':
      return lines({ id, name }) + tradeoffText(entity) + end;
    case 'agent':
      return lines({ id, name, ...agentFields(entity) }) + end;
  }
}

function agentFields(agent: Agent) {
  const { role_id, tradeoff_id, capabilities, rate, capacity, trust_level, contact, executor } = agent;
  const { preferred_model, preferred_provider, person } = agent;
  return {
    ...{ role_id, tradeoff_id, capabilities, rate, capacity, trust_level, contact, executor },
    ...{ preferred_model, preferred_provider, person },
  };
}

/** JSON is YAML too, and means the same to every reader. */
function lines(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : safeJson(key)}: ${safeJson(value)}\n`)
    .join('');
}
