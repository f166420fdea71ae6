import { mark } from '#core/casting/generated-file.js';
import { AGENTS_MD } from '#core/casting/squad-paths.js';
import type { TeamMember } from '#core/casting/team.js';
import { row } from '#core/casting/team-file.js';
import { TroupeError } from '#kernel/errors.js';

const BEGIN = '<!-- troupe:begin -->';
const END = '<!-- troupe:end -->';

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
  return `${BEGIN}\n${mark('', body)}\n${body}${END}`;
}

/** AGENTS.md with the block in it: in the place of the one there is, else at the end. All other text stays as it is. */
export function withAgentsBlock(text: string | undefined, members: readonly TeamMember[], leader: string): string {
  const block = agentsBlock(members, leader);
  const found = findBlock(text ?? '');
  if (found === undefined) {
    if (text === undefined || text === '') return `${block}\n`;
    return `${text}${text.endsWith('\n') ? '' : '\n'}\n${block}\n`;
  }
  return `${(text ?? '').slice(0, found.from)}${block}${(text ?? '').slice(found.to)}`;
}

/** Where the block stands; `marker_unpaired` when one of its marks lacks the other, or there are several. */
function findBlock(text: string): { from: number; to: number } | undefined {
  const begins = placesOf(text, BEGIN);
  const ends = placesOf(text, END);
  const [from] = begins;
  const [end] = ends;
  if (from === undefined && end === undefined) return undefined;
  if (begins.length !== 1 || ends.length !== 1 || from === undefined || end === undefined || end < from) {
    throw new TroupeError('marker_unpaired', {
      what: `${AGENTS_MD} has ${begins.length} times “${BEGIN}” and ${ends.length} times “${END}”: nothing was changed.`,
      details: { file: AGENTS_MD },
    });
  }
  return { from, to: end + END.length };
}

function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}
