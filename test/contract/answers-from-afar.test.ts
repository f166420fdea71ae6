import { MAIL_ANSWERS, writeMailPlan } from '#adapters/mail/mail-rows.js';
import { TEAM_ANSWERS, writeTeamPlan } from '#adapters/teams/plan-rows.js';
import { type AnsweredBy, runDecision, type Statements } from '#adapters/teams-database/statement.js';
import { keepAnswer, keptAnswer, type Tables } from '#adapters/teams-database/tables.js';
import { MAIL_VIEW, type MailAnswers, type MailPlan } from '#core/mail/conversation.js';
import { TEAMS_VIEW, type TeamPlan, type TeamQueries } from '#core/teams/changes.js';
import type { Queried, Queries, Query } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';
import { storesInMemory } from '../tables-in-memory.js';
import { airlock, mailStoreContract } from './mail-store.js';
import { taskTalkContract } from './task-talk.js';
import { teamStoreContract } from './team-store.js';
import { teamTalkContract } from './team-talk.js';

/** The parts of a store that a decision needs. */
interface Side<Answers extends object, Plan> {
  readonly view: Queries<Answers>;
  readonly answers: AnsweredBy<Answers>;
  readonly write: (plan: Plan, at: number) => Statements<void>;
}

const MAIL: Side<MailAnswers, MailPlan<unknown>> = { view: MAIL_VIEW, answers: MAIL_ANSWERS, write: writeMailPlan };
const TEAMS: Side<TeamQueries, TeamPlan<unknown>> = {
  ...{ view: TEAMS_VIEW, answers: TEAM_ANSWERS, write: writeTeamPlan },
};

const roundTrip = () => new Promise((resolve) => setImmediate(resolve));

/**
 * The changes of a store on another machine: each query travels as JSON, each answer comes after a round trip in which others write,
 * and whoever finds at the end that somebody did begins anew.
 */
function fromAfar<Answers extends object, Plan extends { readonly result: unknown }>(
  tables: Tables,
  { view, answers, write }: Side<Answers, Plan>,
) {
  let version = 0;
  const answer = async ({ name, of }: Query) => {
    await roundTrip();
    const travelled: Query = { name, of: JSON.parse(JSON.stringify(of)) };
    const ask = function* (): Queried<unknown> {
      return yield travelled;
    };
    return structuredClone(await tables.write(() => runDecision(ask(), answers)));
  };
  const read = async (reading: Queried<Plan>): Promise<Plan> => {
    let step = reading.next();
    while (!step.done) step = reading.next(await answer(step.value));
    return step.value;
  };
  const change = async (decide: (view: Queries<Answers>) => Queried<Plan>, request?: KnownRequest) => {
    for (;;) {
      const before = version;
      const kept = request && (await tables.write(() => keptAnswer(request)));
      if (kept) return kept.result;
      const plan = await read(decide(view));
      const done = await tables.write(function* () {
        if (version !== before) return false;
        yield* write(plan, tables.now());
        if (request) yield* keepAnswer(request, plan.result, tables.now());
        return true;
      });
      if (!done) continue;
      version++;
      return plan.result;
    }
  };
  return {
    change: (decide: (view: Queries<Answers>) => Queried<Plan>) => change(decide),
    changeOnce: (request: KnownRequest, decide: (view: Queries<Answers>) => Queried<Plan>) => change(decide, request),
  };
}

const NAME = 'answers after a round trip';

const mailFromAfar = () => {
  const { mail, outbox, teams, tables } = storesInMemory();
  return { mail: Object.assign(mail, fromAfar(tables, MAIL)), outbox, teams };
};

mailStoreContract(NAME, () => {
  const { mail, outbox, teams } = mailFromAfar();
  return { mail, outbox, team: (status) => airlock(teams, status) };
});
taskTalkContract(NAME, mailFromAfar);

const teamsFromAfar = () => {
  const { teams, outbox, tables } = storesInMemory();
  return { store: Object.assign(teams, fromAfar(tables, TEAMS)), outbox };
};

teamStoreContract(NAME, teamsFromAfar);
teamTalkContract(NAME, teamsFromAfar);
