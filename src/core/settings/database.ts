/** Names of projects in a database. */
export const DATABASE_PROJECT = /^[a-z][a-z0-9_]{0,39}$/;

/** Names of git remotes by which machines exchange the work of attempts. */
export const DATABASE_REMOTE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** An object store, and the beginning of the names of its objects. */
export const DATABASE_BLOBS = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9._-]{1,64}){0,8}\/?$/;

const HEADING = /^[ \t]*\[[ \t]*database[ \t]*\][ \t]*(?:#.*)?$/m;
const NEXT_HEADING = /^[ \t]*\[/m;
const NAME = /^[ \t]*project[ \t]*=[ \t]*(["'])([^"'\\\n]*)\1[ \t]*(?:#.*)?$/m;

/**
 * The name under which settings say that the project is kept in a database; undefined where they say nothing of the kind. Every command
 * asks this before anything else, so that it is found without a parser of TOML: `[database]` on a line of its own, as we write it.
 */
export function databaseIn(settings: string): string | undefined {
  const heading = HEADING.exec(settings);
  if (heading === null) return undefined;
  const [table = ''] = settings.slice(heading.index + heading[0].length).split(NEXT_HEADING, 1);
  return NAME.exec(table)?.[2];
}
