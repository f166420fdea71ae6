import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { AmendedMember } from './amend.js';
import type { Proposal } from './proposal.js';

/** Changes of a proposal as they are typed: ids that join, names that leave, `OLD=NEW`. */
export interface AmendWords {
  readonly add?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
  readonly name?: readonly string[] | undefined;
}

/** All members after the typed changes. Errors: `not_found` for a name nobody has, `bad_input`. */
export function membersAfter(proposal: Proposal, { add = [], drop = [], name = [] }: AmendWords): AmendedMember[] {
  const members = proposal.members.map((member) => ({
    archetype_id: member.role.id,
    before: member.proposed_name,
    proposed_name: member.proposed_name,
  }));
  const find = (called: string) => {
    const index = members.findIndex((member) => member.before.toLowerCase() === called.trim().toLowerCase());
    if (index >= 0) return index;
    throw new TroupeError('not_found', {
      what: `Nobody of the proposal is called ${quoted(called)}.`,
      hint: `On it: ${inert(members.map((member) => member.before).join(', '))}.`,
    });
  };
  for (const words of name) {
    const [, old, fresh] = /^([^=]+)=([^=]+)$/.exec(words) ?? [];
    const member = old === undefined ? undefined : members[find(old)];
    if (member === undefined || fresh === undefined)
      throw new TroupeError('bad_input', { what: `${quoted(words)} is not OLD=NEW.` });
    member.proposed_name = fresh.trim();
  }
  for (const called of drop) members.splice(find(called), 1);
  return [
    ...members.map(({ archetype_id, proposed_name }) => ({ archetype_id, proposed_name })),
    ...add.map((archetype_id) => ({ archetype_id })),
  ];
}

const quoted = (text: string): string => JSON.stringify(cut(inert(text), 80));
