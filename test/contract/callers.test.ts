import { CallerIdentifier } from '#adapters/processes/caller-identifier.js';
import { shownName } from '#adapters/processes/shown-name.js';
import type { Introduction } from '#ports/callers.js';
import type { RunAtWork } from '#ports/run-folders.js';
import { NO_RUNS } from '../no-runs.js';
import { MARK, machine, UNLIMITED } from '../seen-machine.js';
import { callersContract, IDENTITIES, type Origin } from './callers.js';

const AGENTS = '/project/.workgraph/agents';
const PIDS: Readonly<Record<Origin, number>> = { person: 900, run: 701, stranger: 999 };
const AT_WORK: readonly RunAtWork[] = [{ id: 'agent-7', process: { pid: 700, start: '5000' } }];
const OF_RUN = ['USER=ann', `WG_RUN=${AGENTS}/agent-7`, 'WG_RUN_TOKEN=token-of-7'];

/** On a machine where the processes of a run have its mark and name it, and the others do not. */
function onThisMachine(below: Origin) {
  const line = ({ pid, asks }: Introduction) => JSON.stringify({ cmd: 'identify', pid, asks });
  const seen = (pid: number, asks: string) => ({ shows: shownName(line({ pid, asks })) });
  const terminal = { limit: UNLIMITED, environment: ['USER=ann'] };
  const ofRun = { limit: MARK, environment: OF_RUN };
  // A process shows a name only while it asks: here what it introduced last.
  const shown: Record<number, { shows: string }> = {};
  const processes = () => ({
    700: { limit: MARK },
    [PIDS.run]: { ...ofRun, ...shown[PIDS.run] },
    [PIDS.person]: { ...terminal, ...shown[PIDS.person] },
    [process.pid]: below === 'run' ? ofRun : terminal,
  });
  const peers = {
    ...machine(processes()),
    shows: (pid: number, name: string) => machine(processes()).shows(pid, name),
  };
  const callers = new CallerIdentifier({
    peers,
    folders: async () => ({
      ...NO_RUNS,
      atWork: async () => AT_WORK,
      named: (folder) => (folder.startsWith(`${AGENTS}/`) ? folder.slice(AGENTS.length + 1) : undefined),
      identity: async (run) => IDENTITIES[run],
    }),
    atWork: () => AT_WORK,
    isElsewhere: () => false,
    known: async (caller) => caller,
  });
  return {
    callers,
    introduction: (from: Origin, asks: string) => {
      const pid = PIDS[from];
      if (from !== 'stranger') shown[pid] = seen(pid, asks);
      return { introduction: { pid, asks }, line: line({ pid, asks }) };
    },
  };
}

callersContract('this machine', onThisMachine);
