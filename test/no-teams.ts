import { readTeamFile } from '#core/squad/team-file.js';
import { TroupeError } from '#kernel/errors.js';
import type { RosterConfig } from '#ports/roster-config.js';
import type { SquadFiles } from '#ports/squad-files.js';

const none = () => Promise.reject(new TroupeError('config_not_found'));

/** A project without a configuration tree. */
export const NO_TREE: RosterConfig = { tree: none, project: none, workgroup: none };

/** A project without a cast team. */
export const NO_CAST = {
  read: async () => ({ teamFile: readTeamFile(undefined), registry: { records: [] }, history: [] }),
  readTeam: async () => undefined,
} as unknown as SquadFiles;
