import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { AT, original } from './original-project.js';

const AB = [
  { id: 'a', title: 'A', status: 'open' },
  { id: 'c', title: 'C', status: 'failed' },
];

/** A project under the name of the original; `says` returns the text of a command that succeeds. */
function project(tasks: readonly object[] = AB) {
  const { wg, json, folder } = original(tasks);
  const says = async (...words: string[]) => {
    const told = await wg(...words);
    expect(told, told.err).toMatchObject({ code: 0 });
    return told.out;
  };
  return { wg, json, folder, says };
}

verifies('in.wg', 'moves of a task are told in the sentences that scripts of the original look for', async () => {
  const { says } = project();
  expect(await says('add', 'New one', '--id', 'new')).toBe('Added task: New one (new)\n');
  expect(await says('claim', 'new')).toBe("Claimed 'new'\n");
  expect(await says('unclaim', 'new')).toBe("Unclaimed 'new'\n");
  expect(await says('pause', 'new')).toBe("Paused 'new'\n");
  expect(await says('resume', 'new')).toBe("Resumed 'new'\n");
  expect(await says('fail', 'new', '--reason', 'no')).toBe("Marked 'new' as failed\n");
  expect(await says('abandon', 'a', '--reason', 'no')).toBe("Marked 'a' as abandoned\n");
  await says('retry', 'c');
  expect(JSON.parse(await says('done', 'c', '--json'))).toMatchObject({ id: 'c', status: 'done' });
  expect(await says('done', 'c'), 'it was done before').not.toContain('Marked');
  expect((await original(AB).wg('done', 'ghost')).out).toBe('');
  // No name of an object's own is a command.
  expect(await original(AB).wg('constructor')).toMatchObject({ code: 2, err: expect.stringContaining('no command') });
});

verifies('in.wg', 'a task that repeats is waited for by those it comes after, and its cycle is told', async () => {
  const { json, says } = project();
  await says('add', 'B', '--id', 'b', '--after', 'a', '--max-iterations', '2');
  expect((await json('show', 'a')).after).toEqual([{ id: 'b', status: 'open' }]);
  expect(await says('cycles')).toContain('Cycles detected: 1\n');
  await says('done', 'a');
  expect(await says('done', 'b')).toBe("Marked 'b' as done\n  Cycle: re-activated 'b'\n");
  await says('done', 'a');
  expect(await says('done', 'b', '--converged')).toBe("Marked 'b' as done\n");
  expect(
    await project([])
      .says('cycles')
      .catch(() => ''),
  ).toBe('');
  expect(await project().says('cycles')).toBe('No cycles detected in after edges.\n');
});

verifies('in.wg', 'flags may have their value behind an equals sign, and an archive is asked no question', async () => {
  const { json, says, wg } = project();
  await says('add', 'B', '--id', 'b', '--after=a', '--max-iterations=2');
  expect((await json('show', 'a')).after).toEqual([{ id: 'b', status: 'open' }]);
  await says('config', '--max-agents=6');
  expect((await json('config')).coordinator.max_agents).toBe(6);
  await says('retry', 'c');
  await says('done', 'c');
  await says('archive');
  expect((await json('list', '--all')).map(({ id }: { id: string }) => id)).not.toContain('c');
  expect(await says('archive', 'search', 'C')).toContain('c');
  expect((await wg('config', '--constructor', '1')).code).not.toBe(0);
});

