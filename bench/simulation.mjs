// Simulates 10,000 tasks and 1,000 agents, some of which die, while the service is killed now and then.
import { createHash } from 'node:crypto';
import { fromSource } from '../tooling/from-source.mjs';

const TASKS = 10_000;
const AGENTS = 1_000;
const SCENARIO = {
  seed: 3,
  agents: AGENTS,
  crash: 0.01,
  script: [{ match: '*', takes: '1m..30m', fails: 0.05, dies: 0.05 }],
};

/** Tasks in layers: each one depends on two of the previous layer. */
function layered() {
  return Array.from({ length: TASKS }, (_, number) => {
    const before = Math.floor(number / AGENTS) * AGENTS - AGENTS;
    const after = before < 0 ? [] : [`t${before + (number % AGENTS)}`, `t${before + ((number * 7) % AGENTS)}`];
    const node = { kind: 'task', id: `t${number}`, title: `t${number}`, status: 'open' };
    return { ...node, created_at: '2026-01-01T00:00:00.000Z', after: [...new Set(after)] };
  });
}

export default async () => {
  const { simulate } = await fromSource({ simulate: 'src/core/insight/simulate.ts' });
  const played = () => {
    const begun = performance.now();
    const result = simulate.simulate(layered(), SCENARIO, { now: Date.parse('2026-01-01') });
    const trace = createHash('sha256').update(JSON.stringify(result.entries)).digest('hex');
    return { ms: performance.now() - begun, trace, result };
  };
  const first = played();
  const second = played();
  const { runs, deaths, crashes } = first.result;
  const seconds = first.ms / 1_000;
  return [
    {
      name: `simulation: 10,000 tasks, 1,000 agents, ${runs} runs, ${deaths} deaths, ${crashes} crashes`,
      figure: `${seconds.toFixed(1)} s`,
      bar: '5 s',
      met: seconds <= 5,
    },
    {
      name: 'the same seed again',
      figure: first.trace === second.trace ? 'the same trace' : 'another trace',
      bar: 'the same',
      met: first.trace === second.trace,
    },
  ];
};
