import type { core } from 'zod/mini';
import { KEYS } from './schema.js';
import { isGuarded } from './settings.js';
import { SETTING_WORDS } from './words.js';

export const SETTING_KINDS = ['flag', 'number', 'choice', 'choices', 'list', 'text'] as const;

/** Control that a form shows for a setting, from its schema. */
export interface SettingForm {
  readonly about: string;
  readonly kind: (typeof SETTING_KINDS)[number];
  /** Accepted values of a choice, or of each entry of `choices`. */
  readonly choices?: readonly string[];
  /** Default, as typed; absent if there is none. */
  readonly usual?: string;
  /** It counts only with the consent of a person on this machine. */
  readonly guarded?: true;
}

export function settingForm(key: string): SettingForm {
  const schema = KEYS.get(key) as core.$ZodTypes | undefined;
  const usual = schema && defaultOf(schema);
  return {
    about: SETTING_WORDS[key] ?? key,
    ...(schema === undefined ? { kind: 'text' } : controlOf(schema)),
    ...(usual === undefined ? {} : { usual: String(usual) }),
    ...(isGuarded(key) ? { guarded: true } : {}),
  };
}

function controlOf(schema: core.$ZodTypes): Pick<SettingForm, 'kind' | 'choices'> {
  const { def } = schema._zod;
  if (def.type === 'optional' || def.type === 'default') return controlOf(def.innerType as core.$ZodTypes);
  if (def.type === 'boolean') return { kind: 'flag' };
  if (def.type === 'number') return { kind: 'number' };
  if (def.type === 'enum') return { kind: 'choice', choices: Object.values(def.entries).map(String) };
  if (def.type !== 'array') return { kind: 'text' };
  const { choices } = controlOf(def.element as core.$ZodTypes);
  return choices === undefined ? { kind: 'list' } : { kind: 'choices', choices };
}

function defaultOf({ _zod: { def } }: core.$ZodTypes): unknown {
  return def.type === 'default' ? def.defaultValue : undefined;
}
