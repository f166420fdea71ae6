import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { clientPid, clientProject, engine, inRun, say } from './client-world.js';
import { asked, environment, textOf, until, untilStatus } from './program.js';
import { ToolServer } from './tool-server.js';

/** The environment that a run was given. */
function environmentOf(cwd: string, run: string): Record<string, string> {
  const pairs = textOf(inRun(cwd, run, 'seen-environment'))
    .split('\0')
    .filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

verifies(
  ['sec.mcp', 'guard.children', 'guard.rights'],
  'an agent has the tools of its run: its own task, what it made, nothing for people, no other name',
  async () => {
    const cwd = await clientProject(['[guardrails]', 'max_child_tasks_per_agent = 2']);
    await asked(['add', 'Do it play=slow', '--id', 'a'], { cwd });
    await asked(['add', 'Another', '--id', 'b', '--paused'], { cwd });
    await engine(cwd);
    await clientPid(cwd, 'agent-1');
    expect(textOf(inRun(cwd, 'agent-1', 'claude-tools.json'))).toContain('"mcp"');
    expect(textOf(inRun(cwd, 'agent-1', 'claude-tools.json'))).not.toContain('TOKEN');
    const tools = new ToolServer(cwd, environmentOf(cwd, 'agent-1'));
    await tools.open();
    const { result } = await tools.request('tools/list');
    const listed = result?.['tools'] as { name: string; inputSchema: { properties: object; required: string[] } }[];
    const names = listed.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['task_done', 'task_add', 'task_wait', 'msg_send', 'task_checkpoint']),
    );
    for (const name of ['config_set', 'agent_kill', 'task_claim', 'project_trust', 'task_approve'])
      expect(names).not.toContain(name);
    for (const { name, inputSchema } of listed)
      for (const field of ['actor', 'force', 'trust', 'from'])
        expect(Object.keys(inputSchema.properties), name).not.toContain(field);

    expect(await tools.call('task_log', { message: 'from a tool' })).toMatchObject({ id: 'a' });
    expect(await tools.call('task_show', {})).toMatchObject({ task: { id: 'a', log: expect.anything() } });
    expect(await tools.call('task_log', { id: 'b', message: 'not mine' })).toBe('not_yours');
    expect(await tools.call('task_done', { id: 'b' })).toBe('not_yours');
    expect(await tools.call('task_log', { message: 'x', actor: 'ann' })).toBe('not_yours');
    expect(await tools.call('task_done', { id: 'a', force: true })).toBe('not_yours');
    expect(await tools.call('config_set', { key: 'budget.usd_total', value: '99' })).toBe('not_found');
    expect(await tools.call('task_show', { id: 'a', colour: 'red' })).toBe('bad_input');
    expect(await tools.call('task_add', { title: 'One', paused: true })).toMatchObject({
      task: { parent: 'a', created_by: 'agent-1' },
    });
    await tools.call('task_add', { title: 'Two', paused: true });
    expect(await tools.call('task_add', { title: 'Three' })).toBe('child_limit');
    expect((await tools.request('server/nonsense')).error?.code).toBe(-32601);
    expect(await tools.call('task_done')).toMatchObject({ id: 'a', status: 'done' });
    await untilStatus(cwd, 'a', 'done');
    await tools.closed();
    expect(tools.code).toBe(0);
    say(cwd, 'agent-1', 'go'); // afterwards: what a run leaves is ended with it
  },
);

