/** Permissions of a file that only its owner may read or write. */
export const PRIVATE_FILE = 0o600;

/** Permissions of a folder that only its owner may enter. */
export const PRIVATE_FOLDER = 0o700;

/** Permissions of a script that only its owner may read or run. */
export const PRIVATE_PROGRAM = 0o700;

/** Permissions of a file that others may read, such as the graph in a repository. */
export const SHARED_FILE = 0o644;
