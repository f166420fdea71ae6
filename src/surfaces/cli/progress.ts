import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { Invocation } from './invocation.js';

/** Prints progress events of this kind until stopped. Does nothing with `--json` or without a graph. */
export async function followProgress(
  op: string,
  { host, screen, json, folder }: Invocation,
): Promise<{ stop(): Promise<void> }> {
  const log = json ? undefined : await host.openLog(folder).catch(unlessCoded);
  if (log === undefined) return { stop: async () => undefined };
  const ended = new AbortController();
  const follow = async () => {
    for await (const { op: kind, detail } of log.follow(log.seq + 1, ended.signal)) {
      if (kind !== op) continue;
      const { number, of, task, name } = detail ?? {};
      screen.aside(`${number} of ${of}: ${inert(String(name))} on ${inert(String(task))}`);
    }
  };
  const following = follow();
  return {
    async stop() {
      ended.abort();
      await following;
      await log.close();
    },
  };
}

function unlessCoded(error: unknown): undefined {
  if (!(error instanceof TroupeError)) throw error;
}
