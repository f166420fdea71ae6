import { expect, test } from 'vitest';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { CLIENTS, type Client, type ExecutorPlan, MODES, type Mode, RUN_VARIABLES } from '#core/runs/plan.js';
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
const CLAUDE_MODE = ['--permission-mode', 'dontAsk', '--tools'];
const READING = 'Read,Glob,Grep';
const EDITING = 'Edit,Write,NotebookEdit';
const WORKING =
  'Bash,BashOutput,KillShell,WebFetch,WebSearch,Task,Agent,Skill,TaskOutput,TaskStop,TodoWrite,TaskCreate,TaskGet,TaskList,TaskUpdate';
const LEAVING =
  'EnterWorktree,ExitWorktree,ScheduleWakeup,CronCreate,CronDelete,CronList,RemoteTrigger,Workflow,Monitor,SendMessage,SendUserMessage,TeamCreate,TeamDelete,PushNotification,Artifact,Projects,REPL,AskUserQuestion,ReportFindings,EnterPlanMode,ExitPlanMode,ShowOnboardingRolePicker';
const CODEX = ['exec', '--json', '--skip-git-repo-check', '-C', TREE, '-s'];
const KEPT = [
  ...['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'AZURE_OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'AWS_*'],
];
const CODEX_SERVER = `mcp_servers.troupe={command="/opt/troupe",args=["mcp"],env_vars=${JSON.stringify(RUN_VARIABLES)},default_tools_approval_mode="approve",required=true,startup_timeout_sec=60}`;
const CODEX_SET = [
  ...['-m', 'm1', '-c', 'features.unbounded_connection_retries=false'],
  ...['multi_agent', 'goals', 'apps', 'plugins', 'browser_use', 'computer_use'].flatMap((name) => [
    '-c',
    `features.${name}=false`,
  ]),
  ...['-c', 'check_for_update_on_startup=false'],
  ...['-c', 'project_doc_max_bytes=0', '-c', 'allow_login_shell=false'],
  ...['-c', `shell_environment_policy.exclude=${JSON.stringify(KEPT)}`, '-c', CODEX_SERVER],
];
const OPENCODE = ['run', '--format', 'json', '-m', 'm1', '--dir', TREE, '--title', 'troupe agent-7', '--pure'];
const QWEN = ['--auth-type', 'openai', '-m', 'm1', '--output-format', 'stream-json'];
const PI = ['-p', '--mode', 'json', '--model', 'm1'];
const PI_TOOLS = [
  ...[
    'task_log',
    'task_artifact',
    'task_checkpoint',
    'msg_send',
    'team_say',
    'Send',
    'Reply',
    'Escalate',
    'team_task',
    'task_wait',
    'task_done',
    'task_fail',
    'task_add',
  ],
  ...['task_list', 'task_show', 'task_ready', 'func_show', 'func_apply', 'task_commit'],
  ...['task_submit', 'task_review', 'formation_hand_in', 'formation_read', 'artifact_get'],
]
  .map((name) => `troupe_${name}`)
  .join(',');
const PI_CLOSED = [
  '--no-context-files',
  '--extension',
  `${RUN}/pi-tools.mjs`,
  '--no-extensions',
  '--no-prompt-templates',
  '--no-themes',
];

/** The whole argument list of each client in each mode. */
const TABLE: Readonly<Record<Client, Readonly<Record<Mode, readonly string[]>>>> = {
  claude: {
    full: [
      ...[...CLAUDE, ...CLAUDE_CLOSED, ...CLAUDE_MODE, `${READING},${EDITING},${WORKING}`],
      ...['--allowedTools', `${WORKING},Edit(./**),mcp__troupe`, '--disallowedTools', `${LEAVING},Bash(git push:*)`],
    ],
    light: [
      ...[...CLAUDE, ...CLAUDE_CLOSED, ...CLAUDE_MODE, READING, '--allowedTools', 'mcp__troupe'],
      ...['--disallowedTools', `${EDITING},${WORKING},${LEAVING}`],
    ],
    bare: [
      ...[...CLAUDE, ...CLAUDE_CLOSED, ...CLAUDE_MODE, '', '--allowedTools', 'mcp__troupe'],
      ...['--disallowedTools', `${READING},${EDITING},${WORKING},${LEAVING}`],
    ],
  },
  codex: {
    full: [...CODEX, 'workspace-write', ...CODEX_SET, '-'],
    light: [...CODEX, 'read-only', ...CODEX_SET, '-'],
    bare: [...CODEX, 'read-only', ...CODEX_SET, '-'],
  },
  gemini: {
    full: ['-m', 'm1', '--approval-mode', 'auto_edit', '-o', 'stream-json', '--session-id', ID],
    light: ['-m', 'm1', '--approval-mode', 'default', '-o', 'stream-json', '--session-id', ID],
    bare: ['-m', 'm1', '--approval-mode', 'default', '-o', 'stream-json', '--session-id', ID],
  },
  opencode: { full: OPENCODE, light: OPENCODE, bare: OPENCODE },
  qwen: {
    full: [...QWEN, '--approval-mode', 'auto-edit', '--allowed-tools', 'run_shell_command', '--session-id', ID],
    light: [...QWEN, '--approval-mode', 'default', '--session-id', ID],
    bare: [...QWEN, '--approval-mode', 'default', '--session-id', ID],
  },
  pi: {
    full: [...PI, ...PI_CLOSED],
    light: [...PI, '--tools', `read,grep,find,ls,${PI_TOOLS}`, ...PI_CLOSED],
    bare: [...PI, '--no-builtin-tools', ...PI_CLOSED],
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
  const closed = {
    ...{ external_directory: 'deny', doom_loop: 'deny', question: 'deny' },
    ...{ plan_enter: 'deny', plan_exit: 'deny' },
  };
  expect(permission('full')).toEqual({ '*': 'allow', bash: { '*': 'allow', 'git push*': 'deny' }, ...closed });
  const reading = { read: 'allow', glob: 'allow', grep: 'allow', list: 'allow' };
  const only = { '*': 'deny', edit: 'deny', bash: 'deny', ...closed, 'troupe_*': 'allow' };
  expect(permission('light')).toEqual({ ...only, ...reading });
  expect(permission('bare')).toEqual(only);
});

