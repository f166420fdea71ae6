/** `$0.42`; an unknown price is no price, never nothing. */
export function sayMoney(usd: number | null | undefined): string {
  return typeof usd === 'number' && Number.isFinite(usd) ? `$${usd.toFixed(2)}` : '–';
}

/** `950`, `12.4k`, `3.1M`. */
export function sayTokens(tokens: number | null | undefined): string {
  if (typeof tokens !== 'number' || !Number.isFinite(tokens)) return '–';
  if (tokens < 1_000) return String(Math.round(tokens));
  if (tokens < 999_950) return `${(tokens / 1_000).toFixed(1)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}
