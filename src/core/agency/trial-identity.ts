// Role and trade-off of a trial: a changed one is not yet in any file of the agency.
import type { Trial } from '#core/graph/trial.js';
import type { JsonObject } from '#kernel/json.js';
import type { Role, Tradeoff } from './entities.js';
import { idOf, roleText, tradeoffText } from './entity-text.js';
import { agencyOf } from './read.js';

export interface TrialIdentity {
  readonly role: Role | undefined;
  readonly tradeoff: Tradeoff | undefined;
}

/** Records of both for an attempt, without their scores. */
export function trialRecords({ role, tradeoff }: TrialIdentity): Pick<Trial, 'role' | 'tradeoff'> {
  return { role: role && roleRecord(role), tradeoff: tradeoff && tradeoffRecord(tradeoff) };
}

/** Parses the records of a trial; a record that does not match its id is dropped. */
export function trialIdentity({ role, tradeoff }: Trial): TrialIdentity {
  const record = (kind: 'role' | 'tradeoff', value: JsonObject | undefined) =>
    value === undefined ? [] : [{ kind, id: String(value['id']), file: 'trial', retired: false, value }];
  const agency = agencyOf([...record('role', role), ...record('tradeoff', tradeoff)], []);
  return { role: agency.all('role')[0], tradeoff: agency.all('tradeoff')[0] };
}

function roleRecord(role: Role): JsonObject {
  const { name, description, skills, desired_outcome, default_context_scope, default_exec_mode } = role;
  return {
    id: idOf(roleText(role)),
    name,
    description,
    desired_outcome,
    skills: skills.map((skill) => ({ ...skill })),
    ...(default_context_scope === undefined ? {} : { default_context_scope }),
    ...(default_exec_mode === undefined ? {} : { default_exec_mode }),
  };
}

function tradeoffRecord(tradeoff: Tradeoff): JsonObject {
  const { name, description, acceptable_tradeoffs, unacceptable_tradeoffs } = tradeoff;
  return {
    id: idOf(tradeoffText(tradeoff)),
    name,
    description,
    acceptable_tradeoffs: [...acceptable_tradeoffs],
    unacceptable_tradeoffs: [...unacceptable_tradeoffs],
  };
}
