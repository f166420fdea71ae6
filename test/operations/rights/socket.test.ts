import { expect } from 'vitest';
import { CallerIdentifier } from '#adapters/processes/caller-identifier.js';
import { sha256 } from '#kernel/hash.js';
import type { JsonObject } from '#kernel/json.js';
import { type Answering, conversationWith } from '#main/socket-answers.js';
import { COMMANDS } from '#surfaces/cli/command.js';
import { SOCKET_QUESTIONS } from '#surfaces/socket/requests.js';
import { NO_PEERS } from '../../no-peers.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';

const RUN = { run: 'agent-1', run_fence: 1, run_token: 'token-of-the-run' } as const;
const OPEN = ['agents', 'graph_changed', 'heartbeat', 'list_coordinators', 'reserve_model', 'settle_model', 'status'];

/** A service that writes down what it is made to do. */
function service() {
  const done: string[] = [];
  const does =
    (what: string) =>
    (...given: unknown[]): never => {
      done.push(what === 'call' ? `call ${given[0]}` : what);
      return { until: 0 } as never;
    };
  const facts = { maxAgents: 1, pollMs: 1, paused: false, ticks: 0, alive: 0 };
  const coordinator = {
    ...{ tick: does('tick'), spawn: does('spawn'), pause: does('pause'), resume: does('resume') },
    ...{ preview: does('preview'), trigger: does('trigger'), beat: async () => Number(done.push('beat')) },
    ...{ agents: () => [], facts: () => facts },
  };
  const identity = async () =>
    ({ taskId: 'a', fence: 1, mail: 'none', tokenHash: sha256('token-of-the-run') }) as const;
  const runs = async () => ({ ...NO_RUNS, identity });
  const answering = {
    coordinator,
    models: { reserve: does('reserve'), settle: does('settle') },
    startedAt: 0,
    note: () => undefined,
    call: does('call'),
    runs,
    askers: new CallerIdentifier({
      peers: NO_PEERS,
      folders: runs,
      atWork: () => [],
      isElsewhere: () => false,
      known: async (caller) => caller,
    }),
    dashboardLink: does('link'),
    reconfigure: does('reconfigure'),
    settingsMayHaveChanged: async () => undefined,
    inForce: () => ({ executor: 'shell', model: undefined }),
    tasksReady: async () => 0,
    shutdown: does('shutdown'),
  } as unknown as Answering;
  return { answering, done };
}

function ask(answering: Answering, line: JsonObject): Promise<unknown> {
  return conversationWith(answering)(line, JSON.stringify(line));
}

/** As much of a question as makes its schema content. */
const FIELDS: Record<string, JsonObject> = {
  spawn: { task_id: 'a' },
  heartbeat: { agent_id: 'agent-1', fence: 1 },
  reserve_model: { purpose: 'x', model: 'm', prompt_bytes: 1, time_ms: 1 },
  settle_model: { reservation: 'x' },
  user_chat: { message: 'x' },
  ...Object.fromEntries(
    ['stop', 'archive', 'delete', 'pause', 'resume'].map((verb) => [`${verb}_coordinator`, { id: 1 }]),
  ),
};

verifies(
  'sec.doors',
  'of the questions about the service a run may ask those that are listed, and no other',
  async () => {
    const questions = SOCKET_QUESTIONS.filter((cmd) => cmd !== 'operation' && cmd !== 'identify');
    expect(questions.length).toBeGreaterThan(20);
    const answered: string[] = [];
    for (const cmd of questions) {
      const { answering, done } = service();
      const refused = await ask(answering, { cmd, ...FIELDS[cmd], ...RUN }).then(
        () => undefined,
        (error: { code: string }) => error.code,
      );
      if (refused === undefined) answered.push(cmd);
      else expect([cmd, refused, done]).toEqual([cmd, 'not_yours', []]);
    }
    expect(answered.sort()).toEqual(OPEN);
  },
);

verifies(
  'sec.doors',
  'a run says of no other that it is at work, and nobody says it in the name of a run',
  async () => {
    const beat = { cmd: 'heartbeat', agent_id: 'agent-1', fence: 1 };
    const { answering, done } = service();
    const says = (line: JsonObject) => ask(answering, { ...beat, ...RUN, ...line });
    await expect(says({ agent_id: 'agent-2' })).rejects.toMatchObject({ code: 'not_yours' });
    await expect(says({ run_token: 'guess' })).rejects.toMatchObject({ code: 'bad_run_token' });
    await expect(says({ fence: 2, run_fence: 2 })).rejects.toMatchObject({ code: 'bad_run_token' });
    expect(done).toEqual([]);
    await says({});
    expect(done).toEqual(['beat']);
  },
);

verifies('sec.doors', 'of the commands that are no operations a run has those that only look', () => {
  const open = COMMANDS.filter(({ forRuns }) => forRuns === true).map(({ command }) => command);
  expect(open.sort()).toEqual([
    'completion',
    'help',
    'hook check-handoffs',
    'hook session-start',
    'mcp',
    'output',
    'team chat',
    'top',
    'watch',
  ]);
});
