import { formatDuration } from '#kernel/duration.js';
import { plural } from '#kernel/text.js';
import type { Invocation } from '../invocation.js';

interface ServiceStatus {
  readonly pid: number;
  readonly started_at: string;
  readonly agents: { readonly alive: number };
  readonly coordinator: { readonly paused: boolean; readonly max_agents: number; readonly ticks: number };
}

/** `service status|tick|pause|resume`: asks, then says in one line how the service is. */
export async function ask(
  { host, screen, json, folder }: Invocation,
  word: 'status' | 'tick' | 'pause' | 'resume',
): Promise<number> {
  const answer = await host.service({ cmd: word }, folder);
  if (json) {
    screen.line(JSON.stringify(answer));
    return 0;
  }
  if (word === 'pause' || word === 'resume') {
    screen.line(word === 'pause' ? 'Paused: nothing new starts.' : 'Going on.');
    return 0;
  }
  const { pid, started_at, agents, coordinator } = answer as ServiceStatus;
  const up = formatDuration(Date.now() - Date.parse(started_at));
  const state = coordinator.paused ? 'paused' : 'running';
  screen.line(
    `Service ${state} for ${up} (pid ${pid}): ${agents.alive} of ${coordinator.max_agents} agents at work, ${plural(coordinator.ticks, 'tick')}.`,
  );
  return 0;
}