verifies('in.wg', 'a trace tells operations and runs as text, whole or brief', async () => {
  const { folder, says } = project();
  expect(await says('trace', 'show', 'a')).toContain('Trace: a (open)\nTitle: A\n');
  expect(await says('trace', 'show', 'a')).toMatch(/Operations: \(none\)\n\nAgent runs: \(none\)\n$/);
  expect(await says('trace', 'show', 'a', '--ops-only')).toBe("No operations recorded for task 'a'\n");
  const archive = path.join(folder, '.workgraph/log/agents/a/2026-03-01T10:00:00Z');
  mkdirSync(archive, { recursive: true });
  writeFileSync(path.join(archive, 'prompt.txt'), 'Do it.\n');
  writeFileSync(path.join(archive, 'output.txt'), `{"type":"assistant"}\n${'x'.repeat(2_027)}`);
  const then = { timestamp: AT, op: 'claim', task_id: 'a', actor: 'eve', detail: { by: 'hand' } };
  writeFileSync(path.join(folder, '.workgraph/log/operations.jsonl'), `${JSON.stringify(then)}\n`);
  const claimed = `Operations for 'a' (1 entries):\n\n  ${AT} claim by eve\n    {"by":"hand"}\n`;
  expect(await says('trace', 'show', 'a', '--ops-only')).toBe(claimed);
  await says('log', 'a', 'y'.repeat(200));
  const brief = await says('trace', 'show', 'a');
  expect(brief).toMatch(/\nOperations \(\d\):\n/);
  expect(brief).toContain(`Agent runs (1):\n  Run 1 [${AT}]\n    Output: 2.0 KB (2 lines)\n    Turns: 1\n`);
  expect(brief).toContain('  Total output: 2.0 KB\n');
  expect(brief).toContain('yyy...\n');
  expect(brief).not.toContain('Do it.');
  expect(await says('trace', 'show', 'a', '--full')).toContain('  [Prompt] (7 bytes)\n    Do it.\n');
  const operations = await says('trace', 'show', 'a', '--ops-only');
  expect(operations).toContain("Operations for 'a' (");
  expect(operations).not.toContain('Agent runs');
});

verifies('in.wg', 'replays and their snapshots are told', async () => {
  const { says } = project();
  expect(await says('runs', 'list')).toBe('No run snapshots found.\n');
  expect(await says('replay', '--failed-only', '--plan-only')).toContain('(dry run');
  expect(await says('replay', '--failed-only')).toMatch(/^Replay started: run-001\n {2}Reset 1 task\(s\):\n {4}c\n/);
  expect(await says('replay', '--failed-only')).toContain('No tasks match the replay criteria.');
  expect(await says('runs', 'show', 'run-001')).toContain('  Reset tasks (1):\n    c\n');
  expect(await says('runs', 'diff', 'run-001')).toContain('  ~ c : failed -> open\n');
  await says('runs', 'restore', 'run-001');
  expect(await says('runs', 'diff', 'run-001')).toBe('No differences between current graph and run-001\n');
});

verifies('in.wg', 'messages are numbered, and their reader is named by --agent', async () => {
  const { wg, json, says } = project();
  expect(await says('msg', 'list', 'a')).toBe("No messages for task 'a'\n");
  expect(await says('msg', 'send', 'a', 'Hello')).toBe("Message #1 sent to 'a'\n");
  await says('msg', 'send', 'a', 'Stop', '--priority', 'urgent', '--from', 'ben');
  const listed = await says('msg', 'list', 'a');
  expect(listed).toMatch(
    /^Messages for 'a' \(2 total\):\n\n {2}#1 \[.+\] tess\n {4}Hello\n\n {2}#2 \[.+\] ben \[URGENT\]\n/,
  );
  const [, second] = await json('msg', 'list', 'a');
  expect(second).toEqual({ id: 2, timestamp: expect.any(String), sender: 'ben', body: 'Stop', priority: 'urgent' });
  expect(await json('msg', 'poll', 'a', '--agent', 'ann')).toHaveLength(2);
  expect(await says('msg', 'poll', 'a', '--agent', 'ann')).toContain('    Hello\n    Stop\n');
  expect(await says('msg', 'read', 'a', '--agent', 'ann')).toContain("2 unread message(s) for 'a':\n");
  expect(await says('msg', 'read', 'a', '--agent', 'ann')).toContain("No unread messages for task 'a' (agent: ann)");
  expect(await wg('msg', 'poll', 'a', '--agent', 'ann', '--json')).toMatchObject({ code: 1, out: '[]\n' });
});

