import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { channelsOf, DatabaseChannel } from './channel.js';
import type { PostgresDatabase } from './database.js';

/** In milliseconds: most answers come sooner than another connection could be opened to hear of them. */
const FIRST_LOOKS = [2, 4, 8, 16, 32];

/** Looks for the answer to a request until there is one: a few times soon, then whenever its id is notified, and every second. */
export async function untilAnswered<Answer>(
  database: PostgresDatabase,
  id: string,
  look: () => Promise<Answer | undefined>,
): Promise<Answer> {
  for (const milliseconds of FIRST_LOOKS) {
    await delay(milliseconds);
    const answer = await look();
    if (answer !== undefined) return answer;
  }
  let wake: () => void = () => undefined;
  const channel = new DatabaseChannel(database, channelsOf(database).answers, (answered) => {
    if (answered === id) wake();
  });
  try {
    for (;;) {
      const heard = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await channel.listen(); // again where the connection was lost
      const answer = await look();
      if (answer !== undefined) return answer;
      await soon(heard);
    }
  } finally {
    await channel.close();
  }
}

/** Until it was heard, or it is time to look. */
async function soon(heard: Promise<void>): Promise<void> {
  const over = new AbortController();
  const look = delay(DATABASE_LIMITS.farLookMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([heard, look]);
  over.abort();
}
