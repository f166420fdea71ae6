// node tool-server.mjs NOTES [MS]: a server of one tool over standard input and output, which begins to answer after MS. Notes
// which methods it was asked, and whether it knows whose run it serves.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';

const [, , notes, delay = '0'] = process.argv;
const tool = { name: 'report', description: 'Report', inputSchema: { type: 'object', properties: {} } };
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'troupe', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  ping: () => ({}),
};

appendFileSync(notes, `token=${process.env.WG_RUN_TOKEN}\n`);
await after(Number(delay));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(notes, `${method}\n`);
  if (id === undefined) continue;
  const result = ANSWERS[method]?.(params ?? {});
  const error = { code: -32601, message: `There is no method ${method}.` };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n`);
}
