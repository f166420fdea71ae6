import { SEEN } from '#core/runs/sign-in.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { type AnswerOf, type Renderers, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

const TASKS_NAMED = 3;

function projectTrustText(output: AnswerOf<'project.trust'>): string {
  const { folder, trusted, changed, before, renewed, tasks, settings } = output;
  const where = inert(folder);
  if (!trusted)
    return changed ? `${where} is no longer trusted.` : `${where} is not trusted. Allow it with \`troupe trust\`.`;
  if (changed || before === undefined) return `Trusted: ${where}. Revoke it with \`troupe trust --withdraw\`.`;
  const since = `${where} was trusted ${ago(before.at)}`;
  if (renewed) return `${since}, and is again, with the commands and settings of today.`;
  // A person's own commands are trusted as they are added, without a new record.
  if (before.same || (tasks === 0 && settings.length === 0)) return `${since}.`;
  return `${since}; its commands or settings have changed since. Agree to them with \`troupe trust\`.`;
}

/** A number of a service; a dash if it did not answer. */
const formatCount = (count: number | null): string => (count === null ? '–' : String(count));

function builtIn(name: string): string {
  return name === 'shell' ? 'the command of the task' : `the client ${name}`;
}

function executorTrustText({ name, trusted, changed }: AnswerOf<'executor.trust'>): string {
  if (trusted) {
    const since = changed ? 'Trusted in its current form' : 'Trusted';
    return `${since}. Revoke it with \`troupe trust executor ${inert(name)} --withdraw\`.`;
  }
  return changed ? 'No longer trusted.' : `Not trusted. Allow it with \`troupe trust executor ${inert(name)}\`.`;
}

