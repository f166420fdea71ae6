import { ROW_BLOBS } from '#adapters/blobs/row-blobs.js';
import { schemaOf } from '#adapters/postgres/database.js';
import { type Settings, settingsFrom } from '#core/settings/settings.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import type { Blobs } from '#ports/blobs.js';

const IGNORED =
  'database.blobs is not trusted on this machine: what runs print goes into the database; `troupe trust` in this clone changes that';

/** Where what runs print at workers is put, and read. Errors: `blobs_not_chosen` where no keys open an object store, `bad_config`. */
export async function chosenBlobs({ database }: Pick<Settings, 'database'>): Promise<Blobs> {
  if (database.blobs === undefined) return ROW_BLOBS;
  const [{ S3Blobs }, { s3PlaceOf }] = await Promise.all([
    import('#adapters/blobs/s3-blobs.js'),
    import('#adapters/blobs/s3-place.js'),
  ]);
  return new S3Blobs(s3PlaceOf(database.blobs, process.env));
}

/** What a worker does with its output, and what a person should know of that. */
export interface WorkerBlobs {
  readonly blobs: Blobs;
  readonly warnings: readonly string[];
}

/**
 * The same for a worker of a project: an object store is tried before anything is taken whose output would have no place there. It needs
 * the right to put, and no other.
 */
export async function workerBlobs(context: Pick<Context, 'settings' | 'trust'>, project: string): Promise<WorkerBlobs> {
  const { settings } = await loadSettings(context);
  const said = settingsFrom(await (await context.settings()).read()).settings.database.blobs;
  const isIgnored = said !== undefined && settings.database.blobs === undefined;
  const blobs = await chosenBlobs(settings);
  if (blobs !== ROW_BLOBS) await blobs.put(`${schemaOf(project)}/tried`, Buffer.from('tried'));
  return { blobs, warnings: isIgnored ? [IGNORED] : [] };
}