verifies(
  'hold.modes',
  'what leads out of a run is taken away by name in every mode, and reading modes keep no tool that writes',
  () => {
    const ways = /Worktree|Wakeup|Cron|Workflow|SendMessage|Trigger/;
    for (const mode of MODES) {
      const args = argsOf('claude', { mode });
      const denied = args[args.indexOf('--disallowedTools') + 1]?.split(',') ?? [];
      for (const tool of ['EnterWorktree', 'ExitWorktree', 'ScheduleWakeup', 'CronCreate', 'Workflow', 'SendMessage'])
        expect(denied, mode).toContain(tool);
      expect(args[args.indexOf('--tools') + 1], mode).not.toMatch(ways);
      // Whoever has a shell may not push with it, where the client can be told so.
      expect(denied.includes('Bash(git push:*)') || denied.includes('Bash'), mode).toBe(true);
      const settings = (client: Client) =>
        JSON.parse(EXECUTORS[client].prepare(planOf({ mode })).files[0]?.content ?? '');
      const taken: string[] = settings('qwen').tools.disabled;
      for (const tool of ['enter_worktree', 'cron_create', 'loop_wakeup', 'send_message'])
        expect(taken, mode).toContain(tool);
      if (mode === 'full') continue;
      expect(denied).toEqual(expect.arrayContaining(['Bash', 'Edit', 'Write', 'Agent']));
      expect(taken).toEqual(expect.arrayContaining(['run_shell_command', 'edit', 'write_file', 'agent']));
      expect(settings('gemini').tools.core.join()).not.toMatch(/write|replace|shell|agent/);
      expect(argsOf('pi', { mode }).join(' ')).not.toMatch(/bash|edit|write/);
      expect(argsOf('codex', { mode })).toContain('read-only');
    }
  },
);

verifies('pay.words', 'a client that repeats a request after a usage limit is told not to', () => {
  for (const mode of MODES) {
    const [settings] = EXECUTORS.qwen.prepare(planOf({ mode })).files;
    expect(JSON.parse(settings?.content ?? '').model.generationConfig, mode).toEqual({ maxRetries: 0 });
  }
});

verifies(
  'hold.report-way',
  'every client has our tools in every mode, and no client may write to our files for that',
  () => {
    const tools = { command: '/opt/troupe', args: ['mcp', '--dir', '/work/project'] };
    for (const client of CLIENTS) {
      expect(EXECUTORS[client].reports).toMatchObject({ by: 'tools' });
      for (const mode of MODES) {
        const { args, environment, files } = EXECUTORS[client].prepare(planOf({ mode, tools }));
        const words = JSON.stringify({ args, environment, files }).replaceAll('\\', '');
        expect(words, `${client} ${mode}`).toMatch(/\/opt\/troupe.{1,20}mcp.{1,10}--dir/);
        expect(words, `${client} ${mode}`).not.toMatch(/writable_roots|add-dir|include-directories/);
      }
    }
  },
);

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
  expect(argsOf('codex', { provider: 'openrouter' })).toContain('model_provider="openrouter"');
  const server = argsOf('codex', { tools }).find((word) => word.startsWith('mcp_servers.troupe='));
  expect(server).toContain('{command="/opt/troupe",args=["mcp"],env_vars=["WG_TASK_ID"');
  expect(server).toContain('default_tools_approval_mode="approve",required=true,startup_timeout_sec=60}');
  expect(argsOf('opencode', { provider: 'anthropic' })).toContain('anthropic/m1');
  expect(argsOf('opencode', { provider: 'anthropic', model: 'anthropic/m1' })).toContain('anthropic/m1');
  expect(argsOf('pi', { provider: 'openai' }).join(' ')).toContain('--provider openai --model m1');
  const file = EXECUTORS.claude.prepare(planOf({ tools })).files[0]?.content ?? '';
  expect(JSON.parse(file).mcpServers.troupe).toMatchObject({ command: '/opt/troupe', args: ['mcp'], alwaysLoad: true });
  const settings = JSON.parse(EXECUTORS.gemini.prepare(planOf({ tools })).files[0]?.content ?? '');
  expect(settings.mcpServers.troupe.env).toEqual({ WG_RUN_TOKEN: '$WG_RUN_TOKEN' });
});

verifies(
  'who.promoted',
  'the roster of an agent reaches a client that takes one in a file, and stands in no argument',
  () => {
    const agents = {
      developer: { description: 'Writes code.', prompt: 'You are developer.', id: 'p/coding/developer' },
    };
    for (const mode of MODES) {
      const { args, files } = EXECUTORS.claude.prepare(planOf({ agents, mode }));
      expect(args[args.indexOf('--agents') + 1]).toBe(`${RUN}/claude-agents.json`);
      expect(JSON.parse(files.find(({ path }) => path === 'claude-agents.json')?.content ?? '')).toEqual(agents);
    }
    expect(argsOf('claude')).not.toContain('--agents');
    for (const client of CLIENTS) expect(JSON.stringify(argsOf(client, { agents }))).not.toContain('developer');
  },
);

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
