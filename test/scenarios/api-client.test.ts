import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, readJson, startService, textOf, troupe } from './program.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(ROOT, 'node_modules/typescript-native/bin/tsc');

/** A project with a service and its server, in which the package is installed. */
async function served() {
  const cwd = await project();
  await asked(['add', 'Write the parser', '--id', 'write-the-parser'], { cwd });
  await startService(cwd);
  await asked(['dashboard'], { cwd });
  mkdirSync(path.join(cwd, 'node_modules', '@types'), { recursive: true });
  symlinkSync(ROOT, path.join(cwd, 'node_modules', 'troupe'));
  symlinkSync(path.join(ROOT, 'node_modules/@types/node'), path.join(cwd, 'node_modules/@types/node'));
  const run = (name: string, text: string) => {
    writeFileSync(path.join(cwd, name), text);
    return execFileSync(process.execPath, [name], { cwd, encoding: 'utf8' });
  };
  return { cwd, run };
}

const [example = ''] = [
  ...readFileSync(path.join(ROOT, 'docs/guide/api.md'), 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm),
].map(([, code = '']) => code);

/** A server that hangs up after the first event, and a client that reads two. */
const RESUMES = `
import { createServer } from 'node:http';
import { createClient } from 'troupe/client';
const [asked, read] = [[], []];
const server = createServer((request, response) => {
  const seq = asked.push(request.headers['last-event-id']);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': connected\\n\\nid: ' + seq + '\\ndata: ' + JSON.stringify({ seq, op: 'add_task' }) + '\\n\\n');
  if (seq === 1) response.end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
for await (const { seq } of createClient({ url: 'http://127.0.0.1:' + server.address().port, token: 't' }).events({ from: 1 }))
  if (read.push(seq) === 2) break;
console.log(JSON.stringify({ asked, read }));
server.closeAllConnections();
server.close();
`;

verifies(
  'api.client',
  'the example of the guide runs, twice without doing anything twice, and its types hold',
  async () => {
    const { cwd, run } = await served();
    const first = run('example.mjs', example);
    expect(first).toBe(
      'Test the parser true\nunknown_task Run `troupe list` to see the tasks.\n1 add_task write-the-parser\n2 add_task test-the-parser\n',
    );
    expect(run('example.mjs', example)).toBe(first);
    expect((await asked<{ tasks: unknown[] }>(['list'], { cwd })).tasks).toHaveLength(2);
    const options = { module: 'nodenext', strict: true, noEmit: true, target: 'es2023', types: ['node'] };
    const config = { compilerOptions: { ...options, exactOptionalPropertyTypes: true }, files: ['typed.mts'] };
    writeFileSync(path.join(cwd, 'tsconfig.json'), JSON.stringify(config));
    const wrong = [
      "await troupe.call('task.show', { id: 7 });",
      "await troupe.call('task.nothing', {});",
      "(await troupe.call('task.show', { id })).nothing_of_this satisfies string;",
      "await troupe.call('task.add', {});",
    ];
    const text = [example, ...wrong.map((line) => `// @ts-expect-error\n${line}`)].join('\n');
    writeFileSync(path.join(cwd, 'typed.mts'), text);
    execFileSync(process.execPath, [TSC, '-p', '.'], { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  },
);

verifies(
  ['api.client', 'api.repeat'],
  'a key stands for one change and one input; who may only look is told so; nobody there is unreachable',
  async () => {
    const { cwd, run } = await served();
    const start = [
      "import { createClient } from 'troupe/client';",
      `const port = ${readJson<{ http_port: number }>(path.join(cwd, '.workgraph/service/state.json'))?.http_port};`,
      "const client = (token, at = port) => createClient({ url: 'http://127.0.0.1:' + at + '/', token });",
      `const all = client(${JSON.stringify(textOf(path.join(cwd, '.workgraph/service/http-token')))});`,
      `const viewer = client(${JSON.stringify(textOf(path.join(cwd, '.workgraph/service/http-viewer-token')))});`,
      'const code = (call) => call.then(() => "done", (error) => [error.name, error.code, error.status].join(" "));',
      'const say = async (...calls) => { for (const call of calls) console.log(await code(call())); };',
    ];
    const calls = [
      "() => all.call('task.add', { title: 'One' }, { idempotencyKey: 'k' })",
      "() => all.call('task.add', { title: 'One' }, { idempotencyKey: 'k' })",
      "() => all.call('task.add', { title: 'Two' }, { idempotencyKey: 'k' })",
      "() => all.call('task.add', { title: 'Two' }, { idempotencyKey: 'not a key' })",
      "() => viewer.call('task.list', { status: ['open'] })",
      "() => viewer.call('task.add', { title: 'Two' })",
      "() => client('nobody').call('task.list', {})",
      "() => client('nobody', 1).call('task.list', {})",
      "() => client('nobody').events({ from: 1 }).next()",
    ];
    expect(
      run('calls.mjs', [...start, `await say(${calls.join(', ')});`].join('\n'))
        .trim()
        .split('\n'),
    ).toEqual([
      ...['done', 'done', 'TroupeError request_id_reused 409', 'TroupeError bad_input 400'],
      ...['done', 'TroupeError forbidden 403', 'TroupeError unauthenticated 401', 'TroupeError unreachable 0'],
      'TroupeError unauthenticated 401',
    ]);
    const { tasks } = await asked<{ tasks: { id: string }[] }>(['list'], { cwd });
    expect(tasks.map(({ id }) => id).sort()).toEqual(['one', 'write-the-parser']);
    await troupe(['service', 'stop'], { cwd });
    expect(JSON.parse(run('resumes.mjs', RESUMES))).toEqual({ asked: ['0', '1'], read: [1, 2] });
  },
);
