import { typed } from '#core/insight/typed.js';
import { inert } from '#kernel/text.js';

/** What the form of a proposal asks for, in the words of the address it is sent to. */
export interface ProposalWish {
  readonly mode: 'free_text' | 'analysis' | 'scenario' | 'manual';
  readonly goal?: string;
  readonly team_size?: number;
  readonly scenario_id?: string;
  readonly archetype_ids?: readonly string[];
  readonly universe?: string;
}

const word = (text: string): string => typed(inert(text));

/** The command that proposes the same. */
export function proposeCommand(wish: ProposalWish): string {
  const chosen = {
    free_text: ['goal', word(wish.goal ?? '')],
    analysis: ['analyze'],
    scenario: ['scenario', word(wish.scenario_id ?? '')],
    manual: ['manual', ...(wish.archetype_ids ?? []).map(word)],
  }[wish.mode];
  return [
    'troupe cast',
    ...chosen,
    ...(wish.team_size === undefined ? [] : ['--size', wish.team_size]),
    ...(wish.universe === undefined ? [] : ['--universe', word(wish.universe)]),
  ].join(' ');
}

/** One change of a proposal. */
export type Amendment =
  | { readonly universe: string }
  | { readonly drop: string }
  | { readonly rename: string; readonly to: string };

/** The command that changes the same. */
export function amendCommand(change: Amendment): string {
  if ('universe' in change) return `troupe cast amend --universe ${word(change.universe)}`;
  if ('drop' in change) return `troupe cast amend --drop ${word(change.drop)}`;
  return `troupe cast amend --name ${word(`${change.rename}=${change.to}`)}`;
}

/** The command that confirms the same; an intent that nobody chose is left out, and refused over a team. */
export function confirmCommand(wish: {
  readonly intent?: string;
  readonly leader?: string;
  readonly clients?: boolean;
}): string {
  return [
    'troupe cast confirm',
    ...(wish.intent === undefined ? [] : ['--intent', wish.intent]),
    ...(wish.leader === undefined ? [] : ['--leader', word(wish.leader)]),
    ...(wish.clients === true ? ['--clients'] : []),
  ].join(' ');
}
