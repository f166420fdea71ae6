import { statSync } from 'node:fs';
import path from 'node:path';
import { fileStoreKind } from '#adapters/store/files/file-store-kind.js';
import type { Statements } from '#adapters/teams-database/statement.js';
import { systemClock } from '#kernel/clock.js';
import { configurationFolder, PLACES } from '#main/places.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { KeptRow, Storage } from '#ports/storage.js';

/**
 * The file storage of a project on this machine. Reading all of it or replacing its content requires that the caller
 * holds the project's lock.
 */
export function fileStorage(project: Project, processes: Processes): Storage {
  const { layout } = project;
  const graph = fileStoreKind({ folder: layout.folder, processes: async () => processes, clock: systemClock });
  return {
    words: 'the files of .workgraph',
    graph,
    async state() {
      // Tables without a graph are the remains of an interrupted move; the next move replaces them.
      const kept = [layout.log, layout.graph].map((file) => statSync(file, { throwIfNoEntry: false }));
      return kept.some((stat) => stat !== undefined && stat.size > 0) ? 'in-use' : 'none';
    },
    runsElsewhere: async () => [],
    async *rows() {
      const { keptRows } = await import('#adapters/teams-database/table-copy.js');
      const tables = await tablesOf(project);
      try {
        if (!tables.exists()) return;
        await tables.write(noStatements); // waits for a transaction that began before the caller had the lock
        yield* keptRows((work) => tables.read([], work));
      } finally {
        await tables.close();
      }
    },
    async receive({ lines, rows }) {
      const { emptied, inGroups, receivedRows } = await import('#adapters/teams-database/table-copy.js');
      const groups: (readonly KeptRow[])[] = [];
      for await (const group of inGroups(rows)) groups.push(group);
      if (groups.length > 0) {
        const tables = await tablesOf(project);
        try {
          await tables.write(function* () {
            yield* emptied();
            for (const group of groups) yield* receivedRows(group, '');
          });
        } finally {
          await tables.close();
        }
      }
      await graph.receive(lines);
    },
    prepare: async () => undefined,
  };
}

/** Opens the tables without a lock of their own: the caller holds the project's. */
async function tablesOf(project: Project) {
  const { TeamsDatabase } = await import('#adapters/teams-database/teams-database.js');
  return new TeamsDatabase({
    folder: project.layout.folder,
    migrations: PLACES.teams,
    clock: systemClock,
    turn: { isFree: () => false, exclusively: async (work) => work() },
    copies: path.join(configurationFolder(process.env), 'copies', project.id.slice(0, 16)),
  });
}

function* noStatements(): Statements<void> {
  // its transaction is what counts
}
