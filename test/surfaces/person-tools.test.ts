import { expect } from 'vitest';
import { offerToPerson, PERSON_TIER_NAMES, TOOLS_BY_NAME, toolName } from '#surfaces/mcp/offers.js';
import { inputOf, listed, toolOf } from '#surfaces/mcp/server.js';
import { verifies } from '../verifies.js';

const toolsOf = async (offer: ReturnType<typeof offerToPerson>) =>
  (await Promise.all(offer.specs.map((spec) => toolOf(spec, offer)))).map(listed);

verifies(
  'hold.mcp.person',
  'the client of a person has the verbs of every day in few tools and few tokens',
  async () => {
    const offer = offerToPerson([]);
    const tools = await toolsOf(offer);
    const names = tools.map(({ name }) => name);
    for (const verb of ['list', 'show', 'add', 'why', 'answer', 'approve', 'reject', 'retry', 'pause', 'resume'])
      expect(names).toContain(`task_${verb}`);
    const others = [
      'status_now',
      'analysis_problems',
      'agent_kill',
      'worktree_landing',
      'worktree_land',
      'session_chat',
    ];
    expect(names).toEqual(expect.arrayContaining(others));
    const tokens = Math.ceil(Buffer.byteLength(JSON.stringify({ tools })) / 4);
    console.log(`tools for a person: ${tools.length} tools, ${tokens} tokens`);
    expect(tools.length).toBeLessThanOrEqual(18);
    expect(tokens).toBeLessThanOrEqual(3_000);
    expect(offer.instructions).toMatch(/status_now.*task_show.*task_add/);
    for (const name of offer.instructions.match(/\b(?:task|status|analysis)_\w+/g) ?? []) expect(names).toContain(name);
  },
);

verifies(
  'hold.mcp.person',
  'each says when to use it and what it answers, and offers only fields there are',
  async () => {
    for (const { name, description, inputSchema } of await toolsOf(offerToPerson([]))) {
      expect(description, name).toMatch(/^Use .*\banswers?\b|^Use .*Merges it/is);
      const fields = Object.keys(inputSchema['properties'] as object);
      for (const hidden of ['exec', 'verify_cmd', 'force', 'actor']) expect(fields, name).not.toContain(hidden);
      expect(inputSchema['required'] as string[]).toEqual(
        (inputSchema['required'] as string[]).filter((one) => fields.includes(one)),
      );
    }
    for (const [name, { fields }] of Object.entries(TOOLS_BY_NAME)) {
      const tool = (await toolsOf(offerToPerson([]))).find((one) => one.name === toolName({ name }));
      expect(Object.keys(tool?.inputSchema['properties'] as object).sort(), name).toEqual([...fields].sort());
    }
    const offer = offerToPerson([]);
    const add = offer.specs.find(({ name }) => name === 'task.add');
    expect(() => add && inputOf(add, { title: 'A', exec: 'rm -rf ~' }, offer)).toThrow('not available to tools');
  },
);

verifies('hold.mcp.person', 'more come by tier, each once', async () => {
  const all = offerToPerson(PERSON_TIER_NAMES).specs.map(({ name }) => name);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(expect.arrayContaining(['casting.confirm', 'memory.add', 'workflow.run']));
  expect(offerToPerson([]).specs.map(({ name }) => name)).not.toContain('casting.confirm');
});
