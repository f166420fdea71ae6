/** The launcher argument that precedes the folder of the runs. */
export const LAUNCHER_FLAG = '--serve';
