import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { CallerIdentifier, isElsewhere } from '#adapters/processes/caller-identifier.js';
import { shownName } from '#adapters/processes/shown-name.js';
import { sha256 } from '#kernel/hash.js';
import type { Caller } from '#ports/callers.js';
import type { Peers } from '#ports/processes.js';
import type { RunAtWork } from '#ports/run-folders.js';
import type { IntroductionRequest } from '#surfaces/socket/protocol.js';
import { NO_RUNS } from '../../no-runs.js';
import { room } from '../../room.js';
import { MARK, machine, type Seen, UNLIMITED } from '../../seen-machine.js';
import { verifies } from '../../verifies.js';

const AGENTS = '/project/.workgraph/agents';
const RUN: RunAtWork = { id: 'agent-7', process: { pid: 700, start: '5000' } };
const HOLDER = { kind: 'person', name: 'tess' } as const;
/** Beyond every process id that a system gives: the test itself may have any other. */
const NO_PROCESS = 5_000_000;
const PORTS = { from: 50_000, address: '127.0.0.1', to: 4_000 };

const LINE = '{"cmd":"identify"}';
const introduction = (pid: number): IntroductionRequest => ({ cmd: 'identify', pid, nonce: 'n', asks: sha256('x') });

function askersOn(peers: Peers, runs: readonly RunAtWork[]) {
  const named = (folder: string) => (folder.startsWith(`${AGENTS}/`) ? folder.slice(AGENTS.length + 1) : undefined);
  const identity = async () => ({ taskId: 'a', fence: 3, mail: 'none', tokenHash: sha256('token') }) as const;
  const askers = new CallerIdentifier({
    known: async (caller) => caller,
    peers,
    folders: async () => ({ ...NO_RUNS, named, identity }),
    atWork: () => runs,
    isElsewhere: (folder) => folder !== AGENTS,
  });
  return {
    proven: async (pid: number, claim?: Caller) => {
      const asker = askers.introduced(introduction(pid), LINE) ?? askers.unintroduced();
      return await askers.proven({ caller: claim }, asker).catch((error: { code: string }) => error.code);
    },
    connected: async (by: 'session' | 'token') =>
      await askers.connected(PORTS, HOLDER, by).catch((error: { code: string }) => error.code),
  };
}

const run = { 700: { limit: MARK } };

verifies('door.socket', 'a process without the mark of runs is a person, in whose name it was started', async () => {
  const shell = { limit: UNLIMITED, environment: ['USER=ann'], shows: shownName(LINE) };
  const { proven } = askersOn(machine({ ...run, 900: shell }), [RUN]);
  expect(await proven(900)).toEqual({ kind: 'person', name: 'ann' });
});

verifies('door.socket', 'a process with the mark is a run, whatever its environment and parents say', async () => {
  const shows = shownName(LINE);
  const below = { limit: MARK, environment: [`WG_RUN=${AGENTS}/agent-7`, 'WG_RUN_TOKEN=token'], shows };
  const { proven } = askersOn(machine({ ...run, 900: below, 901: { limit: MARK, shows } }), [RUN]);
  expect(await proven(900)).toEqual({ kind: 'run', name: 'agent-7', taskId: 'a', fence: 3, token: 'token' });
  expect(await proven(901)).toBe('not_yours');
  const lower = askersOn(machine({ 901: { limit: 5, shows } }), []);
  expect(await lower.proven(901), 'its run has ended, and it went on lower').toBe('not_yours');
});

verifies('door.socket', 'what cannot be seen is a person only while no process may be a run', async () => {
  const shell = { limit: UNLIMITED, environment: ['USER=ann'] };
  expect(await askersOn(machine({ ...run, 900: shell }), [RUN]).proven(900), 'another shows the name').toBe(
    'caller_unclear',
  );
  expect(await askersOn(machine({ ...run }), []).proven(12), 'one went on after its run').toBe('caller_unclear');
  expect(await askersOn(machine({ 900: shell }), []).proven(12)).toMatchObject({ kind: 'person' });
  // Processes that end while they are looked at are no reason to refuse a person; one that never can be looked at is.
  const ending = (times: number): Peers => {
    let looks = 0;
    return { ...machine({}), below: () => (looks++ < times ? [NO_PROCESS + looks] : []) };
  };
  expect(await askersOn(ending(3), []).proven(12), 'three ended, then there was none').toMatchObject({
    kind: 'person',
  });
  expect(await askersOn(ending(1_000), []).proven(12)).toBe('caller_unclear');
  // Where processes may take the mark off, lacking it says nothing: one that is younger than the run may come from it.
  const bare = { ...shell, shows: shownName(LINE) };
  expect(await askersOn(machine({ ...run, 900: bare }, false), [RUN]).proven(900)).toBe('caller_unclear');
  // A run that an earlier version started has no mark.
  expect(await askersOn(machine({ 700: { limit: UNLIMITED }, 900: bare }), [RUN]).proven(900)).toBe('caller_unclear');
});

verifies('one.caller', 'in whose name a change is made, no request says', async () => {
  const { proven } = askersOn(machine({}), []);
  const said = await proven(12);
  expect(said).toMatchObject({ kind: 'person' });
  expect(await proven(12, { kind: 'person', name: 'ida' })).toEqual(said);
});

