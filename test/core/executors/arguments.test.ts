import { expect, test } from 'vitest';
import { CLIENTS, type Client, type ExecutorPlan, MODES, type Mode } from '#core/executors/plan.js';
import { EXECUTORS } from '#core/executors/table.js';
import { TroupeError } from '#kernel/errors.js';
import { verifies } from '../../verifies.js';
import { planOf } from './plans.js';

const TREE = '/work/project/tree';
const RUN = '/work/project/.workgraph/agents/agent-7';
const ID = '0b1c2d3e-0000-4000-8000-000000000001';
const ASKING_NOBODY = /yolo|dangerously|bypass|danger-full-access|--auto\b|--allow-all/i;

const argsOf = (client: Client, changes: Partial<ExecutorPlan> = {}) => EXECUTORS[client].prepare(planOf(changes)).args;

const CLAUDE = ['--print', '--verbose', '--output-format', 'stream-json', '--model', 'm1', '--session-id', ID];
const CLAUDE_CLOSED = ['--setting-sources', 'user', '--strict-mcp-config', '--mcp-config', `${RUN}/claude-tools.json`];
const CLAUDE_MODE = ['--permission-mode', 'dontAsk', '--allowedTools'];
const CODEX = ['exec', '--json', '--skip-git-repo-check', '-C', TREE, '-s'];
const KEPT = [
  ...['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'AZURE_OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'AWS_*'],
];
const CODEX_SET = [
  ...['-m', 'm1', '-c', 'features.unbounded_connection_retries=false', '-c', 'check_for_update_on_startup=false'],
  ...['-c', 'project_doc_max_bytes=0', '-c', 'allow_login_shell=false'],
  ...['-c', `shell_environment_policy.exclude=${JSON.stringify(KEPT)}`],
];
const OPENCODE = ['run', '--format', 'json', '-m', 'm1', '--dir', TREE, '--title', 'troupe agent-7', '--pure'];
const QWEN = ['--auth-type', 'openai', '-m', 'm1', '--output-format', 'stream-json'];
const PI = ['-p', '--mode', 'json', '--model', 'm1'];
const PI_CLOSED = ['--no-context-files', '--no-extensions', '--no-prompt-templates', '--no-themes'];

/** The whole argument list of each client in each mode. */
const TABLE: Readonly<Record<Client, Readonly<Record<Mode, readonly string[]>>>> = {
  claude: {
    full: [
      ...[...CLAUDE, ...CLAUDE_CLOSED, ...CLAUDE_MODE],
      'Read,Glob,Grep,Edit,Write,NotebookEdit,Bash,WebFetch,WebSearch,Task,Agent,Skill,TodoWrite',
    ],
    light: [
      ...[...CLAUDE, ...CLAUDE_CLOSED, ...CLAUDE_MODE],
      ...['Read,Glob,Grep,Bash(troupe:*),Bash(wg:*)', '--disallowedTools'],
      'Edit,Write,NotebookEdit,WebFetch,WebSearch,Task,Agent,Skill,TodoWrite',
    ],
    bare: [
      ...[...CLAUDE, ...CLAUDE_CLOSED, ...CLAUDE_MODE],
      ...['Bash(troupe:*),Bash(wg:*)', '--disallowedTools'],
      'Read,Glob,Grep,Edit,Write,NotebookEdit,WebFetch,WebSearch,Task,Agent,Skill,TodoWrite',
    ],
  },
  codex: {
    full: [...CODEX, 'workspace-write', ...CODEX_SET, '-'],
    light: [...CODEX, 'read-only', ...CODEX_SET, '-'],
    bare: [...CODEX, 'read-only', ...CODEX_SET, '-'],
  },
  gemini: {
    full: ['-m', 'm1', '--approval-mode', 'auto_edit', '-o', 'stream-json', '--session-id', ID],
    light: ['-m', 'm1', '--approval-mode', 'plan', '-o', 'stream-json', '--session-id', ID],
    bare: ['-m', 'm1', '--approval-mode', 'plan', '-o', 'stream-json', '--session-id', ID],
  },
  opencode: { full: OPENCODE, light: OPENCODE, bare: OPENCODE },
  qwen: {
    full: [...QWEN, '--approval-mode', 'auto-edit', '--allowed-tools', 'run_shell_command', '--session-id', ID],
    light: [...QWEN, '--approval-mode', 'plan', '--session-id', ID],
    bare: [
      ...[...QWEN, '--approval-mode', 'default', '--allowed-tools', 'run_shell_command(troupe)'],
      ...['--allowed-tools', 'run_shell_command(wg)', '--session-id', ID],
    ],
  },
  pi: {
    full: [...PI, ...PI_CLOSED],
    light: [...PI, '--tools', 'read,grep,find,ls', ...PI_CLOSED],
    bare: [...PI, '--no-tools', ...PI_CLOSED],
  },
};

