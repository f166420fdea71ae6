const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number that somebody typed, in decimal digits; undefined for anything else: words, hexadecimal, what is too large to be
 * told apart from infinity or too small to be told apart from nothing.
 */
export function typedNumber(text: string): number | undefined {
  const typed = text.trim();
  const value = DECIMAL.test(typed) ? Number(typed) : Number.NaN;
  if (!Number.isFinite(value)) return undefined;
  return value === 0 && /[1-9]/.test(typed.split(/e/i)[0] ?? '') ? undefined : value;
}
