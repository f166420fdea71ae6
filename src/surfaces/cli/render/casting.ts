import type { Proposal } from '#core/casting/proposal.js';
import { wrap } from '#kernel/cells.js';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import { writtenFiles } from '#surfaces/cli/outside-files.js';
import { type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printColumns } from '#surfaces/cli/table.js';

function printSentence(text: string, screen: Screen): void {
  for (const line of wrap(inert(text), screen.width)) screen.line(line);
}

/** Name of a member in the proposal: for joining the present team, or for a new team. */
function nameOf(member: Proposal['members'][number], joins: boolean): string {
  return joins ? (member.augment_name ?? member.proposed_name) : member.proposed_name;
}

/** Returns the command for the next step, and a note on the alternatives. */
function nextCommand({ existing_team_present, intent, members }: Proposal): readonly [command: string, others: string] {
  if (!existing_team_present) return ['troupe cast confirm', ' (or: troupe cast reject)'];
  if (intent !== undefined) return [`troupe cast confirm --intent ${intent}`, ''];
  if (members.every((member) => member.held_by !== undefined)) return ['troupe team show', ''];
  return ['troupe cast confirm --intent augment', ' (or with --intent recast or --intent new)'];
}

export const renderers = {
  ...sharedBy(
    ['casting.analyze', 'casting.goal', 'casting.amend', 'casting.scenario', 'casting.manual', 'casting.show'],
    (proposal, screen) => {
      const { colour } = screen;
      const validity =
        proposal.revision === 1
          ? `holds for ${formatDuration(Date.parse(proposal.expires_at) - Date.parse(proposal.created_at))}`
          : `revision ${proposal.revision}, holds until ${proposal.expires_at.slice(11, 16)} UTC`;
      const present = proposal.members.filter((member) => member.held_by !== undefined);
      const missing = proposal.members.filter((member) => member.held_by === undefined);
      const what =
        present.length === 0
          ? `Proposed: ${plural(missing.length, 'member')} from ${inert(proposal.universe)}`
          : `Proposed: ${plural(missing.length, 'member')} in addition to ${present.length} on the team`;
      screen.line(`${colour.bold(what)} (${validity})`);
      printSentence(proposal.rationale, screen);
      screen.line();
      printColumns(
        missing.map((member) => [nameOf(member, present.length > 0), member.role.title, member.justification]),
        screen,
        (cell, column) => (column === 0 ? colour.bold(cell) : column === 2 ? colour.dim(cell) : cell),
      );
      if (missing.length > 0) screen.line();
      if (present.length > 0) {
        printSentence(
          `Already there: ${present.map(({ held_by, role }) => `${held_by} (${role.title})`).join(', ')}.`,
          screen,
        );
        screen.line();
      }
      const joining = missing.map((member) => nameOf(member, true));
      if (present.length === 0 && missing.some((member, index) => member.proposed_name !== joining[index])) {
        printSentence(`With --intent augment they get names from the team's universe: ${joining.join(', ')}.`, screen);
        screen.line();
      }
      // Without anybody new there is nothing to confirm, unless the whole team is cast again.
      if (missing.length > 0 || proposal.intent !== undefined) {
        printSentence(`Confirming writes .squad/, and outside it ${proposal.outside.join(', ')}.`, screen);
        if (proposal.client_files.length > 0)
          printSentence(`With --clients, also ${proposal.client_files.map((file) => inert(file)).join(', ')}.`, screen);
        screen.line();
      }
      for (const warning of proposal.warnings) screen.aside(`${colour.yellow('warning')}: ${inert(warning.message)}`);
      const [next, others] = nextCommand(proposal);
      screen.aside(`Next: ${colour.cyan(next)}${others}`);
    },
  ),
  'casting.scenarios': ({ scenarios }, screen) => {
    printColumns(
      scenarios.map(({ id, description, archetypes }) => [id, `${archetypes.length}`, description]),
      screen,
      (cell, column) => (column === 0 ? screen.colour.bold(cell) : column === 1 ? screen.colour.dim(cell) : cell),
    );
    screen.aside(`Next: ${screen.colour.cyan('troupe cast propose --scenario ID')}`);
  },
  ...sharedBy(['casting.confirm', 'blueprint.apply'], (result, screen) => {
    const { colour } = screen;
    const cast = result.members.filter((member) => !member.built_in);
    const builtIn = result.members.filter((member) => member.built_in);
    screen.line(
      colour.bold(
        `The team: ${plural(cast.length, 'member')} from ${inert(result.universe)}, led by ${inert(result.leader)}`,
      ),
    );
    screen.line();
    const added = new Set(result.added);
    printColumns(
      cast.map((member) => [
        member.name,
        member.role_title,
        [added.has(member.name) ? 'new' : '', member.name === result.leader ? 'leads' : '']
          .filter((word) => word !== '')
          .join(', '),
      ]),
      screen,
      (cell, column) => (column === 0 ? colour.bold(cell) : column === 2 ? colour.dim(cell) : cell),
    );
    screen.line();
    screen.line(`Built in: ${builtIn.map((member) => inert(member.name)).join(', ')}`);
    if (result.retired.length > 0) screen.line(`Retired: ${result.retired.map((name) => inert(name)).join(', ')}`);
    const { tasks = [] } = result;
    if (tasks.length > 0) screen.line(`Unassigned now: ${tasks.map((task) => inert(task)).join(', ')}`);
    for (const { message } of result.warnings) screen.aside(`${colour.yellow('note:')} ${inert(message)}`);
    screen.line(writtenFiles(result.outside));
    screen.aside(`Next: ${colour.cyan('troupe team show')}`);
  }),
  'casting.reject': (_rejected, screen) => screen.line('The proposal is discarded. The team is unchanged.'),
  'casting.universes': ({ universes }, screen) => {
    printColumns(
      universes.map(({ name, names, used, current }) => [
        name,
        current ? 'this team' : used ? 'used' : '',
        names.join(', '),
      ]),
      screen,
      (cell, column) => (column === 0 ? screen.colour.bold(cell) : column === 2 ? screen.colour.dim(cell) : cell),
    );
  },
  'casting.archetypes': ({ archetypes }, screen) => {
    printColumns(
      archetypes.map(({ id, summary, domain, leads }) => [id, domain, leads ? 'leads' : '', summary]),
      screen,
      (cell, column) => (column === 0 ? screen.colour.bold(cell) : column === 3 ? cell : screen.colour.dim(cell)),
    );
    screen.aside(`Next: ${screen.colour.cyan('troupe cast propose --archetypes ID,ID')}`);
  },
  'team.ensure': ({ cast, universe, members, leader, outside }, screen) => {
    const who = `${plural(members, 'member')} from ${inert(universe)}, led by ${inert(leader)}`;
    screen.line(cast ? `A new team: ${who}` : `The existing team: ${who}`);
    if (cast) screen.line(writtenFiles(outside));
    screen.aside(`Next: ${screen.colour.cyan('troupe team show')}`);
  },
} satisfies Partial<Renderers>;
