import { schemaOf } from '#adapters/postgres/database.js';
import { ROW_BLOBS } from '#adapters/workers/row-blobs.js';
import { type Settings, settingsFrom } from '#core/settings/settings.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import type { Blobs } from '#ports/blobs.js';

const IGNORED =
  'database.blobs is not trusted on this machine: what runs print goes into the database; `troupe trust` in this clone changes that';

/**
 * Storage for the output of runs at workers. Errors: `blobs_not_chosen` if no keys for the object store are set,
 * `bad_config`.
 */
export async function chosenBlobs({ database }: Pick<Settings, 'database'>): Promise<Blobs> {
  if (database.blobs === undefined) return ROW_BLOBS;
  const [{ S3Blobs }, { s3PlaceOf }] = await Promise.all([
    import('#adapters/workers/s3-blobs.js'),
    import('#adapters/workers/s3-place.js'),
  ]);
  return new S3Blobs(s3PlaceOf(database.blobs, process.env));
}

/** Output storage of a worker, and warnings for the person. */
export interface WorkerBlobs {
  readonly blobs: Blobs;
  readonly warnings: readonly string[];
}

/**
 * Output storage of a worker. Writes a test object to an object store first, so that no attempt is claimed whose output
 * could not be stored. Needs only the permission to put.
 */
export async function workerBlobs(context: Pick<Context, 'settings' | 'trust'>, project: string): Promise<WorkerBlobs> {
  const { settings } = await loadSettings(context);
  const said = settingsFrom(await (await context.settings()).read()).settings.database.blobs;
  const isIgnored = said !== undefined && settings.database.blobs === undefined;
  const blobs = await chosenBlobs(settings);
  if (blobs !== ROW_BLOBS) await blobs.put(`${schemaOf(project)}/tried`, Buffer.from('tried'));
  return { blobs, warnings: isIgnored ? [IGNORED] : [] };
}
