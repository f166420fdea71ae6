import { expect } from 'vitest';
import { sha256 } from '#kernel/hash.js';
import { type Answering, answerLine } from '#main/socket-answers.js';
import { COMMANDS } from '#surfaces/cli/command.js';
import { SOCKET_QUESTIONS } from '#surfaces/socket/requests.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';

const RUN = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1, token: 'token-of-the-run' } as const;
const OPEN = ['agents', 'graph_changed', 'heartbeat', 'list_coordinators', 'status'];

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
  const answering = {
    coordinator,
    models: { reserve: does('reserve'), settle: does('settle') },
    startedAt: 0,
    note: () => undefined,
    call: does('call'),
    runs: async () => ({
      ...NO_RUNS,
      identity: async () => ({ taskId: 'a', fence: 1, tokenHash: sha256('token-of-the-run') }),
    }),
    dashboardLink: does('link'),
    reconfigure: does('reconfigure'),
    inForce: () => ({ executor: 'shell', model: undefined }),
    tasksReady: async () => 0,
    shutdown: does('shutdown'),
  } as unknown as Answering;
  return { answering, done };
}

/** As much of a question as makes its schema content. */
const FIELDS: Record<string, object> = {
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
    const questions = SOCKET_QUESTIONS.filter((cmd) => cmd !== 'operation');
    expect(questions.length).toBeGreaterThan(20);
    const answered: string[] = [];
    for (const cmd of questions) {
      const { answering, done } = service();
      const refused = await answerLine(answering, { cmd, ...FIELDS[cmd], caller: RUN }).then(
        () => undefined,
        (error) => error.code,
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
    const ask = (line: object) => answerLine(answering, line as never);
    await expect(ask({ ...beat, agent_id: 'agent-2', caller: RUN })).rejects.toMatchObject({ code: 'not_yours' });
    await expect(ask({ ...beat, caller: { ...RUN, token: 'guess' } })).rejects.toMatchObject({ code: 'bad_run_token' });
    expect(done).toEqual([]);
    await ask({ ...beat, caller: RUN });
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
    'service status',
    'team chat',
    'top',
    'watch',
  ]);
});
