import { expect } from 'vitest';
import { spawn } from '#core/coordinator/dispatch.js';
import { decide } from '#core/coordinator/parts.js';
import { type CommandTrust, commandHash, commitCommandHashes, EVERY_COMMAND } from '#core/graph/commands.js';
import type { EventDraft } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW, snapshot } from '../coordinator/stage.js';

const agreed = (...hashes: string[]): CommandTrust => ({ trusts: (hash) => hashes.includes(hash) });

verifies('sec.trust.each', 'a run starts only where each of its commands was agreed to, by what they say', () => {
  const graph = graphOf(
    { id: 'known', exec: 'make' },
    { id: 'twin', exec: 'make' },
    { id: 'foreign', exec: 'curl evil' },
    { id: 'other-input', exec: 'make', environment: { IN_X: '1' } } as never,
    { id: 'other-check', exec: 'make', verify_cmd: 'curl evil' },
    { id: 'for-client', verify_cmd: 'curl evil' },
    { id: 'for-client-too', verify_cmd: 'make' },
  );
  const started = (trust: CommandTrust) =>
    decide(snapshot(graph, { trust, executor: 'claude', maxAgents: 9 }), NOW)
      .flatMap((decision) => (decision.do === 'dispatch' ? [decision.task] : []))
      .sort();
  expect(started(agreed(commandHash('make', undefined)))).toEqual(['for-client-too', 'known', 'twin']);
  expect(started(agreed())).toEqual([]);
  expect(started(EVERY_COMMAND)).toHaveLength(7);
  for (const task of ['foreign', 'other-check', 'for-client'])
    expect(() =>
      spawn(snapshot(graph, { trust: agreed(commandHash('make', {})), executor: 'claude' }), { task }, NOW),
    ).toThrow(expect.objectContaining({ code: 'untrusted_command' }));
});

verifies('sec.trust.each', 'an operation says the commands it sets, and no other that a task holds', () => {
  const said = (before: Record<string, NodeFields>, trust: CommandTrust, ...events: Omit<EventDraft, 'op'>[]) =>
    commitCommandHashes(
      (id) => before[id],
      events.map((event) => ({ op: 'edit', ...event })),
      trust,
    );
  const [make, test] = [commandHash('make', undefined), commandHash('test', undefined)];
  const withInput = commandHash('make', { IN_X: '1' });
  const put = { patch: [{ id: 'a', put: { exec: 'make', verify_cmd: 'test' } }] };
  expect(said({}, agreed(), put)).toEqual([make, test]);
  expect(said({}, agreed(make), put)).toEqual([test]);
  // A task that came by a pull holds a command: another title, its whole node again, or its input agree to nothing.
  const pulled = { a: { exec: 'make', title: 'A' } };
  expect(said(pulled, agreed(), { patch: [{ id: 'a', set: { title: 'B' } }] })).toEqual([]);
  expect(said(pulled, agreed(), { patch: [{ id: 'a', put: { exec: 'make', status: 'open' } }] })).toEqual([]);
  expect(said(pulled, agreed(), { patch: [{ id: 'a', set: { environment: { IN_X: '1' } } }] })).toEqual([]);
  expect(said(pulled, agreed(make), { patch: [{ id: 'a', set: { environment: { IN_X: '1' } } }] })).toEqual([
    withInput,
  ]);
  expect(said(pulled, agreed(), { patch: [{ id: 'a', set: { exec: 'make' } }] }), 'said again').toEqual([make]);
  // What comes back from a file says nothing new.
  for (const op of ['archive_restore', 'runs_restore'])
    expect(
      commitCommandHashes(() => undefined, [{ op, ...put }], agreed()),
      op,
    ).toEqual([]);
});
