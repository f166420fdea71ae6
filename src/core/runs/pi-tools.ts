import type { ToolServer } from './plan.js';

/**
 * The extension by which pi, which starts no servers of tools itself, offers ours: it starts the server and hands on what the model
 * calls. Its text holds nothing of the task; who the run is stands in the environment it has from pi.
 */
export function piTools({ command, args }: ToolServer, prefix: string): string {
  return `import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [command, args, prefix] = ${JSON.stringify([command, args, prefix])};

export default async function (pi) {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let asked = 0;
  const over = () => {
    for (const { reject } of waiting.values()) reject(new Error('The server of tools has ended.'));
    waiting.clear();
  };
  server.on('error', over);
  server.on('exit', over);
  server.stdin.on('error', () => undefined);
  createInterface({ input: server.stdout }).on('line', (line) => {
    const answer = JSON.parse(line);
    const { resolve, reject } = waiting.get(answer.id) ?? {};
    waiting.delete(answer.id);
    if (answer.error) reject?.(new Error(answer.error.message));
    else resolve?.(answer.result);
  });
  const tell = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      tell({ id, method, params });
    });
  const clientInfo = { name: 'pi', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  tell({ method: 'notifications/initialized' });
  const { tools } = await ask('tools/list', {});
  for (const { name, description, inputSchema } of tools) {
    pi.registerTool({
      name: prefix + name,
      label: name,
      description,
      parameters: inputSchema,
      async execute(_call, params) {
        const { content, isError } = await ask('tools/call', { name, arguments: params });
        if (isError) throw new Error(content.map(({ text }) => text).join('\\n'));
        return { content, details: {} };
      },
    });
  }
  pi.on('session_shutdown', () => server.kill());
}
`;
}
