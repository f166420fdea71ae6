import { inert } from '#kernel/text.js';

/** One log entry of a lane: a heading, and one line for each key. Empty values become `none`. */
export function logEntry(heading: string, keys: Readonly<Record<string, string | readonly string[]>>): string {
  const rows = Object.entries(keys).map(([key, value]) => {
    const text = typeof value === 'string' ? value : value.join('; ');
    return `- ${key}: ${inert(text).trim() || 'none'}`;
  });
  return [`## ${inert(heading)}`, '', ...rows, ''].join('\n');
}
