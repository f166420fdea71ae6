import path from 'node:path';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { CastFollower } from '#adapters/teams/cast-follower.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { systemClock } from '#kernel/clock.js';
import { TeamLog } from '#operations/squad/team-log.js';
import { FREE_TURN } from '../../free-turn.js';
import { ALONE } from '../../lone-squad.js';

/** A project whose team is followed by its log and by teams.db, composed as in the program. */
export async function followed(
  project: string,
  migrations: string,
  step: (name: string) => void | Promise<void> = () => undefined,
) {
  const folder = path.join(project, '.workgraph');
  const store = await FileStore.open({ folder, clock: systemClock, processes: new ProcessTable(), hold: false });
  const database = new TeamsDatabase({
    turn: FREE_TURN,
    copies: path.join(folder, 'copies'),
    folder,
    migrations,
    clock: systemClock,
  });
  const cast = new CastFollower(database, systemClock);
  const squad = new SquadFolder(project, new ProcessTable(), {
    ...ALONE,
    step,
    log: async () => new TeamLog(async () => store, systemClock),
    followers: async () => [cast],
  });
  const close = async () => {
    await database.close();
    await store.close();
  };
  return { squad, store, teams: new TeamTables(database), close };
}
