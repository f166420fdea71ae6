import { cellText } from '#core/squad/team-file.js';
import { cut, formatCost, inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { type Renderers, sharedBy } from '#surfaces/cli/screen.js';
import { printColumns, printTable } from '#surfaces/cli/table.js';

const SHOWN = 10;

function memberRole(role: string | null, position: string): string {
  return (
    [role === null ? '' : inert(role), position === 'member' ? '' : position]
      .filter((word) => word !== '')
      .join(', ') || '-'
  );
}

const TOOL_WORDS = {
  full: 'reads and changes files, runs commands',
  light: 'reads files, changes none',
  bare: 'the graph alone, no files',
  shell: 'one command',
} as const;

const KIND_WIDTH = 'modified'.length;

export const renderers = {
  /** Prints uncommitted files and the command to commit them; after a commit, its id. */
  'squad.sync': (synced, screen) => {
    const { colour } = screen;
    if (synced.nothing_to_sync)
      return screen.line('The team is committed: nothing in .squad differs from the last commit.');
    for (const { path, kind } of synced.changes)
      screen.line(`  ${colour.dim(kind.padEnd(KIND_WIDTH))}  ${cut(inert(path), 120)}`);
    if (synced.diff !== undefined) {
      screen.line();
      for (const line of synced.diff.split('\n')) screen.line(inert(line));
      if (synced.diff_cut) screen.aside('The rest is not shown: `git diff HEAD -- .squad` shows it all.');
    }
    screen.line();
    if (synced.commit_id !== undefined)
      return screen.line(
        `Committed ${plural(synced.changes.length, 'file')} of the team as ${synced.commit_id.slice(0, 10)}.`,
      );
    screen.line(`Commit these: troupe squad sync --commit --expect ${synced.change_set_hash}`);
  },
  /** Prints one line per member; of a member that was named, also its latest attempts. */
  'member.list': ({ members }, screen) => {
    if (members.length === 0) {
      screen.line('No members yet.');
      screen.aside(`Next: ${screen.colour.cyan('troupe cast propose')}`);
      return;
    }
    printTable(screen, members, [
      ['MEMBER=name'],
      {
        title: 'ROLE',
        text: ({ role, position, status }) => memberRole(role, status === 'removed' ? 'retired' : position),
      },
      { title: 'NOW', text: ({ now }) => now.map(({ title }) => inert(title)).join(', ') || '-', flexible: true },
      ['ahead'],
      { title: 'RESULTS', text: ({ results }) => results.map(({ status }) => status).join(' ') || '-' },
      { title: 'SCORE', text: ({ score, count }) => (score === null ? '-' : `${score.toFixed(2)} (${count})`) },
      ['lessons'],
      {
        title: 'TODAY',
        text: ({ today }) => (today.usd > 0 ? formatCost(today.usd, today.estimated) : '–'),
        right: true,
      },
    ]);
    for (const { name, attempts = [] } of members) {
      if (attempts.length === 0) continue;
      screen.line(`\n${screen.colour.bold(`Attempts of ${inert(name)}`)}`);
      printColumns(
        attempts.map(({ run, title, started_at, outcome = 'in progress', cost_usd: usd, score }) => [
          run,
          outcome,
          ago(started_at),
          usd === null ? '' : formatCost(usd, 0),
          score === null ? '' : score.toFixed(2),
          title,
        ]),
        screen,
      );
    }
  },
  'member.show': (answer, screen) => {
    const { member } = answer;
    const notes = [answer.leads ? 'leads the team' : '', member.built_in ? 'built in' : ''].filter(
      (word) => word !== '',
    );
    screen.line(screen.colour.bold([inert(member.name), inert(member.role_title), ...notes].join(', ')));
    const rows: readonly (readonly [string, string | undefined])[] = [
      ['status', member.status === 'Active' ? 'on the team' : 'retired'],
      ['id', member.member_id],
      ['model', member.default_model],
      ['joined', ago(answer.created_at)],
      ['left', ago(answer.retired_at)],
      ['is already called', answer.previous_name],
      ['is called now', answer.succeeded_by],
      ['charter', member.charter_path],
      ['skills', answer.works?.skills.join(', ')],
      ['tools', answer.works === null ? undefined : TOOL_WORDS[answer.works.exec_mode]],
      ['scored', member.score === null ? undefined : `${member.score.toFixed(2)} in ${plural(member.count, 'score')}`],
    ];
    printColumns(
      rows.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [[label, value]])),
      screen,
      (cell, column) => (column === 0 ? screen.colour.dim(cell) : cell),
    );
    screen.line();
    screen.line(
      answer.charter === null
        ? 'There is no charter; `troupe squad render` writes one.'
        : inert(answer.charter, true).trimEnd(),
    );
    const { learnings, decisions, older } = answer.remembers;
    const lessons = learnings.map((row) => `${ago(row.created_at)}: ${cellText(row.content)}`);
    const titles = decisions.map((row) => `${row.number}. ${inert(row.title)}`);
    list('Has learned', lessons, older.learnings);
    list('Decisions of the team', titles, older.decisions);

    function list(title: string, rows: readonly string[], missing: number): void {
      if (rows.length === 0) return;
      screen.line();
      screen.line(screen.colour.bold(title));
      if (missing > 0) screen.line(screen.colour.dim(`  ${missing} older`));
      for (const row of rows) screen.line(`  ${row}`);
    }
  },
  ...sharedBy(
    ['member.add', 'member.rerole', 'member.charter', 'member.retire', 'member.restore', 'member.rename'],
    (result, screen) => {
      const { colour } = screen;
      const { member, previous_name: before, tasks = [] } = result;
      const name = colour.bold(inert(member.name));
      const role = inert(member.role_title) || 'no role';
      if (!result.changed)
        screen.line(member.status === 'Active' ? `${name} is ${role} already` : `${name} has left the team already`);
      else if (member.status === 'Retired') screen.line(`${name} has left the team`);
      else if (before !== undefined) screen.line(`${inert(before)} is now called ${name}: ${role}`);
      else screen.line(`${name} is on the team: ${role}`);
      screen.line(`  ${colour.dim(inert(member.charter_path))}`);
      if (member.name === result.leader || (member.status === 'Retired' && result.changed))
        screen.line(`  ${inert(result.leader)} leads the team`);
      if (tasks.length > 0) {
        const whose = member.status === 'Retired' ? 'are unassigned now' : `belong to ${inert(member.name)}`;
        screen.line(
          `  ${plural(tasks.length, 'task')} ${whose}: ${tasks
            .slice(0, SHOWN)
            .map((id) => inert(id))
            .join(', ')}`,
        );
      }
      if (result.outside.length > 0)
        screen.line(`  Changed outside .squad/: ${result.outside.map((file) => inert(file)).join(', ')}`);
      if (result.changed) screen.aside(`Next: ${colour.cyan('troupe team show')}`);
    },
  ),
  'squad.check': (result, screen) => {
    const { colour } = screen;
    if (result.layout === 'absent' && result.ok) {
      screen.line('This project has no team yet');
      screen.aside(`Next: ${colour.cyan('troupe cast propose')}`);
      return;
    }
    if (result.ok) return screen.line(colour.green('The team files match the team events'));
    printColumns(
      result.drifts.map(({ kind, file, message }) => [kind, file, message]),
      screen,
      (cell, column) => (column === 0 ? colour.yellow(cell) : cell),
    );
    screen.line();
    screen.line(colour.bold(plural(result.drifts.length, 'difference')));
    const next =
      result.layout === 'conflict'
        ? 'troupe squad migrate --keep canonical'
        : result.migration_available
          ? 'troupe squad migrate --dry-run'
          : 'troupe squad render';
    screen.aside(`Next: ${colour.cyan(next)}`);
  },
  'squad.render': (result, screen) => {
    if (result.written.length + result.removed.length === 0) screen.line('Nothing to write: all files are up to date');
    for (const file of result.written) screen.line(`wrote    ${inert(file)}`);
    for (const file of result.removed) screen.line(`removed  ${inert(file)}`);
  },
  'squad.migrate': (result, screen) => {
    const { colour } = screen;
    if (result.moved.length + result.copied.length === 0)
      return screen.line('Nothing to migrate: the state is in the current format');
    const verb = result.dry_run ? 'would be imported' : 'were imported';
    screen.line(colour.bold(`${plural(result.members, 'member')} ${verb}`));
    for (const file of result.written) screen.line(`  ${result.dry_run ? 'writes' : 'wrote'}  ${inert(file)}`);
    for (const { from, to } of result.moved)
      screen.line(`  ${result.dry_run ? 'moves' : 'moved'}  ${inert(from)} ${colour.dim(`to ${inert(to)}`)}`);
    for (const { from, to } of result.copied)
      screen.line(`  ${result.dry_run ? 'copies' : 'copied'}  ${inert(from)} ${colour.dim(`to ${inert(to)}`)}`);
    for (const { file, line } of result.not_understood)
      screen.line(colour.yellow(`  not valid: ${inert(file)}:${line}; it stays in the moved file`));
    screen.aside(`Next: ${colour.cyan(result.dry_run ? 'troupe squad migrate' : 'troupe squad render')}`);
  },
} satisfies Partial<Renderers>;
