import type { Answer } from '#surfaces/http/contract.js';

export type StoredTeam = Extract<Answer<'team.show'>, { readonly name_auto: boolean }>;
export type TeamRow = Answer<'team.list'>['teams'][number];

/** Teams and their messages are stored in a database whose changes are not in the event log. */
export const ASK_MS = 3_000;
