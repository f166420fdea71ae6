import type { ArgumentSpec, OptionSpec } from '#operations/operation-spec.js';

// In a separate file because every command line loads these options.
export const MAYBE_TEAM = {
  field: 'team',
  summary: 'Its name or id (default: your current team)',
} as const satisfies ArgumentSpec;
export const CHAT_OPTIONS = [
  { flag: 'after', field: 'after', type: 'number', value: 'N', summary: 'Only messages after this one' },
  { flag: 'limit', field: 'limit', type: 'number', value: 'N', summary: 'At most N' },
] as const satisfies readonly OptionSpec[];