verifies('in.wg', 'settings are shown, listed, and changed several at once', async () => {
  const { json, says, wg } = project();
  const set = await says('config', '--max-agents', '7', '--poll-interval', '90');
  expect(set).toBe('Set coordinator.max_agents = 7\nSet coordinator.poll_interval = 90\n');
  expect(await says('config', '--model', 'opus')).toBe('Set agent.model = "opus"\nSet coordinator.model = "opus"\n');
  expect(await says('config')).toMatch(
    /^Workgraph Configuration\n\n\[agent\]\n {2}executor = [\s\S]*\n\[coordinator\]\n/,
  );
  expect(await says('config', '--list')).toContain('  coordinator.max_agents = 7 (');
  expect((await json('config', '--show')).coordinator).toMatchObject({ max_agents: 7, poll_interval: 90 });
  expect((await json('config')).coordinator.max_agents).toBe(7);
  expect(await json('config', '--list')).toContainEqual({
    ...{ key: 'coordinator.max_agents', value: 7, source: expect.any(String) },
  });
  // All or none.
  expect((await wg('config', '--poll-interval', '60', '--max-agents', 'many')).code).not.toBe(0);
  expect((await json('config')).coordinator.poll_interval).toBe(90);
});

verifies('in.wg', 'functions are listed, also by the names that the original had replaced', async () => {
  const { folder, json, says, wg } = project();
  expect(await says('func', 'list')).toBe('No functions found.\n');
  mkdirSync(path.join(folder, '.workgraph/functions'), { recursive: true });
  const task = '  - template_id: plan\n    title: Plan\n    description: Plan it\n';
  const file = `kind: trace-function\nversion: 1\nid: draft\nname: Draft\ndescription: D\ninputs: []\ntasks:\n${task}`;
  writeFileSync(path.join(folder, '.workgraph/functions/draft.yaml'), file);
  expect((await json('func', 'list'))[0]).toMatchObject({ id: 'draft', name: 'Draft' });
  expect(await says('func', 'show', 'draft')).toContain('Function: draft\nName: Draft\n');
  const old = await wg('trace', 'list-functions');
  expect(old).toMatchObject({ code: 0, err: expect.stringContaining("Use 'wg func list'") });
  expect(old.out).toContain('draft');
  const done = await wg('trace', 'extract', 'a');
  expect(done.err).toContain("Use 'wg func extract'");
});

verifies('in.wg', 'agents, their scores and resources are told in its shapes', async () => {
  const { json, says } = project();
  await says('resource', 'add', 'budget', '--available', '100', '--unit', 'usd');
  expect(await json('resources')).toMatchObject({
    resources: [{ id: 'budget', available: 100, committed: 0, over_budget: false }],
    alerts: [],
  });
  expect(await says('resources')).toContain('  budget ($100 available)\n    Committed (open tasks): $0\n');
  await says('agency', 'init');
  expect(await says('agency', 'stats')).toContain('Agency Performance Stats');
  const [role] = await json('role', 'list');
  const [tradeoff] = await json('tradeoff', 'list');
  const parts = ['--role', role.id, '--tradeoff', tradeoff.id];
  expect(await says('agent', 'create', 'Ann', ...parts)).toMatch(/^Created agent 'Ann' \([0-9a-f]{8}\)\n$/);
  expect(await json('agent', 'list')).toMatchObject([{ name: 'Ann' }]);
  expect(await json('agent', 'show', 'Ann')).toMatchObject({ name: 'Ann', role_id: role.id });
  expect(await says('agent', 'rm', 'Ann')).toMatch(/^Removed agent 'Ann'/);
  expect(await says('velocity', '--weeks', '8')).toContain('Completion Velocity (last 56 days):');
  expect(await json('coordinate')).toMatchObject({ ready: [{ id: 'a' }], done_count: 0, total_count: 2 });
  expect(await says('coordinate')).toMatch(/^Progress: 0\/2 tasks done\n\n[\s\S]* {2}a - A\n/);
});
