/** What the token of a run begins with: whoever sees one, in whatever text, knows it as one. */
export const RUN_TOKEN_PREFIX = 'wgrun_';
export const RUN_TOKEN = /\bwgrun_[\w-]{32}/g;

/** Stands where a secret stood. */
export const MASK = '********';

/** Text without tokens of runs, whatever else stands in it. Apart from the other secrets, as every command loads this. */
export function withoutRunTokens(text: string): string {
  return text.replace(RUN_TOKEN, MASK);
}
