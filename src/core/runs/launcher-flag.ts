/** The word before the folder of the runs among the words of a launcher. */
export const LAUNCHER_FLAG = '--serve';
