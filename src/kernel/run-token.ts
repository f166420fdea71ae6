/** Prefix of the tokens of runs, by which they are recognised in any text. */
export const RUN_TOKEN_PREFIX = 'wgrun_';
export const RUN_TOKEN = /\bwgrun_[\w-]{32}/g;

/** Replacement of a secret. */
export const MASK = '********';

/** Masks the tokens of runs in a text. Separate from the other secrets, because every command loads it. */
export function withoutRunTokens(text: string): string {
  return text.replace(RUN_TOKEN, MASK);
}
