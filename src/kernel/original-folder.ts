/** Name of the graph folder of the original workgraph, beside our own. */
export const ORIGINAL_FOLDER = '.wg';
