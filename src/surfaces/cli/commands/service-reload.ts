import { inert, plural } from '#kernel/text.js';
import type { Invocation } from '../invocation.js';
import { sayMissing } from '../service-client.js';
import { paceOf } from './service-options.js';

interface InForce {
  readonly max_agents: number;
  readonly poll_interval: number;
  readonly executor: string;
  readonly model: string | null;
  readonly executor_missing?: string;
}

export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const { maxAgents, seconds } = paceOf(input);
  const { executor, model } = input;
  const answer = (await host.service(
    {
      cmd: 'reconfigure',
      ...(maxAgents === undefined ? {} : { max_agents: maxAgents }),
      ...(seconds === undefined ? {} : { poll_interval: seconds }),
      ...(typeof executor === 'string' ? { executor } : {}),
      ...(typeof model === 'string' ? { model } : {}),
    },
    folder,
  )) as InForce;
  if (json) screen.line(JSON.stringify(answer));
  else {
    const who = answer.model === null ? answer.executor : `${answer.executor} with ${answer.model}`;
    screen.line(
      `From the next tick on: ${plural(answer.max_agents, 'agent')} at most, a look every ${answer.poll_interval} s, ${inert(who)}.`,
    );
    sayMissing(answer, screen).tell();
  }
  return 0;
}
