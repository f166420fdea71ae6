import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { channelsOf, DatabaseChannel } from './channel.js';
import type { PostgresDatabase } from './database.js';

/** Polls until a request is answered: a few times at once, then at each notification of its id and every second. */
export async function untilAnswered<Answer>(
  database: PostgresDatabase,
  id: string,
  look: () => Promise<Answer | undefined>,
): Promise<Answer> {
  for (const milliseconds of DATABASE_LIMITS.firstLooksMs) {
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
      await channel.listen(); // reconnects if the connection was lost
      const answer = await look();
      if (answer !== undefined) return answer;
      await soon(heard);
    }
  } finally {
    await channel.close();
  }
}

/** Resolves on a notification or when the next poll is due. */
async function soon(heard: Promise<void>): Promise<void> {
  const over = new AbortController();
  const look = delay(DATABASE_LIMITS.requestLookMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([heard, look]);
  over.abort();
}
