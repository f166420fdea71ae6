import { isComplete } from '#core/coordinator/complete.js';
import type { HostOf } from './host.js';

/** That all is over is news once; what was over before we came was said before. */
export function completionHost(): HostOf<'completion'> {
  let completed: boolean | undefined;
  return {
    facts: async ({ view }) => {
      const complete = isComplete(view);
      if (completed === undefined || !complete) completed = complete;
      return { completed };
    },
    carryOut: {
      note: () => {
        completed = true;
        return 0;
      },
    },
  };
}
