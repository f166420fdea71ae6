import { inert } from '#kernel/text.js';
import { ago } from './ago.js';

const NAMED_MOST = 3;

/** One line that lists silent workers, and the command that shows them. */
export function silentText(workers: readonly { readonly name: string; readonly since: string }[], at: string): string {
  const named = workers
    .slice(0, NAMED_MOST)
    .map(({ name, since }) => `${inert(name)} (heard ${ago(since, Date.parse(at))})`);
  const more = workers.length > NAMED_MOST ? ` and ${workers.length - NAMED_MOST} more` : '';
  return `Silent: ${named.join(', ')}${more}. What they had is given to others: \`troupe machines\``;
}
