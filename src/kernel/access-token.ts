/** Prefix of the secrets of the HTTP API, by which they are recognised in any text. */
export const ACCESS_TOKEN_PREFIX = 'troupe_';
export const ACCESS_TOKEN = /\btroupe_[\w-]{43}/g;
