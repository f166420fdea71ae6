// What keeps its tables in teams.db, loaded when the first of them is asked for.
import { SqliteMailStore } from '#adapters/mail/sqlite-mail-store.js';
import { SqliteOutbox } from '#adapters/mail/sqlite-outbox.js';
import { SqliteTeamInbox } from '#adapters/team-inbox/sqlite-team-inbox.js';
import { SqliteTeamStore } from '#adapters/teams/sqlite-team-store.js';
import { TeamsDatabase, type TeamsPlaces } from '#adapters/teams-database/teams-database.js';
import { systemClock } from '#kernel/clock.js';

/** The stores in the teams.db of one project: one connection for all of them. */
export function teamStores(places: Omit<TeamsPlaces, 'clock'>) {
  const database = new TeamsDatabase({ ...places, clock: systemClock });
  return {
    database,
    mail: new SqliteMailStore(database),
    outbox: new SqliteOutbox(database),
    teamInbox: new SqliteTeamInbox(database),
    teams: new SqliteTeamStore(database),
  };
}
