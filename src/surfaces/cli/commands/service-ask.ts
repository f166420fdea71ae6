import { formatDuration } from '#kernel/duration.js';
import { plural } from '#kernel/text.js';
import type { Invocation } from '../invocation.js';

export interface ServiceStatus {
  readonly pid: number;
  readonly started_at: string;
  readonly agents: { readonly alive: number };
  readonly coordinator: {
    readonly paused: boolean;
    readonly max_agents: number;
    readonly ticks: number;
    readonly tasks_ready: number;
  };
}

/** `service status|pause|resume`: asks, then says in one line how the service is. */
export async function ask(
  { host, screen, json, folder }: Invocation,
  word: 'status' | 'pause' | 'resume',
): Promise<number> {
  const answer = await host.service({ cmd: word }, folder);
  if (json) screen.line(JSON.stringify(answer));
  else if (word === 'pause') screen.line('Paused: nothing new starts, also after a restart.');
  else screen.line(word === 'resume' ? 'Going on.' : serviceLine(answer as ServiceStatus));
  return 0;
}

export function serviceLine({ pid, started_at, agents, coordinator }: ServiceStatus): string {
  const up = formatDuration(Date.now() - Date.parse(started_at));
  const state = coordinator.paused ? 'paused' : 'running';
  return `Service ${state} for ${up} (pid ${pid}): ${agents.alive} of ${coordinator.max_agents} agents at work, ${plural(coordinator.tasks_ready, 'task')} ready, ${plural(coordinator.ticks, 'tick')}.`;
}