verifies(
  'door.socket',
  'runs of another project are nobody here: only their launcher shows that they are',
  async () => {
    const launcher = (agents: string) => ({ limit: UNLIMITED, words: ['bash', 'run.sh', '--serve', agents, 'ends'] });
    const below = { 701: { limit: MARK, parent: 600 }, 702: { limit: MARK, parent: 701, hides: true } } as const;
    const others = { 600: launcher('/other/agents'), ...below };
    expect(await askersOn(machine(others), []).proven(12)).toMatchObject({ kind: 'person' });
    expect(await askersOn(machine({ ...run, ...others }), [RUN]).connected('token')).toMatchObject({ kind: 'person' });
    const holder = machine({ ...others, 703: { limit: MARK, parent: 701, connected: true } });
    expect(await askersOn(holder, []).connected('session'), 'what belongs to a person here').toBe('not_yours');
    // A run says it is another project's: by its words, by an ancestor of its own, by one that may adopt orphans.
    const claims: Readonly<Record<number, Seen>>[] = [
      { 701: { ...launcher('/other/agents'), limit: MARK } },
      { 600: { ...launcher('/other/agents'), limit: MARK }, ...below },
      { 600: { limit: UNLIMITED, words: ['tmux'] }, ...below },
      { 600: launcher(AGENTS), ...below },
    ];
    for (const claim of claims) expect(await askersOn(machine(claim), []).proven(12)).toBe('caller_unclear');
  },
);

verifies('door.socket', 'a folder of runs is another only where both are known to differ', () => {
  const [own, other] = [room('own'), room('other')];
  const link = path.join(other, 'link');
  symlinkSync(own, link);
  expect([own, link, path.join(other, 'gone')].filter((folder) => isElsewhere(folder, own))).toEqual([]);
  expect(isElsewhere(other, own)).toBe(true);
});

verifies('door.socket', 'a token or session in the hands of a run is no person', async () => {
  const browser = { limit: UNLIMITED, connected: true } as const;
  const person = { kind: 'person', name: 'tess' };
  for (const by of ['session', 'token'] as const) {
    expect(await askersOn(machine({ ...run, 900: browser }), [RUN]).connected(by)).toEqual(person);
    expect(await askersOn(machine({ 700: { limit: MARK, connected: true } }), [RUN]).connected(by)).toMatchObject({
      kind: 'run',
    });
    expect(await askersOn(machine({ ...run, 901: { limit: MARK, connected: true } }), [RUN]).connected(by)).toBe(
      'not_yours',
    );
    expect(await askersOn(machine({}), []).connected(by)).toEqual(person);
  }
  const gone = { ...machine(run), holdersOf: () => undefined };
  expect(await askersOn(gone, [RUN]).connected('token'), 'whoever asked hung up at once').toBe('caller_unclear');
  // A marked process that ends while the machine is gone through shows no files, and may have left a child.
  for (const [child, caller] of [
    [{}, person],
    [{ 903: { limit: MARK, connected: true } }, 'not_yours'],
    [{ 903: { limit: MARK, hides: true } }, 'caller_unclear'],
  ] as const) {
    const left = machine({ ...run, ...child });
    let looks = 0;
    const below: typeof left.below = (limit) => (looks++ === 0 ? [902] : left.below(limit));
    const peers = { ...left, below, hidesFiles: (pid: number) => pid === 902 || left.hidesFiles(pid) };
    expect(await askersOn(peers, [RUN]).connected('token')).toEqual(caller);
  }
  const endless = { ...machine(run), below: () => [902], hidesFiles: () => true };
  expect(await askersOn(endless, [RUN]).connected('token')).toBe('caller_unclear');
  // A marked process that lets nobody see its files may be the one; so may any where the mark can be taken off.
  for (const peers of [machine({ ...run, 901: { limit: MARK, hides: true } }), machine({ ...run }, false)]) {
    expect(await askersOn(peers, [RUN]).connected('token')).toBe('caller_unclear');
    expect(await askersOn(peers, [RUN]).connected('session'), 'a browser that a person let in').toEqual(person);
  }
});

verifies(
  'door.socket',
  'a connection that was a person’s before any run began stays so; one of later does not',
  async () => {
    let begun: readonly RunAtWork[] = [];
    let looked = 0;
    const below = () => {
      looked++;
      return [];
    };
    let asked = 0;
    const known = async (caller: Caller) => {
      asked++;
      return caller;
    };
    const askers = new CallerIdentifier({
      known,
      peers: { ...machine({}), below },
      folders: async () => NO_RUNS,
      atWork: () => begun,
      isElsewhere: () => false,
    });
    const early = askers.unintroduced();
    const late = askers.unintroduced();
    expect(await askers.proven({}, early)).toMatchObject({ kind: 'person' });
    begun = [RUN];
    expect(await askers.proven({}, early)).toMatchObject({ kind: 'person' });
    expect(looked, 'the processes of the machine are gone through once a connection').toBe(1);
    expect(asked, 'so are the settings of the person').toBe(1);
    await expect(askers.proven({}, late)).rejects.toMatchObject({ code: 'caller_unclear' });
  },
);