verifies('sec.mcp', 'nobody is offered tools without being a run, or with the token of another', async () => {
  const cwd = await clientProject();
  await asked(['add', 'Do it play=slow', '--id', 'a'], { cwd });
  await asked(['add', 'Do it play=slow', '--id', 'b'], { cwd });
  await engine(cwd);
  await clientPid(cwd, 'agent-1');
  await clientPid(cwd, 'agent-2');
  const [one, two] = [environmentOf(cwd, 'agent-1'), environmentOf(cwd, 'agent-2')];
  const named = { WG_AGENT_ID: one['WG_AGENT_ID'] ?? '', WG_TASK_ID: one['WG_TASK_ID'] ?? '', WG_FENCE: '1' };
  for (const env of [environment(), { ...two, ...named }, { ...one, WG_RUN_TOKEN: '' }, { ...one, WG_FENCE: '2' }]) {
    const server = new ToolServer(cwd, env);
    await until('it to end', () => server.code !== undefined);
    expect([server.code, server.stderr]).toEqual([1, expect.stringMatching(/run/)]);
  }
  for (const run of ['agent-1', 'agent-2']) say(cwd, run, 'go');
  await untilStatus(cwd, 'a', 'done');
  await untilStatus(cwd, 'b', 'done');
  expect(path.basename(one['WG_RUN'] ?? '')).toBe('agent-1');
});

verifies(
  'mcp.tiers',
  'the client of a person does the work of a day, attaches tasks and gets prompts; that of a run does not',
  async () => {
    const cwd = await clientProject();
    await asked(['add', 'Do it play=slow', '--id', 'a', '--paused', '--description', 'What <b>it</b> is'], { cwd });
    const tools = new ToolServer(cwd, environment(), ['--person']);
    await tools.open();
    expect(await tools.call('status_now')).toMatchObject({ counts: expect.anything() });
    expect(await tools.call('task_add', { title: 'Another', id: 'b' })).toMatchObject({ id: 'b' });
    expect(await tools.call('task_add', { title: 'A command', exec: 'true' })).toBe('not_yours');
    expect(await tools.call('task_why', { id: 'a' })).toMatchObject([{ code: 'paused' }]);
    expect(await tools.call('task_resume', { id: 'a' })).toMatchObject({ id: 'a' });
    expect(await tools.call('task_answer', { id: 'a', text: 'Yes.' })).toMatchObject({ id: 'a' });
    expect(await tools.call('task_approve', { id: 'a' })).toBe('wrong_status');
    expect(await tools.call('agent_kill', { run: 'agent-9' })).toBeTypeOf('string');
    expect(await tools.call('worktree_land', { to: 'x' })).toBeTypeOf('string');
    expect(await tools.call('session_chat', { message: 'what is left?' })).toMatchObject({ task: expect.any(String) });
    const { result: list } = await tools.request('resources/list');
    expect(list?.['resources']).toContainEqual(
      expect.objectContaining({ uri: 'troupe://task/a', title: 'Do it play=slow' }),
    );
    expect((await tools.request('resources/templates/list')).result?.['resourceTemplates']).toHaveLength(3);
    const { result: read } = await tools.request('resources/read', { uri: 'troupe://task/a' });
    expect(read?.['contents']).toEqual([
      expect.objectContaining({ uri: 'troupe://task/a', text: expect.stringContaining('What <b>it</b> is') }),
    ]);
    expect((await tools.request('resources/read', { uri: 'troupe://trace/a' })).result).toBeDefined();
    expect((await tools.request('resources/read', { uri: 'file:///etc/passwd' })).error).toBeDefined();
    expect((await tools.request('prompts/list')).result?.['prompts']).toHaveLength(2);
    const { result: prompt } = await tools.request('prompts/get', { name: 'review', arguments: { id: 'a' } });
    expect(JSON.stringify(prompt?.['messages'])).toContain('task_approve');
    expect((await tools.request('prompts/get', { name: 'review' })).error).toBeDefined();
    await tools.closed();

    await engine(cwd);
    await clientPid(cwd, 'agent-1');
    const ofRun = new ToolServer(cwd, environmentOf(cwd, 'agent-1'));
    await ofRun.open();
    for (const method of ['resources/list', 'resources/templates/list', 'prompts/list'])
      expect((await ofRun.request(method)).error, method).toBeDefined();
    await ofRun.closed();
    for (const run of ['agent-1', 'agent-2']) say(cwd, run, 'go');
  },
);
