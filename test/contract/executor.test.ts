import { expect } from 'vitest';
import { customDefinition, customExecutor } from '#core/runs/custom-executor.js';
import { isProgress, type ProcessExit } from '#core/runs/event.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { parserOf } from '#core/runs/parser.js';
import { CLIENTS, type Client } from '#core/runs/plan.js';
import { type Trouble, troubleIn } from '#core/runs/provider-trouble.js';
import { verifies } from '../verifies.js';
import { executorContract, requests, transcriptOf } from './executor.js';

const failed = (reason: RegExp) => ({ outcome: 'failed' as const, reason: expect.stringMatching(reason) });
const done = { outcome: 'succeeded' as const };

executorContract(EXECUTORS.claude, [
  {
    transcript: 'success',
    verdict: {
      ...done,
      ...{ sessionId: '0b1c2d3e-0000-4000-8000-000000000001', turns: 2, toolCalls: 1 },
      usage: requests(2, { cache_creation_input_tokens: 5, cost_usd: 0.25 }),
    },
  },
  // Its price goes on where the session it resumes was; its tokens begin anew.
  {
    transcript: 'success',
    before: requests(2, { cost_usd: 0.15 }),
    verdict: {
      ...done,
      usage: requests(2, { cache_creation_input_tokens: 5, cost_usd: 0.1 }),
      cumulative: requests(2, { cache_creation_input_tokens: 5, cost_usd: 0.25 }),
    },
  },
  { transcript: 'success', exit: 1, verdict: done },
  { transcript: 'retried', verdict: { ...done, turns: 2 } },
  { transcript: 'denied', verdict: done },
  { transcript: 'only-retries', signal: 'TERM', verdict: failed(/ended by SIGTERM/), progress: false },
  {
    transcript: 'killed',
    signal: 'KILL',
    verdict: { ...failed(/without reporting/), turns: 1, toolCalls: 1, usage: { ...requests(1), output_tokens: 1 } },
  },
  { transcript: 'killed', exit: 0, verdict: failed(/exit code 0/) },
  { transcript: 'success-and-error', exit: 0, verdict: failed(/api_error: status 429: API Error/), progress: false },
  { transcript: 'too-many-turns', exit: 1, verdict: failed(/error_max_turns: Reached/) },
  {
    transcript: 'two-results',
    verdict: {
      ...failed(/It broke after all/),
      usage: requests(2, { cache_creation_input_tokens: 5, cost_usd: 0.25 }),
    },
  },
  { transcript: 'empty', exit: 0, verdict: failed(/exit code 0/), progress: false },
]);

executorContract(EXECUTORS.codex, [
  {
    transcript: 'success',
    verdict: {
      ...done,
      ...{ sessionId: '01a20000-0000-7000-8000-000000000001', turns: 2, toolCalls: 1 },
      usage: requests(2),
      cumulative: requests(2),
    },
  },
  {
    transcript: 'success',
    before: requests(1),
    verdict: { ...done, usage: requests(1), cumulative: requests(2) },
  },
  { transcript: 'retried', verdict: done },
  { transcript: 'only-retries', signal: 'TERM', verdict: failed(/ended by SIGTERM/), progress: false },
  { transcript: 'killed', signal: 'TERM', verdict: { ...failed(/ended by SIGTERM/), toolCalls: 1 } },
  { transcript: 'refused', exit: 1, verdict: failed(/401 Unauthorized/), progress: false },
  { transcript: 'refused', exit: 0, verdict: failed(/401 Unauthorized/), progress: false },
  { transcript: 'failed-later', exit: 0, verdict: failed(/second turn failed/) },
  { transcript: 'unfinished-turn', exit: 0, verdict: failed(/without reporting/) },
]);

executorContract(EXECUTORS.gemini, [
  {
    transcript: 'success',
    verdict: {
      ...done,
      ...{ sessionId: '0b1c2d3e-0000-4000-8000-000000000003', turns: 2, toolCalls: 1 },
      usage: requests(2),
    },
  },
  { transcript: 'retried', verdict: done },
  { transcript: 'only-retries', exit: 0, verdict: failed(/exit code 0/), progress: false },
  { transcript: 'killed', exit: 0, verdict: failed(/exit code 0/), progress: false },
  { transcript: 'refused', exit: 145, verdict: failed(/This key is not known/), progress: false },
]);

