import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MailTables } from '#adapters/mail/mail-tables.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { FREE_TURN } from '../free-turn.js';
import { said } from '../said.js';
import { verifies } from '../verifies.js';
import { asked, CLI, environment, project, startService, statuses, textOf, troupe, until } from './program.js';

interface Listed {
  readonly messages: readonly { number: number; text: string; from: string }[];
}

async function withTask(): Promise<string> {
  const cwd = await project();
  await asked(['add', 'Write it'], { cwd });
  return cwd;
}

verifies('msg.task', 'the commands: sent, polled by exit code, read once, listed again', async () => {
  const cwd = await withTask();
  expect((await troupe(['msg', 'poll', 'write-it'], { cwd })).code).toBe(1);
  const sent = await troupe(['msg', 'send', 'write-it', 'so \u001b[31mred', '--from', 'ben', '--priority', 'urgent'], {
    cwd,
  });
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  const polled = await troupe(['msg', 'poll', 'write-it', '--json'], { cwd });
  expect([polled.code, JSON.parse(polled.stdout)]).toEqual([0, { ok: true, task_id: 'write-it', unread: 1 }]);
  const read = await troupe(['msg', 'read', 'write-it'], { cwd });
  expect(read.stdout).toContain('urgent');
  expect(read.stdout).toContain('so \\u{1b}[31mred');
  expect((await troupe(['msg', 'poll', 'write-it'], { cwd })).code).toBe(1);
  const { messages } = await asked<Listed>(['msg', 'list', 'write-it'], { cwd });
  expect(messages).toMatchObject([{ number: 1, from: 'ben', text: 'so \u001b[31mred' }]);
  expect((await troupe(['msg', 'send', 'write-it', 'x', '--priority', 'loud'], { cwd })).code).toBe(2);
});

verifies('msg.task', 'many at once, with and without a service: none is lost, none is told twice', async () => {
  const cwd = await withTask();
  const send = (count: number, word: string) =>
    Promise.all([...Array(count).keys()].map((n) => asked(['msg', 'send', 'write-it', `${word} ${n}`], { cwd })));
  await send(12, 'alone');
  await startService(cwd);
  await send(12, 'served');
  const { messages } = await asked<Listed>(['msg', 'list', 'write-it'], { cwd });
  expect(messages.map(({ number }) => number)).toEqual([...Array(24).keys()].map((n) => n + 1));
  const told = textOf(path.join(cwd, '.workgraph/operations.jsonl')).match(/"message_id":"[^"]+"/g) ?? [];
  expect([told.length, new Set(told).size]).toEqual([24, 24]);
});

verifies(
  ['msg.task', 'graph.wait.met'],
  'killed anywhere: what was answered is there, and the graph is told in the end',
  async () => {
    const cwd = await withTask();
    await asked(['claim', 'write-it'], { cwd });
    await asked(['wait', 'write-it', '--until', 'message'], { cwd });
    const answered: string[] = [];
    for (let delay = 0; delay < 240; delay += 30) {
      const text = `killed after ${delay}`;
      const child = spawn(process.execPath, [CLI, 'msg', 'send', 'write-it', text, '--json'], {
        cwd,
        env: environment(),
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        out += part;
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), delay);
      await new Promise((resolve) => child.once('close', resolve));
      clearTimeout(timer);
      if (out.endsWith('}\n')) answered.push(text);
    }
    await asked(['msg', 'send', 'write-it', 'last'], { cwd });
    const { messages } = await asked<Listed>(['msg', 'list', 'write-it'], { cwd });
    for (const text of answered) expect(messages.filter((message) => message.text === text)).toHaveLength(1);
    expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index + 1));
    const told = textOf(path.join(cwd, '.workgraph/operations.jsonl')).match(/"message_id":"[^"]+"/g) ?? [];
    expect([told.length, new Set(told).size]).toEqual([messages.length, messages.length]);
    expect((await statuses(cwd))['write-it']).toBe('in-progress');
  },
);

verifies('msg.task', 'a run writes as itself, whatever it says', async () => {
  const cwd = await withTask();
  const word = '"$TROUPE_BIN" msg send write-it "from a run"';
  await asked(['add', 'Talk', '--exec', `${word} && ! "$TROUPE_BIN" msg send write-it "x" --from ann`], { cwd });
  await startService(cwd);
  await until(
    'the run to end',
    async () => (await statuses(cwd))['talk'] !== 'open' && (await statuses(cwd))['talk'] !== 'in-progress',
  );
  expect((await statuses(cwd))['talk']).toBe('done');
  const { messages } = await asked<Listed>(['msg', 'list', 'write-it'], { cwd });
  expect(messages).toMatchObject([{ text: 'from a run', from: 'agent-1' }]);
});

