const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Parses a typed decimal number; undefined for anything else: words, hexadecimal, and numbers that overflow to infinity
 * or underflow to zero.
 */
export function parseDecimal(text: string): number | undefined {
  const typed = text.trim();
  const value = DECIMAL.test(typed) ? Number(typed) : Number.NaN;
  if (!Number.isFinite(value)) return undefined;
  return value === 0 && /[1-9]/.test(typed.split(/e/i)[0] ?? '') ? undefined : value;
}
