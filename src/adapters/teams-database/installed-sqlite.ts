/** The library beside us. In a file of its own: a chunk that imports what is not built with it gets no compiled code. */
export const installedSqlite = () => import('libsql');