export const renderers = {
  'project.init': ({ folder, created, trusted, merge_driver }, screen) => {
    screen.line(created ? `Created ${inert(folder)}.` : `${inert(folder)} already exists.`);
    if (!trusted) {
      const why = created
        ? 'Your own settings cannot be written, so this machine does not record that you created it.'
        : 'It comes from another machine: its commands run only after you trust it.';
      screen.aside(`${screen.colour.yellow('warning:')} ${why} See \`troupe trust --show\`.`);
    }
    if (merge_driver === 'configured') screen.line('git merges its branches by task and field.');
    if (merge_driver === 'absent')
      screen.aside('Using branches? `troupe init --merge-driver` lets git merge the graph by task and field.');
    screen.aside('Next: `troupe add "Title"`, or `troupe run` to have a team review this repository.');
  },
  'project.list': ({ projects, more }, screen) => {
    const { colour } = screen;
    if (projects.length === 0) {
      screen.line('No project of yours has a service on this machine.');
      screen.aside('Run `troupe service start` in the folder of a project.');
      return;
    }
    printTable(screen, projects, [
      { title: 'PROJECT', text: (row) => `${inert(row.name)}${row.here ? ' (here)' : ''}` },
      {
        title: 'NEEDS YOU',
        text: (row) => formatCount(row.needs_you),
        right: true,
        paint: (text, row) => ((row.needs_you ?? 0) > 0 ? colour.yellow(text) : text),
      },
      { title: 'RUNNING', text: (row) => formatCount(row.running), right: true },
      ['SERVICE SINCE=since ago', 'folder…'],
    ]);
    if (more > 0) screen.aside(`and ${more} more`);
    screen.aside('`troupe --dir FOLDER dashboard` opens one.');
  },
  /** Prints every command in full, because a truncated one could hide its end; then the settings and the trust. */
  'project.trust': (output, screen) => {
    const { colour } = screen;
    if (output.tasks === 0) screen.line('No command of this graph waits for your trust.');
    else {
      const each =
        output.commands.length === output.tasks ? '' : `, ${plural(output.commands.length, 'different command')}`;
      screen.line(
        colour.bold(`${plural(output.tasks, 'task')} would run a command that is not trusted on this machine${each}:`),
      );
    }
    for (const { command, tasks } of output.commands) {
      const more = tasks.length > TASKS_NAMED ? ` and ${tasks.length - TASKS_NAMED} more` : '';
      screen.line(`  ${inert(command)}`);
      screen.line(colour.dim(`    ${inert(tasks.slice(0, TASKS_NAMED).join(', '))}${more}`));
    }
    if (output.settings.length > 0) screen.line(colour.bold('Its settings that count once you agree to them:'));
    for (const { key, value } of output.settings) screen.line(`  ${inert(key)} = ${inert(value)}`);
    screen.line();
    screen.line(projectTrustText(output));
  },
  /** Prints the kinds of files as a table, or one schema as JSON. */
  'format.schema': (output, screen) => {
    if (!output.formats) {
      for (const line of JSON.stringify(output, undefined, 2).split('\n')) screen.line(line);
      return;
    }
    printTable(screen, output.formats, [['name', 'file', 'WHAT=about…']]);
  },
  'executor.list': ({ executors }, screen) => {
    printTable(screen, executors, [
      ['name', 'FROM=source'],
      { title: 'USABLE', text: (row) => (row.usable ? 'yes' : 'no') },
      { title: 'VERSION', text: (row) => inert(row.version ?? (row.installed === false ? 'not installed' : '')) },
      { title: 'LOGIN', text: (row) => (row.signed_in === undefined ? '' : SEEN[row.signed_in]) },
      {
        title: 'STARTS',
        text: (row) => inert(row.problem ?? row.command?.join(' ') ?? builtIn(row.name)),
        flexible: true,
      },
    ]);
    const waiting = executors.find((row) => !row.usable && row.command !== undefined);
    if (waiting) screen.aside(`Review one with \`troupe trust executor ${inert(waiting.name)} --show\`.`);
    if (executors.every((row) => row.source === 'built-in')) {
      screen.aside('Define one of your own in .workgraph/executors/NAME.toml.');
    }
  },
  /** Prints everything the executor would start, in full, because truncated text could hide its end; then the trust. */
  'executor.trust': (output, screen) => {
    const { colour } = screen;
    screen.line(colour.bold(`${inert(output.file)} starts:`));
    screen.line(`  ${output.command.map((word) => inert(JSON.stringify(word))).join(' ')}`);
    for (const [name, value] of Object.entries(output.env)) screen.line(`  ${inert(name)}=${inert(value)}`);
    if (output.working_dir !== undefined) screen.line(`  in ${inert(output.working_dir)}`);
    if (output.template !== undefined) {
      screen.line(colour.dim('  with the prompt:'));
      for (const line of output.template.trimEnd().split('\n')) screen.line(`    ${inert(line)}`);
    }
    screen.line();
    screen.line(executorTrustText(output));
  },
  /** Prints one row per setting; those from the file are bold. */
  'config.show': ({ file, settings, warnings }, screen) => {
    const { colour } = screen;
    printTable(screen, settings, [
      {
        title: 'SETTING',
        text: (row) => row.key,
        paint: (text, row) => (row.from === 'file' ? colour.bold(text) : text),
      },
      { title: 'FROM', text: (row) => row.from, paint: (text, row) => (row.from === 'file' ? text : colour.dim(text)) },
      { title: 'VALUE', text: (row) => (row.value === undefined ? '' : inert(String(row.value))), flexible: true },
    ]);
    for (const warning of warnings) screen.aside(`${colour.yellow('warning:')} ${inert(warning)}`);
    screen.aside(`Stored in ${file}. Change one with \`troupe config set KEY VALUE\`.`);
  },
  /** Prints the bare value, for scripts. */
  'config.get': ({ key, value }, screen) => {
    if (value === undefined) screen.aside(`${key} is not set. Set it with \`troupe config set ${key} VALUE\`.`);
    else screen.line(inert(String(value)));
  },
  ...sharedBy(['config.agency', 'config.apply'], ({ settings, file, comments_kept, warnings }, screen) => {
    for (const { key, value } of settings)
      screen.line(value === undefined ? `${key} is no longer set.` : `${key} = ${inert(String(value))}`);
    if (!comments_kept) screen.aside(`${file} was rewritten: its comments are lost.`);
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
  }),
  'config.set': ({ key, value, from, file, comments_kept, warnings }, screen) => {
    if (from === 'unset') screen.line(`${key} is no longer set.`);
    else screen.line(`${key} = ${inert(String(value))}${from === 'default' ? ' (default)' : ''}`);
    if (!comments_kept) screen.aside(`${file} was rewritten: its comments are lost.`);
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
  },
  'notify.test': ({ channels, warnings }, screen) => {
    for (const { channel, sent, why = '' } of channels)
      screen.line(sent ? `${channel}: sent` : `${channel}: ${screen.colour.red('not sent')}. ${inert(why)}`);
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
  },
  'model.who': ({ purpose, asks, why = '' }, screen) =>
    screen.line(
      asks === null
        ? `For ${inert(purpose)} no model is asked. ${inert(why)}`
        : `For ${inert(purpose)}: ${inert(asks)}`,
    ),
  /** Prints the bare secret, so that a pipe or a file can take it unseen. */
  'token.add': ({ name, scope, expires_at, secret }, screen) => {
    screen.line(secret);
    screen.aside(`The token ${name} has the scope ${scope} until ${expires_at}. It is not shown again.`);
  },
  'token.revoke': ({ name }, screen) => screen.line(`The token ${name} is revoked.`),
} satisfies Partial<Renderers>;
