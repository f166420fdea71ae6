import type { Proposal } from '#core/team/proposal.js';
import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printColumns, printSentence } from './casting-columns.js';

export const render: Renderer<
  'casting.analyze' | 'casting.goal' | 'casting.amend' | 'casting.scenario' | 'casting.manual' | 'casting.show'
> = (proposal, screen) => {
  const { colour } = screen;
  const holds =
    proposal.revision === 1
      ? `holds for ${formatDuration(Date.parse(proposal.expires_at) - Date.parse(proposal.created_at))}`
      : `revision ${proposal.revision}, holds until ${proposal.expires_at.slice(11, 16)} UTC`;
  screen.line(
    `${colour.bold(`Proposed: ${plural(proposal.members.length, 'member')} from ${inert(proposal.universe)}`)} (${holds})`,
  );
  printSentence(proposal.rationale, screen);
  screen.line();
  printColumns(
    proposal.members.map((member) => [member.proposed_name, member.role.title, member.justification]),
    screen,
    (cell, column) => (column === 0 ? colour.bold(cell) : column === 2 ? colour.dim(cell) : cell),
  );
  screen.line();
  const instead = proposal.members.map((member) => member.augment_name ?? member.proposed_name);
  if (proposal.members.some((member, index) => member.proposed_name !== instead[index])) {
    printSentence(`With --intent augment they join under names of the team's universe: ${instead.join(', ')}.`, screen);
    screen.line();
  }
  printSentence(`Confirming writes .squad/, and outside of it ${proposal.outside.join(', ')}.`, screen);
  if (proposal.client_files.length > 0)
    printSentence(`With --clients also ${proposal.client_files.map((file) => inert(file)).join(', ')}.`, screen);
  screen.line();
  for (const warning of proposal.warnings) screen.aside(`${colour.yellow('warning')}: ${inert(warning.message)}`);
  screen.aside(
    `Next: ${colour.cyan(nextCommand(proposal))}${proposal.existing_team_present ? '' : ' (or: troupe cast reject)'}`,
  );
};

function nextCommand(proposal: Proposal): string {
  if (!proposal.existing_team_present) return 'troupe cast confirm';
  return `troupe cast confirm --intent ${proposal.intent ?? 'new|augment|recast'}`;
}
