import { until } from '../scenarios/program.js';
import { type Findings, findingsIn, resultsIn, surely } from './checks.js';
import type { Outcome } from './report.js';
import { type Fault, now, type Strike } from './strike.js';
import type { World } from './world.js';

/** A world that takes longer is stuck. */
const STUCK_MS = 120_000;

/** Strikes a world with one fault after another while there are any, and checks all invariants after each. */
export async function strikeAll(
  world: World,
  faults: () => Fault | undefined,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  await world.whole();
  world.feed();
  for (let fault = faults(); fault !== undefined; fault = faults()) tell(await strikeOnce(world, fault));
  await world.enough();
}

/** Waits for all tasks; returns what is wrong then. */
export async function endOf(world: World): Promise<readonly string[]> {
  const left = await world.finished();
  const { code, stdout, stderr } = await world.checked();
  const check = code === 0 ? [] : [`troupe database check: ${stdout}${stderr}`];
  const stuck = left.length === 0 ? [] : [...left.map((task) => `stuck: ${task}`), ...(await world.standing())];
  return [...stuck, ...check, ...(await surely(() => resultsIn(world)))];
}

async function strikeOnce(world: World, fault: Fault): Promise<Outcome> {
  await world.settled();
  const before = await surely(() => world.facts());
  const strike = await fault.make(world);
  let standing: Promise<readonly string[]> = Promise.resolve([]);
  const bound = setTimeout(
    () => {
      standing = world.standing();
    },
    strike.since + strike.mostMs - now(),
  );
  let recoveredMs: number | undefined;
  const recover = async () => {
    recoveredMs = await strike.recoveryMs();
    return recoveredMs !== undefined;
  };
  await until('it to recover', recover, STUCK_MS).catch(() => undefined); // told as stuck
  clearTimeout(bound);
  await strike.after?.();
  await world.whole();
  const findings = await surely(() => findingsIn(world));
  const { refused } = await surely(() => world.facts());
  const { name } = fault;
  const late = lateness(world, strike, recoveredMs);
  return {
    ...{ name, recoveredMs, mostMs: strike.mostMs },
    ...{ lost: findings.lost.length, endedTwice: findings.endedTwice.length, refused: refused - before.refused },
    wrong: [...wordsOf(findings), ...late, ...(late.length === 0 ? [] : await standing)],
  };
}

/** A recovery that never came or, in a world that waits for its leases, came after its bound. */
function lateness(world: World, { mostMs }: Strike, recoveredMs: number | undefined): readonly string[] {
  if (recoveredMs === undefined) return ['stuck'];
  return recoveredMs <= mostMs || world.isQuick ? [] : [`recovered after ${recoveredMs} ms, not within ${mostMs}`];
}

const wordsOf = (findings: Findings) => Object.values(findings).flat() as string[];
