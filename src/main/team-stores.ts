// Stores whose tables lie beside the graph; loaded on first use of any of them.
import path from 'node:path';
import { MailTables } from '#adapters/mail/mail-tables.js';
import { OutboxTable } from '#adapters/mail/outbox-table.js';
import { InboxTables } from '#adapters/teams/inbox-tables.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { systemClock } from '#kernel/clock.js';
import { configurationFolder, PLACES } from '#main/places.js';
import type { ExclusiveGraph, StoreKind } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';

interface TeamStoreParts {
  readonly project: Project;
  readonly store: StoreKind;
  /** The graph, in a process that holds it for its lifetime. */
  readonly held: ExclusiveGraph | undefined;
  readonly stopWaiting: () => boolean;
  readonly processes: () => Promise<Processes>;
}

/** Stores beside the graph of one project, sharing one connection. */
export async function teamStores(parts: TeamStoreParts) {
  const database = await tablesOf(parts);
  return {
    database,
    mail: new MailTables(database),
    outbox: new OutboxTable(database),
    teamInbox: new InboxTables(database),
    teams: new TeamTables(database),
  };
}

async function tablesOf({ project, store, held, stopWaiting, processes }: TeamStoreParts): Promise<Tables> {
  if (project.store.kind === 'files')
    return new TeamsDatabase({
      folder: project.layout.folder,
      migrations: PLACES.teams,
      clock: systemClock,
      turn: held ? { isFree: () => false, exclusively: (work) => held.exclusively(work) } : store.turn(stopWaiting),
      copies: path.join(configurationFolder(process.env), 'copies', project.id.slice(0, 16)),
    });
  const { postgresTables } = await import('#main/postgres-tables.js');
  return await postgresTables(project, project.store.name, { held, stopWaiting, processes: await processes() });
}