executorContract(EXECUTORS.opencode, [
  {
    transcript: 'success',
    verdict: {
      ...done,
      ...{ sessionId: 'ses_dfeab89b9ffecWdN9mfbzkYdCX', turns: 2, toolCalls: 1 },
      usage: requests(2, { cost_usd: 0.00174 }),
    },
  },
  { transcript: 'success', exit: 1, verdict: failed(/exit code 1/) },
  { transcript: 'success', signal: 'TERM', verdict: failed(/SIGTERM/) },
  { transcript: 'killed', exit: 0, verdict: failed(/without reporting/) },
  {
    transcript: 'rejected',
    exit: 0,
    verdict: { ...failed(/not allowed to use bash/), usage: requests(1, { cost_usd: 0.00087 }) },
  },
  { transcript: 'denied', verdict: done },
  { transcript: 'refused', exit: 1, verdict: failed(/This key is not known/), progress: false },
  { transcript: 'error-at-the-end', exit: 0, verdict: failed(/This key is not known/) },
]);

executorContract(EXECUTORS.qwen, [
  {
    transcript: 'success',
    verdict: {
      ...done,
      ...{ sessionId: '0b1c2d3e-0000-4000-8000-000000000004', turns: 2, toolCalls: 1 },
      usage: requests(2),
      cumulative: requests(2),
    },
  },
  // All its figures go on where the session it resumes was.
  { transcript: 'success', before: requests(1), verdict: { ...done, usage: requests(1) } },
  { transcript: 'only-retries', exit: 53, verdict: failed(/exit code 53/), progress: false },
  { transcript: 'killed', signal: 'TERM', verdict: { ...failed(/SIGTERM/), usage: requests(1) } },
  { transcript: 'refused', exit: 1, verdict: failed(/This key is not known/), progress: false },
  // Version 0.15.10 calls that a success.
  { transcript: 'unreachable', exit: 0, verdict: failed(/Connection error/), progress: false },
]);

executorContract(EXECUTORS.pi, [
  {
    transcript: 'success',
    verdict: { ...done, turns: 2, toolCalls: 1, usage: requests(2, { cost_usd: 0.00174 }) },
  },
  { transcript: 'success', exit: 1, verdict: done },
  { transcript: 'refused', exit: 0, verdict: failed(/401 This key is not known/), progress: false },
  { transcript: 'only-retries', exit: 0, verdict: failed(/500 The server is broken/), progress: false },
  { transcript: 'killed', exit: 143, verdict: { ...failed(/exit code 143/), toolCalls: 1 } },
]);

const asClaude = { command: 'claude', args: ['--task', '{{task_id}}'], stream: 'claude' };
executorContract(
  customExecutor(customDefinition('mine', { executor: asClaude })),
  [
    { transcript: 'success', verdict: { ...done, turns: 2 } },
    { transcript: 'success-and-error', exit: 0, verdict: failed(/429/), progress: false },
    { transcript: 'killed', exit: 0, verdict: failed(/without reporting/) },
  ],
  { client: 'claude' },
);
executorContract(
  customExecutor(customDefinition('plain', { executor: { command: 'claude' } })),
  [
    { transcript: 'success', exit: 0, verdict: { ...done, turns: 0, usage: requests(0) } },
    { transcript: 'success', exit: 3, verdict: failed(/exit code 3/) },
    { transcript: 'success', signal: 'TERM', verdict: failed(/SIGTERM/) },
  ],
  { client: 'claude' },
);

verifies('exec.contract', 'every client the specification names is in the suite, under its own name', () => {
  expect(Object.keys(EXECUTORS).sort()).toEqual([...CLIENTS, 'shell'].sort());
  for (const [name, executor] of Object.entries(EXECUTORS)) expect(executor.name).toBe(name);
});

verifies('exec.success', 'without a last word of the client itself a run failed, whatever its exit code', () => {
  for (const client of CLIENTS) {
    for (const exit of [
      { code: 0, signal: null },
      { code: 143, signal: null },
      { code: null, signal: 'SIGTERM' },
    ]) {
      const parser = parserOf(EXECUTORS[client].reader());
      expect(parser.feed('not a line of a client\n{"type":"of-tomorrow"}\n').filter(isProgress)).toEqual([]);
      expect(parser.end(exit).outcome, `${client} ${exit.code}`).toBe('failed');
    }
  }
});

