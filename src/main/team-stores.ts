// What keeps its tables in teams.db, loaded when the first of them is asked for.
import { MailTables } from '#adapters/mail/mail-tables.js';
import { OutboxTable } from '#adapters/mail/outbox-table.js';
import { InboxTables } from '#adapters/team-inbox/inbox-tables.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { TeamsDatabase, type TeamsPlaces } from '#adapters/teams-database/teams-database.js';
import { systemClock } from '#kernel/clock.js';

/** The stores in the teams.db of one project: one connection for all of them. */
export function teamStores(places: Omit<TeamsPlaces, 'clock'>) {
  const database = new TeamsDatabase({ ...places, clock: systemClock });
  return {
    database,
    mail: new MailTables(database),
    outbox: new OutboxTable(database),
    teamInbox: new InboxTables(database),
    teams: new TeamTables(database),
  };
}
