import type { RunMode } from '#core/review/plan.js';
import { OUTPUT_OPTIONS } from '#operations/insight/specs.js';
import type { OptionSpec } from '#operations/operation-spec.js';
import { CHAT_OPTIONS, MAYBE_TEAM } from '#operations/teams/chat-options.js';
import { SHELLS } from './completion/scripts.js';
import type { CliCommand } from './invocation.js';
import { AGENTS, CLIENT_OPTIONS, SERVICE_COMMANDS } from './service-commands.js';

const REVIEW_OPTIONS: readonly OptionSpec[] = [
  {
    flag: 'run',
    field: 'run',
    type: 'text',
    value: 'MODE',
    values: ['fast', 'all', 'none'] satisfies RunMode[],
    summary: 'How much to run: fast (quick scripts, the default), all (the whole test command), none (only read)',
  },
  AGENTS,
  {
    flag: 'yes',
    short: 'y',
    field: 'yes',
    type: 'switch',
    summary: 'Do not ask before the checks of a repository run, or a plan begins',
  },
  { flag: 'exit', field: 'exit', type: 'switch', summary: 'End by itself, without waiting for q' },
];

export const COMMANDS: readonly CliCommand[] = [
  {
    command: 'help',
    forRuns: true,
    group: 'Start',
    summary: 'The commands of most days, of a topic, or all; one command with its flags',
    arguments: [{ field: 'topic', many: true, names: 'command', summary: 'A topic, a command, or its first word' }],
    options: [
      { flag: 'all', field: 'all', type: 'switch', summary: 'Every command, by topic' },
      {
        flag: 'keyword',
        short: 'k',
        field: 'keyword',
        type: 'text',
        value: 'WORD',
        summary: 'Commands with this word in their names, summaries or flags',
      },
    ],
    examples: ['troupe help tasks', 'troupe help service start', 'troupe help -k worktree'],
    load: () => import('./commands/help.js'),
  },
  {
    command: 'completion',
    forRuns: true,
    group: 'Start',
    summary: 'Print what lets a shell complete commands, flags, tasks and members',
    arguments: [{ field: 'shell', summary: 'bash, zsh or fish', required: true, values: SHELLS }],
    examples: ['troupe completion bash', 'troupe completion fish'],
    load: () => import('./commands/completion.js'),
  },
  {
    command: 'run',
    group: 'Start',
    summary: 'Have the team review this repository, or reach a goal',
    arguments: [
      {
        field: 'workflow',
        summary: 'A goal in words, or the name of a workflow (default: repository-review)',
        names: 'workflow',
      },
    ],
    options: [
      {
        flag: 'blueprint',
        field: 'blueprint',
        type: 'text',
        value: 'B',
        path: 'if-like-one',
        summary: 'Cast the team of this blueprint, shipped or a file, and run its first workflow for the goal',
      },
      {
        flag: 'intent',
        field: 'intent',
        type: 'text',
        value: 'INTENT',
        summary: 'With --blueprint over a team that exists: new replaces it',
      },
      ...REVIEW_OPTIONS,
      ...CLIENT_OPTIONS,
      { flag: 'resume', field: 'resume', type: 'switch', summary: 'Go on where it was' },
    ],
    examples: [
      'troupe run',
      'troupe run "add a version flag"',
      'troupe run --resume --exit',
      'troupe run --blueprint support "answer the open mails"',
    ],
    load: () => import('./commands/run.js'),
  },
  {
    command: 'trial',
    group: 'Start',
    summary: 'Have the team review a clone; your repository stays as it is',
    arguments: [{ field: 'repository', summary: 'The repository (default: this folder)' }],
    options: REVIEW_OPTIONS,
    examples: ['troupe trial', 'troupe trial ../other --run none --exit'],
    load: () => import('./commands/trial.js'),
  },
  {
    command: 'watch',
    forRuns: true,
    group: 'Progress',
    summary: 'Tell what happens, as it happens: a line an event',
    options: [
      {
        flag: 'event',
        field: 'events',
        type: 'list',
        value: 'TYPE',
        summary: 'Only these: task_state, evaluation, agent, all, or a type such as task.completed',
      },
      {
        flag: 'task',
        field: 'task',
        type: 'text',
        value: 'PREFIX',
        names: 'task',
        summary: 'Only tasks whose id begins so',
      },
      { flag: 'replay', field: 'replay', type: 'number', value: 'N', summary: 'First the last N that match' },
      { flag: 'since', field: 'since', type: 'number', value: 'SEQ', summary: 'First all that match after this event' },
    ],
    examples: ['troupe watch', 'troupe watch --event task.completed --replay 10 --json'],
    load: () => import('./commands/watch.js'),
  },
  {
    command: 'top',
    forRuns: true,
    group: 'Progress',
    summary: 'Who is at work, live: runs, tasks, verdicts that are waited for, what is spent',
    options: [{ flag: 'once', field: 'once', type: 'switch', summary: 'Print one frame and end' }],
    examples: ['troupe top', 'troupe top --once'],
    load: () => import('./commands/top.js'),
  },
  {
    command: 'output',
    forRuns: true,
    group: 'Attempts',
    summary: 'What the latest run of a task says and does, and what it used',
    arguments: [{ field: 'id', summary: 'The task', names: 'task', required: true }],
    options: [
      ...OUTPUT_OPTIONS,
      { flag: 'follow', short: 'f', field: 'follow', type: 'switch', summary: 'Go on as it goes on, until it is over' },
    ],
    examples: ['troupe output lint', 'troupe output lint --follow', 'troupe output lint --raw --bytes 2000'],
    load: () => import('./commands/output.js'),
  },
  {
    command: 'team chat',
    forRuns: true,
    group: 'Team',
    summary: 'Show what a team says: who, when, to whom',
    arguments: [MAYBE_TEAM],
    options: [
      ...CHAT_OPTIONS,
      { flag: 'follow', short: 'f', field: 'follow', type: 'switch', summary: 'Go on as it goes on' },
    ],
    examples: ['troupe team chat airlock', 'troupe team chat airlock --follow --json'],
    load: () => import('./commands/team-chat.js'),
  },
  {
    command: 'worktree land',
    group: 'Attempts',
    summary: 'Take what gathered on wg/integration over into your branch',
    options: [{ flag: 'yes', short: 'y', field: 'yes', type: 'switch', summary: 'Do not ask' }],
    examples: ['troupe worktree land', 'troupe worktree land --yes --json'],
    load: () => import('./commands/worktree-land.js'),
  },
  {
    command: 'hook check-handoffs',
    forRuns: true,
    group: 'Roles',
    summary: 'Judge a call that a client is about to make, for its PreToolUse hook',
    examples: ['troupe hook check-handoffs', 'troupe hook check-handoffs --dir src'],
    load: () => import('./commands/hook-check-handoffs.js'),
  },
  {
    command: 'sweep',
    group: 'Attempts',
    summary: 'Give back tasks in progress that nobody works on',
    options: [
      { flag: 'yes', short: 'y', field: 'yes', type: 'switch', summary: 'Without asking' },
      { flag: 'dry-run', field: 'dry_run', type: 'switch', summary: 'Only list them' },
    ],
    examples: ['troupe sweep', 'troupe sweep --dry-run --json'],
    load: () => import('./commands/sweep.js'),
  },
  {
    command: 'mcp',
    forRuns: true,
    group: 'Settings',
    summary: 'Offer tools (MCP): to the client of a run those of its task, to yours those of every day',
    options: [
      { flag: 'person', field: 'person', type: 'switch', summary: 'To the client you work with yourself' },
      {
        flag: 'tier',
        field: 'tiers',
        type: 'list',
        value: 'TIER',
        summary: 'With --person also these: team, memory, plans',
      },
    ],
    examples: ['troupe mcp', 'troupe mcp --person --dir ../project', 'troupe mcp --person --tier team,memory'],
    load: () => import('./commands/mcp.js'),
  },
  {
    command: 'dashboard',
    group: 'Progress',
    summary: 'Print a link to the dashboard of the running service',
    options: [{ flag: 'logout', field: 'logout', type: 'switch', summary: 'Log all browsers out instead' }],
    examples: ['troupe dashboard', 'troupe dashboard --json', 'troupe dashboard --logout'],
    load: () => import('./commands/dashboard.js'),
  },
  ...SERVICE_COMMANDS,
];
