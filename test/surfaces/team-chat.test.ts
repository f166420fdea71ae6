import { EventEmitter } from 'node:events';
import pc from 'picocolors';
import { expect } from 'vitest';
import { execute } from '#surfaces/cli/commands/team-chat.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { verifies } from '../verifies.js';

/** Follows a chat that holds these messages, until so many pages have been asked for; what it asked and printed. */
async function followed(numbers: readonly number[], input: { after?: number; limit?: number }, pages: number) {
  const out = new EventEmitter();
  const asked: unknown[] = [];
  const printed: number[] = [];
  const line = (text = '') => void printed.push(JSON.parse(text).number);
  const host = {
    out,
    call: async (_: unknown, { after, limit = 100 }: { after?: number; limit?: number }) => {
      asked.push(after);
      if (asked.length === pages) out.emit('close');
      const later = numbers.filter((number) => number > (after ?? 0));
      const page = after === undefined ? later.slice(-limit) : later.slice(0, limit);
      return { team_id: 't', team: 'airlock', messages: page.map((number) => ({ number })) };
    },
  } as unknown as CommandHost;
  const screen = { width: 80, colour: pc.createColors(false), unicode: true, line, aside: line };
  const around = {
    json: true,
    quiet: false,
    folder: '/',
    begunAt: 0,
    entries: async () => [],
    programEntries: async () => [],
  };
  await execute({ ...around, host, screen, input: { ...input, follow: true } });
  return { asked, printed };
}

verifies(
  'team.chat',
  'following goes on after the last message that was printed, from where it was asked to begin',
  async () => {
    expect(await followed([1, 2, 3], { after: 3 }, 2)).toEqual({ asked: [3, 3], printed: [] });
    expect(await followed([1, 2, 3, 4], { after: 1, limit: 1 }, 3)).toEqual({ asked: [1, 2, 3], printed: [2, 3, 4] });
    expect(await followed([1, 2, 3], { limit: 2 }, 2)).toEqual({ asked: [undefined, 3], printed: [2, 3] });
    expect(await followed([], {}, 2)).toEqual({ asked: [undefined, 0], printed: [] });
  },
);