verifies('exec.modes', 'each mode is exactly these arguments of each client', () => {
  for (const client of CLIENTS) {
    for (const mode of MODES) expect(argsOf(client, { mode }), `${client} ${mode}`).toEqual(TABLE[client][mode]);
  }
});

verifies('exec.modes', 'opencode is told by its configuration what a mode allows', () => {
  const permission = (mode: Mode) => {
    const { environment } = EXECUTORS.opencode.prepare(planOf({ mode }));
    return JSON.parse(environment['OPENCODE_CONFIG_CONTENT'] ?? '').permission;
  };
  const closed = { external_directory: 'deny', doom_loop: 'deny', question: 'deny' };
  expect(permission('full')).toEqual({ '*': 'allow', ...closed });
  const reading = { read: 'allow', glob: 'allow', grep: 'allow', list: 'allow' };
  expect(permission('light')).toEqual({ '*': 'deny', ...reading, edit: 'deny', bash: 'deny' });
  const own = { '*': 'deny', 'troupe *': 'allow', 'wg *': 'allow' };
  expect(permission('bare')).toEqual({ '*': 'deny', edit: 'deny', bash: own });
});

test('a session is gone on with, not begun, when the plan says so and names one', () => {
  const resume = { resume: true, sessionId: ID };
  const parts: Record<Client, readonly string[]> = {
    claude: ['--resume', ID],
    codex: ['exec', 'resume', '--json'],
    gemini: ['--resume', ID],
    opencode: ['--session', ID],
    qwen: ['--resume', ID],
    pi: ['--session', ID],
  };
  for (const client of CLIENTS) {
    const prepared = EXECUTORS[client].prepare(planOf(resume));
    expect(prepared.resume, client).toBe(true);
    expect(prepared.args.join('\n'), client).toContain(parts[client].join('\n'));
    expect(prepared.args).not.toContain('--session-id');
    expect(EXECUTORS[client].prepare(planOf({ resume: true, sessionId: undefined })).resume, client).toBe(false);
  }
  const codex = argsOf('codex', { ...resume, mode: 'light' });
  expect(codex).not.toContain('-C');
  expect(codex).not.toContain('-s');
  expect(codex).toContain('sandbox_mode="read-only"');
  expect(codex.slice(-2)).toEqual([ID, '-']);
});

test('a budget, a provider and our tools are said where a client can be told', () => {
  const tools = { command: '/opt/troupe', args: ['mcp'] };
  expect(argsOf('claude', { budgetUsd: 1.5 }).join(' ')).toContain('--max-budget-usd 1.5000');
  expect(argsOf('claude', { budgetUsd: 0.33339 }), 'never more').toContain('0.3333');
  expect(argsOf('claude', { tools }).join(' ')).toContain('TodoWrite,mcp__troupe');
  expect(argsOf('codex', { provider: 'openrouter' })).toContain('model_provider="openrouter"');
  const server = argsOf('codex', { tools }).find((word) => word.startsWith('mcp_servers.troupe='));
  expect(server).toContain('{command="/opt/troupe",args=["mcp"],env_vars=["WG_TASK_ID"');
  expect(server).toContain('default_tools_approval_mode="approve"}');
  expect(argsOf('opencode', { provider: 'anthropic' })).toContain('anthropic/m1');
  expect(argsOf('opencode', { provider: 'anthropic', model: 'anthropic/m1' })).toContain('anthropic/m1');
  expect(argsOf('pi', { provider: 'openai' }).join(' ')).toContain('--provider openai --model m1');
  const file = EXECUTORS.claude.prepare(planOf({ tools })).files[0]?.content ?? '';
  expect(JSON.parse(file).mcpServers.troupe).toMatchObject({ command: '/opt/troupe', args: ['mcp'], alwaysLoad: true });
  expect(JSON.parse(EXECUTORS.claude.prepare(planOf()).files[0]?.content ?? '')).toEqual({ mcpServers: {} });
  const settings = JSON.parse(EXECUTORS.gemini.prepare(planOf({ tools })).files[0]?.content ?? '');
  expect(settings.mcpServers.troupe.env).toEqual({ WG_RUN_TOKEN: '$WG_RUN_TOKEN' });
});

