import type { RunMode } from '#core/review/plan.js';
import { specNamed } from '#operations/named.js';
import type { OptionSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';
import { SHELLS } from '#surfaces/cli/completion/scripts.js';
import { listFlag, numberFlag, switchFlag, textFlag } from './flags.js';
import { HEAD_COMMANDS } from './form-heads.js';
import { withForms } from './forms.js';
import type { CliCommand, CommandEntry } from './invocation.js';
import { AGENTS, CLIENT_OPTIONS, SERVICE_COMMANDS } from './service-commands.js';
import { isShown } from './understood.js';
import { WORKER_COMMANDS } from './worker-commands.js';

const REVIEW_OPTIONS: readonly OptionSpec[] = [
  textFlag(
    'run',
    'MODE',
    'Checks to run: fast (quick scripts, the default), all (the full test command), none (only read)',
    { values: ['fast', 'all', 'none'] satisfies RunMode[] },
  ),
  AGENTS,
  switchFlag('yes', 'Skip the confirmation before running checks or starting a plan', { short: 'y' }),
  switchFlag('exit', 'Exit when done, without waiting for q'),
];

export const COMMANDS: readonly CliCommand[] = [
  {
    command: 'help',
    forRuns: true,
    group: 'Start',
    summary: 'Show everyday commands, a topic, all commands, or the flags of one command',
    arguments: [{ field: 'topic', many: true, names: 'command', summary: 'A topic, a command, or its first word' }],
    options: [
      switchFlag('all', 'Every command, by topic'),
      textFlag('keyword', 'WORD', 'Search names, summaries and flags for this word', { short: 'k' }),
    ],
    examples: ['troupe help tasks', 'troupe help service start', 'troupe help -k worktree'],
    load: () => import('#surfaces/cli/commands/help.js'),
  },
  {
    command: 'completion',
    forRuns: true,
    group: 'Start',
    summary: 'Print a shell completion script for commands, flags, tasks and members',
    arguments: [{ field: 'shell', summary: 'bash, zsh or fish', required: true, values: SHELLS }],
    examples: ['troupe completion bash', 'troupe completion fish'],
    load: () => import('#surfaces/cli/commands/completion.js'),
  },
  {
    command: 'setup',
    group: 'Start',
    summary: 'Set up a client: which one, how many at once, its budget, who lands its work',
    options: [
      textFlag('executor', 'NAME', 'The client', { aliases: ['client'] }),
      numberFlag('max-agents', 'N', 'Maximum concurrent agents'),
      textFlag('budget-usd-per-day', 'AMOUNT', 'Daily budget in US dollars; none: unlimited', { field: 'usd_per_day' }),
      textFlag('land', 'WHO', 'Who lands work on your branch: you, or Troupe when there is no conflict', {
        values: ['manual', 'when-clean'],
      }),
      switchFlag('try', 'Then have it do one tiny task, for at most 0.50 US dollars'),
      switchFlag('yes', 'Do not ask; keep current values or use the suggested ones', { short: 'y' }),
    ],
    examples: ['troupe setup', 'troupe setup --yes --executor codex --max-agents 2 --budget-usd-per-day 5'],
    load: () => import('#surfaces/cli/commands/setup.js'),
  },
  {
    command: 'run',
    group: 'Start',
    summary: 'Have the team review this repository, or work toward a goal',
    arguments: [
      {
        field: 'workflow',
        summary: 'A goal in words, or the name of a playbook (default: repository-review)',
        names: 'workflow',
      },
      { field: 'goal', summary: 'The goal of the playbook' },
    ],
    options: [
      textFlag('blueprint', 'B', 'Cast the team of this blueprint (or file) and run its first workflow for the goal', {
        path: 'if-like-one',
      }),
      textFlag('intent', 'INTENT', 'Intent of the blueprint for an existing team: new replaces it'),
      ...REVIEW_OPTIONS,
      ...CLIENT_OPTIONS,
      switchFlag('resume', 'Resume the last run'),
      switchFlag('dry-run', 'Only show the plan for the goal'),
    ],
    examples: [
      'troupe run',
      'troupe run "add a version flag"',
      'troupe run bug-fix "the login page is empty"',
      'troupe run panel "drop the queue?"',
      'troupe run --resume --exit',
      'troupe run --blueprint support "answer the open mails"',
    ],
    load: () => import('#surfaces/cli/commands/run.js'),
  },
  {
    command: 'trial',
    group: 'Start',
    summary: 'Have the team review a clone; your repository is not changed',
    arguments: [{ field: 'repository', summary: 'The repository (default: this folder)' }],
    options: REVIEW_OPTIONS,
    examples: ['troupe trial', 'troupe trial ../other --run none --exit'],
    load: () => import('#surfaces/cli/commands/trial.js'),
  },
  {
    command: 'watch',
    forRuns: true,
    group: 'Progress',
    summary: 'Show events as they happen, one per line',
    options: [
      listFlag('event', 'TYPE', 'Only this type: task_state, evaluation, agent, all, or one such as task.completed', {
        field: 'events',
      }),
      textFlag('task', 'PREFIX', 'Only tasks with this id prefix', { names: 'task' }),
      numberFlag('replay', 'N', 'Show the last N matching events first'),
      numberFlag('since', 'SEQ', 'Show all matching events after this one first'),
    ],
    examples: ['troupe watch', 'troupe watch --event task.completed --replay 10 --json'],
    load: () => import('#surfaces/cli/commands/watch.js'),
  },
  {
    command: 'top',
    forRuns: true,
    group: 'Progress',
    summary: 'Show live activity: runs, tasks, pending verdicts, spend',
    options: [switchFlag('once', 'Print one frame and exit')],
    examples: ['troupe top', 'troupe top --once'],
    load: () => import('#surfaces/cli/commands/top.js'),
  },
  {
    command: 'output',
    forRuns: true,
    group: 'Attempts',
    summary: 'Show what the latest run of a task says, does and uses',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      ...(specNamed('task.output').options ?? []),
      switchFlag('follow', 'Follow the output until the run ends', { short: 'f' }),
    ],
    examples: ['troupe output lint', 'troupe output lint --follow', 'troupe output lint --raw --bytes 2000'],
    load: () => import('#surfaces/cli/commands/output.js'),
  },
  {
    command: 'team chat',
    forRuns: true,
    group: 'Team',
    summary: 'Show the messages of a team',
    arguments: specNamed('team.chat').arguments ?? [],
    options: [...(specNamed('team.chat').options ?? []), switchFlag('follow', 'Follow new messages', { short: 'f' })],
    examples: ['troupe team chat airlock', 'troupe team chat airlock --follow --json'],
    load: () => import('#surfaces/cli/commands/team-chat.js'),
  },
  {
    command: 'worktree land',
    group: 'Attempts',
    summary: 'Land the merged work of wg/integration on your branch',
    options: [switchFlag('yes', 'Skip the confirmation', { short: 'y' })],
    examples: ['troupe worktree land', 'troupe worktree land --yes --json'],
    load: () => import('#surfaces/cli/commands/worktree-land.js'),
  },
  {
    command: 'hook check-handoffs',
    forRuns: true,
    forPrograms: true,
    group: 'Roles',
    summary: 'Check a tool call of a client (for its PreToolUse hook)',
    examples: ['troupe hook check-handoffs', 'troupe hook check-handoffs --dir src'],
    load: () => import('#surfaces/cli/commands/hook-check-handoffs.js'),
  },
  {
    command: 'hook session-start',
    forRuns: true,
    forPrograms: true,
    group: 'Roles',
    summary: 'List graduation candidates (for the SessionStart hook of a client)',
    examples: ['troupe hook session-start', 'troupe hook session-start --dir src'],
    load: () => import('#surfaces/cli/commands/hook-session-start.js'),
  },
  {
    command: 'sweep',
    group: 'Attempts',
    summary: 'Release tasks without an active run; with a GOAL, research it',
    arguments: [{ field: 'goal', summary: 'What to research' }],
    options: [
      switchFlag('yes', 'Skip the confirmation', { short: 'y' }),
      switchFlag('dry-run', 'Only list them'),
      textFlag('slices', 'FILE', 'With a GOAL: its slices', { path: 'always' }),
      numberFlag('sample', 'N', 'With a GOAL: percentage of entries to check'),
    ],
    examples: ['troupe sweep', 'troupe sweep --dry-run --json', 'troupe sweep "how caches of build tools fail"'],
    load: () => import('#surfaces/cli/commands/sweep.js'),
  },
  {
    command: 'mcp',
    forRuns: true,
    group: 'Settings',
    summary: 'Serve MCP tools: task tools to the client of a run, everyday tools to yours',
    options: [
      switchFlag('person', 'For the client you use yourself'),
      listFlag('tier', 'TIER', 'With --person, add these: team, memory, plans', { field: 'tiers' }),
    ],
    examples: ['troupe mcp', 'troupe mcp --person --dir ../project', 'troupe mcp --person --tier team,memory'],
    load: () => import('#surfaces/cli/commands/mcp.js'),
  },
  {
    command: 'dashboard',
    group: 'Progress',
    summary: 'Print a one-time link to the dashboard of the running service',
    options: [switchFlag('logout', 'Log out all browsers instead')],
    examples: ['troupe dashboard', 'troupe dashboard --json', 'troupe dashboard --logout'],
    load: () => import('#surfaces/cli/commands/dashboard.js'),
  },
  ...SERVICE_COMMANDS,
  ...WORKER_COMMANDS,
  ...HEAD_COMMANDS,
];

const EVERY: readonly CommandEntry[] = [
  ...OPERATIONS.filter(({ command }) => COMMANDS.every((other) => other.command !== command)),
  ...COMMANDS,
];

/**
 * All commands by what they take themselves: these, and all operations except those whose command is here and does more
 * than call them once, those that another command stands for, and those that programs type.
 */
export const OWN_COMMANDS = EVERY.filter(isShown);

/** Commands that agents, git and the hooks of clients type. */
export const FOR_PROGRAMS = EVERY.filter(({ forPrograms }) => forPrograms === true);

/** All commands as people see them. */
export const ALL_COMMANDS = OWN_COMMANDS.map(withForms);
