/** The word with which the script of a shell asks the program; no command, so that no help lists it. */
export const COMPLETE = '__complete';
