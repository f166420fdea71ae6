/** Loads the installed library. In a separate file because a chunk with an external import cannot use compiled code. */
export const installedSqlite = () => import('libsql');