verifies(
  ['msg.task', 'graph.wait.met'],
  'a service that starts tells the graph what a killed command had kept',
  async () => {
    const cwd = await withTask();
    await asked(['claim', 'write-it'], { cwd });
    await asked(['wait', 'write-it', '--until', 'human-input'], { cwd });
    const folder = path.join(cwd, '.workgraph');
    const kept = new MailTables(
      new TeamsDatabase({
        turn: FREE_TURN,
        copies: path.join(folder, 'copies'),
        folder,
        migrations: path.resolve('data/teams'),
        clock: { now: () => Date.now() },
      }),
    );
    await kept.change(said('kept-1', 'write-it', 'go on'));
    await kept.close();
    expect((await statuses(cwd))['write-it']).toBe('waiting');
    await startService(cwd);
    expect((await statuses(cwd))['write-it']).toBe('in-progress');
  },
);

test('nothing of SQLite is there before somebody writes a message', async () => {
  const cwd = await withTask();
  await asked(['list'], { cwd });
  expect(existsSync(path.join(cwd, '.workgraph/teams.db'))).toBe(false);
  await asked(['msg', 'send', 'write-it', 'x'], { cwd });
  expect(statSync(path.join(cwd, '.workgraph/teams.db')).mode & 0o777).toBe(0o600);
  expect(readFileSync(path.join(cwd, '.workgraph/.gitignore'), 'utf8')).toContain('teams.db*');
});

verifies('checkpoint.save', 'the command, and the list of it', async () => {
  const cwd = await withTask();
  const saved = await asked<Record<string, unknown>>(['checkpoint', 'write-it', '-s', 'half', '--file', 'src/x.ts'], {
    cwd,
  });
  expect(Object.keys(saved)).toEqual([
    ...['task_id', 'agent_id', 'timestamp', 'type', 'summary', 'files_modified', 'artifacts_registered'],
    ...['stream_offset', 'turn_count', 'token_usage'],
  ]);
  const listed = await troupe(['checkpoint', 'write-it', '--list'], { cwd });
  expect(listed.stdout).toContain('half');
  expect(listed.stdout).toContain('src/x.ts');
  expect(readdirSync(path.join(cwd, '.workgraph/agents'))).toHaveLength(1);
  expect(await asked(['show', 'write-it'], { cwd })).toMatchObject({ task: { checkpoint: 'half' } });
});

verifies('coord.config', 'shown, got and set; a bad value names its key and changes nothing', async () => {
  const cwd = await project();
  const file = path.join(cwd, '.workgraph/config.toml');
  writeFileSync(file, '# ours\n[coordinator]\nmax_agents = 2 # two\nnonsense = 1\n');
  expect((await troupe(['config', 'get', 'coordinator.max_agents'], { cwd })).stdout).toBe('2\n');
  const set = await troupe(['config', 'set', 'coordinator.max_agents', '8'], { cwd });
  expect(set.code).toBe(0);
  expect(set.stderr).toContain('coordinator.nonsense is an unknown key');
  expect(readFileSync(file, 'utf8')).toBe('# ours\n[coordinator]\nmax_agents = 8 # two\nnonsense = 1\n');
  const bad = await troupe(['config', 'set', 'coordinator.max_agents', '0'], { cwd });
  expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('coordinator.max_agents')]);
  const secret = await troupe(['config', 'set', 'notify.smtp.password', 'hunter2'], { cwd });
  expect(secret.stderr).not.toContain('hunter2');
  writeFileSync(file, '[coordinator]\nmerge_back = "yes"\n');
  const shown = await troupe(['config', 'show'], { cwd });
  expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('coordinator.merge_back must be one of')]);
});

verifies('sec.config', 'settings that came with a repository do not say where messages go', async () => {
  const cwd = await project();
  writeFileSync(
    path.join(cwd, '.workgraph/config.toml'),
    '[notify.smtp]\nhost = "evil.example.org"\npassword_env = "HOME"\n',
  );
  const shown = await troupe(['config', 'show'], { cwd });
  expect(shown.stderr).toContain('not trusted on this machine');
  const trusted = await troupe(['trust'], { cwd });
  expect(trusted.stdout).toContain('notify.smtp.host = evil.example.org');
  expect((await troupe(['config', 'show'], { cwd })).stderr).not.toContain('agreed');
  await asked(['config', 'set', 'notify.smtp.host', 'mail.example.org'], { cwd });
  expect((await troupe(['config', 'show'], { cwd })).stderr).not.toContain('agreed');
  const run = { WG_AGENT_ID: 'agent-1', WG_TASK_ID: 'x', WG_FENCE: '1' };
  const refused = await troupe(['config', 'set', 'notify.smtp.host', 'evil.example.org'], { cwd, env: run });
  expect(refused.stderr).toContain('error[not_yours]');
});
