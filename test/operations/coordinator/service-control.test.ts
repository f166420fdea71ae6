import { expect } from 'vitest';
import { callOperation } from '#operations/call.js';
import { specOf } from '#operations/named.js';
import { verifies } from '../../verifies.js';

const STATUS = { pid: 7 };
const VALUES = { max_agents: 2, executor: 'shell', poll_interval: 60, model: null };

/** Calls an operation beside a coordinator that notes what it is told, or without one. */
async function told(name: string, input: object, { isServed = true } = {}) {
  const calls: unknown[] = [];
  const note =
    (verb: string, answer?: unknown) =>
    async (...words: unknown[]) => {
      calls.push([verb, ...words]);
      return answer;
    };
  const coordinator = () => ({
    ...{ pause: note('pause'), resume: note('resume'), shutDown: note('shutDown') },
    ...{ configure: note('configure', VALUES), status: note('status', STATUS) },
  });
  const context = { caller: { kind: 'person', name: 'ann' }, request: {}, ...(isServed ? { coordinator } : {}) };
  const answer = await callOperation(specOf(name), context as never, input).catch((error: unknown) => error);
  return { answer, calls };
}

verifies('one.address', 'the service is steered by operations', async () => {
  expect(await told('service.status', {})).toEqual({ answer: STATUS, calls: [['status']] });
  expect(await told('service.pause', {})).toEqual({ answer: { paused: true }, calls: [['pause']] });
  expect(await told('service.resume', {})).toEqual({ answer: { paused: false }, calls: [['resume']] });
  const values = { max_agents: 2, poll_interval: 60, executor: 'shell', model: 'opus' };
  expect(await told('service.reload', values)).toEqual({ answer: VALUES, calls: [['configure', values]] });
  const how = { killRuns: true, force: false };
  expect(await told('service.stop', { kill_agents: true })).toEqual({
    answer: { stopping: true },
    calls: [['shutDown', how]],
  });
  for (const wrong of [{ max_agents: 0 }, { max_agents: 1.5 }, { poll_interval: 0 }, { colour: 'red' }])
    expect(await told('service.reload', wrong)).toMatchObject({ answer: { code: 'bad_input' }, calls: [] });
});

verifies('one.address', 'where no service runs nothing is steered', async () => {
  const absent = async (name: string) => (await told(name, {}, { isServed: false })).answer;
  for (const name of ['service.status', 'service.resume', 'service.reload', 'service.stop'])
    expect(await absent(name)).toMatchObject({ code: 'service_not_running' });
  expect(await absent('service.pause')).toMatchObject({
    code: 'service_not_running',
    hint: 'There is nothing to pause: without a service, nothing starts.',
  });
});