test('no value is taken for an option, a path up or a second value', () => {
  for (const client of CLIENTS) {
    for (const bad of ['--yolo', '-x', '', 'a b', 'a\nb', '$(id)', 'x'.repeat(300)]) {
      for (const field of ['model', 'provider', 'sessionId'] as const) {
        expect(() => argsOf(client, { [field]: bad }), `${client} ${field} ${bad}`).toThrow(TroupeError);
      }
    }
    expect(() => argsOf(client, { folder: 'relative' })).toThrow(/absolute folder/);
    for (const good of ['gpt-5.2', 'anthropic/claude-x', 'sonnet[1m]', 'qwen3:8b']) argsOf(client, { model: good });
  }
});

test('a path that would break a rule on the shell is not put into one', () => {
  expect(argsOf('claude', { mode: 'bare', troupe: '/opt/bin/troupe' }).join(' ')).toContain('Bash(/opt/bin/troupe:*)');
  expect(argsOf('claude', { mode: 'bare', troupe: '/opt/a b),Bash(*' }).join(' ')).not.toContain('/opt');
});

verifies('exec.never-yolo', 'checks are never off, but where the person allowed it for themselves', () => {
  const asked = (allowUnsafe: boolean) =>
    CLIENTS.flatMap((client) =>
      MODES.flatMap((mode) =>
        [false, true].map((resume) => {
          const { args, environment, files } = EXECUTORS[client].prepare(planOf({ mode, resume, allowUnsafe }));
          return { client, mode, words: JSON.stringify({ args, environment, files }) };
        }),
      ),
    );
  expect(asked(false).filter(({ words }) => ASKING_NOBODY.test(words))).toEqual([]);
  const unsafe = asked(true).filter(({ words }) => ASKING_NOBODY.test(words));
  expect(new Set(unsafe.map(({ mode }) => mode))).toEqual(new Set(['full']));
  expect(new Set(unsafe.map(({ client }) => client))).toEqual(new Set(['codex', 'gemini', 'qwen']));
});

test('a client gets its own keys and no other', () => {
  for (const client of CLIENTS) {
    const { passes, environment } = EXECUTORS[client].prepare(planOf());
    expect(passes.length, client).toBeGreaterThan(1);
    expect(Object.keys(environment).filter((name) => /KEY|TOKEN|SECRET/.test(name))).toEqual([]);
  }
  expect(EXECUTORS.codex.prepare(planOf()).passes).not.toContain('ANTHROPIC_API_KEY');
  expect(EXECUTORS.claude.prepare(planOf()).passes).not.toContain('OPENAI_API_KEY');
  expect(EXECUTORS.shell.prepare(planOf({ exec: 'true' })).passes).toEqual([]);
});

test('a project brings no hooks, servers or extensions of its own unless a person says so', () => {
  const closed = (projectSettings: boolean) =>
    Object.fromEntries(
      CLIENTS.map((client) => {
        const { args, environment, files } = EXECUTORS[client].prepare(planOf({ projectSettings }));
        return [client, JSON.stringify({ args, environment, files })];
      }),
    );
  const marks = {
    claude: '"--setting-sources","user"',
    gemini: 'discoveryCommand',
    opencode: 'OPENCODE_DISABLE_PROJECT_CONFIG',
    qwen: 'disableAllHooks',
    pi: '--no-extensions',
  };
  for (const [client, mark] of Object.entries(marks)) {
    expect(closed(false)[client], client).toContain(mark.replaceAll('"', client === 'claude' ? '"' : ''));
    expect(closed(true)[client], client).not.toContain(mark);
  }
});

test('the shell runs the command of the task as it stands, and nothing else', () => {
  const exec = 'echo "$WG_TASK_ID" && true';
  const { program, args, stdin } = EXECUTORS.shell.prepare(planOf({ exec, prompt: 'not for the shell' }));
  expect([program, ...args]).toEqual(['bash', '-c', exec]);
  expect(stdin).toBe('');
  expect(() => EXECUTORS.shell.prepare(planOf())).toThrow(/no command/);
});
