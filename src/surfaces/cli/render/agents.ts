import type { TaskSession } from '#core/coordinator/sessions.js';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { printNews } from '#surfaces/cli/render/messages.js';
import type { AnswerOf, Renderer, Renderers, Screen } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';
import { renderGraphMoved } from './graph.js';

const renderAgentKill: Renderer<'agent.kill'> = ({ run, task }, screen) => {
  screen.line(`Stopping ${inert(run)}. ${inert(task)} is released and may start again.`);
  screen.aside(`To prevent that: ${screen.colour.cyan(`troupe pause ${inert(task)}`)}`);
};

/** Prints one row per run. */
const renderAgentList: Renderer<'agent.list'> = ({ agents }, screen) => {
  const { colour } = screen;
  if (agents.length === 0) {
    screen.line('No runs are active. `troupe ready` lists the ready tasks.');
    return;
  }
  printTable(screen, agents, [
    { title: 'RUN', text: (row) => inert(row.id) },
    { title: 'TASK', text: (row) => inert(row.task_id), flexible: true },
    { title: 'BY', text: (row) => inert(row.executor) },
    ...(agents.some(({ worker }) => worker !== undefined)
      ? [{ title: 'AT', text: (row: (typeof agents)[number]) => inert(row.worker ?? 'here') }]
      : []),
    { title: 'PID', text: (row) => (row.pid === null ? '' : String(row.pid)), right: true },
    {
      title: 'STATUS',
      text: (row) => inert(row.status),
      paint: (text, row) => (row.status === 'dead' || row.status === 'failed' ? colour.red(text) : text),
    },
    { title: 'SINCE', text: (row) => formatDuration(row.uptime * 1_000), right: true },
  ]);
};

const renderAgentSpawn: Renderer<'agent.spawn'> = ({ agent_id }, screen) => {
  screen.line(`Started ${inert(agent_id)}. See it with \`troupe agents\`.`);
};

/** Prints the outcome of the task and the output of its command; if it was not run, the command. */
const renderTaskExec: Renderer<'task.exec'> = (output, screen) => {
  renderGraphMoved(output, screen);
  if (output.output) screen.line(inert(output.output.trimEnd(), true));
  if (output.ok === undefined && output.command !== undefined) screen.line(`  ${inert(output.command, true)}`);
};

/** Confirms a saved checkpoint, or lists the existing ones. */
function renderTaskCheckpoint(output: AnswerOf<'task.checkpoint'>, screen: Screen): void {
  const { colour } = screen;
  const id = inert(output.task_id);
  if (output.checkpoints === undefined) {
    screen.line(`Saved: the next attempt at ${id} gets this checkpoint.`);
    printNews(output.messages, screen);
    return;
  }
  if (output.checkpoints.length === 0) {
    screen.line(`No checkpoints of ${id}. Save one with \`troupe checkpoint ${id} -s "…"\`.`);
    return;
  }
  for (const { agent_id, timestamp, type, summary, files_modified } of output.checkpoints) {
    const when = colour.dim(ago(timestamp));
    screen.line(`${when}  ${colour.bold(inert(agent_id))}${type === 'auto' ? colour.dim('  auto') : ''}`);
    for (const line of inert(summary, true).split(/\r?\n/)) screen.line(`   ${line}`);
    if (files_modified.length > 0) screen.line(colour.dim(`   ${inert(files_modified.join(', '))}`));
  }
}

/** Prints the output of the latest run of a task; escape sequences are shown, not interpreted. */
export function renderTaskOutput(output: AnswerOf<'task.output'>, screen: Screen): void {
  if (output.run === null) {
    screen.line(`Nothing has run for ${inert(output.task)} yet.`);
    return;
  }
  if (output.cut) screen.aside(cutNote(screen));
  const text = inert(output.text, true).trimEnd();
  screen.line(text === '' ? screen.colour.dim(`${inert(output.run)} printed nothing.`) : text);
}

export function cutNote({ colour }: Pick<Screen, 'colour'>): string {
  return colour.dim('The beginning is left out; use --bytes N for more.');
}

