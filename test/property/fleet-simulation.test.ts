import { expect } from 'vitest';
import { type FleetScenario, layered, SimulatedFleet } from '../simulated-fleet.js';
import { verifies } from '../verifies.js';

const SCENARIO: FleetScenario = {
  ...{ seed: 5, tasks: 1_000, workers: 50, slots: 2, layer: 95, takesMs: [60_000, 540_000] },
  ...{
    gpuWorkers: 10,
    gpuTasks: 40,
    dies: 0.01,
    restMs: 2_000,
    leaderDies: [300_000, 1_000_000],
    untilMs: 24 * 3_600_000,
  },
  database: { commitMs: 5, eventMs: 0.05, queryMs: 1, openMs: 500 },
  stopwatch: () => () => 3, // nothing depends on the machine
};

verifies(
  'fleet.sim',
  'fifty workers do a thousand tasks once each, though some of them die, and the leader twice',
  async () => {
    const nodes = layered(SCENARIO);
    const played = await new SimulatedFleet(nodes, SCENARIO).play();
    expect([played.left, played.inProgress]).toEqual([0, 0]);
    expect(played.completed.size).toBe(1_000);
    expect([...played.completed].filter(([, times]) => times !== 1)).toEqual([]);
    expect([played.endedTwice, played.wrongLabels]).toEqual([0, 0]);
    expect(played.mostAtOnce, 'no worker has more than its slots').toBe(2);
    expect(played.recoveries).toHaveLength(2);
    for (const recovery of played.recoveries) expect(recovery).toBeLessThan(20_000); // lease and 5 s
    const short = { ...SCENARIO, untilMs: 300_000, leaderDies: [100_000] };
    const events = async () => (await new SimulatedFleet(nodes, short).play()).events;
    expect(await events(), 'the same seed, the same story').toBe(await events());
  },
);
