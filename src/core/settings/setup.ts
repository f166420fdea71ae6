import type { SettingRow } from './settings.js';
import { typedValue } from './settings.js';

/** What one needs to say to begin with a real client, each with the setting that holds it, in the order in which it is asked. */
export const SETUP_KEYS = {
  executor: 'coordinator.executor',
  max_agents: 'coordinator.max_agents',
  usd_per_day: 'budget.usd_per_day',
  land: 'coordinator.land',
} as const;
export type SetupField = keyof typeof SETUP_KEYS;
export const SETUP_FIELDS = Object.keys(SETUP_KEYS) as readonly SetupField[];

/** As typed. */
export type SetupAnswers = Readonly<Record<SetupField, string>>;

/** Said instead of an amount: nothing bounds what a day costs. */
export const NO_BOUND = 'none';
/** In US dollars, where nobody has said anything yet. */
const A_DAY = '5';

export interface SettingChange {
  readonly key: string;
  /** What holds now; undefined where nobody says anything and there is no default. */
  readonly before?: string | number | boolean;
  /** Undefined: the setting is taken out of the file. */
  readonly value?: string | number | boolean | readonly string[];
}

/** What is proposed for each answer: what holds now. Of the clients one that is here, and for a day an amount even where there is none. */
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

/** The value that an answer gives its setting; undefined takes it away. `bad_config` for an answer that it cannot have. */
export function answeredValue(field: SetupField, typed: string): SettingChange['value'] {
  if (field === 'usd_per_day' && typed === NO_BOUND) return undefined;
  return typedValue(SETUP_KEYS[field], typed);
}

/** What the answers change in the file: all that it does not say already. */
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
