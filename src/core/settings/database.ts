/** Form of a project name in a database. */
export const DATABASE_PROJECT = /^[a-z][a-z0-9_]{0,39}$/;

/** Form of the name of a git remote through which machines exchange the work of attempts. */
export const DATABASE_REMOTE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Form of the address of an object store, with an optional prefix for object names. */
export const DATABASE_BLOBS = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9._-]{1,64}){0,8}\/?$/;

const HEADING = /^[ \t]*\[[ \t]*database[ \t]*\][ \t]*(?:#.*)?$/m;
const NEXT_HEADING = /^[ \t]*\[/m;
const NAME = /^[ \t]*project[ \t]*=[ \t]*(["'])([^"'\\\n]*)\1[ \t]*(?:#.*)?$/m;

/**
 * Project name if the settings select a database; undefined otherwise. Every command needs this first, so it is found
 * without a TOML parser: `[database]` on its own line, as Troupe writes it.
 */
export function databaseIn(settings: string): string | undefined {
  const heading = HEADING.exec(settings);
  if (heading === null) return undefined;
  const [table = ''] = settings.slice(heading.index + heading[0].length).split(NEXT_HEADING, 1);
  return NAME.exec(table)?.[2];
}
