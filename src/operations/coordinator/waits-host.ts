import { awaitedOutside, type FileFacts } from '#core/graph/wait.js';
import { committed, type HostOf } from './host.js';

/** Looks at the files that tasks wait for, where any waits. */
export function waitsHost(look: (paths: Iterable<string>) => Promise<FileFacts>): HostOf<'waits'> {
  return {
    facts: async ({ view }) => ({
      files: view.count('waiting') === 0 ? new Map() : await look(awaitedOutside(view).paths),
    }),
    carryOut: { 'settle-due': committed },
  };
}