/** Prints the prompt on stdout, where it can be piped, and facts about it on stderr. */
function renderTaskPrompt(prompt: AnswerOf<'task.prompt'>, screen: Screen): void {
  screen.line(inert(prompt.text, true).trimEnd());
  const { colour } = screen;
  const by = [
    prompt.executor,
    prompt.model,
    prompt.mode && `mode ${prompt.mode}`,
    prompt.scope && `scope ${prompt.scope}`,
  ];
  const facts = [
    `attempt ${prompt.attempt}`,
    ...(prompt.run === undefined ? [] : [prompt.run]),
    ...by.filter((part) => part !== undefined),
    plural(prompt.bytes, 'byte'),
  ];
  screen.aside(colour.dim(inert(facts.join(', '))));
  const cut = prompt.sections.filter((section) => section.cut).map((section) => section.name);
  if (cut.length > 0) screen.aside(colour.dim(`Truncated: ${cut.join(', ')}`));
  if (prompt.own !== undefined) screen.aside(colour.dim(inert(prompt.own)));
  for (const warning of prompt.warnings) screen.aside(colour.yellow(inert(warning)));
}

const renderSessionChanged: Renderer<'session.create' | 'session.change'> = (session, screen) => {
  const name = `Session ${session.id} (${inert(session.name)})`;
  screen.line(
    session.deleted === true ? `${name} is deleted; its tasks return to session 0.` : `${name}: ${stateOf(session)}.`,
  );
};

/** Prints the messages, or confirms that one was sent. */
const renderSessionChat: Renderer<'session.chat'> = ({ id, name, task, number, messages }, screen) => {
  if (number !== null) {
    screen.line(`Sent to session ${id} (${inert(name)}). Read the answer with \`troupe chat --coordinator ${id}\`.`);
    screen.aside(`It answers in task ${inert(task)} while a service runs.`);
    return;
  }
  for (const message of messages)
    screen.line(`${screen.colour.dim(inert(message.from))}  ${inert(message.text, true)}`);
  if (messages.length === 0) screen.line('No messages yet. Write one with `troupe chat "…"`.');
};

const WORDS = { 'in-progress': 'running', open: 'stopped', done: 'archived' } as const;

const renderSessionList: Renderer<'session.list'> = ({ coordinators }, screen) => {
  printTable(screen, coordinators, [
    { title: 'ID', text: ({ id }) => String(id), right: true },
    { title: 'NAME', text: ({ name }) => inert(name) },
    { title: 'STATE', text: stateOf },
    { title: 'AGENTS', text: (session) => String(session.max_agents ?? ''), right: true },
    { title: 'BY', text: ({ executor, model }) => inert([executor, model].filter(Boolean).join(' ')) },
    { title: 'TASKS', text: scopeOf, flexible: true },
  ]);
  if (coordinators.length === 1) {
    screen.aside('There is only session 0. Create another: `troupe service coordinators NAME --create --tag TAG`.');
  }
};

export function stateOf({ paused, status }: TaskSession): string {
  return paused && status === 'in-progress' ? 'paused' : WORDS[status];
}

function scopeOf({ id, scope }: TaskSession): string {
  if (id === 0) return 'the rest';
  const parts = [...scope.tags.map((tag) => `tag ${tag}`), ...scope.roots.map((root) => `after ${root}`)];
  return parts.length === 0 ? 'none' : inert(parts.join(', '));
}

export const renderers = {
  'session.create': renderSessionChanged,
  'session.list': renderSessionList,
  'session.change': renderSessionChanged,
  'session.chat': renderSessionChat,
  'task.exec': renderTaskExec,
  'task.checkpoint': renderTaskCheckpoint,
  'agent.list': renderAgentList,
  'agent.kill': renderAgentKill,
  'agent.spawn': renderAgentSpawn,
  'task.prompt': renderTaskPrompt,
  'task.output': renderTaskOutput,
} satisfies Partial<Renderers>;