verifies('hold.budget.cap', 'what a client has used is known while it works; several results of one run add up', () => {
  const used = (client: 'claude' | 'opencode' | 'pi', transcript: string) => {
    const parser = parserOf(EXECUTORS[client].reader());
    const events = parser.feed(transcriptOf(client, transcript));
    return events.flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
  };
  expect(used('claude', 'two-results')).toEqual([
    { ...requests(1), output_tokens: 1 },
    requests(1, { cost_usd: 0.1 }),
    { ...requests(2, { cache_creation_input_tokens: 5, cost_usd: 0.1 }), output_tokens: 8 },
    requests(2, { cache_creation_input_tokens: 5, cost_usd: 0.25 }),
  ]);
  expect(used('claude', 'killed')).toEqual([{ ...requests(1), output_tokens: 1 }]);
  for (const client of ['opencode', 'pi'] as const)
    expect(used(client, 'success').map(({ cost_usd }) => cost_usd)).toEqual([0.00087, 0.00174]);
});

const TOLD_APART: readonly (readonly [Client, string, Trouble | undefined, Partial<ProcessExit>?])[] = [
  ['claude', 'key-refused', 'key-refused'],
  ['claude', 'access-refused', 'access-refused'],
  ['claude', 'no-credit', 'no-credit'],
  ['claude', 'limited', 'limited'],
  ['claude', 'success-and-error', 'limited'],
  ['claude', 'overloaded', 'overloaded'],
  ['claude', 'failing', 'failing'],
  ['claude', 'connection-lost', 'unreachable'],
  ['claude', 'not-json', 'garbled'],
  ['claude', 'only-retries', 'overloaded', { code: null, signal: 'SIGTERM' }],
  ['claude', 'no-such-model', 'not-found'],
  // About the task, its prompt or what was asked for.
  ['claude', 'prompt-too-long', undefined],
  ['claude', 'model-refused', undefined],
  ['claude', 'answer-too-long', undefined],
  ['claude', 'too-many-turns', undefined],
  ['claude', 'killed', undefined],
  ['claude', 'success', undefined],
  ['claude', 'retried', undefined],
  ['codex', 'refused', 'key-refused'],
  ['codex', 'only-retries', 'unreachable', { code: null, signal: 'SIGTERM' }],
  ['codex', 'failed-later', undefined],
  ['codex', 'retried', undefined],
  ['gemini', 'refused', 'key-refused', { code: 145 }],
  ['gemini', 'only-retries', 'failing'],
  ['gemini', 'killed', 'key-refused', { code: 41 }],
  ['gemini', 'killed', undefined],
  ['opencode', 'refused', 'key-refused'],
  ['opencode', 'error-at-the-end', 'key-refused'],
  ['opencode', 'rejected', undefined],
  ['qwen', 'refused', 'key-refused'],
  ['qwen', 'unreachable', 'unreachable', { code: 0 }],
  ['qwen', 'killed', undefined],
  ['pi', 'refused', 'key-refused'],
  ['pi', 'only-retries', 'failing'],
  ['pi', 'killed', undefined],
];

verifies(
  'hold.provider',
  'trouble of the provider is told apart from what is wrong with a task, for each client',
  () => {
    for (const [client, transcript, trouble, exit] of TOLD_APART) {
      const parser = parserOf(EXECUTORS[client].reader());
      const events = parser.feed(transcriptOf(client, transcript));
      const verdict = parser.end({ code: 1, signal: null, ...exit });
      expect(verdict.trouble, `${client} ${transcript}`).toBe(trouble);
      if (transcript === 'refused') expect(events.some(isProgress), `${client} at work`).toBe(false);
    }
  },
);

verifies('hold.provider', 'what a client says without a status is told apart by its words', () => {
  const said: [string, Trouble | undefined][] = [
    ['unexpected status 503 Service Unavailable', 'failing'],
    ['error sending request for url (http://localhost:1/v1/responses)', 'unreachable'],
    ['connect ECONNREFUSED 127.0.0.1:443', 'unreachable'],
    ['API Error: Unable to connect to API (ConnectionRefused)', 'unreachable'],
    ['429 You exceeded your current quota, please check your plan', 'quota'],
    ["You've hit your usage limit. Try again later.", 'usage-limit'],
    ['Not logged in. Please run /login', 'key-refused'],
    ['Unexpected token \'<\', "<html>" is not valid JSON', 'garbled'],
    ['400 prompt is too long: 210000 tokens', undefined],
    ['Tests failed: expected 401 to be 200', undefined],
  ];
  for (const [words, trouble] of said) expect(troubleIn(words), words).toBe(trouble);
});
