import { expect } from 'vitest';
import { offerToPerson, PERSON_TIER_NAMES, TOOLS_BY_NAME } from '#surfaces/mcp/offers.js';
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
    for (const verb of ['list', 'show', 'add', 'why', 'approve', 'reject', 'retry'])
      expect(names).toContain(`task_${verb}`);
    expect(names).toEqual(expect.arrayContaining(['status_now', 'analysis_problems']));
    const tokens = Math.ceil(Buffer.byteLength(JSON.stringify({ tools })) / 4);
    console.log(`tools for a person: ${tools.length} tools, ${tokens} tokens`);
    expect(tools.length).toBeLessThanOrEqual(12);
    expect(tokens).toBeLessThanOrEqual(5_000);
    expect(offer.instructions).toMatch(/status_now.*task_show.*task_add/);
    for (const name of offer.instructions.match(/\b(?:task|status|analysis)_\w+/g) ?? []) expect(names).toContain(name);
  },
);

verifies(
  'hold.mcp.person',
  'each says when to use it and what it answers, and offers only fields there are',
  async () => {
    for (const { name, description, inputSchema } of await toolsOf(offerToPerson([]))) {
      expect(description, name).toMatch(/^Use .*\bAnswers?\b|^Use .*Merges it/s);
      const fields = Object.keys(inputSchema['properties'] as object);
      for (const hidden of ['exec', 'verify_cmd', 'force', 'actor']) expect(fields, name).not.toContain(hidden);
      expect(inputSchema['required'] as string[]).toEqual(
        (inputSchema['required'] as string[]).filter((one) => fields.includes(one)),
      );
    }
    for (const [name, { fields }] of Object.entries(TOOLS_BY_NAME)) {
      const tool = (await toolsOf(offerToPerson([]))).find((one) => one.name === name.replace('.', '_'));
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
