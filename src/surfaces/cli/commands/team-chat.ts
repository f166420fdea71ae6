import { setTimeout as pause } from 'node:timers/promises';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { printMessage, renderers } from '#surfaces/cli/render/teams.js';
import { untilInterrupted } from '#surfaces/cli/until-interrupted.js';
import { callNamed } from './call-named.js';

/** Prints the messages of a team once, or follows them; with `--json`, following prints one JSON line per message. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, screen, json, folder, input } = invocation;
  const { team, after, limit, follow } = input;
  const named = typeof team === 'string' ? { team } : {};
  const page = (from: number | undefined) => {
    const bounds = { ...(from === undefined ? {} : { after: from }), ...(typeof limit === 'number' ? { limit } : {}) };
    return callNamed(host, 'team.chat', { ...named, ...bounds }, folder);
  };
  const begin = typeof after === 'number' ? after : undefined;
  const first = await page(begin);
  if (follow !== true) {
    if (json) screen.line(JSON.stringify(first));
    else renderers['team.chat'](first, screen);
    return 0;
  }
  await untilInterrupted(host.out, async (signal) => {
    for (let [answer, last] = [first, begin ?? 0]; ; ) {
      for (const message of answer.messages) {
        if (json) screen.line(JSON.stringify(message));
        else printMessage(message, screen);
        last = message.number;
      }
      await pause(WORK_LIMITS.outputFollowMs, undefined, { signal });
      answer = await page(last);
    }
  });
  return 0;
}
