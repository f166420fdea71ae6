import { mark } from './generated-file.js';
import { findBlock } from './marked-block.js';
import { AGENTS_MD } from './squad-paths.js';
import type { TeamMember } from './team.js';
import { row } from './team-file.js';

export const AGENTS_BEGIN = '<!-- troupe:begin -->';
const END = '<!-- troupe:end -->';
const MARKS = { file: AGENTS_MD, begin: AGENTS_BEGIN, end: END };

/** The part of AGENTS.md that is ours. */
function agentsBlock(members: readonly TeamMember[], leader: string): string {
  const body = [
    '',
    '## Team',
    '',
    'Work in this repository is shared by the members below. Take the part of the one who is named to you and read its charter first.',
    '',
    '| Name | Role | Charter |',
    '| --- | --- | --- |',
    ...members.map((member) => row([member.name, member.roleTitle, `\`${member.charterPath}\``])),
    '',
    `${leader} leads. Who takes which kind of work stands in \`.squad/routing.md\`.`,
    '',
  ].join('\n');
  return `${AGENTS_BEGIN}\n${mark('', body)}\n${body}${END}`;
}

/** AGENTS.md with the block in it: in the place of the one there is, else at the end. All other text stays as it is. */
export function withAgentsBlock(text: string | undefined, members: readonly TeamMember[], leader: string): string {
  const block = agentsBlock(members, leader);
  const found = findBlock(text ?? '', MARKS);
  if (found === undefined) {
    if (text === undefined || text === '') return `${block}\n`;
    return `${text}${text.endsWith('\n') ? '' : '\n'}\n${block}\n`;
  }
  return `${(text ?? '').slice(0, found.from)}${block}${(text ?? '').slice(found.to)}`;
}
