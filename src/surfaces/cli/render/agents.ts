import type { TaskSession } from '#core/coordinator/sessions.js';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { printNews } from '#surfaces/cli/render/messages.js';
import { type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';
import { renderers as graph } from './graph.js';

export function cutNote({ colour }: Pick<Screen, 'colour'>): string {
  return colour.dim('The beginning is left out; use --bytes N for more.');
}

const WORDS = { 'in-progress': 'running', open: 'stopped', done: 'archived' } as const;

export function stateOf({ paused, status }: TaskSession): string {
  return paused && status === 'in-progress' ? 'paused' : WORDS[status];
}

function scopeOf({ id, scope }: TaskSession): string {
  if (id === 0) return 'the rest';
  const parts = [...scope.tags.map((tag) => `tag ${tag}`), ...scope.roots.map((root) => `after ${root}`)];
  return parts.length === 0 ? 'none' : inert(parts.join(', '));
}

export const renderers = {
  ...sharedBy(['session.create', 'session.change'], (session, screen) => {
    const name = `Session ${session.id} (${inert(session.name)})`;
    screen.line(
      session.deleted === true ? `${name} is deleted; its tasks return to session 0.` : `${name}: ${stateOf(session)}.`,
    );
  }),
  'session.list': ({ coordinators }, screen) => {
    printTable(screen, coordinators, [
      ['id', 'name'],
      { title: 'STATE', text: stateOf },
      { title: 'AGENTS', text: (session) => String(session.max_agents ?? ''), right: true },
      { title: 'BY', text: ({ executor, model }) => inert([executor, model].filter(Boolean).join(' ')) },
      { title: 'TASKS', text: scopeOf, flexible: true },
    ]);
    if (coordinators.length === 1) {
      screen.aside('There is only session 0. Create another: `troupe service coordinators NAME --create --tag TAG`.');
    }
  },
  /** Prints the messages, or confirms that one was sent. */
  'session.chat': ({ id, name, task, number, messages }, screen) => {
    if (number !== null) {
      screen.line(`Sent to session ${id} (${inert(name)}). Read the answer with \`troupe chat --coordinator ${id}\`.`);
      screen.aside(`It answers in task ${inert(task)} while a service runs.`);
      return;
    }
    for (const message of messages)
      screen.line(`${screen.colour.dim(inert(message.from))}  ${inert(message.text, true)}`);
    if (messages.length === 0) screen.line('No messages yet. Write one with `troupe chat "…"`.');
  },
  /** Prints the outcome of the task and the output of its command; if it was not run, the command. */
  'task.exec': (output, screen) => {
    graph['task.done'](output, screen);
    if (output.output) screen.line(inert(output.output.trimEnd(), true));
    if (output.ok === undefined && output.command !== undefined) screen.line(`  ${inert(output.command, true)}`);
  },
  /** Confirms a saved checkpoint, or lists the existing ones. */
  'task.checkpoint': (output, screen) => {
    const { colour } = screen;
    const id = inert(output.task_id);
    if (output.checkpoints === undefined) {
      screen.line(`Saved: the next attempt at ${id} gets this checkpoint.`);
      printNews(output.messages, screen);
      return;
    }
    if (output.checkpoints.length === 0)
      return screen.line(`No checkpoints of ${id}. Save one with \`troupe checkpoint ${id} -s "…"\`.`);
    for (const { agent_id, timestamp, type, summary, files_modified } of output.checkpoints) {
      const when = colour.dim(ago(timestamp));
      screen.line(`${when}  ${colour.bold(inert(agent_id))}${type === 'auto' ? colour.dim('  auto') : ''}`);
      for (const line of inert(summary, true).split(/\r?\n/)) screen.line(`   ${line}`);
      if (files_modified.length > 0) screen.line(colour.dim(`   ${inert(files_modified.join(', '))}`));
    }
  },
  /** Prints one row per run. */
  'agent.list': ({ agents }, screen) => {
    const { colour } = screen;
    if (agents.length === 0) return screen.line('No runs are active. `troupe ready` lists the ready tasks.');
    printTable(screen, agents, [
      ['RUN=id', 'TASK=task_id…', 'BY=executor'],
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
  },
  'agent.kill': ({ run, task }, screen) => {
    screen.line(`Stopping ${inert(run)}. ${inert(task)} is released and may start again.`);
    screen.aside(`To prevent that: ${screen.colour.cyan(`troupe pause ${inert(task)}`)}`);
  },
  'agent.spawn': ({ agent_id }, screen) => screen.line(`Started ${inert(agent_id)}. See it with \`troupe agents\`.`),
  /** Prints the prompt on stdout, where it can be piped, and facts about it on stderr. */
  'task.prompt': (prompt, screen) => {
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
  },
  /** Prints the output of the latest run of a task; escape sequences are shown, not interpreted. */
  'task.output': (output, screen) => {
    if (output.run === null) return screen.line(`Nothing has run for ${inert(output.task)} yet.`);
    if (output.cut) screen.aside(cutNote(screen));
    const text = inert(output.text, true).trimEnd();
    screen.line(text === '' ? screen.colour.dim(`${inert(output.run)} printed nothing.`) : text);
  },
} satisfies Partial<Renderers>;
