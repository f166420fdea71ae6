import type { PostgresDatabase } from '#adapters/postgres/database.js';

/** Notified when something is asked. */
export const askedChannel = ({ schema }: PostgresDatabase) => `${schema}_asked`;
/** Notified with the id of a request that is answered. */
export const answersChannel = ({ schema }: PostgresDatabase) => `${schema}_answers`;
