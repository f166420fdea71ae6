import type { SettingRow } from './setting-row.js';
import { typedValue } from './settings.js';

/** Settings required to start with a real client, in the order of the questions. */
export const SETUP_KEYS = {
  executor: 'coordinator.executor',
  max_agents: 'coordinator.max_agents',
  usd_per_day: 'budget.usd_per_day',
  land: 'coordinator.land',
} as const;
export type SetupField = keyof typeof SETUP_KEYS;
export const SETUP_FIELDS = Object.keys(SETUP_KEYS) as readonly SetupField[];

/** Answers as typed. */
export type SetupAnswers = Readonly<Record<SetupField, string>>;

/** Answer instead of an amount: unlimited cost per day. */
export const NO_BOUND = 'none';
/** Proposed amount per day in US dollars if none is set. */
const A_DAY = '5';

export interface SettingChange {
  readonly key: string;
  /** Effective value; undefined if it is unset and has no default. */
  readonly before?: string | number | boolean;
  /** New value; undefined removes the setting from the file. */
  readonly value?: string | number | boolean | readonly string[];
}

/**
 * Proposed answers: the effective values. The client must be installed, and an amount per day is proposed even if none
 * is set.
 */
export function setupProposals(rows: readonly SettingRow[], clients: readonly string[]): Partial<SetupAnswers> {
  const inForce = (field: SetupField) => rowOf(rows, field)?.value;
  const executor = clients.find((name) => name === inForce('executor')) ?? clients[0];
  return {
    ...(executor === undefined ? {} : { executor }),
    max_agents: String(inForce('max_agents')),
    usd_per_day: String(inForce('usd_per_day') ?? A_DAY),
    land: String(inForce('land')),
  };
}

/** Value of a setting for an answer; undefined removes the setting. Errors: `bad_config` for an invalid answer. */
export function answeredValue(field: SetupField, typed: string): SettingChange['value'] {
  if (field === 'usd_per_day' && typed === NO_BOUND) return undefined;
  return typedValue(SETUP_KEYS[field], typed);
}

/** Changes to the file that the answers require; values already in the file are left out. */
export function setupChanges(rows: readonly SettingRow[], answers: SetupAnswers): readonly SettingChange[] {
  return SETUP_FIELDS.flatMap((field) => {
    const value = answeredValue(field, answers[field]);
    const { value: before, from } = rowOf(rows, field) ?? {};
    const said = from === 'file' ? before : undefined;
    if (said === value) return [];
    const key = SETUP_KEYS[field];
    return { key, ...(before === undefined ? {} : { before }), ...(value === undefined ? {} : { value }) };
  });
}

const rowOf = (rows: readonly SettingRow[], field: SetupField) => rows.find(({ key }) => key === SETUP_KEYS[field]);
