import type { OptionSpec, OptionType } from '#operations/operation-spec.js';

/** Properties of a flag beside its name, value and summary; the field is named like the flag unless it is given. */
type More = Partial<Omit<OptionSpec, 'flag' | 'type' | 'value' | 'summary'>>;

/** A flag without a value. */
export function switchFlag(flag: string, summary: string, more: More = {}): OptionSpec {
  return { flag, field: flag.replaceAll('-', '_'), type: 'switch', summary, ...more };
}

const flagOf =
  (type: OptionType) =>
  (flag: string, value: string, summary: string, more: More = {}): OptionSpec => ({
    ...switchFlag(flag, summary, more),
    ...{ type, value },
  });

export const textFlag = flagOf('text');
export const numberFlag = flagOf('number');
/** A flag that may be repeated, and whose value splits at commas. */
export const listFlag = flagOf('list');
