/** The plugins for Claude Code that can be written. */
export const PLUGINS = ['roles', 'dev-crew', 'brainstorm-panel', 'research-sweep'] as const;
export type PluginName = (typeof PLUGINS)[number];
