/** First argument with which completion scripts call the program. It is no command, so help does not list it. */
export const COMPLETE = '__complete';
