/**
 * Id of the node that keeps what people are to be told, and how far the log was read for it. It follows the log, not the
 * tasks: a graph that is restored keeps it.
 */
export const NOTICE_NODE = '.notices';
/** Id of the node that keeps which repositories the issues of this project were exchanged with. Restored neither. */
export const FORGE_NODE = '.forge';
