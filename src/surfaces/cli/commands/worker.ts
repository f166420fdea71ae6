import { parseDuration } from '#kernel/duration.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { inert } from '#kernel/text.js';
import type { WorkerAtWork, WorkerNews, WorkerOptions } from '#surfaces/cli/host.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { wholeNumber } from '#surfaces/cli/option-values.js';
import { agreeToLeaders } from './worker-leaders.js';

/**
 * Runs a worker in the foreground and prints one line per event until it has drained, on request or after a signal. A
 * second signal ends the grace period.
 */
export async function startWorker(invocation: Invocation): Promise<number> {
  const { host, input, folder } = invocation;
  const graceMs = typeof input['grace'] === 'string' ? parseDuration(input['grace']) : WORKER_LIMITS.graceMs;
  const worker = await host.openWorker(optionsIn(input), folder);
  try {
    await agreeToLeaders(invocation, worker.choice);
    let life: WorkerAtWork | undefined;
    let signals = 0;
    const drain = () => {
      life?.drain(signals > 1 ? 0 : graceMs).catch(() => undefined); // `drained` reports it
    };
    const hear = () => {
      signals++;
      drain();
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
    try {
      life = await worker.start((news) => tell(invocation, news));
      if (signals > 0) drain();
      await life.drained;
    } finally {
      process.off('SIGINT', hear);
      process.off('SIGTERM', hear);
      await life?.close();
    }
    return 0;
  } finally {
    await worker.close();
  }
}

function optionsIn(input: Invocation['input']): WorkerOptions {
  const { name } = input;
  const texts = (field: string) => (Array.isArray(input[field]) ? input[field].map(String) : []);
  return {
    ...(typeof name === 'string' ? { name } : {}),
    slots: wholeNumber(input['slots'], WORKER_LIMITS.slots, 'slots', WORKER_LIMITS.slotsMost),
    labels: texts('labels'),
    executors: texts('executors'),
  };
}

function tell({ screen, json }: Invocation, news: WorkerNews): void {
  if (json) screen.line(JSON.stringify(news));
  else screen.line([news.event.padEnd(8), (news.run ?? '').padEnd(10), inert(news.text)].join('  ').trimEnd());
}
